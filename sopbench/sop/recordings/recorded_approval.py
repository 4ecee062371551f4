"""What cannot be undone and was done in a recording: the procedure may do it too, and says so."""

from __future__ import annotations

from sopbench.sop.document import Sop
from sopbench.sop.recordings.recorded import Caveat, Json
from sopbench.sop.unapproved import approval_findings

_WORDS = ("name", "text", "label", "test_id", "css")
_WHY = "it was done when this was recorded"


def approved(document: Json, file: str) -> tuple[Json, tuple[Caveat, ...]]:
    """The document with a rule for each action that would be asked about, and a caveat that tells of each."""
    skills = document["private"]["skills"]
    rules: list[Json] = []
    caveats: list[Caveat] = []
    for finding in approval_findings(Sop.model_validate(document)):
        _, _, _, skill, _, action = finding.pointer.split("/")
        done = skills[int(skill)]["actions"][int(action)]
        target = done.get("target", {})
        word = next((key for key in _WORDS if isinstance(target.get(key), str)), None)
        fits = {"arguments": {f"target.{word}": target[word]}} if word else {}
        node = next(
            s["node_id"] for s in document["private"]["steps"] if s["primary_skill"] == skills[int(skill)]["id"]
        )
        rules.append({"node": node, "action": done["do"], **fits, "then": "approve", "why": _WHY})
        what = f"{finding.message.partition(' is done only')[0][1:-1]} cannot be undone, and is approved by a rule"
        caveats.append(Caveat(file, what, "take it out of 'private.approval' to be asked each time", lost=False))
    if not rules:
        return document, ()
    approval = {"approval": {"rules": rules, "otherwise": "approve"}}
    return document | {"private": approval | document["private"]}, tuple(caveats)
