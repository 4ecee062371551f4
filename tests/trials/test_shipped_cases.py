"""The cases that come with the project say the same thing in their mails, their tables and their labels."""

from __future__ import annotations

import email
import html
import re
from dataclasses import dataclass
from datetime import date, datetime
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from sopbench.trials.case import Compare, SiteCase, load_case

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
NAMES = ["empty_day", "hard_day", "ordinary_day", "short_day"]
FIRST_DAY, LAST_DAY = date(2025, 6, 1), date(2025, 6, 2)
STAGES = ("Contacted", "Interested", "In Diligence", "Committed", "Passed")
HISTORY = ("Thread Summary / Notes", "Next Step / Action")


@dataclass(frozen=True)
class Mail:
    """One .eml file as a person sees it."""

    file: str
    message: EmailMessage
    sent: datetime
    """In the account's zone."""

    @property
    def sender(self) -> tuple[str, str]:
        address = self.message["from"].addresses[0]
        return address.display_name, address.addr_spec

    @property
    def text(self) -> str:
        """Subject, sender and what the sender wrote, without the quoted history."""
        part = self.message.get_body(("plain", "html"))
        assert part is not None
        content = part.get_content()
        if part.get_content_subtype() == "html":
            content = html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", content, flags=re.DOTALL))
        new_text = re.split(r"^On .* wrote:$", content, maxsplit=1, flags=re.MULTILINE)[0]
        return " ".join([self.message["subject"], *self.sender, new_text])

    @property
    def thread(self) -> str:
        """Message-ID of the first message."""
        return str(self.message.get("references", self.message["message-id"])).split()[0]

    @property
    def labels(self) -> list[str]:
        return [label.strip() for label in str(self.message.get("x-gmail-labels", "Inbox")).split(",")]

    @property
    def in_window(self) -> bool:
        return FIRST_DAY <= self.sent.date() <= LAST_DAY


def read_mails(case: SiteCase) -> list[Mail]:
    mails = []
    for path in case.mails():
        message = email.message_from_bytes(path.read_bytes(), policy=default)
        sent = parsedate_to_datetime(message["date"]).astimezone(case.now.tzinfo)
        mails.append(Mail(path.name, message, sent))
    return mails


def changed_rows(case: SiteCase, table: str) -> dict[str, dict[str, str]]:
    """Rows of after/ that are new or differ from before/, by key."""
    key = case.tables[table].key
    before = {row[key]: row for row in case.before(table)}
    return {row[key]: row for row in case.after(table) if row != before.get(row[key])}


def to_be_handled(case: SiteCase) -> list[Mail]:
    """Mails in the window that investors sent and nobody has labelled yet."""
    return [
        mail
        for mail in read_mails(case)
        if mail.in_window
        and mail.file in case.labels["Processed"]
        and "Processed" not in mail.labels
        and mail.sender[1] != case.account.email
    ]


def explains(mail: Mail, investor: str) -> bool:
    """The name is written out in the mail, and not only as the start of a longer name."""
    return re.search(re.escape(investor) + r"(?! Growth)", mail.text, re.IGNORECASE) is not None


def load_shipped(name: str) -> SiteCase:
    case = load_case(CASES / name)
    assert isinstance(case, SiteCase)
    return case


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest) -> SiteCase:
    return load_shipped(str(request.param))


def test_the_shipped_cases_are_the_ones_named_here() -> None:
    assert sorted(path.parent.name for path in CASES.glob("*/case.toml")) == NAMES


def test_the_ids_of_the_base_look_like_those_of_airtable(case: SiteCase) -> None:
    tables = case.tables.values()

    assert re.fullmatch(r"app\w{14}", case.base.id)
    assert all(re.fullmatch(r"tbl\w{14}", table.id) and re.fullmatch(r"viw\w{14}", table.view) for table in tables)


def test_every_row_has_every_column_and_a_key_of_its_own(case: SiteCase) -> None:
    for name, table in case.tables.items():
        for rows in (case.before(name), case.after(name)):
            assert rows
            assert all(list(row) == list(table.columns) for row in rows)
            assert len({row[table.key] for row in rows}) == len(rows)


def test_every_cell_fits_the_type_of_its_column(case: SiteCase) -> None:
    patterns = {
        "singleSelect": "|".join(STAGES),
        "date": r"\d{4}-\d\d-\d\d",
        "checkbox": "checked",
        "number": r"-?\d+",
        "email": r"\S+@\S+\.example",
    }
    for name, table in case.tables.items():
        for row in case.before(name) + case.after(name):
            for column, cell in row.items():
                kind = table.columns[column].type
                assert not cell or re.fullmatch(patterns.get(kind, r"(?s).*"), cell), (row[table.key], column)


def test_there_are_as_many_records_as_a_small_crm_has(case: SiteCase) -> None:
    assert 15 <= len(case.before("Investors")) <= 30


def test_every_mail_is_whole_and_invented(case: SiteCase) -> None:
    mails = read_mails(case)

    for mail in mails:
        assert all(mail.message[name] for name in ("from", "to", "date", "subject", "message-id")), mail.file
        assert not mail.message.defects, mail.file
        assert mail.sender[1].endswith(".example"), mail.file
        assert len(mail.text.split()) >= 20, mail.file
    assert len({mail.message["message-id"] for mail in mails}) == len(mails)
    assert [mail.file for mail in mails] == [mail.file for mail in sorted(mails, key=lambda mail: mail.sent)]


