"""What is built is what runs: the wheel has all that the package needs, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]

SERVE_BOTH_SITES = """
import sys, urllib.request
from pathlib import Path
import sopbench
from sopbench import wiring
from sopbench.sites.host import SiteHost
from sopbench.trials.case import load_case

assert Path(sopbench.__file__).is_relative_to(Path.cwd()), sopbench.__file__
case = load_case(Path(sys.argv[1]))
with SiteHost() as host:
    host.mount(wiring.mock_sites(None, case, 1))
    for name, address in (("gmail", "/signin/v2/identifier"), ("airtable", "/")):
        page = urllib.request.urlopen(host.plain_url(name) + address).read()
        assert b"<script" in page, page
"""


def test_the_wheel_validates_and_serves_without_the_checkout(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    env = os.environ | {"PYTHONPATH": str(tmp_path / "installed")}
    document = ROOT / "scenarios" / "gmail_airtable" / "gmail_airtable.sop.json"
    day = ROOT / "fixtures" / "cases" / "short_day"

    for call in (["-m", "sopbench.cli", "validate", str(document)], ["-c", SERVE_BOTH_SITES, str(day)]):
        command = [sys.executable, "-P", *call]
        done = subprocess.run(
            command, cwd=tmp_path / "installed", env=env, capture_output=True, text=True, timeout=120, check=False
        )

        assert done.returncode == 0, done.stdout + done.stderr
