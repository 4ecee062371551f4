"""What was healed, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.reporting.wording import one_line
from sopbench.sop.targets import Target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sopbench.records.heals import Proposal


def heal_lines(proposals: Sequence[Proposal]) -> Iterator[str]:
    """A few lines per proposal, and what can be done with them."""
    if not proposals:
        yield "nothing was healed, and no way was found"
        return
    for each in proposals:
        times = f" {each.times} times" if each.times > each.runs else ""
        runs = "the last run" if each.of == 1 else f"{each.runs} of the last {each.of} runs"
        often = f"{'explored' if each.way else 'healed'}{times} in {runs}"
        yield f"{each.number:>3}  {each.document} · {each.node} '{one_line(each.label, 50)}'  {often}"
        if each.way:
            yield from (f"     way {one_line(step, 90)}" for step in each.says.splitlines())
        else:
            yield f"     now {one_line(each.says, 90)}"
            plain = Target.model_validate({key: value for key, value in each.target.items() if key != "fingerprint"})
            yield f"     target {one_line(str(plain), 90)}"
        if each.state != "open":
            yield f"     {each.state}: {each.why}"
    if any(each.state == "open" for each in proposals):
        yield "sopbench heals adopt N writes one into its document; sopbench heals reject N refuses it for good"
