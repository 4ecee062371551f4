"""Secrets of a trial on the mock sites, and where they are found in what it left behind."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

from sopbench import wiring
from sopbench.records.folder import read_trial
from sopbench.sites.airtable.site import AirtableSite
from sopbench.sites.gmail.site import GmailSite
from sopbench.trials.case import SiteCase


def kept(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, and every file inside its traces → what is in it."""
    files = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for path in [name for name in files if name.endswith(".zip")]:
        with ZipFile(path) as trace:
            files |= {f"{path}:{name}": trace.read(name) for name in trace.namelist()}
    return files


def tokens(records: Path, case: SiteCase) -> list[str]:
    """Of one trial that is recorded there: what stands in the address of Gmail's password page, and the two sites'
    sign-in cookies. They are the same in all trials of one seed.
    """
    record = read_trial(next(records.rglob("trial.json")).parent)
    assert record is not None
    sites = wiring.mock_sites(None, case, record["seed"])
    gmail, airtable = sites["gmail"], sites["airtable"]
    assert isinstance(gmail, GmailSite)
    assert isinstance(airtable, AirtableSite)
    return [*(gmail.entered().partition("=")[2] for _ in range(2)), airtable.session]


def leaks(files: dict[str, bytes], canaries: list[str]) -> list[tuple[str, str]]:
    """Where which of the canaries is found."""
    return [(where, canary) for where, content in files.items() for canary in canaries if canary.encode() in content]
