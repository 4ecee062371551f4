"""Why a trial did not pass clean, in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.reporting.wording import one_line

if TYPE_CHECKING:
    from sopbench.events.types import PageSeen
    from sopbench.trials.causes import Attribution

_SHOWN = 3
_LONGEST = 200


def page_says(page: PageSeen) -> str:
    """What a page was like, in a line: its title and address, what it said, what it had trouble with."""
    said = [page.title or "no title", page.url, *page.notices]
    said += [f"{each.method} {each.url}: {each.outcome}" for each in page.troubles]
    return " · ".join([*said, *page.complaints])


def why_lines(found: Attribution | None) -> list[str]:
    """The cause in a sentence, then the events that bear it out; nothing where there is none."""
    if found is None:
        return []
    told = [f"{found.cause}: {found.because}"]
    for each in found.evidence[:_SHOWN]:
        picture = f" ({each.picture})" if each.picture else ""
        told.append(f"event {each.seq}: {one_line(each.says, _LONGEST)}{picture}")
    return told
