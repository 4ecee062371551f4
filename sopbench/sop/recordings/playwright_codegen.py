"""What ``playwright codegen`` writes in Python (library or pytest, sync or async) as recorded actions.

The script is parsed, never run. What is more than codegen writes (loops, conditions, calls of functions) is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic import ValidationError

from sopbench.errors import UsageError
from sopbench.sop.actions import AnyAction
from sopbench.sop.recordings import codegen_expects
from sopbench.sop.recordings.codegen_actions import ACTING, done_to
from sopbench.sop.recordings.codegen_locators import target_of
from sopbench.sop.recordings.codegen_script import Body, bodies, constants, settings
from sopbench.sop.recordings.codegen_values import Chain, Link, NotSaid, chain_of, source_of, text_of, value_of
from sopbench.sop.recordings.recorded import MAIN_TAB, Caveat, Recorded, Recording, looks_secret
from sopbench.sop.recordings.recorded_document import place_in
from sopbench.sop.recordings.recorded_urls import origin_of
from sopbench.sop.recordings.recorded_words import called, slug
from sopbench.sop.targets import Expectation, Target, UrlIs
from sopbench.sop.verbs.base import Dialog
from sopbench.sop.verbs.fields import Press, Type
from sopbench.sop.verbs.pages import Back, CloseTab, Navigate, Reload, Screenshot, WaitFor
from sopbench.sop.verbs.pointer import Click, Point, Scroll
from sopbench.sop.verbs.reading import Download

MADE_BY = "Playwright codegen"
_NO_CODEGEN = "no recording: no Playwright script in Python (nothing in it uses a page)"
_IGNORED = {
    "close", "launch", "new_context", "set_default_timeout", "set_default_navigation_timeout", "pause",
    "storage_state", "bring_to_front",
}  # fmt: skip
_HINT = "only what codegen writes is read: calls on a page, one after the other"


def read(source: str, *, file: str, name: str) -> Recording:
    """A recording, from the text of its file. ``name`` is its title.

    Raises: UsageError if it is no script that uses a page.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        said = getattr(error, "msg", None) or str(error)
        raise UsageError(f"{file}{f':{line}' if line else ''}: neither JSON nor Python: {said}") from None
    found = bodies(tree)
    if not found:
        raise UsageError(f"{file}: {_NO_CODEGEN}")
    reader = _Reader(file, constants(tree))
    for node, key, value in settings(tree):
        reader.option(node, key, value)
    reader.body(found[0])
    for other in found[1:]:
        what = repr(other.name) if other.name else "what stands outside of functions"
        hint = "one file is one procedure: import it by itself"
        reader.caveats.append(Caveat(place_in(file, f"line {other.line}"), what, hint))
    return Recording(name, MADE_BY, tuple(reader.finished()), tuple(reader.caveats))


