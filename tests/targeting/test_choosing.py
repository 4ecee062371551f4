"""Which element is meant, and when to take none."""

from __future__ import annotations

import random

import pytest

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose, strayed
from sopbench.targeting.scoring import rank
from sopbench.targeting.sparse import Sought, fingerprint_of

from .pages import CANCEL, COMPANY, DELETE, EDIT_EVE, PRIVACY, SAVE, Facts, chosen, counted, recorded, without


@pytest.mark.parametrize("effect", list(Effect))
def test_every_element_of_an_unchanged_page_is_found_again(office: list[Facts], effect: Effect) -> None:
    taken = [chosen(recorded(office, number), office, effect).taken for number in range(len(office))]

    assert taken == list(range(len(office)))


def test_a_removed_element_is_never_replaced_by_another(office: list[Facts]) -> None:
    healed = {}
    for number in range(len(office)):
        old = recorded(office, number)
        left = without(office, number)
        if (choice := chosen(old, left)).taken is not None:
            healed[old.name, old.container] = left[choice.taken]

    assert healed == {}


def test_a_removed_row_does_not_hand_its_buttons_to_the_row_that_moves_up(office: list[Facts]) -> None:
    bob, cleo = office[8], office[10]
    old = Fingerprint.model_validate(bob)
    cleo |= {"path": bob["path"], "box": bob["box"]}
    left = counted([each for each in office if each["container"][0] != "row 'Bob'"])

    choice = chosen(old, left)

    assert choice.taken is None
    assert choice.why


def test_a_row_that_came_for_one_that_went_is_not_taken_for_it(office: list[Facts]) -> None:
    old = recorded(office, EDIT_EVE)
    office[EDIT_EVE] |= {"container": ["row 'Zoe'", "table 'People'"], "near": "Zoe zoe@example.com"}

    choice = chosen(old, office)

    assert choice.taken is None


def test_a_button_is_followed_to_where_its_row_went_when_the_table_is_sorted_anew(office: list[Facts]) -> None:
    old = recorded(office, EDIT_EVE)
    rows = [office[at : at + 2] for at in range(6, 16, 2)]
    places = [[(each["path"], each["box"]) for each in row] for row in rows]
    for row, place in zip(reversed(rows), places, strict=True):
        for each, (path, box) in zip(row, place, strict=True):
            each |= {"path": path, "box": box}
    page = counted([*office[:6], *(each for row in reversed(rows) for each in row), *office[16:]])

    choice = chosen(old, page)

    assert choice.taken is not None
    assert page[choice.taken]["container"][0] == "row 'Eve'"


@pytest.mark.parametrize("number", [SAVE, COMPANY, EDIT_EVE, PRIVACY])
@pytest.mark.parametrize(
    "change",
    [
        {"classes": ["x1", "x2"], "id": None},
        {"box": {"x": 700, "y": 700, "width": 160, "height": 60}},
        {"path": "/html/body/main[1]/section[2]/div[3]/div[1]/button[1]"},
        {"tag": "div", "type": None},
    ],
    ids=["restyled", "moved", "wrapped", "remade"],
)
def test_what_is_restyled_moved_wrapped_or_made_of_another_tag_is_found(
    office: list[Facts], number: int, change: Facts
) -> None:
    old = recorded(office, number)
    office[number] = {key: value for key, value in {**office[number], **change}.items() if value}

    assert chosen(old, office).taken == number


def test_names_that_differ_in_one_number_or_word_are_not_the_same_element() -> None:
    rows = [f"Remove the item number {number} from the cart of this shop" for number in (12, 13)]
    shirts = [f"Remove the {colour} shirt from the cart of this shop" for colour in ("blue", "red")]

    for here, gone in (rows, shirts):
        assert chosen(Fingerprint(role="button", name=gone), [{"role": "button", "name": here}]).taken is None


def test_another_choice_of_the_same_field_is_not_taken_for_one_that_is_gone() -> None:
    sizes = counted(
        [
            {
                "role": "radio",
                "name": name,
                "tag": "input",
                "type": "radio",
                "field": "size",
                "path": f"/form/input[{at}]",
            }
            for at, name in enumerate(("Small", "Large"))
        ]
    )

    assert chosen(recorded(sizes, 0), without(sizes, 0)).taken is None
    assert chosen(recorded(sizes, 0), sizes).taken == 0


