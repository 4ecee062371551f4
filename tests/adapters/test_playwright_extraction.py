"""Values, tables and cards are read as people see them."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.adapters.playwright_session import PlaywrightSession
from sopbench.errors import DataInvalid, TargetNotFound
from sopbench.sop.verbs.reading import Extract

from .acting import Acting


async def show(session: PlaywrightSession, html: str, language: str = "en") -> None:
    await session.context.pages[0].set_content(f"<!doctype html><html lang='{language}'><body>{html}")


async def extract(session: PlaywrightSession, timeout_s: float = 5, **what: Any) -> Any:
    action = Extract.model_validate({"do": "extract", "into": "v", **what})
    return (await session.browser.perform(action, timeout_s=timeout_s)).value


@pytest.mark.parametrize(
    ("html", "language", "source", "value"),
    [
        ("<p>1,500.00</p>", "en", {"type": "number"}, 1500),
        ("<p>1.234,56 €</p>", "de", {"type": "number"}, 1234.56),
        ("<p>1.234</p>", "de", {"type": "integer"}, 1234),
        ("<p>(1,500)</p>", "en", {"type": "integer"}, -1500),
        ("<p>Jun 2, 2025</p>", "en", {"type": "date"}, "2025-06-02"),
        ("<p>02.06.2025</p>", "de", {"type": "date"}, "2025-06-02"),
        ("<p>2. März 2025</p>", "de", {"type": "date"}, "2025-03-02"),
        ("<p>Yes</p>", "en", {"type": "boolean"}, True),
        ("<p> </p>", "en", {"type": "number"}, None),
        ("<p> </p>", "en", {}, ""),
        ("<p data-price='1.500'>1,50 €</p>", "de", {"type": "number", "attribute": "data-price"}, 1.5),
        ("<p title='1.500'>x</p>", "de", {"type": "number", "attribute": "title"}, 1500),
        ("<p>x</p>", "de", {"type": "number", "attribute": "title"}, None),
        ("<p>1.500</p>", "de", {}, "1.500"),
    ],
)
async def test_a_text_becomes_a_value_by_the_pages_conventions(
    session: PlaywrightSession, html: str, language: str, source: dict[str, Any], value: object
) -> None:
    await show(session, html, language)

    found = await extract(session, target={"css": "p"}, **source)

    assert found == value
    assert type(found) is type(value)


async def test_a_number_field_is_read_by_value_and_not_as_the_page_writes_numbers(session: PlaywrightSession) -> None:
    await show(session, "<input type=number value=1.5 step=any><input type=text value='1.500'>", "de")

    values = await extract(session, target={"css": "input"}, attribute="value", type="number", all=True)

    assert values == [1.5, 1500]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("integer", "1.5"),
        ("number", "about 5"),
        ("date", "02/30/2025"),
        ("boolean", "maybe"),
        ("number", "1" * 17 + ".5"),
    ],
)
async def test_a_text_that_is_no_such_value_is_an_error(session: PlaywrightSession, kind: str, text: str) -> None:
    await show(session, f"<p>{text}</p>")

    with pytest.raises(DataInvalid, match=rf"v is no {kind}: the page says '{text}'") as raised:
        await extract(session, target={"css": "p"}, type=kind)

    assert raised.value.performed is False


async def test_the_error_names_the_field_the_record_and_the_text(session: PlaywrightSession) -> None:
    await show(session, "<ul><li><b>1</b></li><li><b>two</b></li></ul>")

    with pytest.raises(DataInvalid, match="field 'n' of record 1 is no integer: the page says 'two'"):
        await extract(session, each={"css": "li"}, fields={"n": {"target": {"css": "b"}, "type": "integer"}})


async def test_fields_of_records_have_types_of_their_own(session: PlaywrightSession) -> None:
    await show(
        session,
        "<ul><li><b>Ada</b><i>1.500,50 €</i><s>02.06.2025</s><input type=checkbox checked></li>"
        "<li><b>Bo</b><i></i><input type=checkbox></li></ul>",
        "de",
    )

    records = await extract(
        session,
        each={"css": "li"},
        fields={
            "name": {"target": {"css": "b"}},
            "sum": {"target": {"css": "i"}, "type": "number"},
            "due": {"target": {"css": "s"}, "type": "date", "optional": True},
            "ok": {"target": {"css": "input"}, "attribute": "checked", "type": "boolean"},
        },
    )

    assert records == [
        {"name": "Ada", "sum": 1500.5, "due": "2025-06-02", "ok": True},
        {"name": "Bo", "sum": None, "due": None, "ok": False},
    ]


@pytest.mark.parametrize(
    ("html", "records"),
    [
        (
            (
                "<table><thead><tr><th>Name<th>Age<tbody><tr><td>Ada<td>36<tr><th scope=row>Bo<td>7"
                "<tfoot><tr><td>Sum<td>43</table>"
            ),
            [{"Name": "Ada", "Age": "36"}, {"Name": "Bo", "Age": "7"}],
        ),
        ("<table><tr><th>Name<th>Age<tr><td>Ada<td>36</table>", [{"Name": "Ada", "Age": "36"}]),
        (
            "<table><tr><td>Ada<td>36<tr><td>Bo<td>7</table>",
            [{"column 1": "Ada", "column 2": "36"}, {"column 1": "Bo", "column 2": "7"}],
        ),
        (
            (
                "<table><thead><tr><th rowspan=2>Name<th colspan=2>Sales<tr><th>2024<th>2025<tbody><tr><td>Ada"
                "<td>1<td>2</table>"
            ),
            [{"Name": "Ada", "Sales / 2024": "1", "Sales / 2025": "2"}],
        ),
        (
            "<table><tr><th>Day<th>A<th>B<tr><td rowspan=2>Mon<td>1<td>2<tr><td colspan=2>3</table>",
            [{"Day": "Mon", "A": "1", "B": "2"}, {"Day": "Mon", "A": "3", "B": "3"}],
        ),
        (
            "<table><tr><th>Day<th>A<tbody><tr><td rowspan=9>Mon<td>1<tbody><tr><td>Tue<td>2</table>",
            [{"Day": "Mon", "A": "1"}, {"Day": "Tue", "A": "2"}],
        ),
        ("<table><tr><th>A<th>A<th><tr><td>1<td>2<td>3</table>", [{"A": "1", "A (2)": "2", "column 3": "3"}]),
        (
            (
                "<style>.h { display: none }</style><table><tr><th>A<th class=h>B<th>C<tr><td>1<td class=h>2<td>3"
                "<tr hidden><td>4<td class=h>5<td>6</table>"
            ),
            [{"A": "1", "C": "3"}],
        ),
        (
            "<table><tr><th>A<th>B<tr><td>1<td><table><tr><td>x<td>y</table><tr><td>2<td>z</table>",
            [{"A": "1", "B": "x\ty"}, {"A": "2", "B": "z"}],
        ),
        (
            (
                "<table><tr><th>A<th>B<th>C<th>D<tr><td><input value=v><td><input type=checkbox checked>"
                "<td><select><option>p<option selected>q</select> kg<td><img alt=True src=''></table>"
            ),
            [{"A": "v", "B": "true", "C": "q kg", "D": "True"}],
        ),
        (
            (
                "<table><thead><tr><th>A<th>B<tr><td><input placeholder=Filter><td><select><option>All</select>"
                "<tbody><tr><td>1<td>2</table>"
            ),
            [{"A": "1", "B": "2"}],
        ),
        ("<table><thead><tr><th>A<th>B<tbody><tr><td colspan=2>No records</table>", []),
        ("<table><thead><tr><th>A<tbody></table>", []),
        ("<table><tr><td><th>Q1<th>Q2<tr><th>N<td>1<td>2</table>", [{"column 1": "N", "Q1": "1", "Q2": "2"}]),
        ("<div><p>Sales</p><table><tr><th>A<tr><td>1</table></div>", [{"A": "1"}]),
    ],
    ids=[
        "head, body and foot", "first row of headers", "no header", "headers above headers", "cells that span",
        "spans end with their section", "names that are not unique", "hidden rows and columns", "a table in a cell",
        "fields in cells", "a row of filters", "a message in place of rows", "no rows", "an empty corner",
        "the part around it",
    ],
)  # fmt: skip
async def test_a_table_is_read_as_people_read_it(
    session: PlaywrightSession, html: str, records: list[dict[str, str]]
) -> None:
    await show(session, html)

    found = await extract(session, table={"css": "body > :not(style)"})

    assert found == records


async def test_a_grid_made_of_divs_is_read_by_its_roles(session: PlaywrightSession) -> None:
    await show(
        session,
        "<div role=grid><div role=rowgroup><div role=row><span role=columnheader>Name</span>"
        "<span role=columnheader>Age</span></div></div><div role=rowgroup><div role=row><span role=rowheader>Ada</span>"
        "<span role=gridcell>36</span></div><div role=row><span role=rowheader>Bo</span><span role=gridcell>7</span>"
        "</div></div></div>",
    )

    found = await extract(session, table={"role": "grid"})

    assert found == [{"Name": "Ada", "Age": "36"}, {"Name": "Bo", "Age": "7"}]


async def test_a_virtual_grid_is_put_in_order_by_its_indexes(session: PlaywrightSession) -> None:
    def row(index: int, *cells: tuple[int, str], role: str = "gridcell") -> str:
        inner = "".join(f"<span role={role} aria-colindex={at}>{text}</span>" for at, text in cells)
        return f"<div role=row aria-rowindex={index}>{inner}</div>"

    left = row(1, (1, "Name"), role="columnheader") + row(3, (1, "Bo")) + row(2, (1, "Ada"))
    right = row(1, (3, "City"), (2, "Age"), role="columnheader") + row(2, (2, "36"), (3, "Paris")) + row(3, (3, "Rome"))
    await show(session, f"<div role=grid><div>{left}</div><div>{right}</div></div>")

    found = await extract(session, table={"role": "grid"})

    assert found == [
        {"Name": "Ada", "Age": "36", "City": "Paris"},
        {"Name": "Bo", "Age": None, "City": "Rome"},
    ]


@pytest.mark.parametrize("html", ["<section><p>x</p></section>", "<section><table></table><table></table></section>"])
async def test_what_is_no_table_is_an_error(session: PlaywrightSession, html: str) -> None:
    await show(session, html)

    with pytest.raises(TargetNotFound, match=r"element \[section\] is no table: section is no table and holds"):
        await extract(session, table={"css": "section"})


@pytest.mark.parametrize(
    ("html", "record"),
    [
        (
            "<dl><dt>Name</dt><dd>Ada</dd><dt>Mail:<dd>a@x.org<dd>b@x.org</dl>",
            {"Name": "Ada", "Mail": "a@x.org\nb@x.org"},
        ),
        ("<dl><div><dt>A<dt>B<dd>1</div><div><dt>C<dd>2</div></dl>", {"A": "1", "B": "1", "C": "2"}),
        ("<table><tr><th>Name<td>Ada<tr><th>Age<td>36</table>", {"Name": "Ada", "Age": "36"}),
        ("<table><tr><td>Name:<td>Ada<tr><td>Age:<td>36</table>", {"Name": "Ada", "Age": "36"}),
        (
            (
                "<article><h2>Ada</h2><div><span>Age:</span><span>36</span></div><div><b>City:</b> Paris<br>"
                "<b>Zip:</b> 75</div></article>"
            ),
            {"Age": "36", "City": "Paris", "Zip": "75"},
        ),
        (
            (
                "<form><label>Name <input value=Ada></label><label for=o>Sum</label><output id=o>12</output>"
                "<label><input type=checkbox checked> Active</label>"
                "<label for=s>Kind</label><select id=s><option>x<option selected>y</select></form>"
            ),
            {"Name": "Ada", "Sum": "12", "Active": "true", "Kind": "y"},
        ),
        ("<article><i id=n>Name</i><p aria-labelledby=n>Ada</p></article>", {"Name": "Ada"}),
        ("<dl><dt>A<dd>1<dt>A<dd>2</dl>", {"A": "1", "A (2)": "2"}),
    ],
)
async def test_terms_and_their_values_are_one_record(
    session: PlaywrightSession, html: str, record: dict[str, str]
) -> None:
    await show(session, html)

    found = await extract(session, definitions={"css": "body > *"})

    assert found == record


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>Just words</p>", 'p without terms: "Just words"'),
        ("<table><tr><td>1<td>2<td>3</table>", "a table that is not of two columns"),
        ("<table><tr><th>Name<th>Age<tr><td>Ada<td>36</table>", "a table that is not of two columns"),
    ],
)
async def test_what_holds_no_terms_is_an_error(session: PlaywrightSession, html: str, found: str) -> None:
    await show(session, html)

    with pytest.raises(TargetNotFound, match=f"holds no terms and values: {found}"):
        await extract(session, definitions={"css": "body > *"})


async def test_header_names_outlive_a_style_that_capitalises_them(acting: Acting) -> None:
    await acting.show(
        "<style>th { text-transform: uppercase }</style><table id=t><tr><th>First Name<th>Age<tr><td>Ada<td>36</table>"
    )

    done = await acting.do("extract", into="rows", table={"css": "#t"})

    assert done.value == [{"First Name": "Ada", "Age": "36"}]