def test_no_mail_comes_from_the_future(case: SiteCase) -> None:
    assert all(mail.sent <= case.now for mail in read_mails(case))


@pytest.mark.parametrize(
    ("name", "in_window", "from_investors"), [("ordinary_day", 14, 7), ("short_day", 3, 2), ("empty_day", 0, 0)]
)
def test_a_plain_day_has_so_many_mails_each_in_a_thread_of_its_own(
    name: str, in_window: int, from_investors: int
) -> None:
    case = load_shipped(name)
    mails = [mail for mail in read_mails(case) if mail.in_window]

    assert len(mails) == len({mail.thread for mail in mails}) == in_window
    assert len(to_be_handled(case)) == from_investors


def test_an_ordinary_day_has_four_known_and_three_new_investors() -> None:
    case = load_shipped("ordinary_day")
    known = {row["Investor Name"] for row in case.before("Investors")}
    changed = changed_rows(case, "Investors").keys()

    assert len(changed & known) == 4
    assert len(changed - known) == 3


def test_an_empty_day_changes_nothing() -> None:
    case = load_shipped("empty_day")

    assert case.mails()
    assert case.labels == {"Processed": ()}
    assert not (case.path / "after").exists()


def test_records_change_only_where_a_mail_explains_it_and_every_investor_mail_changes_one(case: SiteCase) -> None:
    changed = changed_rows(case, "Investors")
    mails = to_be_handled(case)

    for mail in mails:
        assert len([name for name in changed if explains(mail, name)]) == 1, mail.file
    for name, row in changed.items():
        own = [mail for mail in mails if explains(mail, name)]
        assert own, name
        assert row["Last Interaction"] == max(mail.sent for mail in own).date().isoformat(), name
        assert row["Stage"] in STAGES, name


def test_no_record_disappears_and_new_ones_come_last(case: SiteCase) -> None:
    before = [row["Investor Name"] for row in case.before("Investors")]
    after = [row["Investor Name"] for row in case.after("Investors")]

    assert after[: len(before)] == before


def test_known_records_keep_their_contact_and_new_ones_take_it_from_the_sender(case: SiteCase) -> None:
    before = {row["Investor Name"]: row for row in case.before("Investors")}
    senders = {mail.sender for mail in to_be_handled(case)}

    for name, row in changed_rows(case, "Investors").items():
        contact = (row["Contact Person"], row["Email"])
        if name in before:
            assert contact == (before[name]["Contact Person"], before[name]["Email"])
            assert row["Check Size (USD)"] == before[name]["Check Size (USD)"]
        else:
            assert contact in senders
            assert row["Check Size (USD)"] == ""


def test_the_facts_asked_for_are_not_there_before_the_run(case: SiteCase) -> None:
    before = {row["Investor Name"]: row for row in case.before("Investors")}

    for name, row in changed_rows(case, "Investors").items():
        for column in HISTORY:
            old_text = before.get(name, {}).get(column, "").casefold()
            for fact in filter(None, (part.strip() for part in row[column].split(";"))):
                assert not any(word.casefold() in old_text for word in fact.split("|")), (name, column, fact)
        assert row["Last Interaction"] in row["Thread Summary / Notes"], name


def test_every_wanted_fact_but_the_date_can_be_found_in_a_mail_or_is_a_word_for_what_it_says(case: SiteCase) -> None:
    for name, row in changed_rows(case, "Investors").items():
        text = " ".join(mail.text for mail in to_be_handled(case) if explains(mail, name)).casefold()
        for column in HISTORY:
            for fact in filter(None, (part.strip() for part in row[column].split(";"))):
                if fact != row["Last Interaction"]:
                    assert any(word.casefold() in text for word in fact.split("|")), (name, column, fact)


def test_only_investors_is_touched_and_its_history_is_kept(case: SiteCase) -> None:
    assert set(case.tables) == {"Investors", "Metrics"}
    assert changed_rows(case, "Metrics") == {}
    for column, description in case.tables["Investors"].columns.items():
        assert description.compare is (Compare.HISTORY if column in HISTORY else Compare.EXACT)


def test_labels_are_given_to_whole_threads_and_only_to_those_with_mail_in_the_window(case: SiteCase) -> None:
    mails = read_mails(case)
    labelled = {mail.thread for mail in mails if mail.file in case.labels["Processed"]}

    assert {mail.file for mail in mails if mail.thread in labelled} == set(case.labels["Processed"])
    assert labelled <= {mail.thread for mail in mails if mail.in_window}


def test_a_hard_day_has_everything_that_makes_it_hard() -> None:
    case = load_shipped("hard_day")
    mails = read_mails(case)
    handled = to_be_handled(case)

    assert any(mail.sent.date() < FIRST_DAY <= parsedate_to_datetime(mail.message["date"]).date() for mail in mails)
    assert any(mail.in_window and parsedate_to_datetime(mail.message["date"]).date() > LAST_DAY for mail in mails)
    assert any(mail.sent.date() > LAST_DAY for mail in mails)
    assert len({mail.thread for mail in handled}) < len(handled)
    assert len(changed_rows(case, "Investors")) < len({mail.thread for mail in handled})
    assert {"text/html", "multipart/alternative"} <= {mail.message.get_content_type() for mail in handled}
    assert any("'" in mail.sender[0] for mail in handled)
    assert any(not mail.sender[0][0].isascii() for mail in handled)
    assert any("Processed" in mail.labels and mail.in_window for mail in mails)
    assert any(re.search(r"^>>", str(mail.message.get_payload()), re.MULTILINE) for mail in handled)
