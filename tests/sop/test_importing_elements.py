"""What a recording tells of its elements, and of what cannot be undone."""

from __future__ import annotations

from .devtools_steps import SAVE, Json, change, click, imported


def fingerprint(step: Json, *, variables: bool = False) -> Json:
    document = imported(step, variables=variables).document
    found: Json = document["private"]["skills"][0]["actions"][0]["target"]["fingerprint"]
    return found


def test_the_selectors_together_say_what_the_element_was_like() -> None:
    selectors = [
        ['aria/Save changes[role="button"]'],
        ["#save"],
        ["xpath//html/body/main/form/button[2]"],
        ["pierce/button[name='go'][title='Keep it']"],
        ["text/Save changes"],
    ]

    assert fingerprint(click(selectors)) == {
        "role": "button", "name": "Save changes", "tag": "button", "id": "save", "field": "go", "title": "Keep it",
        "text": "Save changes", "path": "/html/body/main/form/button[2]",
    }  # fmt: skip


def test_an_id_that_a_tool_made_up_and_what_a_field_held_are_no_part_of_it() -> None:
    step = change([["aria/Name"], ["#ember1234"], ["xpath///*[@name='who']"], ["text/Ada"]], "Bo")

    assert fingerprint(step) == {"name": "Name", "field": "who"}


def test_what_was_typed_is_no_part_of_what_a_later_element_is_like() -> None:
    steps = (
        change([["aria/Name"], ["#name"]], "Ada Lovelace"),
        click([["aria/Open[role='link']"], ["text/Ada Lovelace"]]),
    )

    document = imported(*steps, variables=True).document

    actions = [action for skill in document["private"]["skills"] for action in skill["actions"]]
    assert actions[1]["target"]["fingerprint"] == {"role": "link", "name": "Open"}


def test_what_was_deleted_in_the_recording_may_be_deleted_again_and_the_document_says_so() -> None:
    made = imported(click([['aria/Delete record[role="button"]']]), click(SAVE))

    assert made.document["private"]["approval"] == {
        "rules": [
            {
                "node": made.document["private"]["steps"][0]["node_id"],
                "action": "click",
                "arguments": {"target.name": "Delete record"},
                "then": "approve",
                "why": "it was done when this was recorded",
            }
        ],
        "otherwise": "approve",
    }
    assert str(made.caveats[-1]) == (
        "r.json: click button 'Delete record' cannot be undone, and is approved by a rule; "
        "take it out of 'private.approval' to be asked each time"
    )


def test_a_recording_of_nothing_that_is_asked_about_has_no_rules() -> None:
    assert "approval" not in imported(click(SAVE)).document["private"]
