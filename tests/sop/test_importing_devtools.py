"""Steps of Chrome DevTools Recorder as actions."""

from __future__ import annotations

from typing import Any

import pytest

from .devtools_steps import (
    CLICKED,
    COMPANY,
    DONE,
    FIELDS,
    NAME,
    NAME_TARGET,
    SAVE,
    SAVE_TARGET,
    Json,
    actions,
    change,
    click,
    imported,
    key,
    moved,
    wait,
)


@pytest.mark.parametrize(
    ("selectors", "target"),
    [
        (SAVE, SAVE_TARGET),
        ([["aria/Save[role=\"button\"]"]], SAVE_TARGET),
        (["aria/Save[role=\"button\"]", "#a > b"], SAVE_TARGET),
        ([["aria/Save", "aria/[role=\"generic\"]"], ["xpath//html/body/button/span"]], SAVE_TARGET),
        ([["aria/[name=\"Save\"][role=\"button\"]"]], SAVE_TARGET),
        ([["xpath//html/body/div/button/span/b"], ["text/Save"]], {"role": "button", "text": "Save"}),
        ([["aria/Photo[role=\"image\"]"], ["xpath//html/body/img"]], {"role": "img", "name": "Photo", "exact": True}),
        ([*COMPANY, ["text/Add company"]], {"role": ["link", "button"], "name": "Add company", "exact": True}),
        (COMPANY, {"role": ["link", "button"], "name": "ADD COMPANY"}),
        ([["aria/\ue101 New record"], ["div > button"]], {"role": "button", "name": "New record"}),
        ([["aria/Save"], ["[data-testid='save']"]], {"test_id": "save"}),
        ([["aria/Save"], ["[data-qa='save'] > i"]], {"role": ["button", "link", "tab", "menuitem", "option", "checkbox",
         "radio", "switch", "cell", *FIELDS], "name": "Save", "exact": True}),
        ([["aria/Agree"], ["#id_agree"], ["xpath///*[@id=\"id_agree\"]"]], {"css": "[id='id_agree']"}),
        ([["#text_x8jd0zct"], ["button.add-one"]], {"css": "button.add-one"}),
        ([["x-shop", "x-card", "button.buy"], ["text/Buy"]], {"role": "button", "text": "Buy"}),
        ([["x-shop", "span.buy"]], {"css": "x-shop >> span.buy"}),
        ([["pierce/span.buy"]], {"css": "span.buy"}),
        ([["xpath//html/body/span[2]"]], {"css": "xpath=/html/body/span[2]"}),
        ([["aria/[role=\"status\"]"], [".messages"]], {"role": "status"}),
        ([["text/Dear custo"], ["p:nth-of-type(2)"]], {"text": "Dear custo"}),
        (
            [["aria/Order 7[role=\"row\"]", "aria/Delete"], ["tr > td > button"]],
            {"role": "button", "name": "Delete", "exact": True,
             "within": {"role": "row", "name": "Order 7", "exact": True}},
        ),
        (
            [["aria/[role=\"dialog\"]", "aria/Close[role=\"button\"]"]],
            {"role": "button", "name": "Close", "exact": True, "within": {"role": "dialog"}},
        ),
        (
            [["aria/So " + "very " * 20 + "long"], ["div > a"]],
            {"role": ["link", "button"], "name": "So " + "very " * 14 + "very"},
        ),
    ],
)  # fmt: skip
def test_selector_alternatives_become_one_target(selectors: list[Any], target: Json) -> None:
    made = actions(click(selectors))

    assert made[0]["target"] == target


@pytest.mark.parametrize(
    ("frames", "frame"),
    [([0], "iframe >> nth=0"), ([1, 0], ["iframe >> nth=1", "iframe >> nth=0"])],
)
def test_frames_are_counted(frames: list[int], frame: Any) -> None:
    made = actions(click(SAVE, frame=frames))

    assert made[0]["target"] == SAVE_TARGET | {"frame": frame}


