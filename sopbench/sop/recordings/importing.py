"""``sopbench import``: from the file of a recording to the file of a procedure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from sopbench.errors import DocumentInvalid, UsageError
from sopbench.sop.limits import MAX_BYTES
from sopbench.sop.loader import Loaded, load
from sopbench.sop.problems import Problem
from sopbench.sop.reading import Unreadable, read
from sopbench.sop.recordings import compact_json, devtools_recorder, playwright_codegen
from sopbench.sop.recordings.recorded import Caveat, Json, Recording
from sopbench.sop.recordings.recorded_document import Written, written
from sopbench.sop.recordings.recorded_words import slug
from sopbench.sop.unicode import well_formed

_READ = "Chrome DevTools Recorder's JSON and Playwright codegen's Python are read"


@dataclass(frozen=True)
class Imported:
    """What became of a recording."""

    file: Path
    """The procedure that was written."""
    tasks: int
    actions: int
    variables: Json
    environment: tuple[str, ...]
    """Environment variables that have to be set before it can be run."""
    caveats: tuple[Caveat, ...]
    problems: tuple[Problem, ...]
    """What ``sopbench validate`` says of it."""
    runnable: bool


def import_recording(
    recording: Path, output: Path | None = None, *, variables: bool = False, force: bool = False
) -> Imported:
    """Turn a recording into a procedure, write it, and check what was written.

    ``output`` is ``<name>.sop.json`` in the current folder unless given.

    Raises: UsageError if the file is no recording, nothing in it can be carried over, or ``output`` is there already.
    """
    stem = _stem(recording)
    target = output or Path(f"{stem}.sop.json")
    if target.exists() and not force:
        raise UsageError(f"{target} is there already; use --force to replace it, or --output for another name")
    found = read_recording(recording)
    if not found.actions:
        raise UsageError("\n".join([f"{recording}: nothing in it can be carried over", *map(str, found.caveats)]))
    name = slug(stem).replace("_", "-").strip("-") or "recording"
    made = written(found, name=name, file=recording.name, variables=variables)
    try:
        target.write_text(compact_json.dumps(well_formed(made.document)) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {(error.strerror or str(error)).lower()}") from error
    return _checked(target, made)


def read_recording(path: Path) -> Recording:
    """A recording, whatever made it.

    Raises: UsageError.
    """
    if path.suffix.lower() in {".js", ".ts", ".mjs", ".cs", ".java"}:
        _refuse(path, f"this is {path.suffix} code", "export JSON, or use: playwright codegen --target python")
    title = _stem(path).replace("_", " ").replace("-", " ").strip()
    title = title[:1].upper() + title[1:]
    text = _text(path)
    if path.suffix.lower() != ".py" and text.lstrip()[:1] in {"{", "[", ""}:
        return devtools_recorder.read(_steps(path), file=path.name, name=title)
    return playwright_codegen.read(text, file=path.name, name=title)


def told(made: Imported) -> Json:
    """What became of a recording, as JSON data."""
    return asdict(made) | {"file": str(made.file)}


def lines(made: Imported) -> Iterator[str]:
    """What became of a recording, for people."""
    count = len(made.variables)
    yield f"{made.file}: {made.tasks} tasks, {made.actions} actions, {count} variable{'' if count == 1 else 's'}"
    for name, variable in made.variables.items():
        yield f"  {name}: " + ("secret" if variable.get("secret") else repr(variable.get("default", "")))
    for name in made.environment:
        yield f"  set {name} before it is run"
    lost = [each for each in made.caveats if each.lost]
    unsure = [each for each in made.caveats if not each.lost]
    yield from (str(each) for each in (*lost, *unsure, *made.problems))
    if not made.runnable:
        yield f"{made.file} cannot be run yet"


def _stem(path: Path) -> str:
    """``orders`` of ``test_orders.spec.json``: without what tools add."""
    stem = re.sub(r"(\.(recording|sop|spec|test|py|json))+$", "", path.stem, flags=re.IGNORECASE)
    return stem.removeprefix("test_") or "recording"


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            _refuse(path, f"the file is larger than {MAX_BYTES // 1_000_000} MB")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = "is a directory" if path.is_dir() else (error.strerror or str(error)).lower()
        _refuse(path, f"cannot be read: {reason}")
    except UnicodeDecodeError:
        _refuse(path, "not UTF-8", _READ)


def _steps(path: Path) -> Json:
    try:
        data = read(path).data
    except Unreadable as error:
        raise UsageError(str(error.problem)) from error
    if isinstance(data, dict) and "public" in data:
        _refuse(path, "this is a procedure already", f"sopbench validate {path}")
    if not devtools_recorder.is_recording(data):
        _refuse(path, "no recording: it has no list of 'steps'", _READ)
    return data  # type: ignore[no-any-return]


def _refuse(path: Path, what: str, hint: str = "") -> NoReturn:
    raise UsageError(f"{path}: {what}" + (f"; {hint}" if hint else "")) from None


def _checked(target: Path, made: Written) -> Imported:
    loaded: Loaded | None = None
    try:
        loaded = load(target)
        problems = loaded.problems
    except DocumentInvalid as error:
        problems = error.data["problems"]
    return Imported(
        file=target,
        tasks=made.tasks,
        actions=made.actions,
        variables=made.document["public"]["variables"],
        environment=made.environment,
        caveats=made.caveats,
        problems=problems,
        runnable=loaded is not None and loaded.runnable,
    )
