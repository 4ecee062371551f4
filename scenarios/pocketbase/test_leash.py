"""No server outlives the tests it was started for, however they end."""

# mypy: disable-error-code="import-untyped"

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

_LEASH = str(Path(__file__).with_name("leash.py"))
_SERVER = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(600)"]
_HOLDER = f"""
import subprocess, sys
held = subprocess.Popen([sys.executable, {_LEASH!r}, *{_SERVER!r}], stdin=subprocess.PIPE)
held.wait()
"""


@pytest.mark.parametrize("end", [psutil.Process.terminate, psutil.Process.kill], ids=["terminated", "killed"])
def test_a_server_ends_when_the_tests_that_hold_it_are(end: Callable[[psutil.Process], None]) -> None:
    with subprocess.Popen([sys.executable, "-c", _HOLDER], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        server = psutil.Process(int(holder.stdout.readline()))

        end(psutil.Process(holder.pid))

        server.wait(timeout=10)
        assert not server.is_running()


def test_a_server_ends_when_its_holder_lets_go() -> None:
    with subprocess.Popen(
        [sys.executable, _LEASH, *_SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as held:
        assert held.stdin is not None
        assert held.stdout is not None
        server = psutil.Process(int(held.stdout.readline()))

        held.stdin.close()

        assert held.wait(timeout=10) != 0
        assert not server.is_running()
