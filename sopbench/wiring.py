"""Builds adapters from configuration: the only module that knows them all."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import ValidationError

from sopbench.adapters.anthropic_llm import AnthropicModel
from sopbench.adapters.browser_finder import find_browser, host_mapping, launch_arguments
from sopbench.adapters.openai_llm import OpenAIModel
from sopbench.adapters.playwright_session import Tracing, launched, opened
from sopbench.adapters.pyairtable_tables import AirtableTables
from sopbench.adapters.saved_logins import saved_sign_ins
from sopbench.adapters.scripted_operator import ScriptedOperator
from sopbench.adapters.system_clock import SystemClock
from sopbench.adapters.terminal_operator import TerminalOperator
from sopbench.adapters.tools import Tools, opened_tools
from sopbench.adapters.unattended_operator import UnattendedOperator
from sopbench.engine.context import Autonomy, Capture
from sopbench.engine.run import Engine
from sopbench.errors import MissingSecret, UsageError
from sopbench.events.masking import Masker
from sopbench.faults.at_work import Disturbance, DisturbedSession
from sopbench.sites.airtable.site import AirtableSite
from sopbench.sites.gmail.site import GmailSite
from sopbench.sites.tallybook.site import TallybookSite
from sopbench.sop.document import Limits
from sopbench.sop.needs import resolve_variables
from sopbench.sop.templates import render_part
from sopbench.trials.case import SiteCase
from sopbench.trials.letters import LetterOracle
from sopbench.trials.oracle import LabelOracle, Oracle, TableOracle
from sopbench.trials.trial import BrowserSession as OpenBrowser
from sopbench.trials.trial import Trial, TrialSpec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import Browser

    from sopbench.adapters.http_model import HttpModel
    from sopbench.adapters.vcr_cassettes import Cassette
    from sopbench.events.types import Event
    from sopbench.ports.llm import LanguageModel
    from sopbench.ports.operator import Operator
    from sopbench.sites.host import SiteHost
    from sopbench.sites.site import Site
    from sopbench.sop.loader import Loaded
    from sopbench.trials.case import Case

MODELS: dict[str, type[HttpModel]] = {"anthropic": AnthropicModel, "openai": OpenAIModel}
"""What an endpoint can speak, by the word before a model's name."""
MOCK_SITES: dict[str, type[GmailSite] | type[AirtableSite] | type[TallybookSite]] = {
    "gmail": GmailSite,
    "airtable": AirtableSite,
    "tallybook": TallybookSite,
}


@dataclass(frozen=True)
class Settings:
    """How runs are to be done: what options of pytest and of the command line come down to."""

    site: Literal["mock", "real"] = "mock"
    autonomy: Autonomy = Autonomy.LIGHT
    llm: Literal["replay", "record", "live"] = "replay"
    llm_base_url: str | None = None
    llm_model: str | None = None
    llm_served_by: str = ""
    operator: str = "unattended"
    screenshots: Capture = "steps"
    tracing: Tracing = "unless-clean"
    records: Path = Path("reports/runs")
    headed: bool = False
    slow_mo_ms: float = 0
    browser_channel: str | None = None
    browser_executable: Path | None = None
    site_port: int = 0
    limits: Mapping[str, float] = field(default_factory=dict)
    """Over the document's own."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Over the case's and the document's own."""
    record_targets: bool = False
    """Whether the log is to say what each element was like."""


def pairs(given: Iterable[str], option: str) -> dict[str, str]:
    """``NAME=VALUE`` texts as a mapping. Raises: UsageError."""
    split = [text.partition("=") for text in given]
    for key, sign, _ in split:
        if not key or not sign:
            raise UsageError(f"{option} {key}: not of the form NAME=VALUE")
    return {key: value for key, _, value in split}


def numbers(given: Iterable[str]) -> dict[str, float]:
    """``--limit NAME=VALUE`` texts as a mapping. Raises: UsageError."""
    limits = {}
    for name, value in pairs(given, "--limit").items():
        try:
            limits[name] = float(value)
        except ValueError as error:
            raise UsageError(f"--limit {name}={value}: not a number") from error
    return limits


def mock_sites(names: Iterable[str] | None, case: Case, seed: int) -> dict[str, Site]:
    """The mock sites of one trial; all that the case has data for when ``names`` is None.

    Raises: UsageError when there is none of that name, or the case is not for them; CaseInvalid.
    """
    sites: dict[str, Site] = {}
    if names is None:
        has_books = isinstance(case, SiteCase) and case.books is not None
        names = [name for name in MOCK_SITES if name != TallybookSite.name or has_books]
    for name in names:
        if name not in MOCK_SITES:
            raise UsageError(f"there is no mock site {name!r}; there are {', '.join(MOCK_SITES)}")
        if not isinstance(case, SiteCase):
            raise UsageError(f"mock sites need a case with an account and a base; {case.path / 'case.toml'} has none")
        sites[name] = MOCK_SITES[name](case, seed)
    return sites


