"""One value of a document's text is changed, and nothing else of it."""

from __future__ import annotations

import json

import pytest

from sopbench.sop.patching import with_added, with_part, with_several, with_value

TEXT = """{
  "a": [
    {"do": "click",   "target": {"role": "button", "name": "Save"}, "effect": "read"},
    {
      "target": {
        "css": "#old"
      }
    }
  ],
  "ü": "end"
}
"""


def test_everything_around_the_value_stays_as_it_is() -> None:
    changed = with_value(TEXT, "/a/0/target", {"role": "link"})

    assert changed == TEXT.replace('{"role": "button", "name": "Save"}', '{"role": "link"}')


def test_a_value_of_several_lines_may_become_one_line() -> None:
    changed = with_value(TEXT, "/a/1/target", {"css": "#new"})

    assert '      "target": {"css": "#new"}\n    }' in changed
    assert json.loads(changed)["a"][1] == {"target": {"css": "#new"}}


def test_a_value_too_long_for_its_line_is_written_one_entry_per_line() -> None:
    value = {"role": "button", "fingerprint": {f"key{i}": ["x" * 20, {"y": 1}] for i in range(8)}}

    changed = with_value(TEXT, "/a/1/target", value)

    assert json.loads(changed)["a"][1]["target"] == value
    assert max(map(len, changed.splitlines())) <= 120
    assert '      "target": {\n        "role": "button",\n        "fingerprint": {\n' in changed


def test_text_is_written_as_it_is_read() -> None:
    assert with_value(TEXT, "/ü", "Größe ☂") == TEXT.replace('"end"', '"Größe ☂"')


def test_a_pointer_to_nothing_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_value(TEXT, "/a/7", 1)


def test_a_part_that_needs_several_lines_takes_what_is_around_it_along() -> None:
    value = {"role": "button", "name": "x" * 60, "fingerprint": {"near": "y" * 60}}

    changed = with_part(TEXT, "/a/0/target", value)

    assert json.loads(changed)["a"][0] == {"do": "click", "target": value, "effect": "read"}
    assert '    {\n      "do": "click",\n      "target": {\n        "role": "button",\n' in changed
    assert changed.endswith(TEXT[TEXT.index("    {\n") :])


def test_a_part_that_fits_on_its_line_leaves_what_is_around_it() -> None:
    assert with_part(TEXT, "/a/0/target", {"css": "#a"}) == with_value(TEXT, "/a/0/target", {"css": "#a"})


def test_an_entry_is_added_at_the_end_and_nothing_else_changes() -> None:
    changed = with_added(TEXT, "/a", {"target": {"css": "#new"}})

    assert changed == TEXT.replace("    }\n  ],", '    },\n    {"target": {"css": "#new"}}\n  ],')


def test_a_key_is_added_at_the_end_and_nothing_else_changes() -> None:
    assert with_added(TEXT, "", [1], "b") == TEXT.replace('"end"\n', '"end",\n  "b": [1]\n')


def test_an_entry_is_added_to_what_is_empty_or_stands_on_one_line() -> None:
    assert with_added('{"a": [], "b": {"c": 1}}', "/a", 1) == '{"a": [1], "b": {"c": 1}}'
    assert with_added('{"a": [], "b": {"c": 1}}', "/b", 2, "d") == '{"a": [], "b": {"c": 1, "d": 2}}'


def test_several_entries_take_the_place_of_one() -> None:
    changed = with_several(TEXT, "/a/0", [{"do": "a"}, {"do": "b"}])

    assert '  "a": [\n    {"do": "a"},\n    {"do": "b"},\n    {\n' in changed
    assert json.loads(changed)["a"][2] == {"target": {"css": "#old"}}
