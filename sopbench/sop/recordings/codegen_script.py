"""The parts of a Playwright script: what is done, and the constants and settings around it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sopbench.sop.recordings.codegen_values import chain_of

_PAGE = re.compile(r"page\d*")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Body:
    """Statements that use a page, one after the other."""

    name: str
    """Of the function; empty for what stands outside of functions."""
    line: int
    statements: tuple[ast.stmt, ...]
    pages: tuple[str, ...] = ()
    """Parameters that are pages."""


def bodies(tree: ast.Module) -> list[Body]:
    """Functions, methods, and the module itself, where a page is used."""
    functions = [each for each in tree.body if isinstance(each, _Function)]
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    functions += [each for held in classes for each in held.body if isinstance(each, _Function)]
    made = [Body(each.name, each.lineno, tuple(each.body), tuple(_pages(each))) for each in functions]
    rest = [each for each in tree.body if not isinstance(each, _Function | ast.ClassDef | ast.Import | ast.ImportFrom)]
    made += [Body("", rest[0].lineno, tuple(rest))] if rest else []
    return [each for each in made if _uses_page(each.statements)]


def constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Names that are given a value at the top of the script."""
    return {
        each.targets[0].id: each.value
        for each in tree.body
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name)
    }


def settings(tree: ast.Module) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """The context's options, from the fixture that codegen writes for pytest: where it stands, its key and value."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name != "browser_context_args":
            continue
        found = next((each for each in ast.walk(node) if isinstance(each, ast.Dict)), ast.Dict(keys=[], values=[]))
        for key, value in zip(found.keys, found.values, strict=True):
            if isinstance(key, ast.Constant):
                yield key, str(key.value), value


def _pages(function: _Function) -> Iterator[str]:
    for each in (*function.args.args, *function.args.kwonlyargs):
        if isinstance(each.annotation, ast.Name) and each.annotation.id == "Page":
            yield each.arg


def _uses_page(statements: Sequence[ast.stmt]) -> bool:
    calls = (node for each in statements for node in ast.walk(each) if isinstance(node, ast.Call))
    chains = (chain_of(each) for each in calls if isinstance(each.func, ast.Attribute))
    return any(each is not None and _PAGE.fullmatch(each.root) for each in chains)