def disturbance(spec: TrialSpec) -> Disturbance | None:
    """The faults of the trial's condition; None when there is none."""
    if not spec.faults:
        return None
    hosts = {name: site.hosts for name, site in MOCK_SITES.items()}
    return Disturbance(spec.faults, seed=spec.seed, hosts=hosts)


def mock_oracles(
    sites: Mapping[str, Site], case: Case, host: SiteHost, disturbance: Disturbance | None = None
) -> dict[str, Oracle]:
    """Oracles that read the mock sites: Airtable's tables through its API, Gmail's labels and letters.

    What faults did in somebody else's name is not held against the run.
    """
    oracles: dict[str, Oracle] = {}
    if not isinstance(case, SiteCase):
        return oracles
    amendments = disturbance.amendments if disturbance is not None else None
    for name, site in sites.items():
        if isinstance(site, GmailSite):
            oracles[name] = LabelOracle(case, site.labels)
            oracles["drafts"] = LetterOracle(case, site.letters)
        elif isinstance(site, AirtableSite):
            tables = AirtableTables(case.base.token, case.base.id, endpoint_url=host.plain_url(name))
            oracles[name] = TableOracle(case, tables.rows if amendments is None else amendments.read(tables.rows))
    return oracles


def real_oracles(case: Case, env: Mapping[str, str]) -> dict[str, Oracle]:
    """Oracles that read the real sites: Airtable's tables, with the token in ``AIRTABLE_TOKEN``.

    ``AIRTABLE_API_URL`` names another endpoint than Airtable's own. Raises: MissingSecret.
    """
    token = env.get("AIRTABLE_TOKEN")
    if not isinstance(case, SiteCase):
        return {}
    if not token:
        raise MissingSecret("the outcome on real sites is read through Airtable's API: set AIRTABLE_TOKEN")
    endpoint = env.get("AIRTABLE_API_URL", "https://api.airtable.com")
    return {"airtable": TableOracle(case, AirtableTables(token, case.base.id, endpoint_url=endpoint).rows)}


def model(settings: Settings, cassette: Cassette | None, disturbance: Disturbance | None = None) -> HttpModel:
    """The model to be asked: live, or through a cassette. Raises: UsageError for a name that says nothing."""
    header = cassette.recorded_from if cassette is not None and cassette.mode == "replay" else None
    if settings.llm_model:
        api, name = named_model(settings.llm_model)
    else:
        api, name = (header.api if header else "anthropic"), None
    kind = MODELS[api]
    key = os.environ.get(kind.key_name)
    behind = disturbance.model_transport if disturbance is not None else None
    return kind(
        model=name,
        base_url=settings.llm_base_url,
        api_key=key,
        cassette=cassette,
        clock=SystemClock(),
        behind=behind,
    )


def named_model(name: str) -> tuple[str, str]:
    """``openai/gpt-4o`` in two; a bare name is one of Anthropic's. Raises: UsageError."""
    api, slash, rest = name.partition("/")
    if not slash:
        return "anthropic", name
    if api not in MODELS or not rest:
        raise UsageError(f"--llm-model {name}: not of the form {' or '.join(f'{api}/NAME' for api in MODELS)}")
    return api, rest


def operator(settings: Settings) -> Operator:
    """Who answers. Raises: UsageError for one that is not there, or cannot answer here."""
    match settings.operator:
        case "unattended":
            return UnattendedOperator()
        case "terminal":
            return TerminalOperator()
        case file if Path(file).is_file():
            return ScriptedOperator(Path(file))
        case file:
            known = "there are 'unattended', 'terminal', and files of answers (TOML or JSON)"
            raise UsageError(f"there is no operator {file!r}, and no such file; {known}")


def engine(settings: Settings, llm: LanguageModel, who_answers: Operator) -> Engine:
    """The engine with its ports."""
    return Engine(
        model=llm,
        operator=who_answers,
        clock=SystemClock(),
        autonomy=settings.autonomy,
        capture=settings.screenshots,
        record_targets=settings.record_targets,
    )


def limits(procedure: Loaded, settings: Settings) -> Limits:
    """The document's limits with those of the command line over them. Raises: UsageError."""
    try:
        return Limits.model_validate(procedure.sop.private.limits.model_dump() | dict(settings.limits))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise UsageError(f"--limit {name}: {first['msg']}; there are {', '.join(Limits.model_fields)}") from error


def environment(settings: Settings, case: Case | None) -> dict[str, str]:
    """Where variables that come from the environment come from: on mock sites the case's account takes precedence."""
    if settings.site == "real" or not isinstance(case, SiteCase):
        return dict(os.environ)
    accounts = {
        "GMAIL_EMAIL": case.account.email,
        "GMAIL_PASSWORD": case.account.password,
        "AIRTABLE_EMAIL": case.account.email,
        "AIRTABLE_PASSWORD": case.account.password,
        "AIRTABLE_TOKEN": case.base.token,
    }
    if case.books is not None:
        accounts |= {"TALLYBOOK_EMAIL": case.books.email, "TALLYBOOK_PASSWORD": case.books.password}
    return {**os.environ, **accounts}


