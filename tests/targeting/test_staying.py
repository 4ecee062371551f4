"""What tells of an element that it is where the recorded one was, and that it is not the one that moved up there."""

from __future__ import annotations

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose, choose_within
from sopbench.targeting.scoring import rank

from .pages import CANCEL, DELETE, EDIT_EVE, SAVE, Facts, chosen, counted, recorded, without


def labels(*names: str) -> list[Facts]:
    """A menu of choices that share a title, one under the other."""
    others = [" ".join(other for other in names if other != name) for name in names]
    return counted(
        [
            {"role": "menuitemcheckbox", "name": name, "text": name, "tag": "div", "title": "Processed", "near": near,
             "container": ("menu 'Label as'",), "path": "/html/body/div[1]/div[1]"}
            for name, near in zip(names, others, strict=True)
        ]
    )  # fmt: skip


def test_what_stood_beside_the_recorded_one_is_not_it_when_it_has_moved_up() -> None:
    old = recorded(labels("Processed", "Processing"), 0)

    choice = chosen(old, labels("Processing"))

    assert choice.taken is None
    assert "this one was another one of them" in choice.why


def test_a_field_of_another_name_is_not_taken_for_one_that_went() -> None:
    shared = {"role": "combobox", "tag": "select", "text": "Screws Nails", "path": "/html/body/form[1]/select[1]"}
    fields = counted([{**shared, "field": "group"}, {**shared, "field": "customers", "name": "Group of customers"}])

    assert chosen(recorded(fields, 0), counted([dict(fields[1])])).taken is None


def fields(*labels: str) -> list[Facts]:
    """A form whose fields stand beside nothing but what each is called."""
    return counted(
        [
            {
                "role": "textbox", "tag": "textarea", "name": label, "label": label, "near": label,
                "classes": ["input"], "path": f"/html/body/form[1]/div[{number}]/textarea[1]",
            }
            for number, label in enumerate(labels, start=1)
        ]
    )  # fmt: skip


def test_fields_beside_one_called_in_all_other_words_are_not_called_so_either() -> None:
    old = recorded(fields("Thread Summary / Notes", "Next Step / Action"), 0)
    renamed = fields("Conversation Digest / Remarks", "Next Step / Action")

    taken = {effect: chosen(old, renamed, effect).taken for effect in Effect}

    assert taken == {Effect.READ: 0, Effect.IDEMPOTENT: 0, Effect.IRREVERSIBLE: None}


def test_a_field_that_went_is_not_found_in_the_one_that_took_its_place() -> None:
    old = recorded(fields("Thread Summary / Notes", "Next Step / Action"), 0)

    assert chosen(old, fields("Next Step / Action")).taken is None


def uncounted(page: list[Facts], number: int) -> Fingerprint:
    """Recorded while the number of its like went up and down."""
    return recorded(page, number).model_copy(update={"of": None})


def test_what_is_called_otherwise_but_stands_as_it_stood_is_taken_where_a_wrong_one_does_no_harm(
    office: list[Facts],
) -> None:
    styled = [{**each, "classes": ["icon-button"]} for each in office]
    styled[SAVE] |= {"name": "Toggle view search input", "text": ""}
    page = [dict(each) for each in styled]
    page[SAVE] |= {"name": "Switch perspective look up input", "text": ""}

    taken = {effect: chosen(uncounted(styled, SAVE), page, effect).taken for effect in Effect}

    assert taken == {Effect.READ: SAVE, Effect.IDEMPOTENT: None, Effect.IRREVERSIBLE: None}


def test_what_is_around_one_that_looks_like_no_other_need_not_be_known(office: list[Facts]) -> None:
    pictured = [{**each, "classes": ["icon", f"icon-{number}"]} for number, each in enumerate(office)]
    page = [dict(each) for each in pictured]
    page[SAVE] |= {"name": "Keep", "text": ""}
    bare = {"text": None, "near": None, "container": (), "heading": "Deals"}
    alone, like_others = uncounted(pictured, SAVE), uncounted(office, SAVE)
    renamed = [dict(each) for each in office]
    renamed[SAVE] |= {"name": "Keep", "text": ""}

    taken = {effect: chosen(alone.model_copy(update=bare), page, effect).taken for effect in Effect}
    assert taken == {Effect.READ: SAVE, Effect.IDEMPOTENT: None, Effect.IRREVERSIBLE: None}
    assert chosen(like_others.model_copy(update=bare), renamed).taken is None


def test_what_lies_elsewhere_and_is_called_so_does_not_count_beside_what_lies_within(office: list[Facts]) -> None:
    inside = [at for at, each in enumerate(office) if each.get("container", [""])[0] == "row 'Eve'"]
    page = [dict(each) for each in office]
    for index, at in enumerate(inside):
        page[at] |= {"index": index, "of": len(inside)}
    old = recorded(page, EDIT_EVE).model_copy(update={"near": None, "container": ()})
    page[EDIT_EVE] |= {"name": "Change", "text": "Change", "near": "elsewhere"}

    everywhere = choose(rank(old, page), Effect.IDEMPOTENT)
    ranking, within = choose_within(old, page, inside, Effect.IDEMPOTENT)

    assert everywhere.taken is None
    assert within.taken == EDIT_EVE == ranking.entries[0].number


def test_what_is_within_no_more_is_looked_for_everywhere(office: list[Facts]) -> None:
    toolbar = [SAVE, CANCEL, DELETE]

    _, choice = choose_within(recorded(office, EDIT_EVE), office, toolbar, Effect.IDEMPOTENT)

    assert choice.taken == EDIT_EVE


def test_a_removed_element_recorded_among_changing_numbers_is_not_replaced_either(office: list[Facts]) -> None:
    styled = [{**each, "classes": ["icon-button"]} for each in office]

    taken = [chosen(uncounted(styled, number), without(styled, number)).taken for number in range(len(styled))]

    assert taken == [None] * len(styled)
