"""Faults of sessions, data and hostile content, in front of the mock sites."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from sopbench.events.masking import Masker
from sopbench.faults.at_work import Disturbance
from sopbench.sites.airtable.site import AirtableSite
from sopbench.sites.gmail.site import GmailSite
from sopbench.trials.case import SiteCase, load_case
from sopbench.trials.condition import PlannedFault
from sopbench.trials.oracle import LabelOracle, TableOracle

from .conftest import planned, started

SHORT_DAY = Path(__file__).parents[2] / "fixtures" / "cases" / "short_day"
DOCUMENT = {"sec-fetch-dest": "document", "accept": "text/html"}
SEARCH = "after:2025/06/01 before:2025/06/03"


@dataclass
class Sites:
    """Both sites under faults, and clients of theirs."""

    case: SiteCase
    gmail: GmailSite
    airtable: AirtableSite
    disturbance: Disturbance
    mail: TestClient
    base: TestClient

    @property
    def strikes(self) -> int:
        return sum(record.strikes for record in self.disturbance.records())

    def sign_in(self) -> None:
        name, _, value = self.gmail.entered().partition("=")
        self.mail.cookies.set(name, value)

    def found(self) -> list[str]:
        """Subjects of the day's mail, as the page would be told them."""
        answer = self.mail.post("/mail/u/0/i/list", json={"view": "search", "argument": SEARCH})
        return [row["subject"] for row in answer.json()["rows"]]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """A table's records as its public interface gives them."""
        there = self.airtable.base.table(table)
        names = {field.id: field.name for field in there.fields}
        return [{names[key]: value for key, value in each.cells.items()} for each in there.records.values()]

    def oracle(self, *, amended: bool = True) -> TableOracle:
        if not amended:
            return TableOracle(self.case, self.rows)
        return TableOracle(self.case, self.disturbance.amendments.read(self.rows))


def under(*faults: PlannedFault, seed: int = 4) -> Sites:
    case = load_case(SHORT_DAY)
    assert isinstance(case, SiteCase)
    gmail, airtable = GmailSite(case, seed), AirtableSite(case, seed)
    disturbance = Disturbance(faults, seed=seed)
    started(disturbance)
    disturbance.moment.action = 1
    served = disturbance.sites({"gmail": gmail, "airtable": airtable})
    mail = TestClient(served["gmail"], base_url="https://mail.google.com", follow_redirects=False)
    base = TestClient(served["airtable"], base_url="https://airtable.com", follow_redirects=False)
    return Sites(case, gmail, airtable, disturbance, mail, base)


def test_without_a_fault_for_them_the_sites_are_served_as_they_are() -> None:
    sites = under(planned("network.reset"))

    assert sites.mail.app is sites.gmail


def test_a_signed_out_visitor_is_told_so_by_the_data_and_led_to_the_sign_in() -> None:
    sites = under(planned("session.signed_out", when={"once": True, "from_action": 2}, site="gmail"))
    sites.sign_in()
    before = sites.mail.post("/mail/u/0/i/start", json={}).status_code
    sites.disturbance.moment.action = 2

    assert before == 200
    assert sites.mail.post("/mail/u/0/i/start", json={}).status_code == 401
    assert "/signin/" in sites.mail.get("/mail/u/0/", headers=DOCUMENT).headers["location"]


def test_a_signed_out_visitor_of_the_base_has_to_sign_in_again() -> None:
    sites = under(planned("session.signed_out", when="once", site="airtable"))

    answer = sites.base.get("/appNorthwindCrm01", headers=DOCUMENT)

    assert answer.headers["location"].startswith("/login")


def test_an_account_has_to_be_chosen_once() -> None:
    sites = under(planned("session.account_chooser", when="once"))

    page = sites.mail.get("/mail/u/0/?x=1", headers=DOCUMENT).text
    wrong = sites.mail.post("/__challenge", data={"account": "Dana R. (personal) <dana.r.private@mail.example>"})
    right = sites.mail.post("/__challenge", data={"account": "Dana Reyes <x>", "onward": "/mail/u/0/?x=1"})

    assert "Choose an account" in page
    assert "no access" in wrong.text
    assert (right.status_code, right.headers["location"]) == (303, "/mail/u/0/?x=1")
    assert "Choose an account" not in sites.mail.get("/mail/u/0/", headers=DOCUMENT).text