def variables(
    procedure: Loaded,
    case: Case | None,
    settings: Settings,
    env: Mapping[str, str],
    own: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], Masker]:
    """The procedure's variables, and a masker that knows the secret ones.

    ``own`` are those of this trial: over the case's, under the command line's. Raises: MissingSecret, UsageError.
    """
    given = {**(case.variables if case else {}), **(own or {}), **settings.variables}
    values, secrets = resolve_variables(procedure.sop, given, env)
    return values, Masker(secrets)


def mock_ports(host: SiteHost) -> dict[str, int]:
    """Where each host of the mock sites is served on this machine."""
    return dict.fromkeys((name for site in MOCK_SITES.values() for name in site.hosts), host.port)


def tools_opener(
    procedure: Loaded, values: Mapping[str, Any], settings: Settings, host: SiteHost | None
) -> Callable[[], AbstractAsyncContextManager[Tools]]:
    """How a run opens its tools. With mock sites HTTP reaches them at their real names, and nothing else.

    Programs that the document starts begin in its folder; what they reach is their own affair.
    """
    ports = None if settings.site == "real" else mock_ports(host) if host is not None else {}

    def open_tools() -> AbstractAsyncContextManager[Tools]:
        servers = {name: render_part(server, values) for name, server in procedure.sop.private.tools.items()}
        return opened_tools(servers, procedure.path.parent, ports)

    return open_tools


@asynccontextmanager
async def browser_process(settings: Settings, host: SiteHost | None) -> AsyncIterator[Browser]:
    """A browser for a whole session. With mock sites it reaches them at their real names, and nothing else.

    Raises: BrowserMissing.
    """
    choice = find_browser(settings.browser_executable, headed=settings.headed)
    arguments = [*launch_arguments()]
    if host is not None:
        arguments.append(host_mapping(mock_ports(host)))
    async with launched(
        executable=choice.executable,
        arguments=arguments,
        headed=settings.headed,
        slow_mo_ms=settings.slow_mo_ms,
        channel=settings.browser_channel,
    ) as browser:
        yield browser


def browser_opener(
    browser: Browser,
    procedure: Loaded,
    settings: Settings,
    masker: Masker,
    options: Mapping[str, Any] | None = None,
    disturbance: Disturbance | None = None,
    host: SiteHost | None = None,
) -> Callable[[Path], AbstractAsyncContextManager[OpenBrowser]]:
    """How a trial opens its browser session. On real sites it comes with the saved sign-ins.

    Paths of uploads begin at the document's folder.
    """
    context: dict[str, Any] = {"ignore_https_errors": True} if settings.site == "mock" else saved_sign_ins()
    context.update(options or {})

    def launch_again() -> AbstractAsyncContextManager[Browser]:
        return browser_process(settings, host)

    def open_session(folder: Path) -> AbstractAsyncContextManager[OpenBrowser]:
        return opened(
            browser,
            folder,
            masker=masker,
            tracing=settings.tracing,
            options=context,
            files=procedure.path.parent,
            launch_again=launch_again,
        )

    @asynccontextmanager
    async def open_disturbed(folder: Path) -> AsyncIterator[OpenBrowser]:
        faults = cast("Disturbance", disturbance)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(faults.at_work(folder, masker))
            started = browser
            if faults.needs_own_browser:
                started = await stack.enter_async_context(browser_process(settings, host))
            session = await stack.enter_async_context(
                opened(
                    started,
                    folder,
                    masker=masker,
                    tracing=settings.tracing,
                    options={**context, **faults.context_options()},
                    files=procedure.path.parent,
                    prepare=faults.context_opened,
                    launch_again=launch_again,
                )
            )
            disturbed = DisturbedSession(faults.browser(session.browser))
            try:
                yield disturbed
            finally:
                session.keep_trace = disturbed.keep_trace

    return open_session if disturbance is None else open_disturbed


def trial(
    spec: TrialSpec,
    *,
    procedure: Loaded,
    settings: Settings,
    engine: Engine,
    browser: Browser,
    oracles: Mapping[str, Oracle],
    own_variables: Mapping[str, Any] | None = None,
    context_options: Mapping[str, Any] | None = None,
    listeners: Sequence[Callable[[Event], None]] = (),
    host: SiteHost | None = None,
    disturbance: Disturbance | None = None,
) -> Trial:
    """A trial, ready to run. Raises: UsageError when nothing would look at its outcome; MissingSecret."""
    if not oracles:
        raise UsageError("nothing looks at the outcome: a trial needs an oracle (the fixture 'oracles')")
    env = environment(settings, spec.case)
    values, masker = variables(procedure, spec.case, settings, env, own_variables)
    return Trial(
        spec=spec,
        procedure=procedure,
        variables=values,
        limits=limits(procedure, settings),
        oracles=oracles,
        records=settings.records,
        masker=masker,
        engine=engine,
        open_browser=browser_opener(browser, procedure, settings, masker, context_options, disturbance, host),
        open_tools=tools_opener(procedure, values, settings, host),
        listeners=listeners if disturbance is None else (disturbance.moment, *listeners),
        fault_records=tuple if disturbance is None else disturbance.records,
    )
