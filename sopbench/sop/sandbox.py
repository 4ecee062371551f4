"""The Jinja2 environment templates run in: no way out, no clock, no chance, and no way to use up memory or time.

Documents are data from strangers. So this is a list of what is allowed, not of what is forbidden: ``{{ … }}``,
``{% if %}`` and ``{% for %}`` (two deep); the filters named here and in filters.py; harmless methods of text, lists and
records. Whatever can make something big from something small is bounded by :data:`MAX_CHARS`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.exceptions import SecurityError
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from sopbench.sop import filters
from sopbench.sop.limits import MAX_CHARS
from sopbench.sop.problems import did_you_mean

MAX_RANGE = 1000
MAX_LOOP_DEPTH = 2
MAX_BITS = 1024
"""Of a whole number."""

_KEPT_FILTERS = frozenset({
    "abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "groupby", "int", "items", "last",
    "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "reverse", "select", "selectattr",
    "sort", "string", "title", "trim", "unique", "upper", "urlencode",
})  # fmt: skip
_METHODS: dict[type, frozenset[str]] = {
    str: frozenset({
        "upper", "lower", "title", "capitalize", "casefold", "strip", "lstrip", "rstrip", "split", "rsplit",
        "splitlines", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix", "find",
        "rfind", "count", "isdigit", "isalpha", "isalnum", "isspace",
    }),
    dict: frozenset({"get", "keys", "values", "items"}),
    list: frozenset({"index", "count"}),
    tuple: frozenset({"index", "count"}),
}  # fmt: skip
_FORBIDDEN: dict[type[nodes.Node], str] = {
    nodes.Macro: "macro", nodes.CallBlock: "call", nodes.FilterBlock: "filter", nodes.AssignBlock: "set",
    nodes.Assign: "set", nodes.With: "with", nodes.Include: "include", nodes.Import: "import",
    nodes.FromImport: "import", nodes.Extends: "extends", nodes.Block: "block",
}  # fmt: skip
_RESULT = "result"
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_BACKSLASH = re.compile(r"\\(.)", re.DOTALL)
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "*": operator.mul, "**": operator.pow, "%": operator.mod,
}  # fmt: skip


class _Variables(Context):
    """Looks names up in the caller's own mapping."""

    def resolve_or_missing(self, key: str) -> Any:
        found = super().resolve_or_missing(key)
        return self.environment.globals.get(key, found) if found is missing else found