def test_a_number_handed_out_anew_is_no_proof() -> None:
    before = counted([{"role": "button", "name": name, "id": f":r{at}:"} for at, name in enumerate(("Save", "Delete"))])
    after = counted([{"role": "button", "name": "Delete", "id": ":r0:"}])

    assert chosen(recorded(before, 0), after).taken is None


def test_a_renamed_button_that_kept_its_place_and_its_number_is_found(office: list[Facts]) -> None:
    old = recorded(office, SAVE)
    office[SAVE] |= {"name": "Store changes", "text": "Store changes"}

    assert chosen(old, office).taken == SAVE
    assert chosen(old, office, Effect.IRREVERSIBLE).taken is None


def test_a_renamed_button_is_found_by_its_test_id_wherever_it_is(office: list[Facts]) -> None:
    office[SAVE]["test_id"] = "save"
    old = recorded(office, SAVE)
    office[SAVE] |= {"name": "Store changes", "text": "Store changes", "path": "/html/body/main[1]/button[1]"}
    page = counted([*office[1:], office[SAVE]])

    assert chosen(old, page).taken == len(page) - 1


def test_a_translated_page_is_healed_by_its_ids(office: list[Facts]) -> None:
    old = recorded(office, COMPANY)
    for number, each in enumerate(office):
        each |= {"name": f"ΩΨ{number}", "near": "ΩΨ", "heading": "ΩΨ", "container": ["form 'ΩΨ'"]}
        each |= {key: f"ΩΨ{number}" for key in ("text", "label") if key in each}

    assert chosen(old, office).taken == COMPANY


def test_a_button_with_another_name_in_the_same_place_is_not_taken_when_one_of_them_is_gone(
    office: list[Facts],
) -> None:
    old = recorded(office, SAVE)
    office[DELETE] |= {"path": office[SAVE]["path"], "box": office[SAVE]["box"]}
    page = counted([office[DELETE], *office[3:]])

    choice = chosen(old, page)

    assert choice.taken is None
    assert choice.why


def test_a_doubled_button_is_told_by_its_container_or_not_at_all(office: list[Facts]) -> None:
    old = recorded(office, SAVE)
    beside = counted([dict(office[SAVE]), *(dict(each) for each in office)])
    elsewhere = counted([dict(office[SAVE]) | {"container": ["dialog 'Draft'"], "near": "Draft"}, *office])

    assert chosen(old, beside).taken is None
    assert chosen(old, elsewhere).taken in (1, None)


@pytest.mark.parametrize("effect", list(Effect))
def test_role_and_name_by_hand_are_enough_when_one_element_has_them(office: list[Facts], effect: Effect) -> None:
    old = Fingerprint(role="button", name="Save")

    choice = chosen(old, office, effect)

    assert choice.taken == SAVE
    assert choice.probability >= 0.95


def test_by_hand_a_name_that_several_have_is_not_enough(office: list[Facts]) -> None:
    assert chosen(Fingerprint(role="button", name="Edit"), office).taken is None


def test_by_hand_a_container_tells_namesakes_apart_and_nothing_else_will_do(office: list[Facts]) -> None:
    eve = Fingerprint(role="button", name="Edit", container=("row 'Eve'",))
    zoe = Fingerprint(role="button", name="Edit", container=("row 'Zoe'",))

    assert chosen(eve, office).taken == EDIT_EVE
    assert chosen(zoe, office).taken is None
    assert chosen(zoe, [office[EDIT_EVE]]).taken is None


def test_by_hand_a_similar_name_is_less_probable_and_not_taken(office: list[Facts]) -> None:
    office[SAVE] |= {"name": "Save as draft", "text": "Save as draft"}

    choice = chosen(Fingerprint(role="button", name="Save"), office)

    assert choice.taken is None
    assert choice.probability < 0.6