@pytest.mark.parametrize(
    ("step", "action"),
    [
        (click(SAVE), CLICKED),
        (click(SAVE) | {"type": "doubleClick"}, CLICKED | {"double": True}),
        (click(SAVE, button="secondary"), CLICKED | {"button": "right"}),
        (click(SAVE, button="auxiliary"), CLICKED | {"button": "middle"}),
        (click([["#map > canvas"]]), CLICKED | {"target": {"css": "#map > canvas"}, "at": {"x": 5, "y": 7}}),
        ({"type": "hover", "selectors": SAVE}, {"do": "hover", "target": SAVE_TARGET}),
        (change(NAME, "Nova"), {"do": "fill", "target": NAME_TARGET, "value": "Nova",
         "expect": [{"value": "Nova", "of": NAME_TARGET}]}),
        (change(NAME, "{{ 1 }}"), {"do": "fill", "target": NAME_TARGET, "value": "{{ '{' }}{ 1 }}",
         "expect": [{"value": "{{ '{' }}{ 1 }}", "of": NAME_TARGET}]}),
        (change([["aria/Name"], ["#id_name"]], "x"), {"do": "fill", "value": "x",
         "target": {"role": FIELDS, "name": "Name", "exact": True},
         "expect": [{"value": "x", "of": {"role": FIELDS, "name": "Name", "exact": True}}]}),
        (change([["aria/Stage"], ["form > select"]], "lead"), {"do": "select", "value": "lead",
         "target": {"role": ["combobox", "listbox"], "name": "Stage", "exact": True},
         "expect": [{"value": "lead", "of": {"role": ["combobox", "listbox"], "name": "Stage", "exact": True}}]}),
        (change([["aria/Due"], ["input[type='date']"]], "2025-06-02"), {"do": "pick_date", "date": "2025-06-02",
         "target": {"role": "textbox", "name": "Due", "exact": True}}),
        (change([["aria/Photo"], ["input[type='file']"]], "C:\\fakepath\\a.png"), {"do": "upload", "files": ["a.png"],
         "target": {"label": "Photo", "exact": True}}),
        (change([["aria/Small[role=\"radio\"]"], ["input[type='radio']"]], "s"), {"do": "set_checked",
         "target": {"role": "radio", "name": "Small", "exact": True},
         "expect": [{"checked": {"role": "radio", "name": "Small", "exact": True}}]}),
        ({"type": "scroll", "selectors": [["#list"]], "x": 0, "y": 90},
         {"do": "scroll", "target": {"css": "#list"}, "by": {"y": 90}}),
        (wait(), {"do": "wait_for", "expect": [{"visible": DONE}]}),
        (wait(visible=False), {"do": "wait_for", "expect": [{"hidden": DONE}]}),
        (wait(operator="==", count=3, timeout=900), {"do": "wait_for", "timeout_s": 0.9,
         "expect": [{"count": DONE, "is": 3}]}),
        (wait(operator="<=", count=2), {"do": "wait_for", "expect": [{"count": DONE, "max": 2}]}),
        (wait(operator="<=", count=2, visible=False), {"do": "wait_for",
         "expect": [{"count": DONE, "min": 3}]}),
        (wait(count=4, visible=False), {"do": "wait_for", "expect": [{"count": DONE, "max": 3}]}),
        (wait(operator="==", count=0), {"do": "wait_for", "expect": [{"hidden": DONE}]}),
        (wait(attributes={"data-state": "on"}), {"do": "wait_for",
         "expect": [{"visible": {"role": "status", "name": "Done", "css": "[data-state=\"on\"]", "exact": True}}]}),
        (wait(properties={"value": "7", "checked": True, "textContent": "7 of 7"}), {"do": "wait_for", "expect": [
            {"visible": DONE},
            {"value": "7", "of": DONE},
            {"checked": DONE},
            {"text": "7 of 7", "in": DONE},
        ]}),
    ],
)  # fmt: skip
def test_a_step_becomes_an_action(step: Json, action: Json) -> None:
    made = actions(step)

    assert made[0] == action


@pytest.mark.parametrize(
    ("steps", "done"),
    [
        ([click(NAME), change(NAME, "a")], ["fill"]),
        ([click(NAME) | {"type": "doubleClick"}, change(NAME, "a")], ["fill"]),
        ([change(NAME, "a"), click(NAME), change(NAME, "ab")], ["fill"]),
        ([click(NAME, button="secondary"), change(NAME, "a")], ["click", "fill"]),
        ([click(SAVE), change(NAME, "a")], ["click", "fill"]),
        ([change([["#box"]], "on"), click(SAVE)], ["fill", "click"]),
        ([click([["input[type='checkbox']"]]), change([["input[type='checkbox']"]], "on")], ["click"]),
        ([click([["form > label"], ["text/Agree"]]), click([["#id_agree"]]), click(SAVE)], ["click", "click"]),
        ([click([["form > label"], ["text/Agree"]]), click(SAVE)], ["click", "click"]),
        ([click(SAVE), change([["#photo"]], "C:\\fakepath\\a.png")], ["upload"]),
    ],
)
def test_what_a_person_does_on_the_way_is_left_out(steps: list[Json], done: list[str]) -> None:
    made = actions(*steps)

    assert [each["do"] for each in made if each["do"] != "wait_for"] == done


