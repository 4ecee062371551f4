"""From recorded actions to an SOP 1.0: tasks that belong together, and what can be seen after each action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopbench.sop.recordings.recorded import Caveat, Json, Recorded, Recording, on_target, simplified, with_tabs
from sopbench.sop.recordings.recorded_approval import approved
from sopbench.sop.recordings.recorded_effects import effect_of
from sopbench.sop.recordings.recorded_urls import origin_of
from sopbench.sop.recordings.recorded_values import Values
from sopbench.sop.recordings.recorded_words import called, label_of, slug, slug_of
from sopbench.sop.recordings.selector_facts import goes_by_place
from sopbench.sop.targets import CheckedIs, Expectation, That, UrlIs, ValueIs, Visible
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.fields import Clear, Fill, PickDate, Press, Select, SetChecked, Type, Upload
from sopbench.sop.verbs.pages import Back, CloseTab, Navigate, Reload, SwitchTab, WaitFor
from sopbench.sop.verbs.pointer import Click, Drag
from sopbench.sop.verbs.reading import Download

_ENTRIES = Fill | Type | Select | PickDate | Upload | Clear | SetChecked
_ELSEWHERE = Navigate | SwitchTab | Back | Reload | CloseTab


@dataclass(frozen=True)
class Written:
    """A recording as a document."""

    document: Json
    tasks: int
    actions: int
    environment: tuple[str, ...]
    """Environment variables that have to be set before it can be run."""
    caveats: tuple[Caveat, ...]


def written(recording: Recording, *, name: str, file: str, variables: bool) -> Written:
    """The document. ``name`` becomes its id; with ``variables`` every typed value and every site is a variable."""
    actions = _with_end([_with_effect(each) for each in with_tabs(simplified(recording.actions))])
    values = Values(prefix=slug(name), all_typed=variables)
    values.declare_addresses(actions)
    values.declare_secrets(actions)
    stretches = _evident(_stretches(actions))
    noted = [note for stretch in stretches for each in stretch for note in _notes(each, file)]
    caveats = tuple(replace(each, what=values.shown(each.what)) for each in (*recording.caveats, *noted))
    document, rules = approved(_document(recording, stretches, values, name, file), file)
    return Written(document, len(stretches), len(actions), tuple(values.environment), (*caveats, *rules))


def _with_effect(recorded: Recorded) -> Recorded:
    action = recorded.action
    return recorded.changed(effect=effect_of(action)) if isinstance(action, Click | Press) else recorded


def _with_end(actions: list[Recorded]) -> list[Recorded]:
    """Nothing was recorded after the last action: at least what it asks of the site is waited for."""
    last = actions[-1]
    if last.action.effect is not Effect.IRREVERSIBLE or last.action.expect:
        return actions
    return [*actions, Recorded(WaitFor(network="idle"), last.place, tab=last.tab, viewport=last.viewport)]


def _stretches(actions: Sequence[Recorded]) -> list[list[Recorded]]:
    """What belongs together: up to where the page changes, or a form is handed in."""
    stretches: list[list[Recorded]] = []
    current: list[Recorded] = []
    is_over = False
    for each in actions:
        starts = isinstance(each.action, Navigate | SwitchTab | Back | Reload)
        if current and (starts or (is_over and not isinstance(each.action, WaitFor))):
            stretches.append(current)
            current, is_over = [], False
        current.append(each)
        is_over = is_over or _ends_here(current)
    return [*stretches, current] if current else stretches


def _ends_here(stretch: Sequence[Recorded]) -> bool:
    last = stretch[-1]
    action = last.action
    if last.moves or isinstance(action, Navigate | CloseTab | Download) or getattr(action, "opens", None):
        return True
    if isinstance(action, SwitchTab) and action.url is not None:
        return True
    hands_in = isinstance(action, Click | Press) and action.effect is not Effect.READ and not _is_choice(last)
    return hands_in and any(isinstance(each.action, _ENTRIES) for each in stretch)


def _is_choice(recorded: Recorded) -> bool:
    """A click that fills in, too."""
    role = recorded.target.role if recorded.target is not None else None
    roles = {role} if isinstance(role, str) else set(role or ())
    return bool(roles) and isinstance(recorded.action, Click) and "button" not in roles and "link" not in roles


def _evident(stretches: list[list[Recorded]]) -> list[list[Recorded]]:
    """With what the recording shows after actions that change something, or end a task."""
    made: list[list[Recorded]] = []
    after: Recorded | None = None
    for stretch in reversed(stretches):
        made.insert(0, [])
        for each in reversed(stretch):
            made[0].insert(0, _with_evidence(each, after, is_last=not made[0]))
            after = after if isinstance(each.action, Upload) else each
    return made


def _with_evidence(recorded: Recorded, after: Recorded | None, *, is_last: bool) -> Recorded:
    action = recorded.action
    goes = recorded.moves or (isinstance(action, Navigate | SwitchTab) and action.url is not None)
    wanted = goes or action.effect is Effect.IRREVERSIBLE or (is_last and action.effect is not Effect.READ)
    if not wanted or (action.expect and not goes):
        return recorded
    own = None if goes else _own_state(recorded)
    if own is not None:
        return recorded.expecting(own)
    return recorded.expecting(*_seen_next(recorded, after))


def _own_state(recorded: Recorded) -> Expectation | None:
    """What an entry itself leaves in its field."""
    match recorded.action:
        case Fill(target=target, value=value) | Select(target=target, value=str(value)):
            return ValueIs(value=value, target=target)
        case Clear(target=target):
            return ValueIs(value="", target=target)
        case SetChecked(target=target, checked=bool(state)):
            return CheckedIs(checked=target, state=state)
    return None


def _seen_next(recorded: Recorded, after: Recorded | None) -> tuple[Expectation, ...]:
    """What was there when the recording went on."""
    if after is None or isinstance(after.action, _ELSEWHERE):
        return ()
    if isinstance(after.action, WaitFor):
        return tuple(each for each in after.action.expect if not isinstance(each, That))
    target = on_target(after.action)
    return () if target is None or target == recorded.target else (Visible(visible=target),)


def _notes(recorded: Recorded, file: str) -> Iterator[Caveat]:
    """What is weak in an action, and can be made better by hand."""
    action, place = recorded.action, place_in(file, recorded.place)
    target = recorded.target
    css = target.css if target is not None and target.role is None else None
    if css is not None and goes_by_place(css):
        what = f"'{action.do}' goes by the element's place, or by a made-up id ({css!r:.60})"
        yield Caveat(place, what, "give it a role with a name, a label or a text if it has one", lost=False)
    if action.effect is Effect.IRREVERSIBLE and not action.expect:
        done = "drag of" if isinstance(action, Drag) else f"{action.do} on"
        what = f"nothing in the recording shows what the {done} {called(recorded.target) or 'the page'!r} brought about"
        yield Caveat(place, what, "say it with 'expect'", lost=False)


def place_in(file: str, place: str) -> str:
    """``orders.py:12`` or ``orders.json: step 7``."""
    return f"{file}:{place.removeprefix('line ')}" if place.startswith("line ") else f"{file}: {place}"


def _document(recording: Recording, stretches: list[list[Recorded]], values: Values, name: str, file: str) -> Json:
    nodes: list[Json] = []
    skills: list[Json] = []
    steps: list[Json] = []
    app = "browser"
    for number, stretch in enumerate(stretches):
        app = _app(stretch, app)
        label = values.shown(label_of(stretch))
        slugged = f"{number}_{slug_of(label)}"
        nodes.append({"id": f"T{slugged}", "type": "task", "label": label, "context": _context(stretch, file)})
        viewport = next((each.viewport for each in stretch if each.viewport), None)
        skill = {"id": f"ui_{slugged}", "app": app, "method_type": "ui"} | ({"viewport": viewport} if viewport else {})
        skills.append(skill | {"actions": [values.action(each) for each in stretch]})
        steps.append({"node_id": f"T{slugged}", "primary_skill": f"ui_{slugged}"})
    nodes.append({"id": "E_end", "type": "end", "label": "Done"})
    edges = [{"source": one["id"], "target": two["id"], "condition": "next"} for one, two in pairwise(nodes)]
    title = values.shown(recording.title) or name
    limits = {"limits": {"find_s": recording.find_s}} if recording.find_s else {}
    return {
        "meta": {
            "schema": "1.0",
            "id": name,
            "title": title,
            "version": "1.0.0",
            "goal": f"What was recorded as {title!r} is done.",
            "x-recorded": {"file": file, "made_by": recording.made_by},
        },
        "public": {
            "triggers": [{"type": "manual", "description": "When somebody starts it."}],
            "nodes": nodes,
            "edges": edges,
            "variables": values.declared,
        },
        "private": limits | {"skills": skills, "steps": steps},
    }


def _app(stretch: Sequence[Recorded], before: str) -> str:
    for each in stretch:
        urls = [each.action.url] if isinstance(each.action, Navigate | SwitchTab) else []
        urls += [seen.url for seen in each.action.expect if isinstance(seen, UrlIs)]
        for url in urls:
            host = origin_of(url or "").partition("://")[2]
            before = host or before
    return before


def _context(stretch: Sequence[Recorded], file: str) -> str:
    first, last = stretch[0].place, stretch[-1].place
    if first == last:
        return f"{file}, {first}"
    kind, _, start = first.partition(" ")
    return f"{file}, {kind}s {start} to {last.rpartition(' ')[2]}"