@dataclass
class _Reader:
    file: str
    names: dict[str, ast.expr]
    """Names that stand for constants and locators."""
    actions: list[Recorded] = field(default_factory=list)
    caveats: list[Caveat] = field(default_factory=list)
    _pages: dict[str, str] = field(default_factory=lambda: {"page": MAIN_TAB})
    """Name in the script → name of the tab."""
    _dialogs: dict[str, Dialog] = field(default_factory=dict)
    """Tab → how the next dialog in it is answered."""
    _viewport: str | None = None

    def caveat(self, node: ast.AST, what: str, hint: str, *, lost: bool = True) -> None:
        place = place_in(self.file, f"line {getattr(node, 'lineno', 0)}")
        self.caveats.append(Caveat(place, what, hint, lost=lost))

    def finished(self) -> list[Recorded]:
        """Without closing what a run closes by itself."""
        while self.actions and isinstance(self.actions[-1].action, CloseTab):
            self.actions.pop()
        return self.actions

    def body(self, body: Body) -> None:
        """One function, or the module itself."""
        self._pages |= dict.fromkeys(body.pages, MAIN_TAB)
        self._block(body.statements)

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for each in statements:
            self._statement(each)

    def _statement(self, node: ast.stmt) -> None:
        try:
            self._done(node)
        except NotSaid as error:
            self.caveat(node, error.what, error.hint)
        except ValidationError as error:
            why = error.errors()[0]["msg"].removeprefix("Value error, ")
            self.caveat(node, source_of(node), why[:1].lower() + why[1:])
        except (IndexError, TypeError, AttributeError, KeyError):  # a call with arguments that it does not take
            self.caveat(node, source_of(node), "it is not called as Playwright's methods are")

    def _done(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Import() | ast.ImportFrom():
                return
            case ast.Expr(value=expression):
                self._call(node, expression)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assigned(node, name, value)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                self._with(node, items, body)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Return(value=None):
                return
            case _:
                raise NotSaid(f"{source_of(node)!r:.80}", _HINT)

    # ---- names

    def _assigned(self, node: ast.stmt, name: str, value: ast.expr) -> None:
        chain = chain_of(value)
        last = chain.links[-1].name if chain is not None and chain.links else ""
        if last == "new_page":
            self._pages[name] = MAIN_TAB if not self._used(MAIN_TAB) else slug(name)
        elif last == "value" and name in self._pages:
            return  # the page that a click opened: known already
        elif last == "value" or last.startswith("new_browser") or last in {"launch", "devices"}:
            return
        elif last == "new_context" and chain is not None:
            for key, expression in chain.links[-1].options.items():
                self.option(node, key, expression)
        elif chain is not None and chain.root in self._pages and last in ACTING - {"evaluate"}:
            self._call(node, value)
        else:
            self.names[name] = value

    def _used(self, tab: str) -> bool:
        return any(each.tab == tab for each in self.actions) or MAIN_TAB not in self._pages.values()

    def option(self, node: ast.AST, key: str, expression: ast.expr) -> None:
        """One of the settings of the browser's context."""
        if key == "viewport":
            size = value_of(expression, self.names)
            if isinstance(size, dict) and {"width", "height"} <= size.keys():
                self._viewport = f"{size['width']} x {size['height']}"
        elif key not in {"ignore_https_errors", "record_video_dir", "no_viewport", "service_workers"}:
            saved = "sign in with 'sopbench login', or by actions"
            hint = saved if key == "storage_state" else "settings of the browser are no part of a procedure"
            self.caveat(node, f"the context's {key}", hint)

    # ---- calls

    def _call(self, node: ast.stmt, expression: ast.expr) -> None:
        chain = chain_of(expression)
        if chain is None or not chain.links:
            raise NotSaid(f"{source_of(expression)!r:.80}", _HINT)
        if chain.root == "expect":
            self._expectation(node, chain)
            return
        chain = self._unfolded(chain)
        if chain.root in self._pages:
            self._on_page(node, self._pages[chain.root], chain.links, expression)
        elif chain.links[-1].name not in _IGNORED and not chain.root.startswith("download"):
            raise NotSaid(f"{source_of(expression)!r:.80}", _HINT)

    def _unfolded(self, chain: Chain) -> Chain:
        """With a name that stands for a locator replaced by it."""
        for _ in range(20):
            held = chain_of(self.names[chain.root]) if chain.root in self.names else None
            if held is None:
                break
            chain = replace(chain, root=held.root, links=(*held.links, *chain.links))
        return chain

    def _on_page(self, node: ast.stmt, tab: str, links: tuple[Link, ...], expression: ast.expr) -> None:
        last = links[-1]
        if len(links) == 1 or links[0].name in {"keyboard", "mouse"}:
            name = ".".join(each.name for each in links)
            handle = _PAGE_CALLS.get(name)
            if handle is not None:
                handle(self, node, tab, last)
            elif len(links) == 1 and last.name in ACTING and last.args:
                self._old_style(node, tab, last)
            elif name not in _IGNORED:
                raise NotSaid(f"{source_of(expression)!r:.80}", "there is no verb for it")
            return
        target = target_of(links[:-1], self.names)
        actions, env, left_out = done_to(target, last, self.names)
        for each in actions:
            self._add(node, tab, each, target=target, locator=expression, env=env)
        if left_out:
            self.caveat(node, ", ".join(left_out), "the action itself was taken; see that it works without")

    def _old_style(self, node: ast.stmt, tab: str, call: Link) -> None:
        """``page.click("#save")`` as older versions wrote it."""
        css = text_of(call.args[0], self.names)
        target = Target(css=css)
        keywords = call.call.keywords if call.call else []
        rest = ast.Call(func=ast.Name(id=call.name), args=call.args[1:], keywords=keywords)
        actions, env, _ = done_to(target, Link(call.name, rest, call.line), self.names)
        for each in actions:
            self._add(node, tab, each, target=target, locator=call.call, env=env)

    def _add(
        self, node: ast.stmt, tab: str, action: AnyAction, *, target: Target | None = None,
        locator: ast.AST | None = None, env: str | None = None,
    ) -> None:  # fmt: skip
        if tab in self._dialogs and isinstance(action, Click | Press | Download):
            action = action.model_copy(update={"dialog": self._dialogs.pop(tab)})
        code = source_of(cast(Any, locator).func.value) if isinstance(locator, ast.Call) and _has_owner(locator) else ""
        words = [] if target is None else [str(target), target.test_id or "", code]
        self.actions.append(
            Recorded(
                action=action,
                place=f"line {node.lineno}",
                kept={"locator": code} if code else {},
                tab=tab,
                field=called(target),
                is_secret=looks_secret(*words),
                from_env=env,
                viewport=self._viewport,
            )
        )

    # ---- a page's own calls

    def goto(self, node: ast.stmt, tab: str, call: Link) -> None:
        url = text_of(call.args[0] if call.args else call.options["url"], self.names)
        if origin_of(url) or url.startswith(("/", "file:", "data:")):
            self._add(node, tab, Navigate(url=url))

    def close_page(self, node: ast.stmt, tab: str, call: Link) -> None:
        self._add(node, tab, CloseTab(tab=None if tab == MAIN_TAB else tab))

    def wait_for_url(self, node: ast.stmt, tab: str, call: Link) -> None:
        self._expect(node, tab, UrlIs(url=codegen_expects.url_pattern(value_of(call.args[0], self.names))))

    def wait_for_timeout(self, node: ast.stmt, tab: str, call: Link) -> None:
        self._add(node, tab, WaitFor(seconds=value_of(call.args[0], self.names) / 1000))

    def wait_for_selector(self, node: ast.stmt, tab: str, call: Link) -> None:
        target = Target(css=text_of(call.args[0], self.names))
        actions, _, _ = done_to(target, replace(call, name="wait_for"), self.names)
        for each in actions:
            self._add(node, tab, each, target=target)

    def press(self, node: ast.stmt, tab: str, call: Link) -> None:
        self._add(node, tab, Press(key=text_of(call.args[0], self.names)))

    def type_text(self, node: ast.stmt, tab: str, call: Link) -> None:
        before = self.actions[-1] if self.actions and self.actions[-1].tab == tab else None
        if before is None or before.target is None:
            raise NotSaid(f"keyboard.{call.name}", "say with 'type' or 'fill' which field it goes to")
        action = Type(target=before.target, text=text_of(call.args[0], self.names))
        self._add(node, tab, action, target=before.target)

    def wheel(self, node: ast.stmt, tab: str, call: Link) -> None:
        x, y = (value_of(each, self.names) for each in call.args)
        self._add(node, tab, Scroll(by=Point(x=x, y=y)))

    def screenshot(self, node: ast.stmt, tab: str, call: Link) -> None:
        path = text_of(call.options["path"], self.names) if "path" in call.options else "page"
        full = "full_page" in call.options and bool(value_of(call.options["full_page"], self.names))
        self._add(node, tab, Screenshot(name=slug(path.rpartition("/")[2].partition(".")[0]) or "page", full_page=full))

    def viewport(self, node: ast.stmt, tab: str, call: Link) -> None:
        self.option(node, "viewport", call.args[0])

    def wait_for_load_state(self, node: ast.stmt, tab: str, call: Link) -> None:
        if call.args and value_of(call.args[0], self.names) == "networkidle":
            self._add(node, tab, WaitFor(network="idle"))

    def dialog(self, node: ast.stmt, tab: str, call: Link) -> None:
        event = text_of(call.args[0], self.names)
        handler = call.args[1] if len(call.args) > 1 else None
        answer = chain_of(handler.body) if event == "dialog" and isinstance(handler, ast.Lambda) else None
        if answer is None or answer.links[-1].name not in {"accept", "dismiss"}:
            raise NotSaid(f"page.{call.name}({event!r}, …)", "say with 'dialog' how a dialog is answered")
        last = answer.links[-1]
        text = text_of(last.args[0], self.names) if last.args else None
        self._dialogs[tab] = Dialog(answer=cast(Any, last.name), text=text)
        if last.name == "dismiss":
            hint = "codegen writes this whatever was answered; if it was accepted, say so in 'dialog'"
            self.caveat(node, "the dialog is dismissed", hint, lost=False)

    # ---- assertions

    def _expectation(self, node: ast.stmt, chain: Chain) -> None:
        about = chain_of(chain.about) if chain.about is not None else None
        if about is None or len(chain.links) != 1:
            raise NotSaid(f"{source_of(node)!r:.80}", "say with 'expect' what can be seen")
        about = self._unfolded(about)
        tab = self._pages.get(about.root)
        if tab is None:
            raise NotSaid(f"{source_of(node)!r:.80}", "it is not about a page")
        if not about.links:
            self._expect(node, tab, codegen_expects.of_page(chain.links[0], self.names))
            return
        target = target_of(about.links, self.names)
        self._expect(node, tab, codegen_expects.of_element(chain.links[0], target, self.names))

    def _expect(self, node: ast.stmt, tab: str, expected: Expectation) -> None:
        """Of what was done last; a wait of its own where that was done elsewhere."""
        last = self.actions[-1] if self.actions else None
        opened = getattr(last.action, "opens", None) if last is not None else None
        if last is not None and tab == (opened or last.tab) and not isinstance(last.action, CloseTab):
            changed = last.expecting(expected)
            self.actions[-1] = replace(changed, moves=last.moves or isinstance(expected, UrlIs))
        else:
            self._add(node, tab, WaitFor(expect=(expected,)))

    # ---- what a block waits for

    def _with(self, node: ast.stmt, items: list[ast.withitem], body: list[ast.stmt]) -> None:
        before = len(self.actions)
        chains = [(chain_of(each.context_expr), each.optional_vars) for each in items]
        self._block(body)
        for chain, variable in chains:
            kind = chain.links[-1].name if chain is not None and chain.links else ""
            if kind in {"expect_popup", "expect_page", "expect_download"}:
                name = variable.id.removesuffix("_info") if isinstance(variable, ast.Name) else kind[7:]
                self._brought(node, kind, name, before)
            elif kind == "expect_navigation" and len(self.actions) > before:
                self.actions[-1] = replace(self.actions[-1], moves=True)
            elif kind[:7] == "expect_":
                self.caveat(node, kind, "say with 'expect' what can be seen afterwards")

    def _brought(self, node: ast.stmt, kind: str, name: str, start: int) -> None:
        """The last click in the block opened a page, or brought a file."""
        place = next((n for n in range(len(self.actions) - 1, start - 1, -1) if _is_click(self.actions[n])), None)
        if place is None:
            raise NotSaid(kind, "there is no click in it")
        recorded = self.actions[place]
        click = cast(Click, recorded.action)
        if kind == "expect_download":
            download = Download(target=click.target, dialog=click.dialog)
            self.actions[place] = replace(recorded, action=download)
        else:
            tab = slug(name)
            self._pages[name] = tab
            self.actions[place] = recorded.changed(opens=tab)


_PAGE_CALLS: dict[str, Callable[[_Reader, ast.stmt, str, Link], None]] = {
    "goto": _Reader.goto,
    "on": _Reader.dialog,
    "once": _Reader.dialog,
    "wait_for_load_state": _Reader.wait_for_load_state,
    "close": _Reader.close_page,
    "go_back": lambda reader, node, tab, _: reader._add(node, tab, Back()),  # noqa: SLF001
    "reload": lambda reader, node, tab, _: reader._add(node, tab, Reload()),  # noqa: SLF001
    "wait_for_url": _Reader.wait_for_url,
    "wait_for_timeout": _Reader.wait_for_timeout,
    "wait_for_selector": _Reader.wait_for_selector,
    "keyboard.press": _Reader.press,
    "keyboard.type": _Reader.type_text,
    "keyboard.insert_text": _Reader.type_text,
    "mouse.wheel": _Reader.wheel,
    "screenshot": _Reader.screenshot,
    "set_viewport_size": _Reader.viewport,
}


def _is_click(recorded: Recorded) -> bool:
    return isinstance(recorded.action, Click)


def _has_owner(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute)
