from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from pyairtable import formulas

from sopbench.sites.airtable.formula import FormulaInvalid, matches, parse
from sopbench.sites.airtable.formula_functions import Scope

if TYPE_CHECKING:
    from sopbench.sites.airtable.formula_functions import FormulaValue

CELLS: dict[str, FormulaValue] = {
    "Name": "Ada's Fund",
    "Commitment": 250_000,
    "Last contact": datetime(2026, 6, 2, tzinfo=UTC),
    "Accredited": True,
    "Notes": None,
    "City": "Oslo",
}
NOW = datetime(2026, 6, 2, 9, 30, tzinfo=UTC)
SCOPE = Scope(CELLS, "recAAAAAAAAAAAAAA", NOW, NOW)


def holds(formula: str) -> bool:
    return matches(parse(formula, CELLS), SCOPE)


@pytest.mark.parametrize(
    "formula",
    [
        "{City} = 'Oslo'",
        'City="Oslo"',
        "{City} != 'oslo'",
        r"{Name} = 'Ada\'s Fund'",
        "{Commitment} >= 250000",
        "{Commitment} / 2 + 1 > 100000 - -1",
        "2 + 3 * 4 = 14",
        "(2 + 3) * 4 = 20",
        "{City} & ', ' & {Commitment} = 'Oslo, 250000'",
        "AND({Accredited}, NOT({Notes}), {City}='Oslo')",
        "OR({City}='Lisbon', {Accredited}=1)",
        "{Accredited} = TRUE()",
        "{Notes} = BLANK()",
        "{Notes} = ''",
        "SEARCH('FUND', {Name})",
        "FIND('Fund', {Name}) = 7",
        "NOT(FIND('FUND', {Name}))",
        "LOWER({City}) = 'oslo'",
        "UPPER(TRIM('  oslo ')) = 'OSLO'",
        "LEN({City}) = 4",
        "IF({Accredited}, 'yes', 'no') = 'yes'",
        "IF({Notes}, 'yes') = BLANK()",
        "IS_SAME({Last contact}, '2026-06-02', 'day')",
        "IS_SAME({Last contact}, TODAY())",
        "IS_AFTER({Last contact}, '2026-06-01')",
        "DATESTR({Last contact}) = '2026-06-02'",
        "RECORD_ID() = 'recAAAAAAAAAAAAAA'",
        "{Last contact} < NOW()",
    ],
)
def test_a_formula_that_is_true_of_the_record(formula: str) -> None:
    assert holds(formula)


@pytest.mark.parametrize(
    "formula",
    [
        "{City} = 'oslo'",
        "{Last contact} = '2026-06-02'",
        "SEARCH('x', {Name})",
        "{Notes}",
        "FALSE()",
        "1 / 0 = 0",
        "{City} * 2",
        "IS_SAME({Notes}, TODAY())",
    ],
)
def test_a_formula_that_is_not_true_of_the_record(formula: str) -> None:
    assert not holds(formula)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("{Town} = 'Oslo'", "Unknown field names: town"),
        ("WORDS({City})", "Unknown function names: WORDS"),
        ("LEN()", "Invalid number of arguments for LEN"),
        ("{City} =", "Invalid formula"),
        ("AND({City}", "Invalid formula"),
        ("{City} 'Oslo'", "Invalid formula"),
        ("#", "Invalid formula"),
        ("(" * 100 + "1" + ")" * 100, "nested too deeply"),
    ],
)
def test_a_formula_that_cannot_be_read_says_why(formula: str, message: str) -> None:
    with pytest.raises(FormulaInvalid, match=message):
        parse(formula, CELLS)


@pytest.mark.parametrize(
    "formula",
    [
        formulas.match({"Name": "Ada's Fund", "Commitment": (">=", 250_000)}),
        formulas.match({"Accredited": True}),
        formulas.match({"Last contact": datetime(2026, 6, 2, tzinfo=UTC).date()}),
        formulas.EQ(formulas.Field("City"), "Oslo") & ~formulas.EQ(formulas.Field("Notes"), "x"),
        formulas.AND(formulas.GT(formulas.SEARCH("ada", formulas.Field("Name")), 0)),
    ],
)
def test_formulas_of_the_real_client_are_understood(formula: formulas.Formula) -> None:
    assert holds(str(formula))
