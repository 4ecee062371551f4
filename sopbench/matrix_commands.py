"""``sopbench matrix``: a scenario under many conditions, each some times, and what became of it."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from sopbench.errors import UsageError
from sopbench.records.folder import TRIAL_NAME
from sopbench.reporting.matrix import matrix_lines, matrix_page
from sopbench.reporting.terminal import text_lines
from sopbench.trial_runs import begin, condition_option, listed, stored_record
from sopbench.trials.condition import Condition, find_conditions
from sopbench.trials.matrix import as_json, drawn_pairs, is_single, matrix
from sopbench.trials.stored import read_trials
from sopbench.trials.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from subprocess import Popen

    from sopbench.trial_runs import Listed
    from sopbench.trials.record import TrialRecord

SINGLE = "single"
_LOOK_EVERY_S = 1.0


@click.command("matrix")
@click.argument("scenario", type=click.Path(path_type=Path, exists=True))
@click.option("--trials", type=click.IntRange(min=1), default=20, show_default=True, help="Per case and condition.")
@click.option(
    "--condition",
    "conditions",
    multiple=True,
    metavar="NAME",
    help="'all' (the default), 'single' for all of one fault, a name, a file, or a+b; repeatable.",
)
@click.option("--pairs", type=click.IntRange(min=0), default=0, help="So many pairs of single faults, in their place.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the trials, and the pairs.")
@click.option("-k", "only", help="Only tests and cases that fit, as pytest understands it.")
@click.option("-n", "workers", type=click.IntRange(min=1), help="Processes beside each other.")
@click.option("--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("reports/matrix"), show_default=True)
@click.option("--count-only", is_flag=True, help="Hold no trial; count those that are stored.")
@click.option("--json", "as_json_", is_flag=True, help="The matrix as JSON.")
def matrix_command(
    scenario: Path,
    trials: int,
    conditions: tuple[str, ...],
    pairs: int,
    seed: int,
    only: str | None,
    workers: int | None,
    records: Path,
    out: Path,
    count_only: bool,
    as_json_: bool,
) -> None:
    """Try a scenario under many conditions, and set them against the verdicts.

    Trials that are stored already are counted and not held again: what was broken off goes on where it was. The heat
    map, and the matrix as JSON, are written to the folder --out.

    Exit code 0 when no trial lied or did harm, and 99 % of those that a careful person gets through passed; 1 when not;
    2 while trials are missing.

    \b
    sopbench matrix scenarios/gmail_airtable --trials 20 -k short_day
    sopbench matrix scenarios/gmail_airtable --pairs 300 --trials 1 -k short_day
    """  # noqa: D301 - click wants the character itself
    say: Callable[[str], object] = (lambda _: None) if as_json_ else click.echo
    arguments = [f"--trials={trials}", f"--seed={seed}", *(["-k", only] if only else [])]
    there, wanted = _wanted(scenario, conditions, pairs, seed, arguments)
    arguments += _asking(asked for asked, _ in there)
    records.mkdir(parents=True, exist_ok=True)
    lacking = _lacking(wanted, _stored(records, wanted))
    if lacking and not count_only:
        say(f"{len(wanted) - len(lacking)} of {len(wanted)} trials are stored; {len(lacking)} to be held")
        with tempfile.TemporaryDirectory(prefix="sopbench-matrix-") as folder:
            file = Path(folder) / "trials.txt"
            more = ["-n", str(workers)] if workers else []
            progress = Progress(lacking, records)
            _follow(begin(lacking, [*arguments, *more], records, file), progress, say)
            log = file.with_suffix(".log").read_text(encoding="utf-8")
        if still := _lacking(wanted, _stored(records, wanted)):
            say(f"{len(still)} trials are missing; pytest said: {' '.join(log.splitlines()[-3:])}")
    stored = _stored(records, wanted)
    found = matrix(wanted[0].scenario, [condition for _, condition in there], stored)
    for each in _lacking(wanted, stored):
        next(row for row in found.rows if row.condition == each.condition).missing += 1
    name = f"{found.scenario}{'-pairs' if pairs else ''}"
    out.mkdir(parents=True, exist_ok=True)
    told = json.dumps(as_json(found), indent=1, ensure_ascii=False)
    (out / f"{name}.json").write_text(told + "\n", encoding="utf-8")
    (out / f"{name}.html").write_text(matrix_page(found), encoding="utf-8")
    if as_json_:
        click.echo(told)
    else:
        console = Console()
        for line in text_lines(matrix_lines(found), console.width, colour=console.is_terminal):
            click.echo(line)
        click.echo(f"{out / name}.html")
    sys.exit(found.exit_code)


def _wanted(
    scenario: Path, asked: Sequence[str], pairs: int, seed: int, arguments: Sequence[str]
) -> tuple[list[tuple[str, Condition]], list[Listed]]:
    """The conditions, as they were asked for and as they are, and every trial that is wanted. Raises: UsageError."""
    folders = [(scenario if scenario.is_dir() else scenario.parent) / "conditions"]
    words = [word for given in asked for word in given.split(",")] or ["all"]
    found: dict[str, tuple[str, Condition]] = {}
    for word in words:
        for condition in find_conditions(["all" if word == SINGLE else word], folders):
            if word != SINGLE or is_single(condition):
                found[condition.name] = (condition.name if word in (SINGLE, "all") else word, condition)
    words = list(dict.fromkeys("all" if word == SINGLE else word for word in words))
    wanted = [each for each in listed(scenario, [*arguments, *_asking(words)]) if each.condition in found]
    if pairs:
        able = {each.condition for each in wanted}
        names = [name for name, (_, condition) in found.items() if name in able and is_single(condition)]
        drawn = ["+".join(pair) for pair in drawn_pairs(names, pairs, seed)]
        found = {each.name: (each.name, each) for each in find_conditions(drawn, folders)}
        wanted = listed(scenario, [*arguments, *_asking(drawn)]) if drawn else []
    if not wanted:
        raise UsageError(f"{scenario}: no trial fits: no such test or case, or none of these conditions works here")
    able = {each.condition for each in wanted}
    return [found[name] for name in found if name in able], wanted


def _asking(conditions: Iterable[str]) -> list[str]:
    return [condition_option(each) for each in conditions]


def _stored(records: Path, wanted: Sequence[Listed]) -> list[TrialRecord]:
    """Of the wanted trials those that are there, each once: the last that did not break, if there is one."""
    keys = {_key(each.test, each.case, each.condition, each.trial, each.seed, each.sha256) for each in wanted}
    found: dict[tuple[object, ...], TrialRecord] = {}
    for trial in read_trials(records).trials:
        record, start = trial.record, trial.start
        if record.held is None or start is None or record.run != 1:
            continue
        key = _key(record.held.test, record.case, record.condition, record.trial, record.seed, start.sha256)
        if key in keys and (key not in found or not trial.is_broken):
            found[key] = record
    return list(found.values())


def _lacking(wanted: Sequence[Listed], stored: Sequence[TrialRecord]) -> list[Listed]:
    """What is wanted and not there, or broke."""
    there = {
        (record.held.test, record.case, record.condition, record.trial)
        for record in stored
        if record.held is not None and record.judgement.verdict is not Verdict.BROKEN
    }
    return [each for each in wanted if (each.test, each.case, each.condition, each.trial) not in there]


def _key(*parts: object) -> tuple[object, ...]:
    return parts


class Progress:
    """How many of the trials that were asked for are there now.

    A trial counts once, however many runs its test holds; what others keep in the same folder does not count.
    """

    def __init__(self, asked: Sequence[Listed], records: Path) -> None:
        self.number = len(asked)
        self._asked = {_key(each.test, each.case, each.condition, each.trial) for each in asked}
        self._records = records
        self._known = _folders(records)
        self._there: set[tuple[object, ...]] = set()

    def done(self) -> int:
        """Look again; from 0 to ``number``."""
        now = _folders(self._records)
        self._there.update(key for folder in now - self._known if (key := _key_in(folder)) is not None)
        self._known |= now
        return len(self._there & self._asked)


def _follow(process: Popen[str], progress: Progress, say: Callable[[str], object]) -> None:
    """Tell how far it is, until it ends; an interrupted one is ended with us, and what it held is kept."""
    began, told, number = time.monotonic(), 0, progress.number
    try:
        while process.poll() is None:
            time.sleep(_LOOK_EVERY_S)
            done = progress.done()
            if done >= told + max(1, number // 50):
                told = done
                left_s = (time.monotonic() - began) / done * (number - done)
                say(f"{done} of {number} trials, about {left_s / 60:.0f} min to go")
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def _key_in(folder: Path) -> tuple[object, ...] | None:
    """Which trial a run's folder tells of; None where it does not, or cannot be read."""
    try:
        record = stored_record(folder)
    except UsageError:
        return None
    return _key(record.held.test, record.case, record.condition, record.trial) if record.held else None


def _folders(records: Path) -> set[Path]:
    """Of the runs that were judged."""
    return {file.parent for file in records.glob(f"*/{TRIAL_NAME}")}
