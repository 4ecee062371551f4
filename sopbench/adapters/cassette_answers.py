"""What a cassette holds, read without replaying it: which answer was given to which question."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sopbench.adapters.cassette_file import RecordedFrom, as_asked, read_cassette, readable
from sopbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_DECISIONS = ("choice", "branch")
"""Where an answer has one of these, that is the decision; the rest says why."""
_EXCERPT = 90
_NUMBER = re.compile(r"^\[\d+\] ", re.MULTILINE)


@dataclass(frozen=True)
class RecordedAnswer:
    """A question and its answer."""

    system: str
    prompt: str
    text: str
    """The answer as it came."""
    input_tokens: int
    output_tokens: int

    @property
    def decision(self) -> str:
        """What the answer comes down to, as text: its choice, or all of it but its reason."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return self.text
        if not isinstance(value, dict):
            return self.text
        for name in _DECISIONS:
            if name in value:
                return str(value[name])
        return json.dumps({key: item for key, item in value.items() if key != "reason"}, ensure_ascii=False)

    @property
    def shown(self) -> str:
        """What the model was shown: the text between the prompt's marks, or the prompt where it has none."""
        _, mark, rest = self.prompt.partition("<text>\n")
        return rest.rpartition("\n</text>")[0] if mark else self.prompt

    @property
    def about(self) -> str:
        """The text shown, without the numbers of its pieces and whatever its blanks: the same in all prompts."""
        return " ".join(_NUMBER.sub("", self.shown).split())

    @property
    def fields(self) -> list[str]:
        """The names of what it answers; none where it is plain text."""
        value = readable(self.text)
        return [*value] if isinstance(value, dict) else []

    @property
    def excerpt(self) -> str:
        """The beginning of what was shown, on one line."""
        line = " ".join(self.shown.split())
        return line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "…"


@dataclass(frozen=True)
class Recorded:
    """A cassette's header and answers."""

    path: Path
    header: RecordedFrom
    answers: tuple[RecordedAnswer, ...]

    @property
    def input_tokens(self) -> int:
        return sum(answer.input_tokens for answer in self.answers)

    @property
    def output_tokens(self) -> int:
        return sum(answer.output_tokens for answer in self.answers)

    def prompts(self, systems: Mapping[str, str]) -> dict[str, int]:
        """Version of the prompt per purpose; a header without versions means 1.

        ``systems`` are the present prompts' system texts by purpose: without a header's word they tell what was asked.
        """
        if self.header.prompts:
            return self.header.prompts
        asked = {purpose for answer in self.answers for purpose in _purposes(answer, systems)}
        unknown = any(not _purposes(answer, systems) for answer in self.answers)
        return dict.fromkeys(sorted(systems if unknown else asked), 1)

    def stale(self, versions: Mapping[str, int], systems: Mapping[str, str]) -> list[str]:
        """Why it does not answer what is asked today; empty when nothing speaks against it.

        Both mappings are of the present prompts, by purpose. A purpose they do not have is not judged.
        """
        recorded = self.prompts(systems)
        reasons = [
            f"recorded for another prompt ({purpose} v{version}, now v{versions[purpose]})"
            for purpose, version in recorded.items()
            if versions.get(purpose, version) != version
        ]
        strangers = sum(not _purposes(answer, systems) for answer in self.answers)
        if strangers and not reasons and recorded.keys() <= versions.keys():
            reasons.append(f"{strangers} answers to a system text that no prompt has now")
        return reasons

    def told(self, versions: Mapping[str, int], systems: Mapping[str, str]) -> dict[str, Any]:
        """All of that as plain data, without the answers."""
        return {
            "path": str(self.path),
            "answers": len(self.answers),
            **asdict(self.header),
            "prompts": self.prompts(systems),
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "stale": self.stale(versions, systems),
        }


@dataclass(frozen=True)
class Change:
    """A question that two cassettes answer differently."""

    about: str
    """The beginning of what the model was shown."""
    old: str
    new: str


@dataclass(frozen=True)
class Drift:
    """How one cassette's answers differ from another's."""

    same: int
    """Questions with the same decision in both, whatever the reason given."""
    changes: tuple[Change, ...]
    reworded: int
    """Of all compared, those whose prompt differs around the same shown text."""
    only_old: int
    only_new: int

    @property
    def compared(self) -> int:
        return self.same + len(self.changes)


def read_recorded(path: Path) -> Recorded:
    """Raises: UsageError when there is no cassette."""
    try:
        header, recorded = read_cassette(path.read_text("utf-8"))
        answers = tuple(_answer(pair) for pair in recorded["interactions"])
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such cassette") from error
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise UsageError(f"{path}: not a cassette ({type(error).__name__}: {error})") from error
    return Recorded(path, header, answers)


def drift(old: Recorded, new: Recorded) -> Drift:
    """Compare answers to the same questions: of the same prompt first, then of the same text shown."""
    left, right = _numbered(old, "prompt"), _numbered(new, "prompt")
    pairs = [(left.pop(key), right.pop(key)) for key in [*left] if key in right]
    exact = len(pairs)
    before, after = _once(left), _once(right)
    pairs += [(before[key], after[key]) for key in before if key in after]
    differing = [(one, other) for one, other in pairs if one.decision != other.decision]
    return Drift(
        same=len(pairs) - len(differing),
        changes=tuple(Change(one.excerpt, one.decision, other.decision) for one, other in differing),
        reworded=len(pairs) - exact,
        only_old=len(old.answers) - len(pairs),
        only_new=len(new.answers) - len(pairs),
    )


def _numbered(recorded: Recorded, name: str) -> dict[tuple[str, int], RecordedAnswer]:
    """The answers by prompt; a prompt that comes again has the next number."""
    seen: Counter[str] = Counter()
    found = {}
    for answer in recorded.answers:
        text = getattr(answer, name)
        found[text, seen[text]] = answer
        seen[text] += 1
    return found


def _once(answers: Mapping[tuple[str, int], RecordedAnswer]) -> dict[str, RecordedAnswer]:
    """The answers by the text shown, where it was shown once; that a choice was asked for again does not count."""
    quoted = {answer.about for answer in answers.values() if "quote" in answer.fields}
    first = [a for a in answers.values() if a.fields != ["choice"] or a.about not in quoted]
    shown = Counter(answer.about for answer in first)
    return {answer.about: answer for answer in first if shown[answer.about] == 1}


def _purposes(answer: RecordedAnswer, systems: Mapping[str, str]) -> list[str]:
    return [purpose for purpose, system in systems.items() if answer.system.startswith(system)]


def _answer(pair: dict[str, Any]) -> RecordedAnswer:
    question = as_asked(readable(pair["request"]["body"]))
    reply = readable(pair["response"]["body"]["string"])
    usage = reply.get("usage") or {}
    texts = {message["role"]: message["content"] for message in question["messages"]}
    if "choices" in reply:
        message = reply["choices"][0]["message"]
        calls = message.get("tool_calls")
        text = calls[0]["function"]["arguments"] if calls else message.get("content") or ""
        tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    else:
        text = "".join(block["text"] for block in reply["content"] if block["type"] == "text")
        cached = (usage.get(f"cache_{name}_input_tokens") or 0 for name in ("creation", "read"))
        tokens = usage["input_tokens"] + sum(cached), usage["output_tokens"]
    return RecordedAnswer(question.get("system") or texts.get("system", ""), texts["user"], text, *tokens)
