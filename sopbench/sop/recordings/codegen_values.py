"""Values and chains of calls in a Playwright script. It is parsed, never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class NotSaid(Exception):
    """An SOP has no words for this; says what, and what to do."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint


@dataclass(frozen=True)
class Pattern:
    """A regular expression: ``re.compile(r"^Save$")``."""

    source: str
    ignores_case: bool = False

    @property
    def plain(self) -> tuple[str, bool] | None:
        """The text that it is, and whether it is the whole of it; None if it is more than a text."""
        whole = self.source.startswith("^") and self.source.endswith("$") and not self.source.endswith(r"\$")
        inner = self.source[1:-1] if whole else self.source
        text = re.sub(r"\\([^\w\s]|\s)", r"\1", inner)
        if re.search(r"(?<!\\)[.^$*+?{}\[\]()|]|\\\w", inner):
            return None
        return (text, True) if whole and not self.ignores_case else (text, False) if not whole else None

    @property
    def in_selector(self) -> str:
        """As Playwright's selectors write it."""
        if "(?P" in self.source or "(?(" in self.source:
            raise NotSaid(f"the pattern {self.source!r:.60}", "write the text that is there instead")
        slashed = re.sub(r"(?<!\\)/", r"\\/", self.source)
        return f"/{slashed}/{'i' if self.ignores_case else ''}"


@dataclass(frozen=True)
class FromEnvironment:
    """``os.environ["NAME"]``."""

    name: str


@dataclass(frozen=True)
class Link:
    """One part of a chain: ``.get_by_role("button", name="Save")`` or ``.first``."""

    name: str
    call: ast.Call | None
    line: int

    @property
    def args(self) -> list[ast.expr]:
        return list(self.call.args) if self.call else []

    @property
    def options(self) -> dict[str, ast.expr]:
        return {each.arg: each.value for each in self.call.keywords if each.arg} if self.call else {}


@dataclass(frozen=True)
class Chain:
    """``page.get_by_role(…).first.click()``."""

    root: str
    """Name that it starts from; ``expect`` for an assertion."""
    links: tuple[Link, ...]
    about: ast.expr | None = None
    """What an assertion is about."""


def chain_of(expression: ast.expr) -> Chain | None:
    """A chain of calls and attributes that starts from a name; None if it is anything else."""
    links: list[Link] = []
    at = expression.value if isinstance(expression, ast.Await) else expression
    while True:
        call = None
        if isinstance(at, ast.Call):
            call, at = at, at.func
        if isinstance(at, ast.Await):
            at = at.value
        elif isinstance(at, ast.Attribute):
            links.append(Link(at.attr, call, at.end_lineno or at.lineno))
            at = at.value
        elif isinstance(at, ast.Name) and call is not None:
            about = call.args[0] if call.args else None
            return Chain(at.id, tuple(reversed(links)), about) if at.id == "expect" else None
        else:
            return Chain(at.id, tuple(reversed(links))) if isinstance(at, ast.Name) else None


def value_of(expression: ast.expr, names: Mapping[str, ast.expr]) -> Any:
    """A constant, a list of them, a :class:`Pattern` or :class:`FromEnvironment`.

    Raises: NotSaid for anything that would have to be run.
    """
    at = expression
    for _ in range(20):
        if isinstance(at, ast.Name) and at.id in names:
            at = names[at.id]
    match at:
        case ast.Constant(value=value) if not isinstance(value, bytes | complex | type(...)):
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [value_of(each, names) for each in items]
        case ast.Dict(keys=keys, values=values):
            return {
                str(value_of(key, names)): value_of(each, names)
                for key, each in zip(keys, values, strict=True)
                if key is not None
            }
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.JoinedStr(values=parts):
            return "".join(_text(each, names) for each in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, names) + _text(right, names)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="compile"), args=[source, *flags]):
            return _pattern(source, flags, names)
        case _:
            return _environment(at)


def text_of(expression: ast.expr, names: Mapping[str, ast.expr]) -> str:
    """A constant text. Raises: NotSaid."""
    value = value_of(expression, names)
    if not isinstance(value, str):
        raise NotSaid(source_of(expression), "only a text that stands in the script can be read")
    return value


def source_of(node: ast.AST) -> str:
    """The code, in a line."""
    try:
        code = " ".join(ast.unparse(node).split())
    except RecursionError:
        return "…"
    return code if len(code) <= 100 else code[:99] + "…"


def _text(part: ast.expr, names: Mapping[str, ast.expr]) -> str:
    inner = part.value if isinstance(part, ast.FormattedValue) else part
    value = value_of(inner, names)
    if isinstance(value, str | int | float):
        return str(value)
    raise NotSaid(source_of(part), "only a text that stands in the script can be read")


def _pattern(source: ast.expr, flags: list[ast.expr], names: Mapping[str, ast.expr]) -> Pattern:
    words = {each.attr for flag in flags for each in ast.walk(flag) if isinstance(each, ast.Attribute)}
    return Pattern(text_of(source, names), bool(words & {"IGNORECASE", "I"}))


def _environment(at: ast.expr) -> FromEnvironment:
    match at:
        case ast.Subscript(value=source, slice=ast.Constant(value=str(name))):
            is_environment = ast.unparse(source) in {"os.environ", "environ"}
        case ast.Call(func=source, args=[ast.Constant(value=str(name)), *_]):
            is_environment = ast.unparse(source) in {"os.getenv", "os.environ.get", "getenv", "environ.get"}
        case _:
            is_environment, name = False, ""
    if is_environment:
        return FromEnvironment(name)
    raise NotSaid(source_of(at), "only what stands in the script can be read; it is never run")
