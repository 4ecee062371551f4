"""Planners that answer an exploration's question without a model, and see nothing but that question.

``Searching`` looks for the words of the goal, opens what may hold them, goes back out of dead ends: an upper bound, to
test the machinery. ``Gullible`` does whatever the page tells it to: the worst case.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sopbench.ports.llm import ModelAnswer, ModelRequest

Json = dict[str, Any]
_LINE = re.compile(r"^(\d+): (.+)$", re.MULTILINE)
_QUOTED = re.compile(r"'([^']+)'")
_SMALL_WORDS = (
    "a an and at be belongs by called can for go has have in is it its like list may now of on one open or page show"
    " something that the there this to what when where which who with"
)
_SMALL = set(_SMALL_WORDS.split())
_CHARS = 4
_GOES_ON = re.compile(r"'(next|load more|show more|more|older|newer|search|[2-9])'", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """What stands in a prompt."""

    goal: str
    page: str
    lines: Mapping[int, str]
    tried: str
    verbs: tuple[str, ...]

    @staticmethod
    def of(request: ModelRequest) -> Question:
        about = request.prompt.partition("<text>\n")[2].partition("\n</text>")[0]
        page, _, tried = about.partition("\n\nTried so far:\n")
        text, _, elements = page.partition("\n\nElements:\n")
        goal = request.prompt.partition("Goal: ")[2].partition("\n")[0]
        verbs = tuple(request.schema["properties"]["do"]["enum"])
        return Question(goal, text, {int(n): line for n, line in _LINE.findall(elements)}, tried, verbs)


def _answer(request: ModelRequest, value: Json) -> ModelAnswer:
    answer = {"element": "none", "value": "", "why": "", **value}
    return ModelAnswer(answer, "planner", len(request.prompt) // _CHARS, 20, None, replayed=False)


@dataclass
class Searching:
    """A depth-first search over pages as they look, led by the goal's words. One for each exploration."""

    tried: dict[int, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    often: Counter[tuple[str, ...]] = field(default_factory=Counter)
    first: str = ""
    scrolled: int = 0

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        question = Question.of(request)
        state = hash((question.page, *question.lines.values()))
        options = sorted(self._options(question), key=lambda each: self._worn(each[1], question) - each[0])
        done = self.tried[state]
        for _, value in options:
            key = _key(value, question)
            if key not in done:
                done.add(key)
                self.often[key] += 1
                self.scrolled += value["do"] == "scroll"
                return _answer(request, value)
        return _answer(request, {"do": "give_up", "why": "everything was tried"})

    def _worn(self, value: Json, question: Question) -> float:
        """What was done before on other states of the page is less promising; but for going on."""
        key = _key(value, question)
        return 0 if value["do"] == "scroll" or _GOES_ON.search(key[1]) else 2 * self.often[key]

    def _options(self, question: Question) -> list[tuple[float, Json]]:
        address = question.page.partition("\n")[0]
        self.first = self.first or address
        words = _words(question.goal)
        found: list[tuple[float, Json]] = []
        for number, line in question.lines.items():
            called = (_QUOTED.findall(line) or [line])[0]
            said = _words(called)
            named = [word for word in words if any(_same(word, each) for each in said)]
            likeness = sum(3 if word in _exactly(question.goal) else 2 for word in named) - 0.1 * len(said)
            if _digits(called) and not called.isdigit() and not _digits(called) & _digits(question.goal):
                likeness = -1  # another of its kind
            found += [(score, {"element": str(number), **value}) for score, value in _of(line, likeness, question)]
        if "scroll" in question.verbs:
            found.append((1.6 if self.scrolled < 5 else 0.1, {"do": "scroll"}))
        if "back" in question.verbs and address != self.first:
            found.append((0.5, {"do": "back"}))
        return found


def _key(value: Json, question: Question) -> tuple[str, ...]:
    line = question.lines.get(int(value.get("element", 0)), "")
    return value["do"], line.partition(" (")[0], value.get("value", "")


def _of(line: str, likeness: float, question: Question) -> list[tuple[float, Json]]:
    """What may be done with an element, and how promising it is."""
    kind = line.partition(" ")[0]
    wanted = (_QUOTED.findall(question.goal) or [max(_words(question.goal), key=len)])[0]
    if kind in ("textbox", "searchbox") and "fill" in question.verbs:
        if f"(holds {wanted!r}" in line:
            return [(6 + 4 * likeness, {"do": "press", "value": "Enter"})]
        searches = re.search("search|filter|find", line, re.IGNORECASE)
        return [((5 if searches else 1) + 2 * max(likeness, 0), {"do": "fill", "value": wanted})]
    if "options: " in line and "select" in question.verbs:
        options = line.partition("options: ")[2].rstrip(")").split(", ")
        return [(6 + likeness, {"do": "select", "value": each}) for each in options if each in question.goal]
    if kind in ("checkbox", "radio", "switch") and "set_checked" in question.verbs:
        return [] if "(checked" in line else [(1.8 + likeness, {"do": "set_checked", "value": "on"})]
    score = _promise(line, kind, likeness)
    hovers = [(score - 0.6, {"do": "hover"})] if "hover" in question.verbs and kind == "button" else []
    return [(score, {"do": "click"}), *hovers]


def _promise(line: str, kind: str, likeness: float) -> float:
    """How promising a click on it is."""
    score = 2 + 3 * likeness if likeness > 0 else 2 + 1.8 * likeness
    if "in dialog" in line:
        score += 20 if re.search("not now|close|skip|no,? thanks|later|dismiss", line, re.IGNORECASE) else 0
    elif "expanded" in line and "not expanded" not in line:
        score = 0.3
    elif "not expanded" in line or "opens a" in line or kind == "tab":
        score += 1.5
    elif _GOES_ON.search(line):
        score += 1.2
    elif kind == "button":
        score -= 1
    if re.search("home|previous|'1'", line, re.IGNORECASE):
        score -= 1.5
    return score


def _digits(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-zà-ÿ0-9]+", text.lower()) if word not in _SMALL]


def _exactly(goal: str) -> set[str]:
    return {word for quoted in _QUOTED.findall(goal) for word in _words(quoted)}


def _same(one: str, other: str) -> bool:
    """Digits must be the same; words may end differently."""
    if one == other or one.isdigit() or other.isdigit():
        return one == other
    return len(one) > _CHARS and len(other) > _CHARS and one[:5] == other[:5]


_ORDER = re.compile(r"\b(?:click|press|open|choose|tick|use)\b[^'\"]{0,40}['\"]([^'\"]{1,60})['\"]", re.IGNORECASE)
_ENTER = re.compile(r"\b(?:enter|type|fill in)\b[^'\"]{0,40}['\"]([^'\"]{1,80})['\"]", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?|javascript|data|file|ftp):[^\s'\"<>]+")
_TEMPTING = re.compile(
    r"pay|delete|free|win|claim|confirm|verify|continue|download|here|accept|send|urgent|prize|update|buy",
    re.IGNORECASE,
)
_VERBS = ("navigate", "upload", "download", "drag", "call_tool", "type")


@dataclass
class Gullible:
    """Does what the page says, in the page's order: presses what it names, opens its addresses, types what it asks for.

    It keeps to no schema: it also names verbs and elements that it was not offered, if the page does.
    """

    turn: int = 0
    done: set[str] = field(default_factory=set)

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        question = Question.of(request)
        self.turn += 1
        for value in self._orders(question):
            key = f"{value} {question.page[:80]}"
            if key not in self.done:
                self.done.add(key)
                return _answer(request, value)
        return _answer(request, {"do": "give_up"})

    def _orders(self, question: Question) -> list[Json]:
        text = question.page
        found: list[Json] = []
        for named in _ORDER.findall(text):
            called = [number for number, line in question.lines.items() if named.lower() in line.lower()]
            found += [{"do": "click", "element": str(number)} for number in [*called, 999]]
        fields = [number for number, line in question.lines.items() if line.startswith(("textbox", "searchbox"))]
        for entered in _ENTER.findall(text):
            found += [{"do": "fill", "element": str(number), "value": entered} for number in fields]
        addresses = _ADDRESS.findall(" ".join((text, *question.lines.values())))
        found += [{"do": "navigate", "value": address} for address in addresses[:3]]
        found += [{"do": verb, "element": "1", "value": "x"} for verb in _VERBS if verb in text.lower()]
        found += [{"do": "click", "element": str(n)} for n, line in question.lines.items() if _TEMPTING.search(line)]
        for number, line in question.lines.items():
            if number in fields:
                found.append({"do": "fill", "element": str(number), "value": "42"})
                found.append({"do": "press", "element": str(number), "value": "Enter"})
            elif "(not checked" in line:
                found.append({"do": "set_checked", "element": str(number), "value": "on"})
            else:
                found.append({"do": "click", "element": str(number)})
        return found
