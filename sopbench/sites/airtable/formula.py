"""Airtable formulas, as far as filters use them: text → a function of a record's values.

expression = joined { ("=" | "!=" | "<" | ">" | "<=" | ">=") joined }
joined     = sum { "&" sum }
sum        = product { ("+" | "-") product }
product    = unary { ("*" | "/") unary }
unary      = [ "-" | "+" ] unary | atom
atom       = number | string | {Field name} | Field | NAME "(" [ expression { "," expression } ] ")" | "(" … ")"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sopbench.sites.airtable.formula_functions import FUNCTIONS, FormulaFault, Node, Scope, compare, number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sopbench.sites.airtable.formula_functions import FormulaValue

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>\d+\.?\d*|\.\d+)
    | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    | \{(?P<field>(?:\\.|[^}\\])+)\}
    | (?P<name>[^\W\d]\w*)
    | (?P<mark><=|>=|!=|[=<>&+\-*/(),])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_COMPARISONS = ("=", "!=", "<", ">", "<=", ">=")
_DEEPEST = 60


class FormulaInvalid(ValueError):
    """The text is not a formula, or names a field or a function that is not there."""


class _Token(NamedTuple):
    kind: str
    text: str


def parse(source: str, fields: Collection[str]) -> Node:
    """Read a formula over fields of these names (and ids).

    Raises: FormulaInvalid.
    """
    return _Parser(_tokens(source), fields).whole()


def matches(formula: Node, scope: Scope) -> bool:
    """Whether the formula is true of a record. One that fails (``#ERROR!``) is not."""
    try:
        value = formula(scope)
    except FormulaFault:
        return False
    return bool(value)


def _tokens(source: str) -> list[_Token]:
    tokens = []
    at = 0
    end = len(source.rstrip())
    while at < end:
        match = _TOKEN.match(source, at, end)
        if match is None:
            raise FormulaInvalid("Invalid formula. Please check your formula text.")
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match[kind]))
        at = match.end()
    return [*tokens, _Token("end", "")]


def _unescape(body: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), body, flags=re.DOTALL)


class _Parser:
    def __init__(self, tokens: list[_Token], fields: Collection[str]) -> None:
        self._tokens = tokens
        self._fields = fields
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._expression()
        self._expect("end", "")
        return node

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *marks: str) -> str | None:
        token = self._next
        if token.kind == "mark" and token.text in marks:
            self._at += 1
            return token.text
        return None

    def _expect(self, kind: str, wanted: str) -> None:
        if self._next != (kind, wanted):
            raise FormulaInvalid("Invalid formula. Please check your formula text.")
        self._at += 1

    def _expression(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaInvalid("The formula is nested too deeply.")
        node = self._joined()
        while mark := self._take(*_COMPARISONS):
            node = _comparison(mark, node, self._joined())
        self._depth -= 1
        return node

    def _joined(self) -> Node:
        node = self._sum()
        while self._take("&"):
            node = _binary(lambda a, b: text(a) + text(b), node, self._sum())
        return node

    def _sum(self) -> Node:
        node = self._product()
        while mark := self._take("+", "-"):
            sign = 1 if mark == "+" else -1
            node = _binary(lambda a, b, sign=sign: number(a) + sign * number(b), node, self._product())  # type: ignore[misc]
        return node

    def _product(self) -> Node:
        node = self._unary()
        while mark := self._take("*", "/"):
            node = _binary(_times if mark == "*" else _divided, node, self._unary())
        return node

    def _unary(self) -> Node:
        mark = self._take("-", "+")
        if mark is None:
            return self._atom()
        node = self._unary()
        return (lambda scope: -number(node(scope))) if mark == "-" else node

    def _atom(self) -> Node:
        kind, content = self._next
        if self._take("("):
            node = self._expression()
            self._expect("mark", ")")
            return node
        self._at += 1
        if kind == "number":
            value = float(content)
            return lambda _: value
        if kind == "string":
            string = _unescape(content[1:-1])
            return lambda _: string
        if kind == "field":
            return self._field(_unescape(content))
        if kind == "name":
            return self._call(content) if self._take("(") else self._field(content)
        raise FormulaInvalid("Invalid formula. Please check your formula text.")

    def _field(self, name: str) -> Node:
        if name not in self._fields:
            raise FormulaInvalid(f"Unknown field names: {name.lower()}")
        return lambda scope: scope.cells.get(name)

    def _call(self, name: str) -> Node:
        arguments: list[Node] = []
        if not self._take(")"):
            arguments.append(self._expression())
            while self._take(","):
                arguments.append(self._expression())
            self._expect("mark", ")")
        function = FUNCTIONS.get(name.upper())
        if function is None:
            raise FormulaInvalid(f"Unknown function names: {name.upper()}")
        if not function.least <= len(arguments) <= function.most:
            raise FormulaInvalid(f"Invalid number of arguments for {name.upper()}")
        return function.bind(arguments)


def _binary(operation: Callable[[FormulaValue, FormulaValue], FormulaValue], left: Node, right: Node) -> Node:
    return lambda scope: operation(left(scope), right(scope))


def _comparison(mark: str, left: Node, right: Node) -> Node:
    return lambda scope: compare(mark, left(scope), right(scope))


def _times(left: FormulaValue, right: FormulaValue) -> float:
    return number(left) * number(right)


def _divided(left: FormulaValue, right: FormulaValue) -> float:
    divisor = number(right)
    if divisor == 0:
        raise FormulaFault("division by zero")
    return number(left) / divisor