def test_the_order_of_the_page_does_not_change_the_choice(office: list[Facts]) -> None:
    old = recorded(office, PRIVACY)
    office[PRIVACY] |= {"classes": ["new"], "path": "/html/body/div[9]/a[1]"}
    shuffled = random.Random(3).sample(office, len(office))

    choice = chosen(old, shuffled)

    assert choice.taken is not None
    assert shuffled[choice.taken] == office[PRIVACY]
    assert choice.probability == pytest.approx(chosen(old, office).probability)


def test_an_unrelated_element_more_does_not_change_the_choice(office: list[Facts]) -> None:
    old = recorded(office, SAVE)
    page = [*office, {"role": "slider", "name": "Volume", "tag": "input", "path": "/html/body/aside[1]/input[1]"}]

    assert chosen(old, page).taken == SAVE


def test_what_is_nested_with_the_best_is_no_rival(office: list[Facts]) -> None:
    link = office[PRIVACY]
    item = {**link, "tag": "li", "role": "listitem", "path": link["path"].rpartition("/")[0]}
    old = recorded(office, PRIVACY)

    ranking = rank(old, [*office, item])

    assert ranking.entries[0].number == PRIVACY
    assert ranking.runner_up not in (None, len(office))


@pytest.mark.parametrize("old", [Fingerprint(), Fingerprint(role="button", name="Save")])
def test_a_page_without_candidates_gives_none_and_a_reason(old: Fingerprint) -> None:
    choice = chosen(old, [])

    assert choice.taken is None
    assert choice.why == "the page has no element that can take the action"


def test_nothing_known_takes_nothing(office: list[Facts]) -> None:
    choice = chosen(Fingerprint(), [*office, {}])

    assert choice.taken is None
    assert choice.why


def test_each_attribute_may_be_missing_on_either_side(office: list[Facts]) -> None:
    full = office[EDIT_EVE] | {
        "id": "e",
        "test_id": "t",
        "href": "/e",
        "title": "T",
        "frame": ["shop"],
        "shadow": ["x-y"],
    }
    for key in full:
        without = {name: value for name, value in full.items() if name != key}

        assert chosen(Fingerprint.model_validate(without), [full]).taken == 0
        assert rank(Fingerprint.model_validate(full), [without, {}]).entries[0].number == 0


def beside(element: Facts, words: str) -> Sought:
    """A target that says what it is near, recorded where that stood close to it."""
    return Sought.model_validate({**element, "beside": words})


def test_what_the_target_says_it_is_near_must_be_there_and_the_rest_there_need_not(office: list[Facts]) -> None:
    old = beside(office[EDIT_EVE], "Eve")
    office[EDIT_EVE] |= {"near": "Eve, now with another address and a remark", "name": "Change", "text": "Change"}

    assert chosen(old, office).taken == EDIT_EVE
    assert chosen(beside(office[EDIT_EVE], "Zoe"), office).taken is None


def test_an_element_has_strayed_only_if_what_it_was_beside_is_not_there_any_more(office: list[Facts]) -> None:
    eve, cleo = recorded(office, EDIT_EVE), recorded(office, 10)

    assert not strayed(eve, "Eve", eve)
    assert strayed(eve, "Eve", cleo)
    assert not strayed(eve, "words that stood further away", eve)


def test_a_group_around_an_element_in_its_row_leaves_it_in_its_row(office: list[Facts]) -> None:
    old = recorded(office, EDIT_EVE)
    office[EDIT_EVE] |= {"container": ["group 'More'", *office[EDIT_EVE]["container"]]}

    assert chosen(old, office).taken == EDIT_EVE


def test_a_row_within_the_row_is_another_one(office: list[Facts]) -> None:
    old = recorded(office, EDIT_EVE)
    answer = dict(office[EDIT_EVE]) | {"container": ["row 'Zoe'", *office[EDIT_EVE]["container"]], "near": "Zoe"}
    page = [answer if number == EDIT_EVE else each for number, each in enumerate(office)]

    assert chosen(old, page).taken is None


