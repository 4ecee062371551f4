"""Which browser is found, in an environment made of empty folders."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sopbench.adapters import browser_finder
from sopbench.adapters.browser_finder import (
    BrowserChoice,
    find_browser,
    host_mapping,
    install_browser,
    launch_arguments,
    main,
)
from sopbench.errors import BrowserMissing


@pytest.fixture(autouse=True)
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty PATH; neither Playwright's browsers nor the usual places."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "registry"))
    monkeypatch.setattr(browser_finder, "_USUAL_PLACES", ())
    return folder


def put(path: Path, script: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def own(tmp_path: Path, name: str, layout: str) -> Path:
    package = importlib.util.find_spec("playwright")
    assert package is not None
    assert package.origin is not None
    listed = json.loads((Path(package.origin).parent / "driver/package/browsers.json").read_text())["browsers"]
    revision = next(browser["revision"] for browser in listed if browser["name"] == name)
    return put(tmp_path / "registry" / f"{name.replace('-', '_')}-{revision}" / layout)


@pytest.mark.parametrize("headed", [False, True])
def test_without_any_browser_the_error_says_what_to_do(headed: bool) -> None:
    with pytest.raises(BrowserMissing, match=r"playwright install chromium.*apt-get.*--browser-executable PATH"):
        find_browser(None, headed=headed)


def test_the_given_browser_comes_first(tmp_path: Path, bin_folder: Path) -> None:
    put(bin_folder / "google-chrome")
    given = put(tmp_path / "my-browser")

    assert find_browser(given, headed=True) == BrowserChoice(given, "--browser-executable")


def test_a_given_browser_that_is_not_there_is_not_replaced_by_another(tmp_path: Path, bin_folder: Path) -> None:
    put(bin_folder / "google-chrome")

    with pytest.raises(BrowserMissing, match=r"no browser at .*my-browser"):
        find_browser(tmp_path / "my-browser", headed=False)


def test_playwrights_headless_shell_is_left_to_playwright(tmp_path: Path, bin_folder: Path) -> None:
    own(tmp_path, "chromium-headless-shell", "chrome-headless-shell-linux64/chrome-headless-shell")
    put(bin_folder / "chromium")

    assert find_browser(None, headed=False) == BrowserChoice(None, "Playwright's headless shell")
    assert find_browser(None, headed=True).executable == bin_folder / "chromium"


def test_playwrights_chromium_is_named_where_playwright_would_look_for_its_headless_shell(tmp_path: Path) -> None:
    chromium = own(tmp_path, "chromium", "chrome-linux64/chrome")

    assert find_browser(None, headed=True) == BrowserChoice(None, "Playwright's Chromium")
    assert find_browser(None, headed=False) == BrowserChoice(chromium, "Playwright's Chromium")


def test_another_revision_of_playwrights_browser_does_not_count(tmp_path: Path) -> None:
    put(tmp_path / "registry" / "chromium-1" / "chrome-linux64" / "chrome")

    with pytest.raises(BrowserMissing):
        find_browser(None, headed=True)


def test_headless_prefers_the_headless_shell_of_the_machine(bin_folder: Path) -> None:
    put(bin_folder / "google-chrome")
    put(bin_folder / "chromium-headless-shell")

    assert find_browser(None, headed=False).executable == bin_folder / "chromium-headless-shell"
    assert find_browser(None, headed=True).executable == bin_folder / "google-chrome"


def test_a_browser_in_a_usual_place_is_found_last(
    tmp_path: Path, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = put(tmp_path / "Applications" / "Google Chrome")
    monkeypatch.setattr(browser_finder, "_USUAL_PLACES", (str(usual),))

    before = find_browser(None, headed=True)
    put(bin_folder / "chromium")

    assert before == BrowserChoice(usual, "this machine")
    assert find_browser(None, headed=True).executable == bin_folder / "chromium"


@pytest.mark.skipif(sys.platform != "linux", reason="apt-get and the super-user are Linux's")
def test_apt_is_asked_when_playwright_cannot_install(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(put(bin_folder / "python", "echo no download; exit 1")))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    shell = bin_folder / "chromium-headless-shell"
    put(bin_folder / "apt-get", f'[ "$1" = install ] && echo > {shell} && /bin/chmod 755 {shell}; exit 0')

    choice = install_browser(timeout_s=20)

    assert choice == BrowserChoice(shell, "this machine")


def test_installing_ends_with_the_one_error_when_nothing_helps(
    bin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(put(bin_folder / "python", "echo no download; exit 1")))

    result = CliRunner().invoke(main, ["--install"])

    assert result.exit_code == 1
    assert "-m playwright install chromium\n  no download\n" in result.output
    assert "no browser found; run `playwright install chromium`" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_an_installer_that_hangs_is_stopped(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(put(bin_folder / "python", "exec /bin/sleep 60")))

    with pytest.raises(BrowserMissing):
        install_browser(timeout_s=0.2)


def test_a_browser_that_is_there_is_shown_and_nothing_installed(bin_folder: Path) -> None:
    put(bin_folder / "chromium")

    result = CliRunner().invoke(main, ["--install"])

    assert result.exit_code == 0
    assert result.output == f"browser: {bin_folder / 'chromium'} (this machine)\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is given up for Linux's root only")
@pytest.mark.parametrize(("user", "sandboxed"), [(0, False), (1000, True)])
def test_only_root_goes_without_the_sandbox(user: int, sandboxed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)

    arguments = launch_arguments()

    assert ("--no-sandbox" not in arguments) == sandboxed
    assert "--disable-background-networking" in arguments


def test_hosts_are_mapped_and_all_others_but_this_machine_cannot_be_found() -> None:
    switch = host_mapping({"mail.google.com": 8001, "airtable.com": 8002})

    assert switch == (
        "--host-resolver-rules=MAP mail.google.com 127.0.0.1:8001,MAP airtable.com 127.0.0.1:8002,MAP * ~NOTFOUND,"
        "EXCLUDE 127.0.0.1"
    )
