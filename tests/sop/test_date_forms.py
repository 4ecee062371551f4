"""In which form a field wants its date."""

from __future__ import annotations

import datetime as dt

import pytest

from sopbench.sop.date_forms import asked_for, shown_by
from sopbench.sop.meaning import ENGLISH, Conventions

DAY = dt.date(2025, 6, 2)


@pytest.mark.parametrize(
    ("hint", "written"),
    [
        ("mm/dd/yyyy", "06/02/2025"), ("MM/DD/YYYY", "06/02/2025"), ("DD.MM.YYYY", "02.06.2025"), ("d.m.yy", "2.6.25"),
        ("YYYY-MM-DD", "2025-06-02"), ("TT.MM.JJJJ", "02.06.2025"), ("JJ/MM/AAAA", "02/06/2025"),
        ("GG/MM/AAAA", "02/06/2025"), ("DD-MM-JJJJ", "02-06-2025"), ("GG.AA.YYYY", "02.06.2025"),
        ("ДД.ММ.ГГГГ", "02.06.2025"), ("pp.kk.vvvv", "02.06.2025"), ("RRRR-MM-DD", "2025-06-02"),
        ("Due date (dd/mm/yyyy)", "02/06/2025"), ("DD MMM YYYY", "02 Jun 2025"), ("D. MMMM YYYY", "2. June 2025"),
        ("MM / DD / YYYY", "06 / 02 / 2025"),
    ],
)  # fmt: skip
def test_a_hint_spells_out_the_form(hint: str, written: str) -> None:
    form = asked_for(hint)

    assert form is not None
    assert form.write(DAY, ENGLISH) == written


@pytest.mark.parametrize("hint", ["", "Date", "Pick a day", "MM/YY", "__/__/____", "hh:mm", "my day at yard"])
def test_what_spells_out_no_form_gives_none(hint: str) -> None:
    assert asked_for(hint) is None


@pytest.mark.parametrize(
    ("sample", "order", "written"),
    [
        ("02/03/2001", "mdy", "06/02/2025"), ("02/03/2001", "dmy", "02/06/2025"), ("3.2.2001", "dmy", "2.6.2025"),
        ("2001-02-03", "mdy", "2025-06-02"), ("31/01/24", "mdy", "02/06/25"), ("2001. 02. 03.", "ymd", "2025. 06. 02"),
    ],
)  # fmt: skip
def test_a_sample_shows_the_form(sample: str, order: str, written: str) -> None:
    form = shown_by(sample, Conventions(order=order))

    assert form is not None
    assert form.write(DAY, ENGLISH) == written