@pytest.mark.parametrize(
    ("keys", "pressed"),
    [
        (["Enter"], [("Enter", 1)]),
        (["Control", "a", "-a", "-Control", "Delete"], [("Control+a", 1), ("Delete", 1)]),
        (["Control", "Shift", "K"], [("Control+Shift+K", 1)]),
        (["Shift", "A"], [("A", 1)]),
        (["ArrowDown", "-ArrowDown", "ArrowDown", "ArrowDown"], [("ArrowDown", 3)]),
        (["ShiftLeft", "Tab"], [("Shift+Tab", 1)]),
        (["Meta", "-Meta", " "], [("Space", 1)]),
        (["CapsLock", "\r"], [("Enter", 1)]),
        (["+"], [("Shift+Equal", 1)]),
    ],
)
def test_keys_that_go_down_and_up_become_presses_of_chords(keys: list[str], pressed: list[tuple[str, int]]) -> None:
    made = actions(*(key("keyUp", k[1:]) if len(k) > 1 and k[0] == "-" else key("keyDown", k) for k in keys))

    presses = [each for each in made if each["do"] == "press"]
    assert [(each["key"], each.get("times", 1)) for each in presses] == pressed


def test_a_modifier_that_is_held_goes_into_the_click() -> None:
    made = actions(key("keyDown", "Control"), click(SAVE), key("keyUp", "Control"), click(SAVE))

    assert [each.get("modifiers") for each in made[:2]] == [["Control"], None]


def test_keys_go_to_the_field_that_was_filled_and_after_tab_to_wherever_the_focus_is() -> None:
    made = actions(change(NAME, "a"), key("keyDown", "Enter"), key("keyDown", "Tab"), key("keyDown", "Space"))

    assert [each.get("target") for each in made if each["do"] == "press"] == [NAME_TARGET, NAME_TARGET, None]


def test_tab_after_a_fill_ends_the_entry() -> None:
    made = actions(change(NAME, "a"), key("keyDown", "Tab"), key("keyUp", "Tab"), click(SAVE))

    assert [each["do"] for each in made[:2]] == ["fill", "click"]
    assert made[0]["commit"] == "tab"


def test_a_change_of_address_is_expected_and_ends_the_task() -> None:
    document = imported(
        {"type": "navigate", "url": "https://x.example/"},
        change(NAME, "a"),
        key("keyDown", "Enter"),
        key("keyUp", "Enter") | moved("https://x.example/orders/4711?tab=1&token=abc"),
        click(SAVE, **moved()),
        click([["aria/Back"], ["div > a"]]),
    ).document

    skills = document["private"]["skills"]
    assert [[each["do"] for each in skill["actions"]] for skill in skills] == [
        ["navigate"], ["fill", "press"], ["click"], ["click"],
    ]  # fmt: skip
    assert skills[1]["actions"][1]["expect"] == [
        {"url": "https://x.example/orders/*?tab=1&token=*"},
        {"visible": SAVE_TARGET},
    ]
    assert skills[2]["actions"][0]["expect"] == [
        {"visible": {"role": ["link", "button"], "name": "Back", "exact": True}}
    ]
    assert [node["label"] for node in document["public"]["nodes"]] == [
        "Open x.example", "Fill in 'Name', then press Enter", "Click 'Save'", "Click 'Back'", "Done",
    ]  # fmt: skip


def test_the_last_action_is_given_time_to_reach_the_site() -> None:
    made = imported(click(SAVE))

    assert made.document["private"]["skills"][0]["actions"][-1] == {"do": "wait_for", "network": "idle"}
    caveats = [each.what for each in made.caveats]
    assert caveats == ["nothing in the recording shows what the click on 'Save' brought about"]