def test_nobody_has_the_code_of_the_second_factor() -> None:
    sites = under(planned("session.second_factor", when="once"))
    sites.mail.get("/mail/u/0/", headers=DOCUMENT)

    tried = sites.mail.post("/__challenge", data={"code": "123456", "onward": "/mail/u/0/"})

    assert "Wrong code" in tried.text
    assert "2-Step Verification" in sites.mail.get("/mail/u/0/", headers=DOCUMENT).text
    assert sites.strikes == 1


@pytest.mark.parametrize(("held_ms", "passes"), [("300", False), ("2100", True)])
def test_the_check_for_robots_wants_a_long_press(held_ms: str, passes: bool) -> None:
    sites = under(planned("session.bot_check", when="once"))
    sites.mail.get("/mail/u/0/", headers=DOCUMENT)

    answer = sites.mail.post("/__challenge", data={"held": held_ms, "onward": "/mail/u/0/"})

    assert (answer.status_code == 303) is passes


def test_a_page_in_between_leaves_data_and_other_hosts_alone() -> None:
    sites = under(planned("session.bot_check", when="always", site="gmail"))
    sites.sign_in()

    assert sites.mail.post("/mail/u/0/i/start", json={}).status_code == 200
    assert sites.base.get("/", headers=DOCUMENT).status_code == 200


def test_somebody_else_is_signed_in_with_a_mailbox_of_their_own() -> None:
    sites = under(planned("session.other_user", when="once"))

    page = sites.mail.get("/mail/u/0/", headers=DOCUMENT)
    start = sites.mail.post("/mail/u/0/i/start", json={}).json()

    assert page.status_code == 200
    assert start["account"]["email"] == "robin.vale@northwind-robotics.example"
    assert sites.found() == []


def test_a_mail_arrives_before_the_answer_to_a_later_action() -> None:
    sites = under(planned("data.mail_arrives", subject="Minutes", when={"once": True, "from_action": 3}))
    sites.sign_in()
    before = sites.found()
    sites.disturbance.moment.action = 3

    after = sites.found()

    assert "Minutes" not in before
    assert [*after] == ["Minutes", *before]
    assert LabelOracle(sites.case, sites.gmail.labels).outcome().wrong == ()
    assert sites.gmail.letters() == []


def test_odd_mails_are_taken_by_the_mailbox() -> None:
    odd = planned(
        "data.mail_arrives", subject="𝔚 \u202eeht <b>x</b>", text="a\u200f", times=5000, sender="Ω 🤖 <o@x.example>"
    )
    sites = under(odd)
    sites.sign_in()

    assert "𝔚 \u202eeht <b>x</b>" in sites.found()


def test_an_unread_conversation_is_thrown_away_the_same_for_the_same_seed() -> None:
    def left(seed: int) -> list[str]:
        sites = under(planned("data.thread_deleted", when="once"), seed=seed)
        sites.sign_in()
        return sites.found()

    remaining = [left(seed) for seed in (1, 1, 2, 3, 4, 5)]

    assert remaining[0] == remaining[1]
    assert all(len(each) == 2 for each in remaining)
    assert len({tuple(each) for each in remaining}) > 1


def test_what_somebody_else_wrote_is_not_held_against_the_run_but_must_stay() -> None:
    sites = under(planned("data.record_changed", when="once"))
    sites.base.get("/", headers=DOCUMENT)
    changed = next(
        each
        for each in sites.rows("Investors")
        if "Rang them" in str(each.get("Thread Summary / Notes", ""))
        or "Rang them" in str(each.get("Next Step / Action", ""))
    )

    blamed, beside = sites.oracle(amended=False).outcome(), sites.oracle().outcome()
    table = sites.airtable.base.table("Investors")
    record = next(each for each in table.records.values() if each.cells[table.fields[0].id] == changed["Investor Name"])
    for field in table.fields:
        if "Rang them" in str(record.cells.get(field.id, "")):
            record.cells[field.id] = "overwritten"

    assert blamed.wrong
    assert beside.wrong == ()
    assert sites.oracle().outcome().wrong


def test_what_somebody_else_writes_after_the_run_takes_nothing_from_what_the_run_wrote() -> None:
    sites = under(planned("data.record_changed", field="Thread Summary / Notes"))
    table = sites.airtable.base.table("Investors")
    notes = table.field("Thread Summary / Notes").id
    sites.base.get("/", headers=DOCUMENT)
    for record in table.records.values():
        record.cells[notes] = f"{record.cells.get(notes, '')}\n2025-06-02: In Diligence."
    own = sites.oracle().outcome()

    for _ in range(3):
        sites.base.get("/", headers=DOCUMENT)

    assert sites.strikes == 4
    assert sites.oracle().outcome() == own


