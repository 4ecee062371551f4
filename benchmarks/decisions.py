"""How often the investor decision is right, per version of its prompt: on the labelled mails, from recorded answers.

``python benchmarks/decisions.py`` replays both cassettes, shows the figures, and puts them into the README beside the
mails; ``--json FILE`` keeps them as data. Version 1, which asked for a choice and a reason, is kept here as it was:
its text, its answers and how they were taken. ``--record-v1`` asks a model for them anew.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.readme import put
from sopbench import wiring
from sopbench.adapters.vcr_cassettes import Cassette
from sopbench.decision_runs import cassette_path, try_all
from sopbench.engine.prompts import UNSURE
from sopbench.errors import AnswerUnusable
from sopbench.ports.llm import ModelRequest
from sopbench.reliability.intervals import wilson
from sopbench.sop.loader import load
from sopbench.sop.nodes import DecisionNode, Question
from sopbench.sop.templates import render
from sopbench.trials.decision_cases import load_decisions
from sopbench.wiring import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.trials.decision_cases import DecisionCase

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "scenarios/gmail_airtable/gmail_airtable.sop.json"
FOLDER = DOCUMENT.parent / "decisions"
V1 = Path(__file__).parent / "decide_v1"


@dataclass(frozen=True)
class Taken:
    """What one version made of one mail."""

    case: str
    group: str
    expected: str
    branch: str
    choice: str
    """Empty where it was unsure."""
    how: str
    """``quoted``, ``confirmed``, ``unsure``; ``chosen`` where no quote was asked for."""
    confidence: str = ""
    quote: str = ""

    @property
    def right(self) -> bool:
        return self.branch == self.expected


async def version_1(cases: Sequence[DecisionCase], settings: Settings) -> list[Taken]:
    """As it was: one question for a choice and a reason; unsure or unusable meant *no*."""
    node = {each.id: each for each in load(DOCUMENT).sop.public.nodes}[cases[0].node]
    assert isinstance(node, DecisionNode)
    assert node.criteria is not None
    question = node.criteria.question
    assert question is not None
    mode: Literal["record", "replay"] = "record" if settings.llm == "record" else "replay"
    with Cassette(V1 / "cassette.json", mode, served_by=settings.llm_served_by) as cassette:
        model = wiring.model(settings, cassette)
        taken = []
        for case in cases:
            try:
                choice = str((await model.ask(request_1(question, case))).value["choice"])
            except AnswerUnusable:
                choice = UNSURE
            branch = question.choices[choice].branch if choice in question.choices else "no"
            sure = choice != UNSURE
            how = "chosen" if sure else "unsure"
            taken.append(Taken(case.id, case.group, case.expect, branch, choice if sure else "", how))
        await model.aclose()
    return taken


def request_1(question: Question, case: DecisionCase) -> ModelRequest:
    """The question as version 1 put it."""
    text = (V1 / "decide.txt").read_text("utf-8")
    system, _, prompt = text.partition("--- system\n")[2].partition("\n--- prompt\n")
    about = render(question.about or "", case.given).replace("</text>", "[/text]").replace("<text>", "[text]")
    choices = "\n".join(f"- {name}: {choice.means}" for name, choice in question.choices.items())
    schema = {
        "type": "object",
        "properties": {
            "choice": {"type": "string", "enum": [*question.choices, UNSURE]},
            "reason": {"type": "string", "maxLength": 160},
        },
        "required": ["choice", "reason"],
        "additionalProperties": False,
    }
    filled = prompt.removesuffix("\n").format(about=about, ask=question.ask, choices=choices, unsure=UNSURE)
    return ModelRequest("decide", system, filled, schema, max_tokens=200, timeout_s=1800)


async def version_now(cases: Sequence[DecisionCase]) -> list[Taken]:
    """As the engine decides now."""
    with Cassette(cassette_path(DOCUMENT, FOLDER), "replay") as cassette:
        tried = await try_all(cases, load(DOCUMENT), Settings(), cassette)
    taken = []
    for each in tried:
        made = each.trial.decision
        if made is None or not each.branch:
            raise SystemExit(f"{each.case.id}: {each.error}")
        how = "unsure" if made.by == "unsure" else "quoted" if made.piece else "confirmed"
        case = each.case
        taken.append(
            Taken(case.id, case.group, case.expect, each.branch, made.choice, how, made.confidence, made.quote)
        )
    return taken


def figures(taken: Sequence[Taken]) -> dict[str, Any]:
    """Counts of one version on one group, with the 95 % interval (Wilson) of what is right."""
    right = sum(each.right for each in taken)
    sure = [each for each in taken if each.how != "unsure"]
    low, high = wilson(right, len(taken))
    return {
        "mails": len(taken),
        "right": right,
        "low": low,
        "high": high,
        "sure": len(sure),
        "right_of_sure": sum(each.right for each in sure),
        "how": Counter(each.how for each in taken),
        "confidence": {
            level: [sum(e.right for e in sure if e.confidence == level), sum(e.confidence == level for e in sure)]
            for level in sorted({each.confidence for each in sure if each.confidence})
        },
        "confusion": {
            f"{want} → {got}": count
            for (want, got), count in sorted(
                Counter((e.expected, e.branch if e.how != "unsure" else UNSURE) for e in taken).items()
            )
        },
    }


def tables(versions: dict[str, list[Taken]]) -> str:
    """The figures as Markdown."""
    lines = [
        "| prompt | mails | right | 95 % interval | sure of | right where sure |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, taken in versions.items():
        for group, some in _groups(taken).items():
            told = figures(some)
            lines.append(
                f"| {name} | {group}, {told['mails']} | {told['right']} ({told['right'] / told['mails']:.1%}) "
                f"| {told['low']:.1%} – {told['high']:.1%} | {told['sure']} | {_share(told)} |"
            )
    for name, taken in versions.items():
        lines += ["", f"{name}, label → what was taken (unsure means *no*):", "", *_confusion(taken)]
        wrong = [each for each in taken if not each.right]
        lines += ["", f"Wrong with {name}:", ""]
        lines += [f"* `{e.case}`: {e.expected}, taken as {e.choice or UNSURE}" for e in wrong] or ["* none"]
    now = list(versions.values())[-1]
    lines += ["", f"How the answers of {list(versions)[-1]} were settled:", ""]
    for how in ("quoted", "confirmed", "unsure"):
        some = [each for each in now if each.how == how]
        lines.append(f"* {how}: {len(some)}, {sum(each.right for each in some)} of them right")
    for level, (right, count) in figures(now)["confidence"].items():
        lines.append(f"* {level} confidence: {count}, {right} of them right")
    return "\n".join(lines) + "\n"


def _share(told: dict[str, Any]) -> str:
    return f"{told['right_of_sure']} ({told['right_of_sure'] / told['sure']:.1%})" if told["sure"] else "–"


def _groups(taken: Sequence[Taken]) -> dict[str, list[Taken]]:
    names = sorted({each.group for each in taken}, reverse=True)
    return {name: [each for each in taken if each.group == name] for name in names} | {"all": list(taken)}


def _confusion(taken: Sequence[Taken]) -> list[str]:
    groups = _groups(taken)
    lines = ["| | " + " | ".join(groups) + " |", "| --- |" + " --- |" * len(groups)]
    for want in ("yes", "no"):
        for got in ("yes", "no", UNSURE):
            counts = [figures(some)["confusion"].get(f"{want} → {got}", 0) for some in groups.values()]
            lines.append(f"| {want} → {got} | " + " | ".join(map(str, counts)) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--record-v1", action="store_true")
    parser.add_argument("--llm-base-url")
    parser.add_argument("--llm-model")
    parser.add_argument("--llm-served-by", default="")
    asked = parser.parse_args()
    cases = load_decisions(FOLDER)
    model = {"llm_base_url": asked.llm_base_url, "llm_model": asked.llm_model, "llm_served_by": asked.llm_served_by}
    settings = Settings(llm="record", **model) if asked.record_v1 else Settings()
    versions = {"v1": asyncio.run(version_1(cases, settings))}
    if not asked.record_v1:
        versions["v2"] = asyncio.run(version_now(cases))
        put(FOLDER / "README.md", "decisions", tables(versions))
    print(tables(versions))
    if asked.json:
        told = {
            name: {"figures": {g: figures(some) for g, some in _groups(taken).items()}, "mails": [*map(asdict, taken)]}
            for name, taken in versions.items()
        }
        asked.json.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
