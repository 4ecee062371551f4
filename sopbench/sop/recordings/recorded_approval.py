"""What cannot be undone and was done in a recording: the procedure may do it too, and says so."""

from __future__ import annotations

from sopbench.sop.document import Sop
from sopbench.sop.places import Place
from sopbench.sop.recordings.recorded import Caveat, Json
from sopbench.sop.unapproved import asked_about

_WORDS = ("name", "text", "label", "test_id", "css")


def approved(document: Json, file: str) -> tuple[Json, tuple[Caveat, ...]]:
    """The document with a rule for each action that would be asked about, and a caveat that tells of each."""
    asked = [place for place, _ in asked_about(Sop.model_validate(document))]
    if not asked:
        return document, ()
    approval = {"approval": {"rules": [_rule(place) for place in asked], "otherwise": "approve"}}
    hint = "take it out of 'private.approval' to be asked each time"
    caveats = (
        Caveat(file, f"{place.action} cannot be undone, and is approved by a rule", hint, lost=False) for place in asked
    )
    return document | {"private": approval | document["private"]}, tuple(caveats)


def _rule(place: Place) -> Json:
    element = place.action.element()
    target = element[1].model_dump(mode="json") if element else {}
    word = next((key for key in _WORDS if isinstance(target.get(key), str)), None)
    fits = {"arguments": {f"target.{word}": target[word]}} if word else {}
    why = "it was done when this was recorded"
    return {"node": place.node.id, "action": place.action.do, **fits, "then": "approve", "why": why}
