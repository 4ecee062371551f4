"""MiniWoB++ for the trials: its pages are served as they are, begin with the trial's seed, and tell how they reward."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest

from sopbench.trials.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.pytest_plugin.scenario import Scenario
    from sopbench.trials.oracle import Oracle
    from sopbench.trials.trial import TrialSpec

CORE = b'<script src="../core/core.js"></script>'
EPISODE = b"\n<script>" + Path(__file__).with_name("episode.js").read_bytes() + b"</script>"
DONE_RIGHT = 1.0
"""The most that any page gives; pages that give less for a part of the task are not done right with less."""


@dataclass
class Pages:
    """The served pages, and the raw rewards they gave, by trial."""

    address: str
    rewards: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True)
class RewardOracle:
    """What the page itself made of the run: its raw reward, that is without the discount for time."""

    rewards: list[float]
    """One for each episode that ended; there should be one."""

    def outcome(self) -> Outcome:
        if not self.rewards:
            return Outcome(missing=("the task has not ended",))
        if self.rewards == [DONE_RIGHT]:
            return Outcome()
        return Outcome(wrong=(f"the page's raw reward is {', then '.join(f'{each:g}' for each in self.rewards)}",))


class Handler(SimpleHTTPRequestHandler):
    """Serves the package's files; pages get the episode's script; takes rewards."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, rewards: dict[str, list[float]], **options: Any) -> None:
        self.rewards = rewards
        super().__init__(*args, **options)

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.suffix != ".html" or not path.is_file():
            super().do_GET()
            return
        page = path.read_bytes()
        self.answer(page.replace(CORE, CORE + EPISODE, 1), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        trial = parse_qs(urlsplit(self.path).query)["trial"][0]
        self.rewards[trial].append(float(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer(b"", "text/plain")

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name for it
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A page that goes away in the middle of an answer is no error."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture(scope="session")
def pages() -> Iterator[Pages]:
    """The pages of the package, on a free port."""
    served = Pages("")
    handler = partial(Handler, rewards=served.rewards, directory=str(files("miniwob") / "html"))
    with Server(("127.0.0.1", 0), handler) as server:
        served.address = f"http://127.0.0.1:{server.server_port}/miniwob"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield served
        server.shutdown()


@pytest.fixture(scope="session")
def browser_context_options() -> dict[str, Any]:
    """Some pages show local times: the same seed is the same task everywhere."""
    return {"timezone_id": "UTC"}


@pytest.fixture
def scenario(scenario: Scenario, trial_spec: TrialSpec) -> Scenario:
    """Every task is a case with a procedure of its own, beside its ``case.toml``."""
    return replace(scenario, document=trial_spec.case.path / f"{trial_spec.case.name}.sop.json")


@pytest.fixture
def trial_id() -> str:
    return uuid4().hex


@pytest.fixture
def trial_variables(pages: Pages, trial_spec: TrialSpec, trial_id: str) -> dict[str, Any]:
    return {"address": f"{pages.address}/{trial_spec.case.name}.html?seed={trial_spec.seed}&trial={trial_id}"}


@pytest.fixture
def oracles(pages: Pages, trial_id: str) -> dict[str, Oracle]:
    return {"page": RewardOracle(pages.rewards[trial_id])}
