"""Which browser to start, and how: given, Playwright's own, or the machine's.

Playwright is not imported: where it keeps its browsers is read from its package, without starting anything.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sopbench.errors import BrowserMissing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

INSTALL_TIMEOUT_S = 240.0

_HEADLESS_NAMES = ("chromium-headless-shell", "chrome-headless-shell")
_FULL_NAMES = ("google-chrome", "google-chrome-stable", "chrome", "chromium", "chromium-browser")
_USUAL_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "~/AppData/Local/Google/Chrome/Application/chrome.exe",
)
_OWN_FULL = (
    "chrome-linux64/chrome",
    "chrome-linux-arm64/chrome",
    "chrome-linux/chrome",
    "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-win64/chrome.exe",
)
_OWN_HEADLESS = (
    "chrome-headless-shell-linux64/chrome-headless-shell",
    "chrome-headless-shell-linux-arm64/chrome-headless-shell",
    "chrome-headless-shell-mac-x64/chrome-headless-shell",
    "chrome-headless-shell-mac-arm64/chrome-headless-shell",
    "chrome-headless-shell-win64/chrome-headless-shell.exe",
)
_WHAT_TO_DO = (
    "run `playwright install chromium`, or on Debian `apt-get install chromium-headless-shell` "
    "(`chromium` for --headed), or give --browser-executable PATH"
)


@dataclass(frozen=True)
class BrowserChoice:
    """A browser that is there."""

    executable: Path | None
    """None: what Playwright starts by itself."""
    source: str
    """Where it was found, for people."""


def find_browser(explicit: Path | None, *, headed: bool) -> BrowserChoice:
    """The given browser, else Playwright's own, else the machine's Chrome or Chromium. Starts nothing.

    Raises: BrowserMissing, which says what to do.
    """
    if explicit is not None:
        if not explicit.is_file():
            raise BrowserMissing(f"no browser at {explicit} (--browser-executable); {_WHAT_TO_DO}", path=str(explicit))
        return BrowserChoice(explicit, "--browser-executable")
    own = None if headed else _own("chromium-headless-shell", _OWN_HEADLESS)
    if own is not None:
        return BrowserChoice(None, "Playwright's headless shell")
    own = _own("chromium", _OWN_FULL)
    if own is not None:
        return BrowserChoice(None if headed else own, "Playwright's Chromium")
    found = next(_on_this_machine(headed=headed), None)
    if found is None:
        raise BrowserMissing(f"no browser found; {_WHAT_TO_DO}", headed=headed)
    return BrowserChoice(found, "this machine")


def launch_arguments() -> list[str]:
    """Chromium's switches for a quiet browser; without its sandbox where root could not start it otherwise."""
    arguments = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-quic",
    ]
    return [*arguments, "--no-sandbox"] if _is_root_on_linux() else arguments


def host_mapping(hosts: Mapping[str, int]) -> str:
    """Chromium's switch that sends each host to a local port, and lets no other host be found.

    ``127.0.0.1`` stays what it is: an app that a scenario starts for itself is reached there.
    """
    rules = [f"MAP {host} 127.0.0.1:{port}" for host, port in hosts.items()]
    return f"--host-resolver-rules={','.join([*rules, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1'])}"


def install_browser(*, timeout_s: float = INSTALL_TIMEOUT_S) -> BrowserChoice:
    """Find a browser or, if there is none, have one installed: by Playwright, else on Debian as root by apt.

    Each command may take ``timeout_s``. Raises: BrowserMissing when no browser is there afterwards.
    """
    for commands in ([], *_installers()):
        if all(_succeeds(command, timeout_s) for command in commands):
            try:
                return find_browser(None, headed=False)
            except BrowserMissing:
                continue
    return find_browser(None, headed=False)


def _own(name: str, layouts: Sequence[str]) -> Path | None:
    """Playwright's browser of this name, in the revision that its package asks for; None when not installed."""
    package = importlib.util.find_spec("playwright")
    if package is None or package.origin is None:
        return None
    driver = Path(package.origin).parent / "driver" / "package"
    try:
        browsers = json.loads((driver / "browsers.json").read_text("utf-8"))["browsers"]
        revision = next(browser["revision"] for browser in browsers if browser["name"] == name)
    except (OSError, ValueError, KeyError, StopIteration):
        return None
    folder = _registry(driver) / f"{name.replace('-', '_')}-{revision}"
    return next((folder / layout for layout in layouts if (folder / layout).is_file()), None)


def _registry(driver: Path) -> Path:
    """Where Playwright keeps its browsers: see ``registryDirectory`` in its driver."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named == "0":
        return driver / ".local-browsers"
    if named:
        return Path(named).absolute()
    if sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "ms-playwright"


def _on_this_machine(*, headed: bool) -> Iterator[Path]:
    for name in _FULL_NAMES if headed else (*_HEADLESS_NAMES, *_FULL_NAMES):
        found = shutil.which(name)
        if found:
            yield Path(found)
    for place in _USUAL_PLACES:
        path = Path(place).expanduser()
        if path.is_file():
            yield path


def _installers() -> Iterator[list[list[str]]]:
    """Ways to install a browser, the best first, each as commands that must all succeed."""
    yield [[sys.executable, "-m", "playwright", "install", "chromium"]]
    apt = shutil.which("apt-get")
    if apt and _is_root_on_linux():
        yield [[apt, "update"], [apt, "install", "-y", "--no-install-recommends", "chromium-headless-shell"]]


def _succeeds(command: Sequence[str], timeout_s: float) -> bool:
    """Run a command; say what it is and, when it fails, the end of what it said."""
    click.echo(f"$ {' '.join(command)}")
    try:
        done = subprocess.run(  # noqa: S603 - commands of this module only
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            text=True,
            errors="replace",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        click.echo(f"  {error}")
        return False
    if done.returncode != 0:
        click.echo("\n".join(f"  {line}" for line in done.stdout.strip().splitlines()[-4:]))
    return done.returncode == 0


def _is_root_on_linux() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0


@click.command()
@click.option("--install", is_flag=True, help="Install a browser when none is found.")
def main(*, install: bool) -> None:
    """Say which browser trials will use; exit code 1 when there is none."""
    try:
        choice = install_browser() if install else find_browser(None, headed=False)
    except BrowserMissing as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"browser: {choice.executable or 'started by Playwright'} ({choice.source})")


if __name__ == "__main__":
    main()