class Missing(StrictUndefined):
    """A name that is not there. Says which one was probably meant, as far as the object it was looked for in knows."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        message = super()._undefined_message
        if isinstance(self._undefined_obj, Mapping):
            message = f"there is no {self._undefined_name!r} in it"
            message += did_you_mean(str(self._undefined_name), map(str, self._undefined_obj), before="; ")
        return message


class Sandbox(ImmutableSandboxedEnvironment):
    """See the module."""

    context_class = _Variables
    intercepted_binops = frozenset(_ARITHMETIC)

    def __init__(self) -> None:
        super().__init__(undefined=Missing, autoescape=False, keep_trailing_newline=True, cache_size=0)
        kept = {name: self.filters[name] for name in _KEPT_FILTERS}
        self.filters.clear()
        self.filters.update(kept | filters.FILTERS)
        self.globals.clear()
        self.globals["range"] = _range

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Fields of a record go before methods: ``mail.items`` is the field, if there is one."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Only methods that are known to be harmless."""
        if callable(value):
            return attr in _METHODS.get(type(obj), ())
        return super().is_safe_attribute(obj, attr, value)

    def wrap_str_format(self, value: Any) -> None:
        """``'…'.format()`` is not available: ``~`` and filters do what it does, within bounds."""

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Arithmetic whose result is not larger than allowed.

        Raises: SecurityError.
        """
        if not _is_bounded(operator, left, right):
            raise SecurityError(f"{_shown(left)} {operator} {_shown(right)} is not allowed here")
        return _ARITHMETIC[operator](left, right)

    def expression(self, source: str) -> Template:
        """Compile an expression; :meth:`value` gives its value.

        Raises: TemplateSyntaxError.
        """
        parser = Parser(self, _plain_backslashes(source), state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            raise TemplateSyntaxError(f"unexpected {parser.stream.current.value!r} after the expression", 1)
        assign = nodes.Assign(nodes.Name(_RESULT, "store"), _checked(tree), lineno=1)
        assign.set_environment(self)
        return self.from_string(nodes.Template([assign], lineno=1))

    def chunks(self, template: Template, variables: Mapping[str, Any]) -> Iterator[str]:
        """Render piece by piece. ``variables`` is not copied: a render must not cost more than its template."""
        return template.root_render_func(self._context(template, variables))

    def value(self, expression: Template, variables: Mapping[str, Any]) -> Any:
        """The value of a compiled expression; a Missing if it is undefined."""
        context = self._context(expression, variables)
        for _ in expression.root_render_func(context):
            pass
        return context.vars[_RESULT]

    def _context(self, template: Template, variables: Mapping[str, Any]) -> Context:
        return template.new_context(cast("dict[str, Any]", variables), shared=True)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        plain = _CODE.sub(lambda match: _plain_backslashes(match[0]), source)
        return _checked(super()._parse(plain, name, filename))


def _plain_backslashes(code: str) -> str:
    r"""In quotes, a backslash stands for itself unless it begins a known escape: ``'\d+'`` is a pattern."""
    return _BACKSLASH.sub(lambda match: match[0] if match[1] in "nrtux'\"\\" else "\\" + match[0], code)


NodeT = TypeVar("NodeT", bound=nodes.Node)


def _checked(tree: NodeT) -> NodeT:
    """Only what is allowed, and ``a ~ b`` as a bounded join."""
    _check(tree, 0)
    holder = nodes.Tuple([cast("nodes.Expr", tree)], "load")
    for parent in [holder, *holder.find_all(nodes.Node)]:
        for name, value in parent.iter_fields():
            if isinstance(value, list):
                value[:] = [_joined(each) for each in value]
            else:
                setattr(parent, name, _joined(value))
    return cast("NodeT", holder.items[0])


def _check(node: nodes.Node, loops: int) -> None:
    word = _FORBIDDEN.get(type(node))
    if word is not None:
        raise TemplateSyntaxError(f"'{{% {word} %}}' is not available in a procedure", node.lineno)
    if isinstance(node, nodes.For):
        loops += 1
        if node.recursive or loops > MAX_LOOP_DEPTH:
            raise TemplateSyntaxError("loops may be two deep, and not recursive", node.lineno)
    for child in node.iter_child_nodes():
        _check(child, loops)


def _joined(node: Any) -> Any:
    if not isinstance(node, nodes.Concat):
        return node
    items = nodes.List(node.nodes, lineno=node.lineno)
    joined = nodes.Filter(items, "join", [], [], None, None, lineno=node.lineno)
    return joined.set_environment(node.environment) if node.environment else joined


def _is_bounded(sign: str, left: Any, right: Any) -> bool:
    if isinstance(left, int | float) and isinstance(right, int | float):
        if sign == "**":
            return abs(right) <= MAX_BITS and int(abs(left)).bit_length() * abs(right) <= MAX_BITS
        return max(int(left).bit_length(), int(right).bit_length()) <= MAX_BITS
    if sign == "+":
        return (
            isinstance(left, str | list | tuple) and type(left) is type(right) and len(left) + len(right) <= MAX_CHARS
        )
    if sign == "*":
        text, times = (left, right) if isinstance(left, str) else (right, left)
        return isinstance(text, str) and isinstance(times, int) and len(text) * times <= MAX_CHARS
    return False


def _shown(value: Any) -> str:
    return type(value).__name__ if not isinstance(value, int | float) else str(value)[:20]


def _range(*bounds: int) -> range:
    numbers = range(*bounds)
    if len(numbers) > MAX_RANGE:
        raise SecurityError(f"range() is limited to {MAX_RANGE:,} numbers, got {len(numbers):,}")
    return numbers
