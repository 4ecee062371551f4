"""Django's admin for the trials: every trial has a server of its own, on a copy of data prepared once a session."""

# mypy: disable-error-code="import-untyped"

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests
from django.conf import settings
from django.contrib.auth.hashers import check_password

from sopbench.errors import SiteError
from sopbench.trials.case import Case
from sopbench.trials.oracle import Oracle, TableOracle
from sopbench.trials.trial import TrialSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REGISTRAR = "registrar"
UP_WITHIN_S = 20.0
_PROJECT = Path(__file__).with_name("project")
_DATABASE = "db.sqlite3"
_TRUTH = {
    "company": """
        SELECT *, (SELECT group_concat(name) FROM (
            SELECT name FROM registry_tag JOIN registry_company_tags ON tag_id = registry_tag.id
            WHERE company_id = registry_company.id ORDER BY name)) AS tags
        FROM registry_company""",
    "contact": """
        SELECT email, registry_company.name AS company, registry_contact.name, role
        FROM registry_contact JOIN registry_company ON company_id = registry_company.id""",
    "tag": "SELECT name FROM registry_tag",
    "user": """
        SELECT *, (SELECT group_concat(name) FROM (
            SELECT name FROM auth_group JOIN auth_user_groups ON group_id = auth_group.id
            WHERE user_id = auth_user.id ORDER BY name)) AS groups
        FROM auth_user""",
    "group": """
        SELECT name, (SELECT group_concat(codename) FROM auth_permission JOIN auth_group_permissions
                      ON permission_id = auth_permission.id WHERE group_id = auth_group.id) AS permissions
        FROM auth_group""",
    "log": """
        SELECT CASE action_flag WHEN 1 THEN 'added' WHEN 2 THEN 'changed' ELSE 'deleted' END
               || ' ' || model || ' ' || object_repr AS entry, change_message AS message
        FROM django_admin_log JOIN django_content_type ON content_type_id = django_content_type.id""",
}
"""Table of a case → what the database holds of it."""

if not settings.configured:
    settings.configure()  # Django's own password hashers


@dataclass(frozen=True)
class Truth:
    """What the app's database and files hold, read past the app."""

    case: Case
    data: Path
    prepared: Path
    """The data as it was before the trial."""

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All records; a log entry's message in JSON, a logo by its name and hash, a password in clear."""
        rows = _select(self.data, _TRUTH[table])
        if table == "user":
            self._uncover_passwords(rows)
        if table == "company":
            for row in rows:
                row["logo_sha256"] = self._sha256(row["logo"])
                row["logo"] = Path(row["logo"]).name
        return rows

    def _uncover_passwords(self, rows: list[dict[str, Any]]) -> None:
        """By the case's own words: the password before where its hash is the same, else one that fits the hash."""
        was = {row["username"]: row["password"] for row in _select(self.prepared, _TRUTH["user"])}
        before, after = (
            {row["username"]: row["password"] for row in table}
            for table in (self.case.before("user"), self.case.after("user"))
        )
        for row in rows:
            name, encoded = row["username"], row["password"]
            if encoded == was.get(name):
                row["password"] = before[name]
            else:
                fits = name in after and check_password(after[name], encoded)
                row["password"] = after[name] if fits else "another one"

    def _sha256(self, file: str) -> str:
        return hashlib.sha256((self.data / "media" / file).read_bytes()).hexdigest() if file else ""


@pytest.fixture(scope="session")
def empty_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the tables, and nothing in them."""
    folder = tmp_path_factory.mktemp("empty")
    manage(folder, "migrate", "--run-syncdb", "--verbosity", "0")
    return folder


@pytest.fixture(scope="session")
def data_of(tmp_path_factory: pytest.TempPathFactory, empty_data: Path) -> Callable[[Case], Path]:
    """Gives a case's data folder, with what it holds before the run."""
    prepared: dict[Path, Path] = {}

    def data(case: Case) -> Path:
        if case.path not in prepared:
            folder = shutil.copytree(empty_data, tmp_path_factory.mktemp(case.name) / "data")
            manage(folder, "fill", given=json.dumps({name: case.before(name) for name in case.tables}))
            prepared[case.path] = folder
        return prepared[case.path]

    return data


@pytest.fixture
def registry_data(trial_spec: TrialSpec, data_of: Callable[[Case], Path], tmp_path: Path) -> Path:
    """The trial's own data folder."""
    return shutil.copytree(data_of(trial_spec.case), tmp_path / "data")


@pytest.fixture
def address(registry_data: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Of a server that has shown that it is up; the trial's own. Its log is shown with a trial that fails."""
    try:
        with served(registry_data) as address:
            yield address
    finally:
        request.node.add_report_section("teardown", "Django's log", (registry_data / "server.log").read_text())


@pytest.fixture
def trial_variables(address: str, trial_spec: TrialSpec) -> dict[str, Any]:
    password = next(row["password"] for row in trial_spec.case.before("user") if row["username"] == REGISTRAR)
    return {"address": address, "username": REGISTRAR, "password": password}


@pytest.fixture
def oracles(trial_spec: TrialSpec, registry_data: Path, data_of: Callable[[Case], Path]) -> dict[str, Oracle]:
    truth = Truth(trial_spec.case, registry_data, data_of(trial_spec.case))
    return {"registry": TableOracle(trial_spec.case, truth.rows)}


@pytest.fixture(scope="session")
def serve() -> Callable[[Path], Any]:
    """Serves a data folder while a block lasts."""
    return served


def manage(data: Path, *command: str, given: str = "") -> None:
    """One of the project's commands. Raises: SiteError."""
    done = subprocess.run(
        [sys.executable, _PROJECT / "manage.py", *command],
        env=environment(data), input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SiteError(f"Django's {command[0]} failed: {done.stderr.strip()[-500:]}")


@contextmanager
def served(data: Path) -> Iterator[str]:
    """Serve a data folder while the block lasts. Raises: SiteError when it is not up after ``UP_WITHIN_S``."""
    log = data / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, _PROJECT / "serve.py"],
            env=environment(data), stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        yield wait_until_up(data, process, log)
    finally:
        process.terminate()
        process.communicate()


def wait_until_up(data: Path, process: subprocess.Popen[bytes], log: Path) -> str:
    """The address, once the sign-in page, its style sheet and the database are there. Raises: SiteError."""
    deadline = time.monotonic() + UP_WITHIN_S
    while True:
        said = _not_up(data)
        if not said:
            return _address(data)
        if process.poll() is not None or time.monotonic() > deadline:
            raise SiteError(f"Django is not up: {log.read_text(errors='replace').strip()[-500:] or said}")
        time.sleep(0.02)


def environment(data: Path) -> dict[str, str]:
    """Of the project's programs; nothing of another Django project's."""
    rest = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return {**rest, "REGISTRY_DATA": str(data), "PYTHONDONTWRITEBYTECODE": "1"}


def _address(data: Path) -> str:
    return f"http://127.0.0.1:{(data / 'port').read_text()}"


def _not_up(data: Path) -> str:
    """Why not; empty when it is. A session that nobody has is looked up in the database."""
    if not (data / "port").exists():
        return "it has not taken a port"
    for path in ("/admin/login/", "/static/admin/css/base.css"):
        try:
            answer = requests.get(_address(data) + path, cookies={"sessionid": "nobody's"}, timeout=10)
        except requests.RequestException as error:
            return f"{path}: {type(error).__name__}"
        if not answer.ok:
            return f"{path}: {answer.status_code}"
    return ""


def _select(data: Path, query: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"{(data / _DATABASE).as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(query)]
