"""Typed values of a recording: variables, secrets, addresses that vary, and what clicks do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sopbench.sop.document import Sop
from sopbench.sop.needs import resolve_variables
from sopbench.sop.recordings import devtools_recorder, playwright_codegen
from sopbench.sop.recordings.recorded import looks_secret
from sopbench.sop.recordings.recorded_document import Written, written
from sopbench.sop.recordings.recorded_effects import effect_of
from sopbench.sop.recordings.recorded_urls import pattern_of
from sopbench.sop.recordings.recorded_values import escaped
from sopbench.sop.recordings.recorded_words import slug
from sopbench.sop.targets import Target
from sopbench.sop.templates import render, render_part
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.fields import Press
from sopbench.sop.verbs.pointer import Click

Json = dict[str, Any]

SECRET = "corr3ct-horse"


def from_devtools(*steps: Json, variables: bool = False, title: str = "Recorded") -> Written:
    recording = devtools_recorder.read({"title": title, "steps": list(steps)}, file="r.json", name="shop")
    return written(recording, name="shop", file="r.json", variables=variables)


def from_codegen(*lines: str, variables: bool = False) -> Written:
    source = "\n    ".join(["import os\ndef run(page):", *lines])
    recording = playwright_codegen.read(source, file="r.py", name="shop")
    return written(recording, name="shop", file="r.py", variables=variables)


def typed(label: str, value: str, *more: list[str]) -> Json:
    return {"type": "change", "selectors": [[f'aria/{label}[role="textbox"]'], *more], "value": value}


def clicked(name: str, *more: list[str], role: str = "button") -> Json:
    return {"type": "click", "selectors": [[f'aria/{name}[role="{role}"]'], *more]}


def actions(made: Written) -> list[Json]:
    return [action for skill in made.document["private"]["skills"] for action in skill["actions"]]


def variables_of(made: Written) -> Json:
    Sop.model_validate(made.document)
    found: Json = made.document["public"]["variables"]
    return found


@pytest.mark.parametrize(
    ("words", "secret"),
    [
        (["Password:"], True),
        (["#id_new_password2"], True),
        (["userPasswd"], True),
        (["API token"], True),
        (["Client secret"], True),
        (["PIN"], True),
        (["card-pin-code"], True),
        (["accountPin"], True),
        (["CVC"], True),
        (["Kennwort"], True),
        (["input[type='password']"], True),
        (["Shipping"], False),
        (["Opinion", "#spinner"], False),
        (["Name", "#id_name"], False),
    ],
)
def test_a_field_is_secret_by_its_names(words: list[str], secret: bool) -> None:
    assert looks_secret(*words) is secret


@pytest.mark.parametrize("variables", [False, True])
@pytest.mark.parametrize(
    "made",
    [
        lambda v: from_devtools(typed("Password", SECRET), clicked("Go"), variables=v),
        lambda v: from_devtools(typed("P", SECRET, ["input[type='password']"]), clicked("Go"), variables=v),
        lambda v: from_devtools(typed("Pass", SECRET, ["#id_passwd"], [f"text/{SECRET}"]), clicked("Go"), variables=v),
        lambda v: from_devtools(
            typed("Password", SECRET), {"type": "click", "selectors": [["#x"], [f"text/{SECRET[:6]}"]]}, variables=v
        ),
        lambda v: from_devtools(typed("Name", SECRET), typed("Password", SECRET), clicked("Go"), variables=v),
        lambda v: from_devtools(typed("Password", SECRET), clicked(f"Use {SECRET} now", role="link"), variables=v),
        lambda v: from_devtools(
            typed("Password", SECRET),
            clicked("Go") | {"assertedEvents": [{"type": "navigation", "url": f"https://x.example/?q={SECRET}&p=2"}]},
            variables=v,
        ),
        lambda v: from_devtools(
            {"type": "navigate", "url": f"https://x.example/{SECRET}"}, typed("Password", SECRET), variables=v
        ),
        lambda v: from_devtools(
            typed("Password", SECRET), {"type": "waitForExpression", "expression": f"a == '{SECRET}'"}, variables=v
        ),
        lambda v: from_devtools(typed("Note", f"my {SECRET}!"), typed("Password", SECRET), clicked("Go"), variables=v),
        lambda v: from_devtools(typed("Password", SECRET), title=f"Sign in with {SECRET}", variables=v),
        lambda v: from_codegen(f"page.get_by_label('Password').fill('{SECRET}')", variables=v),
        lambda v: from_codegen(f"page.locator('#token').press_sequentially('{SECRET}')", variables=v),
        lambda v: from_codegen(
            f"page.get_by_label('Password').fill('{SECRET}')",
            f"expect(page.get_by_label('Password')).to_have_value('{SECRET}')",
            f"page.get_by_label('Again').fill('{SECRET}')",
            f"foo('{SECRET}')",
            variables=v,
        ),
    ],
)
def test_a_secret_stands_nowhere_in_the_procedure_nor_in_what_is_said(made: Any, variables: bool) -> None:
    result: Written = made(variables)

    assert SECRET not in json.dumps(result.document)
    assert SECRET[:6] not in json.dumps(result.document)
    assert all(SECRET not in str(each) for each in result.caveats)
    assert len(result.environment) == 1
    assert [v for v in variables_of(result).values() if v.get("secret")] != []


def test_a_secret_comes_from_an_environment_variable_named_after_procedure_and_field() -> None:
    made = from_devtools(
        typed("New password", SECRET), typed("Password (again)", SECRET), typed("Old password", "other")
    )

    assert variables_of(made) == {
        "new_password": {
            "type": "string", "secret": True, "from_env": "SHOP_NEW_PASSWORD",
            "description": "Goes into 'New password'.",
        },
        "old_password": {
            "type": "string", "secret": True, "from_env": "SHOP_OLD_PASSWORD",
            "description": "Goes into 'Old password'.",
        },
    }  # fmt: skip
    assert [each["value"] for each in actions(made)] == [
        "{{ new_password }}",
        "{{ new_password }}",
        "{{ old_password }}",
    ]


def test_a_short_secret_is_taken_out_only_where_it_stands_for_itself() -> None:
    made = from_devtools(typed("PIN", "1234"), typed("Order", "123456"), clicked("Order 1234"), clicked("Go"))

    assert [each.get("value") or each["target"].get("name") for each in actions(made)[:3]] == [
        "{{ pin }}", "123456", "Order {{ pin }}",
    ]  # fmt: skip


def test_without_variables_only_secrets_become_variables() -> None:
    made = from_devtools({"type": "navigate", "url": "https://x.example/"}, typed("Name", "Nova"), typed("PIN", "7777"))

    assert list(variables_of(made)) == ["pin"]
    assert [each.get("value") for each in actions(made)] == [None, "Nova", "{{ pin }}"]


def test_with_variables_every_typed_value_is_one_with_the_value_as_its_default() -> None:
    made = from_devtools(
        {"type": "navigate", "url": "https://x.example/start"},
        typed("E-mail address:", "a@b.example"),
        typed("Größe", "7"),
        {"type": "change", "selectors": [["aria/Stage"], ["form > select"]], "value": "lead"},
        {"type": "change", "selectors": [["aria/Due"], ["input[type='date']"]], "value": "2025-06-02"},
        {"type": "change", "selectors": [["aria/Photo"], ["input[type='file']"]], "value": "C:\\fakepath\\a.png"},
        clicked("Save") | {"assertedEvents": [{"type": "navigation", "url": "https://x.example/done"}]},
        variables=True,
    )

    assert {name: each["default"] for name, each in variables_of(made).items()} == {
        "address": "https://x.example", "e_mail_address": "a@b.example", "grosse": "7", "stage": "lead",
        "due": "2025-06-02", "photo": "a.png",
    }  # fmt: skip
    assert actions(made)[0]["url"] == "{{ address }}/start"
    assert actions(made)[-1]["expect"][0] == {"url": "{{ address }}/done"}
    assert actions(made)[-2]["files"] == ["{{ photo }}"]


@pytest.mark.parametrize(
    ("steps", "values"),
    [
        ([typed("Name", "Nova"), clicked("X"), typed("Name", "Nova")], ["{{ name }}", "{{ name }}"]),
        ([typed("Name", "Nova"), clicked("X"), typed("Name", "Luna")], ["{{ name }}", "{{ name_2 }}"]),
        ([typed("Name", ""), clicked("X")], [""]),
        ([typed("for", "a"), clicked("X")], ["{{ for_value }}"]),
        ([typed("2nd line", "a"), clicked("X")], ["{{ _2nd_line }}"]),
        ([typed("名前", "a"), clicked("X")], ["{{ value }}"]),
        ([typed("Loop", "{{ b }}"), clicked("X")], ["{{ loop_value }}"]),
    ],
)
def test_variables_are_named_after_their_fields(steps: list[Json], values: list[str]) -> None:
    made = from_devtools(*steps, variables=True)

    Sop.model_validate(made.document)
    assert [each["value"] for each in actions(made) if each["do"] == "fill"] == values


def test_what_was_typed_is_followed_where_it_is_clicked_and_expected_later() -> None:
    made = from_codegen(
        "page.get_by_label('Serial').fill('NW-1001')",
        "page.get_by_label('Pieces').fill('7')",
        "page.get_by_role('button', name='Create').click()",
        "expect(page.locator('td')).to_contain_text('NW-1001')",
        "page.get_by_role('cell', name='NW-1001', exact=True).click()",
        "page.get_by_role('cell', name='7', exact=True).click()",
        variables=True,
    )

    assert actions(made)[2]["expect"] == [{"text": "{{ serial }}", "in": {"css": "td"}}]
    assert [each["target"]["name"] for each in actions(made)[3:5]] == ["{{ serial }}", "7"]


def test_a_value_from_the_environment_stays_there() -> None:
    made = from_codegen(
        "page.get_by_label('User').fill(os.environ['SHOP_USER'])",
        "page.get_by_label('Password').fill(os.getenv('SHOP_PW'))",
    )

    found = variables_of(made)
    assert (found["user"]["from_env"], found["user"].get("secret")) == ("SHOP_USER", None)
    assert (found["password"]["from_env"], found["password"]["secret"]) == ("SHOP_PW", True)
    assert set(made.environment) == {"SHOP_USER", "SHOP_PW"}


def test_several_sites_have_an_address_each() -> None:
    made = from_codegen(
        "page.goto('https://x.example/a')", "page.goto('http://127.0.0.1:8090/_/')", "page.goto('https://x.example/b')",
        variables=True,
    )  # fmt: skip

    assert [each["url"] for each in actions(made)] == [
        "{{ address }}/a", "{{ address_127_0_0_1_8090 }}/_/", "{{ address }}/b",
    ]  # fmt: skip


@pytest.mark.parametrize("value", ["{{ x }}", "{% if %}", "{# a #}", "a {{{ b", "}} {", "{ { %}", "50 % {off}"])
def test_braces_in_a_value_stay_what_they_are(value: str) -> None:
    plain, varied = from_devtools(typed("Name", value)), from_devtools(typed("Name", value), variables=True)

    assert render(escaped(value), {}) == value
    for made in (plain, varied):
        sop = Sop.model_validate(made.document)
        fill = render_part(sop.private.skills[0].actions[0], resolve_variables(sop, {}, {})[0])
        assert fill.value == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://x.example/", "https://x.example/"),
        ("https://x.example/orders/4711/edit", "https://x.example/orders/*/edit"),
        ("https://x.example/o/3f2b8c1e-0d5a-4b7e-9a51-2f0c6d7e8f90", "https://x.example/o/*"),
        ("https://x.example/r/387x4pmh47ejz9r", "https://x.example/r/*"),
        ("https://x.example/collections", "https://x.example/collections"),
        ("https://x.example/?page=2&tab=all", "https://x.example/?page=2&tab=all"),
        ("https://x.example/?id=123456&csrf_token=a&q=b+c", "https://x.example/?id=*&csrf_token=*&q=*"),
        ("https://x.example/_/#/collections?collection=pbc_3071488795&sort=-name",
         "https://x.example/_/#/collections?collection=*&sort=-name"),
        ("https://x.example/#/orders/4711", "https://x.example/#/orders/*"),
        ("https://x.example/author?author=ann", "https://x.example/author?author=ann"),
        ("http://[bad", "http://[bad"),
        ("about:blank", "about:blank"),
    ],
)  # fmt: skip
def test_what_varies_in_an_address_becomes_a_star(url: str, pattern: str) -> None:
    assert pattern_of(url, {"b c"}) == pattern


@pytest.mark.parametrize(
    ("role", "name", "effect"),
    [
        ("button", "Save", Effect.IRREVERSIBLE),
        ("button", "Weiter", Effect.IRREVERSIBLE),
        ("button", "Cancel", Effect.READ),
        ("button", "Cancel order", Effect.IRREVERSIBLE),
        ("button", "Search", Effect.READ),
        ("button", "Log in", Effect.IDEMPOTENT),
        ("link", "Orders", Effect.READ),
        ("link", "Add order", Effect.READ),
        ("link", "Delete", Effect.IRREVERSIBLE),
        ("menuitem", "Delete", Effect.IRREVERSIBLE),
        ("tab", "Details", Effect.READ),
        ("option", "Small", Effect.IDEMPOTENT),
        ("checkbox", "Agree", Effect.IRREVERSIBLE),
        (("cell", "gridcell"), "Nova", Effect.READ),
        (("button", "link"), "Orders", Effect.IRREVERSIBLE),
    ],
)
def test_what_a_click_does_is_read_from_role_and_name(role: Any, name: str, effect: Effect) -> None:
    assert effect_of(Click(target=Target(role=role, name=name))) is effect


@pytest.mark.parametrize(
    ("key", "role", "effect"),
    [
        ("Tab", None, Effect.READ),
        ("Control+a", None, Effect.READ),
        ("Enter", "textbox", Effect.IRREVERSIBLE),
        ("Enter", "searchbox", Effect.READ),
        ("Delete", None, Effect.IRREVERSIBLE),
    ],
)
def test_what_a_key_does(key: str, role: str | None, effect: Effect) -> None:
    assert effect_of(Press(key=key, target=Target(role=role) if role else None)) is effect


@pytest.mark.parametrize(
    ("text", "name"), [("E-mail *", "e_mail"), ("Straße 1", "strasse_1"), ("2fa", "_2fa"), ("", ""), ("__a__", "a")]
)
def test_any_text_gives_a_name(text: str, name: str) -> None:
    assert slug(text) == name
