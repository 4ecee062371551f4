"""The server of a trial: up before the first action, or no trial at all; and gone with whoever started it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests

from sopbench.errors import SiteError

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).with_name("project")


def test_a_served_folder_answers_with_the_sign_in_page(
    empty_data: Path, serve: Callable[[Path], Any], tmp_path: Path
) -> None:
    data = shutil.copytree(empty_data, tmp_path / "data")

    with serve(data) as address:
        page = requests.get(f"{address}/admin/", timeout=30)

    assert "Django administration" in page.text
    assert (data / "server.log").stat().st_size > 0


def test_a_server_that_does_not_come_up_is_an_error_that_says_why(serve: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "port.new").mkdir()  # it cannot write its port

    with pytest.raises(SiteError, match=r"(?s)Django is not up: .*IsADirectoryError"), serve(tmp_path):
        pass


def test_the_server_ends_when_who_started_it_is_gone(empty_data: Path, tmp_path: Path) -> None:
    data = shutil.copytree(empty_data, tmp_path / "data")
    starter = f"""
import subprocess, sys, time
served = subprocess.Popen([sys.executable, {str(PROJECT / "serve.py")!r}], stdin=subprocess.PIPE)
print(served.pid, flush=True)
time.sleep(600)
"""
    started = subprocess.Popen(
        [sys.executable, "-c", starter], stdout=subprocess.PIPE, env={"REGISTRY_DATA": str(data)}
    )
    address = _once_taken(data / "port")

    started.kill()
    started.communicate()

    assert _is_gone(address)


def _once_taken(port: Path) -> str:
    deadline = time.monotonic() + 60
    while not port.exists():
        assert time.monotonic() < deadline, "it took no port"
        time.sleep(0.02)
    return f"http://127.0.0.1:{port.read_text()}/admin/login/"


def _is_gone(address: str) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            requests.get(address, timeout=30)
        except requests.ConnectionError:
            return True
        time.sleep(0.02)
    return False
