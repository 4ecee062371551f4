"""How long the Allure report of many trials with screenshots takes.

``python benchmarks/allure.py --json OUT`` writes results as pytest does with ``--alluredir`` – of each trial its steps,
each with actions and a screenshot of its own, its log and its labels – then times ``make_report`` with the real command
line, and counts the pictures in the report.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from allure_commons.logger import AllureFileLogger
from allure_commons.model2 import Attachment, Label, Parameter, Status, TestResult, TestStepResult
from PIL import Image, ImageDraw

from sopbench.adapters.allure_tool import install_allure, run_allure
from sopbench.reporting.allure_report import make_report

Json = dict[str, Any]
TRIALS, STEPS, ACTIONS, MOST_S = 1_000, 20, 3, 15.0
BEGAN_MS = 1_795_300_000_000
_EVENT = json.dumps({"seq": 1, "type": "action_finished", "expected": ["the record is there"] * 8}) + "\n"


def write_results(folder: Path, trials: int, steps: int) -> int:
    """The results of so many trials; how many bytes their pictures have."""
    chance, logger = random.Random(1), AllureFileLogger(str(folder))  # type: ignore[no-untyped-call]
    shots = [_screenshot(chance) for _ in range(8)]
    for number in range(trials):
        case, condition = ("short_day", "ordinary_day")[number % 2], ("clean", "slow-network")[number // 2 % 2]
        status = Status.FAILED if chance.random() < 0.03 else Status.PASSED
        result = TestResult(
            uuid=_uuid(chance),
            name=f"test_mail_reaches_the_crm[{case}-{condition}-{number}]",
            fullName="test_gmail_airtable#test_mail_reaches_the_crm",
            historyId=f"{number:032x}",
            testCaseId=f"{number:032x}",
            status=status,
            start=BEGAN_MS + number * 9_000,
            stop=BEGAN_MS + number * 9_000 + steps * 400,
        )
        result.labels = [Label("sop", "gmail_airtable"), Label("case", case), Label("condition", condition)]
        result.parameters = [Parameter("trial id", f"{case}-{condition}-{number}"), Parameter("verdict", str(status))]
        result.steps = [_step(chance, folder, shots, step, result.start) for step in range(steps)]
        result.attachments = [_attach(chance, folder, _EVENT.encode() * steps * 8, "events.jsonl", "text/plain")]
        logger.report_result(result)  # type: ignore[no-untyped-call]
    return sum(file.stat().st_size for file in folder.glob("*.jpg"))


def _step(chance: random.Random, folder: Path, shots: list[bytes], number: int, began: int) -> TestStepResult:
    start = began + number * 400
    step = TestStepResult(
        name=f"{number + 1}. Look the investor up", status=Status.PASSED, start=start, stop=start + 380
    )
    step.parameters = [Parameter("node", f"L1_C{number}"), Parameter("kind", "task"), Parameter("tier", "exact")]
    for action in range(ACTIONS):
        at = start + action * 100
        done = TestStepResult(name=f"click button 'Save' ({action})", status=Status.PASSED, start=at, stop=at + 90)
        done.parameters = [Parameter("seen", "text 'saved' is there"), Parameter("waited", "text 'saved', 0.1 s")]
        step.steps.append(done)
    shot = _attach(chance, folder, chance.choice(shots), f"screenshots/{number + 1:04}.jpg", "image/jpeg")
    step.attachments = [shot]
    return step


def _attach(chance: random.Random, folder: Path, content: bytes, name: str, kind: str) -> Attachment:
    source = f"{_uuid(chance)}-attachment{Path(name).suffix}"
    (folder / source).write_bytes(content)
    return Attachment(name=name, source=source, type=kind)


def _screenshot(chance: random.Random) -> bytes:
    """A page full of small boxes: about as many bytes as a screenshot of a mail client."""
    picture = Image.new("RGB", (1280, 720), "white")
    draw = ImageDraw.Draw(picture)
    for _ in range(380):
        x, y = chance.randrange(1280), chance.randrange(720)
        draw.rectangle((x, y, x + 60, y + 8), fill=tuple(chance.randrange(256) for _ in range(3)))
    kept = io.BytesIO()
    picture.save(kept, "JPEG", quality=70)
    return kept.getvalue()


def _uuid(chance: random.Random) -> str:
    return str(UUID(int=chance.getrandbits(128)))


def measured(folder: Path, trials: int, steps: int) -> Json:
    """Write results, and time the report."""
    results, out = folder / "results", folder / "report"
    results.mkdir()
    size = write_results(results, trials, steps)
    started = time.perf_counter()
    made = make_report(results, out, folder / "history.jsonl", run_allure)
    took = time.perf_counter() - started
    pictures = len(list((out / "data" / "attachments").glob("*.jpg")))
    if pictures != trials * steps:
        raise SystemExit(f"{pictures} pictures in the report, {trials * steps} in the results")
    shutil.rmtree(results)
    shutil.rmtree(out)
    return {"trials": made.results, "pictures": pictures, "picture_bytes": size, "report_s": took}


def main() -> None:
    """Measure, print a line, and write the figures; exit code 1 when a thousand trials take too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--steps", type=int, nargs="+", default=[1, STEPS], help="Screenshots of a trial.")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    install_allure()
    found = []
    for steps in options.steps:
        with tempfile.TemporaryDirectory() as folder:
            found.append(each := measured(Path(folder), options.trials, steps))
        print(f"{each['trials']:,} trials, {each['pictures']:,} pictures ({each['picture_bytes'] / 1e6:,.0f} MB): "
              f"{each['report_s']:.1f} s")  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps({"most_s": MOST_S, "measured": found}, indent=2) + "\n", encoding="utf-8")
    sys.exit(any(each["trials"] >= TRIALS and each["report_s"] > MOST_S for each in found))


if __name__ == "__main__":
    main()
