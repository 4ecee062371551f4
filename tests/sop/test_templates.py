"""What templates fill in, what they refuse, and what they say about it."""

from __future__ import annotations

import timeit
from typing import Any

import pytest

from sopbench.errors import TemplateFailed
from sopbench.sop.targets import CheckedIs, Target, Visible
from sopbench.sop.templates import evaluate, names_in, render, render_part
from sopbench.sop.verbs.fields import Fill, SetChecked
from sopbench.sop.verbs.pointer import Click
from sopbench.sop.verbs.reading import Extract, Source

MAIL = {"date": "Mon, Jun 2, 2025, 9:14\u202fAM (2 hours ago)", "items": 3, "labels": ["Done"]}
VARIABLES: dict[str, Any] = {"name": "Nova Cap", "mail": MAIL, "rows": [{"n": 1}, {"n": 2}]}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("no template } at all {", "no template } at all {"),
        ("{{ name }}\n", "Nova Cap\n"),
        ("<{{ '<b>' }}>", "<<b>>"),
        ("{{ mail.items }}", "3"),
        ("{{ mail.date | date }}", "2025-06-02"),
        ("{{ mail.date | date('%-m/%-d/%Y') }}", "6/2/2025"),
        ("{{ 'Jun 2' | date(default='2024-12-31') }}", "2024-06-02"),
        ("{{ '2/6/2025' | date(day_first=true) }}", "2025-06-02"),
        ("{{ '2/6/2025' | date(day_first=false) }}", "2025-02-06"),
        ("{{ '2/6/2025, 9:14 AM' | date(since='2025/06/01') }}", "2025-06-02"),
        ("{{ '2025-06-02' | date }}", "2025-06-02"),
        ("{{ '6/6/2025' | date }}", "2025-06-06"),
        ("{{ '23.6.2025' | date }}", "2025-06-23"),
        ("{{ '$1,500,000' | number }}", "1500000"),
        ("{{ '-2.50 EUR' | number }}", "-2.5"),
        ("{{ 'Round: Seed\nx' | regex_search('Round: (.+)', 1) }}", "Seed"),
        ("{{ 'x' | regex_search('[0-9]', default='none') }}", "none"),
        (r"{{ 'a  b' | regex_replace('\s+', '-') }}", "a-b"),
        (r"{{ 'ab' | regex_replace('(a)\b|(a)', '\2\2') }}", "aab"),
        (r"C:\d {{ 'it\'s\n' }}\d", "C:\\d it's\n\\d"),
        ("{{ ' a \n b ' | squeeze }}", "a b"),
        ("{{ 'one two three' | shorten(9) }}", "one two…"),
        ("{{ rows | json }}", '[{"n": 1}, {"n": 2}]'),
        ("{{ rows | sum('n') }}", "3"),
        ("{{ 2.456 | round(1) }}", "2.5"),
        ("{{ rows | join('+', 'n') }}", "1+2"),
        ("{{ name ~ ' ' ~ 1 }}", "Nova Cap 1"),
        ("{% for row in rows if row.n > 1 %}{{ row.n }}{{ loop.index }}{% endfor %}", "21"),
        ("{{ nickname | default(name) }}", "Nova Cap"),
    ],
)
def test_a_template_is_filled_in(template: str, text: str) -> None:
    assert render(template, VARIABLES) == text


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ nam }}", "no variable 'nam'; did you mean 'name'?"),
        ("{{ mail.dat }}", "there is no 'dat' in it; did you mean 'date'?"),
        ("{{ rows[7].n }}", "has no element 7"),
        ("{{ name", "not well-formed"),
        ("{{ name | dat }}", "No filter named 'dat'"),
        ("{{ 'Jun 2' | date }}", "does not say which year, month and day"),
        ("{{ 'soon' | date }}", "'soon' is not a date"),
        ("{{ '2/6/2025' | date }}", "'2/6/2025' can be February 6 or June 2; say which: date(…, day_first=true)"),
        ("{{ '31.6.2025' | date }}", "'31.6.2025' is not a date"),
        ("{{ 'Jun 9, 2025' | date(since='2025-06-10') }}", "'Jun 9, 2025' is before 2025-06-10"),
        ("{{ '1,5' | number }}", "'1,5' is not a number"),
        ("{{ name | regex_search('[0-9]+') }}", "nothing in 'Nova Cap' matches"),
        ("{{ name | regex_search('(') }}", "is not a regular expression"),
    ],
)
def test_a_template_that_fails_says_what_and_what_instead(template: str, message: str) -> None:
    with pytest.raises(TemplateFailed) as caught:
        render(template, VARIABLES)

    assert message in str(caught.value)
    assert caught.value.data["template"] == template
    assert caught.value.performed is False


