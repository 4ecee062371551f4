"""The site as HTTP sees it."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from sopbench.sites.gmail.site import GmailSite
from sopbench.sites.site import Site
from sopbench.trials.case import SiteCase

MakeCase = Callable[..., SiteCase]
Write = Callable[..., EmailMessage]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sopbench.sites.gmail.site._LATENCY_S", (0.0, 0.001))


@pytest.fixture
def site(case: SiteCase) -> GmailSite:
    """The site of the sample morning."""
    return GmailSite(case, seed=1)


def test_it_is_a_site_with_the_two_hosts(site: GmailSite) -> None:
    one: Site = site

    assert (one.name, one.hosts) == ("gmail", ("mail.google.com", "accounts.google.com"))


def _client(site: GmailSite, origin: str = "http://127.0.0.1:8000") -> TestClient:
    return TestClient(site, base_url=origin, follow_redirects=False)


def _sign_in(client: TestClient) -> None:
    first = client.post("/signin/v2/identifier", data={"identifier": "Dana@Acme.test "})
    last = client.post(first.headers["location"], data={"Passwd": "correct horse"})
    assert last.status_code == 303


def _ask(client: TestClient, name: str, **data: Any) -> Any:
    response = client.post(f"/mail/u/0/i/{name}", json=data)
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize("path", ["/", "/mail", "/mail/", "/mail/u/0"])
def test_short_addresses_lead_to_the_mailbox(path: str, site: GmailSite) -> None:
    assert _client(site, "https://mail.google.com").get(path).headers["location"] == "/mail/u/0/"


def test_strangers_are_sent_to_sign_in_at_the_accounts_host(site: GmailSite) -> None:
    response = _client(site, "https://mail.google.com").get("/mail/u/0/")

    place = urlsplit(response.headers["location"])
    assert (place.scheme, place.netloc, place.path) == ("https", "accounts.google.com", "/signin/v2/identifier")
    assert parse_qs(place.query)["continue"] == ["https://mail.google.com/mail/u/0/"]


def test_by_another_name_everything_stays_at_one_origin(site: GmailSite) -> None:
    client = _client(site)

    assert client.get("/mail/u/0/").headers["location"].startswith("/signin/v2/identifier?")
    _sign_in(client)

    assert "Loading Gmail" in client.get("/mail/u/0/").text


def test_the_forms_work_without_script_under_the_real_names(site: GmailSite) -> None:
    client = _client(site, "https://accounts.google.com")
    onward = "https://mail.google.com/mail/u/0/"

    first = client.post("/signin/v2/identifier", data={"identifier": "dana@acme.test", "continue": onward})
    page = client.get(first.headers["location"])
    last = client.post(first.headers["location"], data={"Passwd": "correct horse", "continue": onward})

    assert "Welcome" in page.text
    assert last.headers["location"] == onward
    cookie = last.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("domain=google.com", "secure", "httponly"))
    assert client.get(onward).status_code == 200


@pytest.mark.parametrize(
    ("email", "problem"),
    [("someone@else.test", "Couldn’t find your Google Account"), ("", "Enter an email or phone number")],
)
def test_an_unknown_address_is_told_so(email: str, problem: str, site: GmailSite) -> None:
    response = _client(site).post("/signin/v2/identifier", data={"identifier": email})

    assert problem in response.text


@pytest.mark.parametrize(("password", "problem"), [("wrong", "Wrong password. Try again"), ("", "Enter a password")])
def test_a_wrong_password_opens_nothing(password: str, problem: str, site: GmailSite) -> None:
    client = _client(site)
    first = client.post("/signin/v2/identifier", data={"identifier": "dana@acme.test"})

    response = client.post(first.headers["location"], data={"Passwd": password})

    assert problem in response.text
    assert client.get("/mail/u/0/").status_code == 302


def test_the_password_page_needs_the_address_first(site: GmailSite) -> None:
    response = _client(site).get("/signin/v2/challenge/pwd?TL=made-up")

    assert response.headers["location"].startswith("/signin/v2/identifier")


@pytest.mark.parametrize("onward", ["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:alert(1)"])
def test_signing_in_never_leads_elsewhere(onward: str, site: GmailSite) -> None:
    page = _client(site).get("/signin/v2/identifier", params={"continue": onward}).text

    assert "evil" not in page
    assert "alert" not in page


def test_service_login_leads_to_the_first_page(site: GmailSite) -> None:
    response = _client(site).get("/ServiceLogin?continue=/mail/u/0/")

    assert response.headers["location"] == "/signin/v2/identifier?continue=/mail/u/0/"


def test_signing_out_ends_the_session(site: GmailSite) -> None:
    client = _client(site)
    _sign_in(client)

    client.get("/Logout")

    assert client.post("/mail/u/0/i/start", json={}).status_code == 401


def test_calls_need_a_session(site: GmailSite) -> None:
    assert _client(site).post("/mail/u/0/i/list", json={"view": "inbox"}).status_code == 401


def test_rows_tell_what_the_list_shows(site: GmailSite) -> None:
    client = _client(site)
    _sign_in(client)

    answer = _ask(client, "list", view="inbox")

    row = answer["rows"][0]
    assert (answer["total"], answer["start"], answer["navigation"]["inbox"]) == (4, 0, 3)
    assert (row["subject"], row["date"], row["title"]) == ("Offer 4711", "9:14 AM", "Mon, Jun 2, 2025, 9:14 AM")
    assert [person["short"] for person in row["people"]] == ["Bob", "me"]
    assert [one["date"] for one in answer["rows"][1:]] == ["Jun 1", "May 31", "4/2/24"]
    assert answer["rows"][1]["files"] == ["invoice.pdf"]
    assert answer["rows"][2]["labels"] == ["Customers"]


def test_opening_a_conversation_marks_it_read(site: GmailSite) -> None:
    client = _client(site)
    _sign_in(client)
    thread = _ask(client, "list", view="search", argument="subject:offer")["rows"][0]["id"]

    answer = _ask(client, "thread", id=thread)

    assert [message["from"]["short"] for message in answer["thread"]["messages"]] == ["Bob", "me", "Bob"]
    assert "<script" not in answer["thread"]["messages"][2]["html"]
    assert answer["navigation"]["inbox"] == 2


def test_labels_are_read_by_another_thread(site: GmailSite) -> None:
    client = _client(site)
    _sign_in(client)
    thread = _ask(client, "list", view="search", argument="rechnung")["rows"][0]["id"]
    _ask(client, "change", threads=[thread], add=["Processed"], remove=["INBOX"])

    found: list[dict[str, list[str]]] = []
    reader = threading.Thread(target=lambda: found.append(site.labels()))
    reader.start()
    reader.join()

    assert found == [{"Customers": ["05-hello.eml", "07-archived.eml"], "Processed": ["04-invoice.eml"]}]


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("thread", {"id": "1000000000000000"}, 404),
        ("change", {"threads": ["nope"]}, 404),
        ("change", {"threads": "nope"}, 400),
        ("list", {"view": "inbox", "page": "x"}, 400),
        ("label", {"name": "Inbox"}, 422),
        ("send", {"to": ""}, 422),
        ("undo", {"undo": "u9"}, 404),
        ("nothing", {}, 400),
        ("list", [], 400),
    ],
)
def test_impossible_calls_are_refused(name: str, data: Any, status: int, site: GmailSite) -> None:
    client = _client(site)
    _sign_in(client)

    response = client.post(f"/mail/u/0/i/{name}", json=data)

    assert response.status_code == status
    assert response.json()["error"]


def test_attachments_can_be_fetched(site: GmailSite) -> None:
    client = _client(site)
    _sign_in(client)
    row = _ask(client, "list", view="search", argument="has:attachment")["rows"][0]
    file = _ask(client, "thread", id=row["id"])["thread"]["messages"][0]["files"][0]

    response = client.get(file["href"])

    assert response.content == b"%PDF"
    assert "invoice.pdf" in response.headers["content-disposition"]
    assert client.get(file["href"].replace("0.1", "0.2")).status_code == 404


@pytest.mark.parametrize("name", ["main.js", "app.css", "icons.css", "signin.js"])
def test_files_are_served_once_and_then_validated(name: str, site: GmailSite) -> None:
    client = _client(site)

    first = client.get(f"/mail/_/static/{name}")
    again = client.get(f"/mail/_/static/{name}", headers={"if-none-match": first.headers["etag"]})

    assert first.status_code == 200
    assert "max-age" in first.headers["cache-control"]
    assert again.status_code == 304


@pytest.mark.parametrize("name", ["nothing.js", "..%2Fsite.py", "%2Fetc%2Fpasswd", ".hidden"])
def test_no_other_files_are_served(name: str, site: GmailSite) -> None:
    assert _client(site).get(f"/mail/_/static/{name}").status_code == 404


def test_nothing_on_the_pages_comes_from_elsewhere(site: GmailSite) -> None:
    client = _client(site)
    names = ["app.html", "signin.html", "signin-identifier.html", "signin-password.html", "app.css", "signin.css"]

    for name in names:
        text = client.get(f"/mail/_/static/{name}").text.replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text, name
        assert "https:" not in text, name


def test_delays_repeat_with_the_seed(case: SiteCase, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        if frame.f_back.f_globals["__name__"] == "sopbench.sites.gmail.site":
            waits.append(seconds)
        else:
            await sleep(seconds)  # a server of another test, in a thread of its own

    monkeypatch.setattr("sopbench.sites.gmail.site._LATENCY_S", (0.03, 0.15))
    for seed in (7, 7, 8):
        with monkeypatch.context() as patch:
            client = _client(GmailSite(case, seed))
            patch.setattr(asyncio, "sleep", note)
            _sign_in(client)

    assert waits[:2] == waits[2:4] != waits[4:]
    assert all(0.03 <= wait <= 0.15 for wait in waits)
