"""The dashboard as HTTP sees it."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from sopbench.sites.site import Site
from sopbench.sites.tallybook.site import TallybookSite
from sopbench.trials.case import SiteCase

ORIGIN = "https://app.tallybook.example"
RIGHT = {"email": "Dana@acme.test ", "password": "abacus"}


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sopbench.sites.tallybook.site._LATENCY_S", (0.0, 0.001))


@pytest.fixture
def client(case: SiteCase) -> TestClient:
    """Nobody has signed in yet."""
    return TestClient(TallybookSite(case, seed=1), base_url=ORIGIN, follow_redirects=False)


def test_it_is_a_site_with_a_host_that_cannot_be_real(case: SiteCase) -> None:
    one: Site = TallybookSite(case, seed=1)

    assert (one.name, one.hosts) == ("tallybook", ("app.tallybook.example",))


@pytest.mark.parametrize("path", ["/me", "/weeks", "/reports/cash-flow"])
def test_strangers_are_told_nothing(path: str, client: TestClient) -> None:
    assert client.get(f"/api/v1{path}").status_code == 401


@pytest.mark.parametrize("wrong", [{"password": "abacu"}, {"email": "bob@acme.test"}, {"password": None}])
def test_a_wrong_pair_opens_nothing(wrong: dict[str, str], client: TestClient) -> None:
    answer = client.post("/api/v1/session", json=RIGHT | wrong)

    assert (answer.status_code, answer.json()["error"]) == (401, "That email and password don’t match.")
    assert client.get("/api/v1/me").status_code == 401


def test_a_session_lasts_until_it_is_ended(client: TestClient) -> None:
    opened = client.post("/api/v1/session", json=RIGHT)
    during = client.get("/api/v1/me")
    client.delete("/api/v1/session")

    assert {"httponly", "secure"} <= {part.strip().lower() for part in opened.headers["set-cookie"].split(";")}
    assert (during.json()["company"], during.json()["currency"]) == ("Acme Ltd.", "USD")
    assert client.get("/api/v1/me").status_code == 401


def test_a_report_is_of_the_week_that_was_asked_for_or_of_the_present(client: TestClient) -> None:
    client.post("/api/v1/session", json=RIGHT)

    assert client.get("/api/v1/reports/cash-flow").json()["id"] == "2025-W23"
    assert client.get("/api/v1/reports/cash-flow?week=2025-W22").json()["id"] == "2025-W22"
    assert client.get("/api/v1/reports/cash-flow?week=2031-W01").status_code == 404


def test_every_page_is_the_same_document_and_no_file_lies_outside_its_folder(client: TestClient) -> None:
    assert client.get("/reports/cash-flow").text == client.get("/login").text
    assert client.get("/static/main.js").status_code == 200
    assert client.get("/static/%2e%2e/site.py").status_code == 404
    assert client.get("/api/v1/nothing").status_code == 404


def test_the_same_seed_makes_the_same_session_and_the_same_feed(case: SiteCase) -> None:
    seen = []
    for seed in (4, 4, 5):
        client = TestClient(TallybookSite(case, seed), base_url=ORIGIN)
        client.post("/api/v1/session", json=RIGHT)
        seen.append((client.cookies["tb_session"], client.get("/api/v1/me").json()["bankFeed"]))

    assert seen[0] == seen[1] != seen[2]