def test_a_renamed_button_of_a_row_is_not_its_namesake_in_the_next_one(office: list[Facts]) -> None:
    old = recorded(office, EDIT_EVE)
    office[EDIT_EVE] |= {"name": "Change", "text": "Change"}

    assert chosen(old, office).taken == EDIT_EVE
    assert chosen(old, office, Effect.IRREVERSIBLE).taken is None


def test_with_one_namesake_left_a_renamed_button_is_not_guessed(office: list[Facts]) -> None:
    page = counted([dict(each) for at, each in enumerate(office) if each["name"] != "Edit" or at in (6, EDIT_EVE)])
    renamed = next(each for each in page if each["name"] == "Edit" and each["container"][0] == "row 'Eve'")
    old = Fingerprint.model_validate(renamed)
    renamed |= {"name": "Change", "text": "Change"}

    assert chosen(old, page).taken in (None, page.index(renamed))


def test_what_moved_up_after_an_element_that_moved_away_is_not_that_element(office: list[Facts]) -> None:
    old = recorded(office, SAVE)
    moved = dict(office[SAVE]) | {
        "container": ["contentinfo"],
        "near": "Privacy Terms",
        "path": "/html/body/footer[1]/button[1]",
    }
    cancel = dict(office[CANCEL]) | {"path": office[SAVE]["path"], "near": "Reset"}
    old = old.model_copy(update={"near": "Cancel Reset"})
    page = counted([cancel, *office[2:], moved])

    assert chosen(old, page).taken in (None, len(page) - 1)


def test_in_rows_called_otherwise_even_one_namesake_is_not_taken_for_what_stayed(office: list[Facts]) -> None:
    page = counted(
        [dict(each) for each in office if each["name"] != "Edit" or "Eve" in each["container"][0]]
        + [dict(office[6]) | {"container": ["row 'Archive of 2024'", "table 'Old'"], "near": "Archive of 2024"}]
    )
    number = next(at for at, each in enumerate(page) if each["name"] == "Edit" and "Eve" in each["container"][0])
    old = recorded(page, number)
    page[number] |= {"name": "Change", "text": "Change"}

    assert chosen(old, page).taken == number


def test_a_name_that_is_only_alike_tells_less_than_the_place(office: list[Facts]) -> None:
    old = recorded(office, SAVE)
    office[SAVE] |= {"name": "Store", "text": "Store"}
    office[CANCEL] |= {"name": "Save as", "text": "Save as"}

    assert chosen(old, office).taken == SAVE
    assert chosen(old, office, Effect.IRREVERSIBLE).taken is None


def test_a_row_that_the_target_calls_by_another_cell_is_the_recorded_one(office: list[Facts]) -> None:
    said = {"role": "button", "name": "Edit", "within": {"role": "row", "name": "Eve Adams"}}
    target = Target.model_validate({**said, "fingerprint": office[EDIT_EVE] | {"near": "Eve Eve Adams Delete"}})
    office[EDIT_EVE] |= {"near": "Eve Eve Adams Delete", "name": "Change", "text": "Change"}

    assert fingerprint_of(target).container == tuple(office[EDIT_EVE]["container"])
    assert chosen(fingerprint_of(target), office).taken == EDIT_EVE


def test_where_several_fit_an_element_of_another_kind_is_not_taken() -> None:
    card = {"role": "", "tag": "div", "text": "Draw the frame ✎", "path": "/html/body/div[1]", "near": "To do"}
    old = Fingerprint(tag="span", text="Draw the frame", path="/html/body/div[1]/span[1]", near="To do")
    ranking = rank(old, counted([card]))

    several = choose(ranking, Effect.READ, several_fit=True)

    assert choose(ranking, Effect.READ).taken == 0
    assert several.taken is None
    assert "several elements fit" in several.why


def test_only_what_stands_beside_the_words_of_the_target_is_compared(office: list[Facts]) -> None:
    edit = recorded(office, EDIT_EVE)
    old = fingerprint_of(Target(role="button", name="Edit", near=Target(text="Eve"), fingerprint=edit))
    renamed = [dict(each) for each in office]
    renamed[EDIT_EVE] |= {"name": "Change", "text": "Change"}

    assert chosen(old, renamed).taken == EDIT_EVE