@pytest.mark.parametrize(
    "template",
    [
        "{{ name.__class__.__mro__ }}",
        "{{ ''.format.__globals__ }}",
        "{{ '{:999999999}'.format(1) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ 'x' * 999999999 }}",
        "{{ 2 ** 99999 }}",
        "{{ [0] * 1000 }}",
        "{{ range(100000) | list }}",
        "{% for a in range(999) %}{% for b in range(999) %}{{ 'xxxxxxxxxx' }}{% endfor %}{% endfor %}",
        "{% for a in [1] %}{% for b in [1] %}{% for c in [1] %}{% endfor %}{% endfor %}{% endfor %}",
        "{% set x = name ~ name %}",
        "{% set x %}{{ name }}{% endset %}",
        "{% macro f() %}{{ f() }}{% endmacro %}",
        "{% include 'x' %}",
        "{{ rows.append(1) }}",
        "{{ mail.update({}) }}",
        "{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('(a+)+$') }}",
        "{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('((a+)(b)?)*$') }}",
        "{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('(a|aa)+$') }}",
        "{{ ('x' * 900000) | replace('x', 'yy') }}",
        "{{ ('x' * 900000) ~ ('x' * 900000) }}",
        "{{ ('x' * 900000) | regex_search('y', default='') }}",
        "{{ " + "(" * 300 + "1" + ")" * 300 + " }}",
        "{{ lipsum() }}{{ cycler(1) }}",
    ],
)
def test_the_sandbox_lets_nothing_out_and_nothing_grow(template: str) -> None:
    with pytest.raises(TemplateFailed):
        render(template, VARIABLES)


def test_a_group_that_repeats_a_fixed_number_is_a_fine_pattern() -> None:
    text = render(r"{{ 'a 1,500,000 b' | regex_search('\d{1,3}(?:,\d{3})+') }}", {})

    assert text == "1,500,000"


@pytest.mark.parametrize(
    ("expression", "value"),
    [("mail.items + 1", 4), ("'Done' in mail.labels", True), ("rows", VARIABLES["rows"]), ("none", None)],
)
def test_an_expression_keeps_the_type_of_its_value(expression: str, value: Any) -> None:
    assert evaluate(expression, VARIABLES) == value


@pytest.mark.parametrize("expression", ["nobody", "mail.nothing", "mail.items +", "name }} {{ name"])
def test_an_expression_without_a_value_is_an_error(expression: str) -> None:
    with pytest.raises(TemplateFailed):
        evaluate(expression, VARIABLES)


def test_names_are_those_needed_from_outside() -> None:
    assert names_in("{{ a.b }}{% for x in y %}{{ x ~ loop.index }}{% endfor %}{{ range(2) }}") == {"a", "y"}
    assert names_in("'x' in a and not b", expression=True) == {"a", "b"}
    assert names_in("plain") == frozenset()


def test_a_part_is_rendered_all_the_way_down_but_for_what_comes_later() -> None:
    inside = Target(role="row", nth="{{ mail.items }}", near=Target(text="{{ name }}"))
    later = Visible(visible=Target(text="{{ not_yet }}"))
    action = Fill(target=Target(label="Name", within=inside), value="{{ name }}!", when="name != ''", expect=(later,))

    rendered = render_part(action, VARIABLES)

    assert rendered.value == "Nova Cap!"
    assert rendered.target.within is not None
    assert rendered.target.within.nth == 3
    assert rendered.target.within.near == Target(text="Nova Cap")
    assert (rendered.when, rendered.expect) == ("name != ''", (later,))
    assert action.value == "{{ name }}!"


def test_sources_in_a_record_are_rendered() -> None:
    action = Extract(into="x", each=Target(css="tr"), fields={"n": Source(target=Target(text="{{ name }}"))})

    rendered = render_part(action, VARIABLES)

    assert rendered.fields["n"].target == Target(text="Nova Cap")


def test_a_part_without_templates_is_returned_as_it_is() -> None:
    action = Click(target=Target(role="button", name="Save", within=Target(css="form")))

    assert render_part(action, VARIABLES) is action


@pytest.mark.parametrize(("text", "state"), [("yes", True), (" True ", True), ("unchecked", False), ("0", False)])
def test_a_switch_becomes_a_bool(text: str, state: bool) -> None:
    action = SetChecked(target=Target(label="x"), checked="{{ x }}")
    expectation = CheckedIs(checked=Target(label="x"), state="{{ x }}")

    assert render_part(action, {"x": text}).checked is state
    assert render_part(expectation, {"x": text}).state is state


@pytest.mark.parametrize("text", ["", "maybe", "none"])
def test_an_unclear_switch_is_an_error(text: str) -> None:
    action = SetChecked(target=Target(label="x"), checked="{{ x }}")

    with pytest.raises(TemplateFailed, match="'checked' needs a clear yes or no"):
        render_part(action, {"x": text})


def test_a_number_that_is_none_is_an_error() -> None:
    with pytest.raises(TemplateFailed, match=r"needs a whole number, but .* gives 'last'"):
        render_part(Target(css="tr", nth="{{ x }}"), {"x": "last"})


def test_rendering_costs_less_than_a_click_by_far() -> None:
    action = Fill(
        target=Target(label="{{ name }}", within=Target(role="row", nth="{{ mail.items }}")), value="{{ name }}"
    )
    render_part(action, VARIABLES)

    seconds = min(timeit.repeat(lambda: render_part(action, VARIABLES), number=100, repeat=5)) / 100

    assert seconds < 0.001
