"""What a procedure needs before it starts."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import MissingSecret, UsageError
from sopbench.sop.document import Sop
from sopbench.sop.needs import model_nodes, resolve_variables

Json = dict[str, Any]


def _with(good: Json, **variables: Any) -> Sop:
    good["public"]["variables"] |= variables
    return Sop.model_validate(good)


def test_nodes_with_a_question_or_an_interpretation_need_a_model(good: Json) -> None:
    interpret = {"do": "interpret", "into": "x", "about": "a", "instructions": "b", "answer": {}}
    good["private"]["skills"][1]["actions"].append(interpret)

    assert model_nodes(Sop.model_validate(good)) == ["is_relevant", "save_mail"]


def test_checks_alone_need_no_model(good: Json) -> None:
    del good["public"]["nodes"][3]["criteria"]["question"]

    assert model_nodes(Sop.model_validate(good)) == []


def test_what_is_given_goes_before_the_environment_and_that_before_the_default(good: Json) -> None:
    sop = _with(good, a={"default": "d", "from_env": "A"}, b={"default": "d", "from_env": "B"}, c={"default": "d"})

    values, _ = resolve_variables(sop, {"a": "given", "folder": "Other"}, {"A": "env", "B": "env", "MAIL_PW": "pw"})

    assert values == {
        "mails": ["a", "b"], "folder": "Other", "password": "pw", "a": "given", "b": "env", "c": "d",
    }  # fmt: skip


def test_values_of_secrets_are_named(sop: Sop) -> None:
    _, secrets = resolve_variables(sop, {}, {"MAIL_PW": "hunter2"})

    assert secrets == {"hunter2"}


def test_a_missing_secret_says_what_to_set(sop: Sop) -> None:
    with pytest.raises(MissingSecret, match="variable 'password' comes from the environment: set MAIL_PW"):
        resolve_variables(sop, {}, {})


def test_a_variable_that_nobody_gives_stays_undefined(good: Json) -> None:
    values, _ = resolve_variables(_with(good, later={"type": "string"}), {"password": "x"}, {})

    assert "later" not in values


def test_a_variable_that_is_not_declared_is_refused_with_the_one_probably_meant(sop: Sop) -> None:
    with pytest.raises(UsageError, match=r"no variable 'foldr'; did you mean 'folder'\?"):
        resolve_variables(sop, {"foldr": "x"}, {})


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("integer", "7", 7), ("number", "2.5", 2.5), ("number", "2", 2), ("boolean", "No", False),
        ("date", "2025-06-02", "2025-06-02"), ("list", '["a"]', ["a"]), ("object", '{"a": 1}', {"a": 1}),
        ("string", 5, "5"),
    ],
)  # fmt: skip
def test_texts_become_values_of_the_declared_type(kind: str, text: Any, value: Any, good: Json) -> None:
    sop = _with(good, v={"type": kind, "from_env": "V"})

    values, _ = resolve_variables(sop, {"password": "x", "v": text}, {})

    assert values["v"] == value
    assert type(values["v"]) is type(value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("integer", "seven"), ("integer", 1.5), ("boolean", "perhaps"), ("date", "June 2"), ("list", "a"), ("object", [])],
)
def test_a_value_of_another_type_is_refused(kind: str, text: Any, good: Json) -> None:
    sop = _with(good, v={"type": kind})

    with pytest.raises(UsageError, match=f"variable 'v' must be of type {kind}, but "):
        resolve_variables(sop, {"password": "x", "v": text}, {})


def test_a_bad_secret_is_not_shown(good: Json) -> None:
    sop = _with(good, pin={"type": "integer", "secret": True})

    with pytest.raises(UsageError) as caught:
        resolve_variables(sop, {"password": "x", "pin": "hunter2"}, {})

    assert "hunter2" not in str(caught.value)
