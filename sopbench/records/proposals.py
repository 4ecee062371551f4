"""What past runs propose for the documents they ran: healed targets, and ways that were found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.records import found_ways, heals
from sopbench.records.heals import LAST_RUNS, Proposal

if TYPE_CHECKING:
    from pathlib import Path


def proposals(records: Path, *, last: int = LAST_RUNS) -> list[Proposal]:
    """Heals first, in the order in which they were first needed, then ways. Raises: UsageError for no such folder."""
    found = heals.proposals(records, last=last)
    return found + found_ways.way_proposals(records, last=last, before=len(found))


def adopted(proposal: Proposal) -> tuple[str, str]:
    """The document's text before, and with the proposal written into it.

    Raises: UsageError when the proposal is not open.
    """
    return found_ways.adopted_way(proposal) if proposal.way else heals.adopted(proposal)