def test_scrolling_is_told_as_distances_from_the_place_before() -> None:
    made = actions(*({"type": "scroll", "y": y} for y in (100, 250, 250)), {"type": "navigate", "url": "https://x.example"},
                   {"type": "scroll", "y": 10})  # fmt: skip

    assert [each["by"] for each in made if each["do"] == "scroll"] == [{"y": 100}, {"y": 150}, {"y": 10}]


def test_steps_in_another_page_are_done_in_a_tab_that_the_click_before_opened() -> None:
    page = "https://docs.example/print"
    made = actions(
        {"type": "navigate", "url": "https://x.example/"},
        click(SAVE),
        click([["aria/Print"], ["div > button"]], target=page),
        {"type": "close", "target": page},
        click(SAVE),
    )

    assert made[0] | {"expect": []} == {"do": "switch_tab", "tab": "main", "url": "https://x.example/", "expect": []}
    assert made[1]["opens"] == "docs_example"
    assert [each["do"] for each in made[2:5]] == ["click", "close_tab", "switch_tab"]
    assert made[4] == {"do": "switch_tab", "tab": "main"}


def test_a_page_that_nothing_opened_is_found_by_its_address() -> None:
    made = actions(
        {"type": "navigate", "url": "https://x.example/"},
        {"type": "hover", "selectors": SAVE, "target": "https://docs.example/orders/1234567"},
    )

    assert made[1] == {"do": "switch_tab", "tab": "docs_example", "shows": "https://docs.example/orders/*"}


def test_the_viewport_title_and_time_limit_are_kept() -> None:
    size = {"type": "setViewport", "width": 1280, "height": 720.0}

    document = imported(size, click(SAVE), title="Save it", timeout=9000).document

    assert document["meta"]["title"] == "Save it"
    assert document["private"]["limits"] == {"find_s": 9.0}
    assert document["private"]["skills"][0]["viewport"] == "1280 x 720"


def test_what_is_not_taken_of_a_step_is_kept_beside_the_action() -> None:
    document = imported(click(SAVE, duration=412.5, deviceType="touch", **moved("https://x.example/"))).document

    assert document["private"]["skills"][0]["actions"][0]["x-recorded"] == {
        "selectors": [each for each in SAVE if not each[0].startswith("pierce/")],
        "offsetX": 5, "offsetY": 7, "duration": 412.5, "deviceType": "touch", "title": "T",
    }  # fmt: skip


def test_only_a_repeated_selector_is_not_kept() -> None:
    selectors = [["p.intro"], ["pierce/p.intro"], ["pierce/p.other"], ["text/Dear"]]

    document = imported(click(selectors)).document

    kept = document["private"]["skills"][0]["actions"][0]["x-recorded"]
    assert kept["selectors"] == [["p.intro"], ["pierce/p.other"], ["text/Dear"]]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"type": "emulateNetworkConditions", "download": 1, "upload": 1}, "emulateNetworkConditions was not"),
        ({"type": "waitForExpression", "expression": "1 +\n 1"}, "waitForExpression '1 + 1' was not carried over: an"),
        ({"type": "customStep", "name": "snap", "parameters": {}}, "customStep 'snap' was not carried over"),
        ({"type": "teleport"}, "the step 'teleport' was not carried over: this kind of step is not known"),
        ({"type": "click"}, "click was not carried over: it has no selectors"),
        (click([["aria/"]]), "click was not carried over: none of its selectors can be used"),
        (click(SAVE, button="forward"), "click with the button 'forward' was not carried over"),
        ({"type": "navigate"}, "navigate was not carried over: it has no url"),
        ({"type": "change", "selectors": NAME}, "change was not carried over: it has no value"),
        (key("keyDown", "Unidentified"), "keyDown of 'Unidentified' was not carried over"),
        (change([["input[type='checkbox']"]], "on"), "change of a checkbox was not carried over"),
        (wait(operator="==", count=2, visible=False), "'any number but 2' cannot be said"),
        (wait(operator="~", count=2), "the condition '~' 2 is not known"),
        (wait(properties={"tagName": "A"}), "waitForElement's property 'tagName' was not carried over"),
        ({"type": "scroll", "selectors": [[]]}, None),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_over_is_said_with_its_step(step: Json, said: str | None) -> None:
    made = imported(click(SAVE), step, click(SAVE))

    lost = [str(each) for each in made.caveats if each.lost]
    assert len(lost) == (1 if said else 0)
    assert said is None or (lost[0].startswith("r.json: step 2: ") and said in lost[0])