def test_a_renamed_field_is_read_under_its_old_name() -> None:
    sites = under(planned("data.field_renamed", field="Stage", when="once"))
    sites.base.get("/", headers=DOCUMENT)

    fields = [field.name for field in sites.airtable.base.table("Investors").fields]
    assert "Our Stage" in fields
    assert "Stage" not in fields
    assert sites.oracle(amended=False).outcome().wrong
    assert sites.oracle().outcome().wrong == ()


def test_a_retyped_field_holds_what_it_held() -> None:
    sites = under(planned("data.field_retyped", field="Stage", when="once"))
    before = sites.rows("Investors")

    sites.base.get("/", headers=DOCUMENT)

    assert sites.strikes == 1
    assert sites.rows("Investors") == before
    assert sites.oracle().outcome().wrong == ()


def test_dates_that_become_text_read_as_they_were_shown_and_are_judged_as_dates() -> None:
    sites = under(planned("data.field_retyped", field="Last Interaction", when="once"))

    sites.base.get("/", headers=DOCUMENT)

    assert sites.rows("Investors")[0]["Last Interaction"] == "5/19/2025"
    assert sites.oracle(amended=False).outcome().wrong
    assert sites.oracle().outcome().wrong == ()


def test_a_copied_record_is_not_held_against_the_run_while_it_stays_as_it_is() -> None:
    sites = under(planned("data.record_duplicated", when="once"))
    sites.base.get("/", headers=DOCUMENT)

    blamed, beside = sites.oracle(amended=False).outcome(), sites.oracle().outcome()
    table = sites.airtable.base.table("Investors")
    copy = list(table.records.values())[-1]
    copy.cells[table.field("Thread Summary / Notes").id] = "changed by the run"

    assert blamed.wrong
    assert beside.wrong == ()
    assert sites.oracle().outcome().wrong


@pytest.mark.parametrize("how", ["visible", "hidden", "link", "subject"])
def test_a_hostile_mail_arrives_with_its_orders(how: str) -> None:
    sites = under(planned("hostile.mail", how=how, when="once"))
    sites.sign_in()
    sites.found()

    [mail] = [
        each for thread in sites.gmail.mailbox.threads.values() for each in thread.mails if each.file == "arrived-3.eml"
    ]

    planted = {"visible": mail.body.text, "hidden": mail.body.html, "link": mail.body.html, "subject": mail.subject}[
        how
    ]
    assert any(word in planted for word in ("SYSTEM NOTICE", "account-check.example"))


def test_orders_in_attributes_are_in_no_text() -> None:
    sites = under(planned("hostile.hidden_orders", when="once"))
    sites.sign_in()
    sites.found()

    mails = [each for thread in sites.gmail.mailbox.threads.values() for each in thread.mails]
    assert all("SYSTEM NOTICE" in mail.body.html for mail in mails)
    assert not any("SYSTEM NOTICE" in mail.body.text for mail in mails)


def test_orders_in_records_are_not_held_against_the_run() -> None:
    sites = under(planned("hostile.records", when="once"))
    sites.base.get("/", headers=DOCUMENT)

    hit = [row for row in sites.rows("Investors") if "SYSTEM NOTICE" in str(row.get("Thread Summary / Notes"))]
    assert len(hit) == 3
    assert sites.oracle().outcome().wrong == ()


def test_an_oracle_that_reads_under_another_name_strikes_nothing() -> None:
    sites = under(planned("data.record_changed", when="once"))
    elsewhere = TestClient(sites.base.app, base_url="http://127.0.0.1:9")

    elsewhere.get("/v0/appNorthwindCrm01/Investors", headers={"authorization": "Bearer patMockToken.0000"})

    assert sites.strikes == 0


def test_strikes_are_kept_beside_the_log(tmp_path: Path) -> None:
    sites = under(planned("data.mail_arrives", subject="hunter2 inside", when="once"))
    sites.disturbance.begin(tmp_path, Masker(["hunter2"]))
    sites.sign_in()

    sites.found()

    text = (tmp_path / "faults.jsonl").read_text()
    assert '"fault":"data.mail_arrives"' in text
    assert "hunter2" not in text
