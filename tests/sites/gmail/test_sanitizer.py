"""What a mail may show, and what is told apart as quoted."""

from __future__ import annotations

import pytest

from sopbench.sites.gmail.sanitizer import from_html, from_text


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>"),
        ("<p onclick='x()'>a</p>", "<p>a</p>"),
        ("<img src='https://spy.test/p.gif' alt='logo'>", '<img alt="logo">'),
        ("<img src='data:image/png;base64,AAAA'>", '<img src="data:image/png;base64,AAAA">'),
        ("<img src='data:text/html,x' onerror=alert(1)>", "<img>"),
        ("<a href='javascript:alert(1)'>a</a>", "<a>a</a>"),
        ("<a href='java\nscript:alert(1)'>a</a>", "<a>a</a>"),
        ("<iframe src='https://x.test'>in</iframe>after", "after"),
        ("<svg><a href='x'>in</a></svg>after", "after"),
        ("<style>p{}</style><title>t</title><body><p>a</body>", "<p>a</p>"),
        ("<form action='/steal'><input name=a><b>a</b></form>", "<b>a</b>"),
        ("<p style='color: red; position: fixed; background-color: url(x)'>a</p>", '<p style="color: red">a</p>'),
        ("<p id='main' class='zA' name='x'>a</p>", "<p>a</p>"),
        ("<div><b>a</div></i>b", "<div><b>a</b></div>b"),
        ("1 &lt; 2 &amp; <3", "1 &lt; 2 &amp; &lt;3"),
        ("<p>never closed", "<p>never closed</p>"),
    ],
)
def test_only_what_is_harmless_is_kept(source: str, shown: str) -> None:
    assert from_html(source).html == shown


def test_links_open_elsewhere() -> None:
    html = from_html('<a href="https://a.test/?x=1&amp;y=2">a</a>').html

    assert html == '<a href="https://a.test/?x=1&amp;y=2" target="_blank" rel="noreferrer">a</a>'


@pytest.mark.parametrize(
    "quote", ["<div class='gmail_quote x'>", "<blockquote type='cite'>", "<div class=yahoo_quoted>"]
)
def test_the_quoted_part_of_html_is_marked_and_not_fresh(quote: str) -> None:
    body = from_html(f"<p>new</p>{quote}old{'</div>' if 'div' in quote else '</blockquote>'}<p>after</p>")

    assert body.html.count('<div class="gmail_quote">') == 1
    assert body.fresh.split() == ["new", "after"]
    assert body.text.split() == ["new", "old", "after"]


def test_a_quotation_in_a_quotation_is_marked_once() -> None:
    inner = "<div class='gmail_quote'><blockquote type=cite>oldest</blockquote></div>"

    body = from_html(f"new<div class='gmail_quote'>old{inner}</div>")

    assert body.html.count("gmail_quote") == 1
    assert body.fresh == "new"


def test_text_of_html_keeps_lines_and_parts_cells() -> None:
    body = from_html("<table><tr><td>Qty</td><td>4</td></tr><tr><td>Price</td><td>9</td></tr></table>")

    assert [line for line in body.text.split("\n") if line] == ["Qty 4", "Price 9"]


@pytest.mark.parametrize(
    ("text", "fresh"),
    [
        ("Yes.\n\nOn Mon, Jun 2, Dana wrote:\n> Really?\n", "Yes."),
        ("Yes.\n\nOn Mon, Jun 2, Dana Wells\n<dana@acme.test> wrote:\n\n> Really?\n> And when?", "Yes."),
        ("Yes.\n> Really?\n", "Yes."),
        ("> Really?\nYes.", "> Really?\nYes."),
        ("On we go.", "On we go."),
        ("", ""),
    ],
)
def test_the_quotation_at_the_end_of_a_text_is_not_fresh(text: str, fresh: str) -> None:
    assert from_text(text).fresh == fresh


def test_plain_text_is_escaped_and_linked() -> None:
    html = from_text("<b> see https://a.test/x?a=1&b=2.\nBye").html

    assert html.startswith("&lt;b&gt; see <a ")
    assert 'href="https://a.test/x?a=1&amp;b=2"' in html
    assert html.endswith(".<br>\nBye")
