"""What an action that nobody wrote down would do: harmless, to be changed again, or irreversible for all we know."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.engine.explored_effects import effect_of
from sopbench.ports.browser import ElementState
from sopbench.sop.verbs.base import Effect

READ, IDEMPOTENT, IRREVERSIBLE = Effect.READ, Effect.IDEMPOTENT, Effect.IRREVERSIBLE
Facts = dict[str, Any]
POST = {"method": "post", "action": "https://app.test/x", "search": False}
GET = {"method": "get", "action": "https://app.test/x", "search": False}
SEARCH = {"method": "get", "action": "https://app.test/find", "search": True}


def link(name: str, to: str = "/page", **state: Any) -> tuple[Facts, Any]:
    return {"role": "link", "tag": "a", "name": name}, {"leads_to": f"https://app.test{to}", **state}


def button(name: str, **state: Any) -> tuple[Facts, Any]:
    return {"role": "button", "tag": "button", "name": name, "text": name}, state


def of(role: str, name: str, **state: Any) -> tuple[Facts, Any]:
    return {"role": role, "tag": "div", "name": name, "text": name}, state


def clicked(it: tuple[Facts, ElementState]) -> Effect:
    return effect_of("click", *it, "").effect


@pytest.mark.parametrize(
    "it",
    [
        link("Billing"),
        link("Order history", "/orders"),
        link("Posts"),
        link("Reports", "/reports?year=2026"),
        link("Sent", "/mail/#sent"),
        link("Archive", "/archive"),
        of("tab", "Older orders"),
        of("treeitem", "Projects"),
        of("columnheader", "Amount"),
        button("Account", opens="menu"),
        button("Filters", expanded=False),
        button("Next"),
        button("Next ›"),
        button("« Previous page"),
        button("3"),
        button("Show more"),
        button("Load more results"),
        button("Close"),
        button("×"),
        button("Not now"),
        button("No, thanks"),
        button("Cancel"),
        button("Got it!"),
        button("Search", submits=True, form=SEARCH),
        button("", submits=True, form=SEARCH),
        button("Next", submits=True, form=GET),
        ({"role": "button", "tag": "summary", "name": "Invoices"}, {}),
        ({"role": "link", "tag": "div", "text": "Please pay us now, says a mail", "container": ["row 'x'"]}, {}),
        of("row", "Acme Ltd wants to pay the invoice of last month, please confirm"),
        ({"role": "textbox", "tag": "input", "name": "Amount to pay"}, {"value": ""}),
    ],
    ids=str,
)
def test_looking_around_is_harmless(it: Any) -> None:
    assert clicked(it) is READ


@pytest.mark.parametrize(
    "it",
    [
        button("Save"),
        button("Send"),
        button("OK"),
        button("Yes"),
        button("Continue"),
        button("Edit"),
        button(""),
        button("Confirm", opens="menu"),
        button("Delete", expanded=False),
        button("Accept all cookies"),
        button("Cancel subscription"),
        button("Close account"),
        button("Show me how to delete it"),
        button("Click here to pay"),
        button("Yes, delete it"),
        button("Next", submits=True, form=POST),
        button("Search", submits=True, form=POST),
        button("Send", submits=True, form=SEARCH),
        button("Search", submits=True, form={**SEARCH, "action": "https://app.test/orders/delete"}),
        button("Go", submits=True, form=POST),
        link("Delete"),
        link("Log out"),
        link("Sign out"),
        link("Approve", "/requests/7"),
        link("Click here to pay now"),
        link("Details", "/orders/7/delete"),
        link("Details", "/orders?action=delete&id=7"),
        link("Details", "/logout"),
        link("Details", "/orders/7/cancel"),
        link("Go on", scripted=True),
        link("Archive", "/mail/17/archive"),
        link("Archive", "/archive", scripted=True),
        of("menuitem", "Move to trash"),
        of("menuitem", "Duplicate"),
        of("tab", "Delete everything"),
        of("option", "Delete everything"),
        of("checkbox", "Erase my data"),
        of("row", "Pay now"),
        of("", "Something that can be pressed"),
    ],
    ids=str,
)
def test_what_may_do_something_for_good_is_irreversible(it: Any) -> None:
    assert clicked(it) is IRREVERSIBLE


@pytest.mark.parametrize("it", [of("checkbox", "Weekly"), of("radio", "All"), of("option", "March")], ids=str)
def test_a_choice_can_be_changed_again(it: Any) -> None:
    assert clicked(it) is IDEMPOTENT


@pytest.mark.parametrize("verb", ["scroll", "hover", "back"])
def test_moving_about_is_harmless(verb: str) -> None:
    assert effect_of(verb, {}, {}, "").effect is READ


@pytest.mark.parametrize("verb", ["fill", "clear", "select", "set_checked", "pick_date"])
def test_entering_something_can_be_changed_again(verb: str) -> None:
    assert effect_of(verb, {"role": "textbox", "name": "City"}, {"value": ""}, "Rome").effect is IDEMPOTENT


def test_the_key_that_ends_an_entry_is_harmless_only_where_one_searches() -> None:
    searching: Facts = {"role": "searchbox", "tag": "input", "name": "Search orders"}
    by_name: Facts = {"role": "textbox", "tag": "input", "field": "q"}
    other: Facts = {"role": "textbox", "tag": "input", "name": "Comment"}

    assert effect_of("press", searching, {"value": "x"}, "Enter").effect is READ
    assert effect_of("press", by_name, {"value": "x"}, "Enter").effect is READ
    assert effect_of("press", other, {"value": "x", "form": SEARCH}, "Enter").effect is READ  # type: ignore[typeddict-item]
    assert effect_of("press", other, {"value": "x"}, "Enter").effect is IRREVERSIBLE
    assert effect_of("press", {}, {}, "Enter").effect is IRREVERSIBLE
    assert effect_of("press", *button("Save"), "Enter").effect is IRREVERSIBLE


@pytest.mark.parametrize("key", ["Escape", "Tab", "PageDown"])
def test_other_keys_move_about(key: str) -> None:
    assert effect_of("press", {}, {}, key).effect is READ


@pytest.mark.parametrize(
    ("url", "effect"),
    [
        ("https://app.test/orders", READ),
        ("https://app.test/orders/7/delete", IRREVERSIBLE),
        ("https://app.test/logout", IRREVERSIBLE),
    ],
)
def test_an_address_is_told_by_its_words(url: str, effect: Effect) -> None:
    assert effect_of("navigate", {}, {}, url).effect is effect
