"""What of a mail's body may be shown: an allow-list of tags, attributes and styles, and where the quoted part is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TAGS = _names(
    "a abbr b blockquote br caption center cite code col colgroup dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img"
    " ins li ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr tt u ul"
)
_VOID = _names("br hr img col")
_SILENT = _names(
    "script style title iframe object embed applet svg math template noscript noembed noframes select textarea button"
    " audio video canvas frameset xml"
)
_BLOCKS = _names("blockquote br center dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre table tr ul")
_ATTRIBUTES = _names(
    "align alt bgcolor border cellpadding cellspacing color colspan dir height lang rowspan size start title valign"
    " width"
)
_STYLES = _names(
    "background-color border border-bottom border-collapse border-left border-right border-top color direction"
    " font-family font-size font-style font-weight height line-height margin margin-bottom margin-left margin-right"
    " margin-top max-width padding padding-bottom padding-left padding-right padding-top text-align text-decoration"
    " vertical-align white-space width"
)
_QUOTE_CLASSES = _names("gmail_quote gmail_quote_container moz-cite-prefix yahoo_quoted")
_LINK = re.compile(r"^(?:https?:|mailto:|tel:)", re.IGNORECASE)
_PICTURE = re.compile(r"^data:image/(?:png|gif|jpeg|webp);base64,[A-Za-z0-9+/=\s]+$")
_BAD_STYLE = re.compile(r"url\s*\(|expression|[\\<>@{}]|/\*", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)\]]")
_WROTE = re.compile(
    r"^(?:On\b.{4,200}\bwrote|Am\b.{4,200}\bschrieb.*|Le\b.{4,200}\ba écrit\s?|El\b.{4,200}\bescribió):\s*$"
)


@dataclass(frozen=True)
class Body:
    """A body made safe. ``html`` is a fragment in which the quoted part is a ``div.gmail_quote``."""

    html: str
    text: str
    """All of it as plain text."""
    fresh: str
    """The text without what is quoted from earlier mails."""


def from_html(source: str) -> Body:
    """Reduce a mail's HTML to what is harmless: no scripts, no event handlers, nothing loaded from elsewhere."""
    parser = _Sanitizer()
    parser.feed(source)
    parser.close()
    return parser.body()


def from_text(source: str) -> Body:
    """Turn a plain-text body into HTML: lines kept, addresses linked, the trailing quotation marked as such."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")
    start = _quote_start(lines)
    fresh, quoted = "\n".join(lines[:start]), "\n".join(lines[start:])
    html = _linked(fresh)
    if quoted:
        html += f'<div class="gmail_quote">{_linked(quoted)}</div>'
    return Body(html, f"{fresh}\n{quoted}".strip(), fresh.strip())


def _quote_start(lines: list[str]) -> int:
    """Index of the first line of the quotation at the end; ``len(lines)`` when there is none."""
    start = len(lines)
    while start and (not lines[start - 1].strip() or lines[start - 1].startswith(">")):
        start -= 1
    if not any(line.startswith(">") for line in lines[start:]):
        return len(lines)
    for size in (1, 2):
        if start >= size and _WROTE.match(" ".join(line.strip() for line in lines[start - size : start])):
            return start - size
    return start


def _linked(text: str) -> str:
    parts, end = [], 0
    for match in _URL.finditer(text):
        parts.append(escape(text[end : match.start()]))
        url = escape(match.group())
        parts.append(f'<a href="{url}" target="_blank" rel="noreferrer">{url}</a>')
        end = match.end()
    parts.append(escape(text[end:]))
    return "".join(parts).replace("\n", "<br>\n")


class _Sanitizer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._html: list[str] = []
        self._text: list[str] = []
        self._fresh: list[str] = []
        self._open: list[str] = []
        self._silent: list[str] = []
        self._quote_depth: int | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent.append(tag)
        if self._silent or tag not in _TAGS:
            return
        given = {name: value or "" for name, value in reversed(attrs)}
        if tag in _BLOCKS:
            self._say("\n")
        quote = self._quote_depth is None and _is_quote(tag, given)
        if quote:
            self._html.append('<div class="gmail_quote">')
            self._open.append("div")
            self._quote_depth = len(self._open)
        self._html.append(f"<{tag}{_attributes(tag, given)}>")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            return
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if tag in self._silent:
                while self._silent.pop() != tag:
                    pass
            return
        if tag in _VOID or tag not in self._open:
            return
        while self._pop() != tag:
            pass
        if self._quote_depth is not None and len(self._open) == self._quote_depth:
            self._pop()
            self._quote_depth = None
        if tag in _BLOCKS:
            self._say("\n")
        elif tag in {"td", "th"}:
            self._say(" ")

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        self._html.append(escape(data))
        self._say(data)

    def body(self) -> Body:
        while self._open:
            self._pop()
        return Body("".join(self._html).strip(), _tidy(self._text), _tidy(self._fresh))

    def _pop(self) -> str:
        tag = self._open.pop()
        self._html.append(f"</{tag}>")
        if self._quote_depth is not None and len(self._open) < self._quote_depth:
            self._quote_depth = None
        return tag

    def _say(self, text: str) -> None:
        self._text.append(text)
        if self._quote_depth is None:
            self._fresh.append(text)


def _is_quote(tag: str, given: dict[str, str]) -> bool:
    if tag == "blockquote" and given.get("type") == "cite":
        return True
    return tag in {"div", "blockquote"} and not _QUOTE_CLASSES.isdisjoint(given.get("class", "").split())


def _attributes(tag: str, given: dict[str, str]) -> str:
    kept = {name: value for name, value in given.items() if name in _ATTRIBUTES}
    if tag == "a" and _LINK.match(given.get("href", "").strip()):
        kept |= {"href": given["href"].strip(), "target": "_blank", "rel": "noreferrer"}
    if tag == "img" and _PICTURE.match(given.get("src", "")):
        kept["src"] = given["src"]
    if style := _style(given.get("style", "")):
        kept["style"] = style
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())


def _style(source: str) -> str:
    kept = []
    for rule in source.split(";"):
        name, colon, value = rule.partition(":")
        if colon and name.strip().lower() in _STYLES and not _BAD_STYLE.search(value):
            kept.append(f"{name.strip().lower()}: {value.strip()}")
    return "; ".join(kept)


def _tidy(pieces: list[str]) -> str:
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
