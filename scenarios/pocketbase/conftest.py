"""PocketBase for the trials: every trial has a server of its own, on a copy of data prepared once a session."""

from __future__ import annotations

import json
import secrets
import shutil
import socket
import subprocess
import sysconfig
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests

from sopbench.errors import SiteError
from sopbench.trials.case import Case, Compare
from sopbench.trials.oracle import Oracle, TableOracle
from sopbench.trials.trial import TrialSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EMAIL = "clerk@northwind-robotics.example"
UP_WITHIN_S = 20.0
_BINARY = shutil.which("pocketbase", path=sysconfig.get_path("scripts")) or "pocketbase"


@dataclass(frozen=True)
class PocketBase:
    """A running server, and a superuser's way into it that is not the browser's."""

    address: str
    password: str
    http: requests.Session = field(default_factory=requests.Session)

    def sign_in(self) -> None:
        answer = self.call("POST", "collections/_superusers/auth-with-password", identity=EMAIL, password=self.password)
        self.http.headers["Authorization"] = answer["token"]

    def rows(self, collection: str) -> list[dict[str, Any]]:
        """All records of a collection; several choices become one text, parted by commas."""
        records = self.call("GET", f"collections/{collection}/records?perPage=1000")["items"]
        return [{k: ",".join(v) if isinstance(v, list) else v for k, v in record.items()} for record in records]

    def call(self, method: str, path: str, **body: Any) -> Any:
        """Raises: SiteError when there is no answer, or one of 400 and above."""
        try:
            answer = self.http.request(method, f"{self.address}/api/{path}", json=body or None, timeout=10)
        except requests.RequestException as error:
            raise SiteError(f"PocketBase does not answer: {method} {path}: {type(error).__name__}") from error
        if not answer.ok:
            raise SiteError(f"PocketBase refuses: {method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer.json()


@pytest.fixture(scope="session")
def password() -> str:
    return secrets.token_urlsafe(18)


@pytest.fixture(scope="session")
def data_of(tmp_path_factory: pytest.TempPathFactory, password: str) -> Callable[[Case], Path]:
    """Gives a case's data folder: with the superuser, the register, and what it holds before the run."""
    prepared: dict[Path, Path] = {}

    def data(case: Case) -> Path:
        if case.path not in prepared:
            folder = tmp_path_factory.mktemp(case.name)
            add_superuser(folder, password)
            with served(folder, password) as server:
                fill(server, case)
            prepared[case.path] = folder
        return prepared[case.path]

    return data


@pytest.fixture
def pocketbase(
    trial_spec: TrialSpec, data_of: Callable[[Case], Path], password: str, tmp_path: Path
) -> Iterator[PocketBase]:
    """A server that has shown that it is up; the trial's own."""
    data = shutil.copytree(data_of(trial_spec.case), tmp_path / "data")
    with served(data, password) as server:
        yield server


@pytest.fixture
def trial_variables(pocketbase: PocketBase) -> dict[str, Any]:
    return {"address": pocketbase.address, "email": EMAIL, "password": pocketbase.password}


@pytest.fixture
def oracles(trial_spec: TrialSpec, pocketbase: PocketBase) -> dict[str, Oracle]:
    return {"pocketbase": TableOracle(trial_spec.case, pocketbase.rows)}


def add_superuser(data: Path, password: str) -> None:
    """Raises: SiteError, without the password."""
    command = [_BINARY, "superuser", "upsert", EMAIL, password, "--dir", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = f"{done.stdout}{done.stderr}".strip()[-300:].replace(password, "…")
        raise SiteError(f"PocketBase takes no superuser: {said}")


@contextmanager
def served(data: Path, password: str) -> Iterator[PocketBase]:
    """Serve a data folder while the block lasts. Raises: SiteError when nobody can sign in after ``UP_WITHIN_S``."""
    port = free_port()
    log = data / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [_BINARY, "serve", "--http", f"127.0.0.1:{port}", "--automigrate=false", "--dir", data],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        server = PocketBase(f"http://127.0.0.1:{port}", password)
        wait_until_up(server, process, log)
        yield server
    finally:
        process.terminate()
        process.wait()


def wait_until_up(server: PocketBase, process: subprocess.Popen[bytes], log: Path) -> None:
    """It answers, and the superuser can sign in."""
    deadline = time.monotonic() + UP_WITHIN_S
    while True:
        try:
            server.sign_in()
        except SiteError as error:
            if process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
                continue
            said = log.read_text(errors="replace").strip()[-300:]
            raise SiteError(f"PocketBase is not up: {said or error}") from error
        return


def fill(server: PocketBase, case: Case) -> None:
    """The register as the case describes it before the run."""
    server.call("POST", "collections", **json.loads(Path(__file__).with_name("equipment.collection.json").read_text()))
    for name, table in case.tables.items():
        several = {column for column, declared in table.columns.items() if declared.compare is Compare.SET}
        for row in case.before(name):
            values = {key: value.split(",") if key in several and value else value for key, value in row.items()}
            server.call("POST", f"collections/{name}/records", **values)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
