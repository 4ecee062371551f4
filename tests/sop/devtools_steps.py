"""Steps of Chrome DevTools Recorder, and what becomes of them."""

from __future__ import annotations

from typing import Any

from sopbench.sop.document import Sop
from sopbench.sop.recordings import devtools_recorder
from sopbench.sop.recordings.recorded_document import Written, written

Json = dict[str, Any]

SAVE = [["aria/Save"], ["#form > button"], ['xpath///*[@id="form"]/button'], ["pierce/#form > button"], ["text/Save"]]
SAVE_TARGET = {"role": "button", "name": "Save", "exact": True}
CLICKED = {"do": "click", "target": SAVE_TARGET, "effect": "irreversible"}
NAME = [["aria/Name"], ["input[type='text']"], ['xpath///*[@id="form"]/input']]
NAME_TARGET = {"role": "textbox", "name": "Name", "exact": True}
FIELDS = ["textbox", "searchbox", "spinbutton", "combobox"]
DONE = {"role": "status", "name": "Done", "exact": True}
COMPANY = [["aria/ADD COMPANY"], ["ul > li > a"]]
AT = {"offsetX": 5, "offsetY": 7}


def imported(*steps: Any, variables: bool = False, **recording: Any) -> Written:
    data = {"title": "Recorded", "steps": list(steps), **recording}
    made = written(devtools_recorder.read(data, file="r.json", name="r"), name="r", file="r.json", variables=variables)
    Sop.model_validate(made.document)
    return made


def actions(*steps: Any, variables: bool = False) -> list[Json]:
    """Of all tasks, without what is kept for later."""
    skills = imported(*steps, variables=variables).document["private"]["skills"]
    return [_plain(action) for skill in skills for action in skill["actions"]]


def _plain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {k: _plain(v) for k, v in value.items() if k not in {"x-recorded", "fingerprint"}}


def click(selectors: list[Any], **more: Any) -> Json:
    return {"type": "click", "target": "main", "selectors": selectors, **AT, **more}


def change(selectors: list[Any], value: str, **more: Any) -> Json:
    return {"type": "change", "target": "main", "selectors": selectors, "value": value, **more}


def wait(**more: Any) -> Json:
    return {"type": "waitForElement", "target": "main", "selectors": [['aria/Done[role="status"]']], **more}


def key(kind: str, name: str) -> Json:
    return {"type": kind, "target": "main", "key": name}


def moved(url: str | None = None) -> Json:
    return {"assertedEvents": [{"type": "navigation", "title": "T"} | ({"url": url} if url else {})]}
