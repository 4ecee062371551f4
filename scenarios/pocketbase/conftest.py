"""PocketBase for the trials: every trial has a server of its own, on a copy of data prepared once a session."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests

from sopbench.errors import SiteError
from sopbench.sop.loader import Loaded
from sopbench.trials.case import Case
from sopbench.trials.oracle import Oracle, TableOracle
from sopbench.trials.trial import TrialSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

EMAIL = "clerk@northwind-robotics.example"
FILES = "files"
"""Folder of a case with the files that its tables name."""
LOG = "server.log"
UP_WITHIN_S = 20.0
_BINARY = shutil.which("pocketbase", path=sysconfig.get_path("scripts")) or "pocketbase"
_HERE = Path(__file__).parent
_COLLECTIONS = ("suppliers", "equipment")


@dataclass(frozen=True)
class PocketBase:
    """A running server, and a superuser's way into it that is not the browser's."""

    address: str
    password: str
    log: Path
    http: requests.Session = field(default_factory=requests.Session)

    def sign_in(self) -> None:
        answer = self.call("POST", "collections/_superusers/auth-with-password", identity=EMAIL, password=self.password)
        self.http.headers["Authorization"] = answer["token"]

    def rows(self, collection: str, known: Mapping[str, str]) -> list[dict[str, Any]]:
        """All records of a collection, every field as text or number.

        Several values are one text, parted by commas. A related record is its name. A file is downloaded: it is the
        name that ``known`` has for its SHA-256, or that sum itself.
        """
        kinds = self.kinds(collection)
        related = ",".join(name for name, kind in kinds.items() if kind == "relation")
        records = self.call("GET", f"collections/{collection}/records?perPage=1000&expand={related}")["items"]
        return [{name: self._cell(record, name, kinds, known) for name in record} for record in records]

    def kinds(self, collection: str) -> dict[str, str]:
        """Field → its type, in PocketBase's words."""
        fields = self.call("GET", f"collections/{collection}")["fields"]
        return {each["name"]: each["type"] for each in fields}

    def call(self, method: str, path: str, **body: Any) -> Any:
        """Raises: SiteError when there is no answer, or one of 400 and above."""
        return self.answer(method, f"api/{path}", json=body or None).json()

    def answer(self, method: str, path: str, **body: Any) -> requests.Response:
        """Raises: SiteError when there is no answer, or one of 400 and above."""
        try:
            answer = self.http.request(method, f"{self.address}/{path}", timeout=10, **body)
        except requests.RequestException as error:
            raise SiteError(f"PocketBase does not answer: {method} {path}: {type(error).__name__}") from error
        if not answer.ok:
            raise SiteError(f"PocketBase refuses: {method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer

    def _cell(self, record: dict[str, Any], name: str, kinds: Mapping[str, str], known: Mapping[str, str]) -> Any:
        value = record[name]
        several = value if isinstance(value, list) else [value] if value else []
        match kinds.get(name):
            case "file":
                place = f"api/files/{record['collectionId']}/{record['id']}"
                sums = [hashlib.sha256(self.answer("GET", f"{place}/{file}").content).hexdigest() for file in several]
                return ",".join(known.get(each, f"sha256 {each}") for each in sums)
            case "relation":
                there = record.get("expand", {}).get(name, [])
                return ",".join(each["name"] for each in (there if isinstance(there, list) else [there]))
            case _:
                return ",".join(value) if isinstance(value, list) else value


@pytest.fixture(scope="session")
def password() -> str:
    return secrets.token_urlsafe(18)


@pytest.fixture(scope="session")
def data_of(tmp_path_factory: pytest.TempPathFactory, password: str) -> Callable[[Case], Path]:
    """Gives a case's data folder: with the superuser, the collections, and what they hold before the run."""
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
def trial_variables(trial_spec: TrialSpec, procedure: Loaded, pocketbase: PocketBase) -> dict[str, Any]:
    """What the procedure asks for of these; a file is given by its folder."""
    known = {
        "address": pocketbase.address,
        "email": EMAIL,
        "password": pocketbase.password,
        "folder": str(trial_spec.case.path / FILES),
    }
    return {name: value for name, value in known.items() if name in procedure.sop.public.variables}


@pytest.fixture
def oracles(trial_spec: TrialSpec, pocketbase: PocketBase) -> dict[str, Oracle]:
    read = partial(pocketbase.rows, known=files_of(trial_spec.case))
    return {"pocketbase": TableOracle(trial_spec.case, read)}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What the server said is kept with a trial that failed, and told in its report."""
    report = yield
    given = getattr(item, "funcargs", {})
    if report.failed and "pocketbase" in given:
        log = given["pocketbase"].log
        report.sections.append(("PocketBase's log", log.read_text(errors="replace")[-4000:]))
        for record in given["trial"].done if "trial" in given else ():
            shutil.copy(log, Path(record.folder) / "pocketbase.log")
    return report


def files_of(case: Case) -> dict[str, str]:
    """SHA-256 → name of each file the case has."""
    return {hashlib.sha256(file.read_bytes()).hexdigest(): file.name for file in (case.path / FILES).glob("*")}


def fill(server: PocketBase, case: Case) -> None:
    """The collections, and what the case says they hold before the run."""
    ids: dict[str, str] = {}
    for collection in _COLLECTIONS:
        server.call("POST", "collections", **json.loads((_HERE / f"{collection}.collection.json").read_text()))
        if collection not in case.tables:
            continue
        kinds = server.kinds(collection)
        for row in case.before(collection):
            made = _add(server, case, collection, row, kinds, ids)
            ids[row["name"]] = made["id"]


def _add(
    server: PocketBase,
    case: Case,
    collection: str,
    row: Mapping[str, str],
    kinds: Mapping[str, str],
    ids: dict[str, str],
) -> Any:
    values: list[tuple[str, str]] = []
    with ExitStack() as opened:
        files = []
        for name, cell in row.items():
            several = cell.split(",") if cell and kinds[name] in {"select", "file", "relation"} else [cell]
            if kinds[name] == "file":
                paths = [case.path / FILES / each for each in several if each]
                files += [(name, (path.name, opened.enter_context(path.open("rb")))) for path in paths]
            else:
                values += [(name, ids[each] if kinds[name] == "relation" and each else each) for each in several]
        return server.answer("POST", f"api/collections/{collection}/records", data=values, files=files or None).json()


def add_superuser(data: Path, password: str) -> None:
    """Raises: SiteError, without the password."""
    command = [_BINARY, "superuser", "upsert", EMAIL, password, "--dir", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = f"{done.stdout}{done.stderr}".strip()[-300:].replace(password, "…")
        raise SiteError(f"PocketBase takes no superuser: {said}")


@contextmanager
def served(data: Path, password: str) -> Iterator[PocketBase]:
    """Serve a data folder while the block lasts, and while this process lives.

    Raises: SiteError when nobody can sign in after ``UP_WITHIN_S``.
    """
    port = free_port()
    log = data / LOG
    command = [_BINARY, "serve", "--http", f"127.0.0.1:{port}", "--automigrate=false", "--dir", str(data)]
    leash = [sys.executable, "-I", str(_HERE / "leash.py")]
    with log.open("wb") as output:
        process = subprocess.Popen([*leash, *command], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT)
    assert process.stdin is not None
    try:
        server = PocketBase(f"http://127.0.0.1:{port}", password, log)
        wait_until_up(server, process)
        yield server
    finally:
        process.stdin.close()
        process.wait()


def wait_until_up(server: PocketBase, process: subprocess.Popen[bytes]) -> None:
    """It answers, and the superuser can sign in."""
    deadline = time.monotonic() + UP_WITHIN_S
    while True:
        try:
            server.sign_in()
        except SiteError as error:
            if process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
                continue
            said = server.log.read_text(errors="replace").strip()[-300:]
            raise SiteError(f"PocketBase is not up: {said or error}") from error
        return


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
