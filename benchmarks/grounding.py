"""How well the grounding check tells inventions: on made-up texts, half of which have one invention in them.

``python benchmarks/grounding.py --json FILE`` scores the seen texts, and the held-back ones, on which nothing is tuned:
other seeds, other sentences, other names. Caught is a text with a gap where the invention stands; a false alarm is a
true text with any gap.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grounding_phrases import HELD_BACK, SEEN, Bank
from grounding_texts import Sample, sample

from sopbench.reliability.intervals import clopper_pearson
from sopbench.sop.grounding import Gap, gaps

Json = dict[str, Any]

SETS: dict[str, tuple[Bank, range]] = {
    "seen": (SEEN, range(1, 3001)),
    "held_back": (HELD_BACK, range(1_000_001, 1_003_001)),
}


def hits(planted: tuple[str, int, int], found: Iterable[Gap]) -> bool:
    """Whether any of the gaps lies where the invention does."""
    _, start, end = planted
    return any(gap.at < end and start < gap.at + len(gap.text) for gap in found)


def score(samples: Iterable[Sample], misses: list[str] | None = None) -> Json:
    """Counts, shares and their 95 % intervals; lines about what went wrong go into ``misses``."""
    planted, caught, beside = Counter[str](), Counter[str](), 0
    clean = alarmed = 0
    for each in samples:
        found = gaps(each.text, each.inputs)
        told = ", ".join(f"{gap.kind} {gap.text!r}" for gap in found)
        if each.planted is None:
            clean += 1
            alarmed += bool(found)
            if found and misses is not None:
                misses.append(f"false alarm: {told}\n    {each.text!r}\n    {each.inputs}")
            continue
        kind, start, end = each.planted
        planted[kind] += 1
        hit = hits(each.planted, found)
        caught[kind] += hit
        beside += any(not hits(each.planted, [gap]) for gap in found)
        if not hit and misses is not None:
            misses.append(
                f"missed {kind} {each.text[start:end]!r}; found: {told}\n    {each.text!r}\n    {each.inputs}"
            )
    return {
        "texts": clean + planted.total(),
        "caught": _share(caught.total(), planted.total()),
        "false_alarms": _share(alarmed, clean),
        "planted_with_another_gap": _share(beside, planted.total()),
        "by_kind": {kind: _share(caught[kind], planted[kind]) for kind in sorted(planted)},
    }


def _share(part: int, whole: int) -> Json:
    low, high = clopper_pearson(part, whole)
    return {"of": whole, "count": part, "share": part / whole, "low": low, "high": high}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--set", choices=SETS, help="only this one")
    parser.add_argument("--misses", type=int, default=0, help="show so many of what went wrong; seen texts only")
    asked = parser.parse_args()
    told: Json = {}
    for name in [asked.set] if asked.set else SETS:
        bank, seeds = SETS[name]
        misses: list[str] = []
        told[name] = score((sample(seed, bank) for seed in seeds), misses)
        print(f"{name}: {told[name]['texts']:,} texts")
        for what in ("caught", "false_alarms", "planted_with_another_gap"):
            print(f"  {what:26}{_line(told[name][what])}")
        for kind, share in told[name]["by_kind"].items():
            print(f"    {kind:24}{_line(share)}")
        if name == "seen":
            print(*misses[: asked.misses], sep="\n")
    if asked.json:
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def _line(share: Json) -> str:
    return f"{share['share']:>8.2%}  [{share['low']:.2%}, {share['high']:.2%}]  {share['count']} of {share['of']}"


if __name__ == "__main__":
    main()
