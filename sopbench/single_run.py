"""One run from the command line: on mock sites a trial with its verdict, elsewhere just a run."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from pydantic import BaseModel

from sopbench import wiring
from sopbench.adapters.playwright_errors import translated
from sopbench.adapters.saved_logins import save_sign_in
from sopbench.adapters.vcr_cassettes import Cassette
from sopbench.engine.context import Autonomy
from sopbench.events.log import LOG_NAME, EventLog
from sopbench.events.types import (
    AlternativeTaken,
    AttemptStarted,
    Interrupted,
    RunResumed,
    StepFailed,
    StepStarted,
)
from sopbench.records.folder import new_run_folder
from sopbench.sites.host import SiteHost
from sopbench.sop.loader import load
from sopbench.sop.needs import model_nodes
from sopbench.trials.case import default_case, load_case
from sopbench.trials.record import TrialRecord
from sopbench.trials.seeds import trial_seed
from sopbench.trials.trial import TrialSpec
from sopbench.trials.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from playwright.async_api import Browser, Page

    from sopbench.engine.run import Engine
    from sopbench.events.types import Event
    from sopbench.sop.loader import Loaded
    from sopbench.trials.case import Case
    from sopbench.wiring import Settings


class SingleRun(BaseModel):
    """What came of it."""

    folder: str
    status: str
    reason: str
    record: TrialRecord | None = None
    """Where there was a case, and an oracle for it."""

    @property
    def good(self) -> bool:
        return self.record.judgement.verdict is Verdict.PASSED if self.record else self.status == "completed"


async def run_once(
    document: Path, settings: Settings, case_folder: Path | None, seed: int, say: Callable[[str], None]
) -> SingleRun:
    """Run a document once, and tell how it goes.

    Raises: DocumentInvalid, UsageError and its like before a browser is opened; SopbenchError.
    """
    procedure = load(document)
    procedure.require_runnable()
    if case_folder is None and settings.site == "mock":
        case_folder = default_case(document)
    case = load_case(case_folder) if case_folder else None
    _, masker = wiring.variables(procedure, case, settings, wiring.environment(settings, case))
    async with AsyncExitStack() as stack:
        host = stack.enter_context(SiteHost(port=settings.site_port)) if settings.site == "mock" else None
        cassette = None
        if settings.llm != "live":
            path = procedure.path.parent / "cassettes" / f"{case.name if case else 'default'}.json"
            cassette = Cassette(path, settings.llm, masker=masker, served_by=settings.llm_served_by)
            stack.enter_context(cassette)
        model = wiring.model(settings, cassette)
        stack.push_async_callback(model.aclose)
        if settings.autonomy is not Autonomy.DETERMINISTIC and model_nodes(procedure.sop):
            model.prepare()
        engine = wiring.engine(settings, model, wiring.operator(settings))
        engine.check(procedure.sop)
        browser = await stack.enter_async_context(wiring.browser_process(settings, host))
        if case is None or (host is None and "AIRTABLE_TOKEN" not in wiring.environment(settings, case)):
            return await _plain(procedure, settings, engine, browser, case, host, say)
        return await _judged(procedure, settings, engine, browser, case, host, seed, say)


async def _judged(
    procedure: Loaded,
    settings: Settings,
    engine: Engine,
    browser: Browser,
    case: Case,
    host: SiteHost | None,
    seed: int,
    say: Callable[[str], None],
) -> SingleRun:
    spec = TrialSpec(
        scenario=procedure.path.parent.name,
        case=case,
        condition="clean",
        number=1,
        seed=trial_seed(seed, 1),
        site=settings.site,
        llm=settings.llm,
        autonomy=settings.autonomy,
    )
    if host is None:
        oracles = wiring.real_oracles(case, wiring.environment(settings, case))
    else:
        sites = wiring.mock_sites(None, case, spec.seed)
        host.mount(sites)
        oracles = wiring.mock_oracles(sites, case, host)
    trial = wiring.trial(
        spec,
        procedure=procedure,
        settings=settings,
        engine=engine,
        browser=browser,
        oracles=oracles,
        listeners=(_teller(say),),
        host=host,
    )
    result = await trial.run()
    record = trial.done[-1]
    say(
        f"{record.judgement.verdict} ({record.judgement.grade})" if record.judgement.grade else record.judgement.verdict
    )
    if record.judgement.reason:
        say(record.judgement.reason)
    say(f"sopbench show {record.folder}")
    return SingleRun(folder=record.folder, status=result.status, reason=result.reason, record=record)


async def _plain(
    procedure: Loaded,
    settings: Settings,
    engine: Engine,
    browser: Browser,
    case: Case | None,
    host: SiteHost | None,
    say: Callable[[str], None],
) -> SingleRun:
    values, masker = wiring.variables(procedure, case, settings, wiring.environment(settings, case))
    folder = new_run_folder(settings.records, procedure.sop.meta.id, engine.clock.now())
    open_browser = wiring.browser_opener(browser, procedure, settings, masker, host=host)
    open_tools = wiring.tools_opener(procedure, values, settings, host)
    with EventLog(folder / LOG_NAME, now=engine.clock.now, masker=masker, listeners=(_teller(say),)) as log:
        async with open_browser(folder) as session, open_tools() as tools:
            result = await engine.run(
                procedure.sop,
                browser=session.browser,
                tools=tools,
                log=log,
                variables=values,
                limits=wiring.limits(procedure, settings),
                folder=folder,
                sha256=procedure.sha256,
                context={"document": str(procedure.path)},
            )
            session.keep_trace = not result.completed
    say(f"{result.status}: {masker.text(result.reason)}")
    say(f"sopbench show {folder}")
    return SingleRun(folder=str(folder), status=result.status, reason=masker.text(result.reason))


def _teller(say: Callable[[str], None]) -> Callable[[Event], None]:
    """One line per step while it is being done, and one for what went wrong."""

    def tell(event: Event) -> None:
        match event:
            case StepStarted():
                say(f"{event.step:>4}  {' '.join((*event.path, event.label))}")
            case AttemptStarted():
                say(f"      attempt {event.attempt}")
            case RunResumed():
                say(f"      begun again, {event.done} items done: {event.why}")
            case Interrupted():
                say(f"      something came between: {event.label}")
            case AlternativeTaken():
                say(f"      another way: {event.skill}")
            case StepFailed():
                say(f"      failed: {event.message}")
            case _:
                pass

    return tell


async def sign_in(site: str, url: str, settings: Settings, signed_in: Callable[[Page], Awaitable[None]]) -> Path:
    """Open a page, wait until somebody has signed in there, and keep what the browser then knows.

    Raises: BrowserMissing, NavigationFailed.
    """
    async with wiring.browser_process(settings, None) as browser:
        context = await browser.new_context()
        page = await context.new_page()
        with translated(url):
            await page.goto(url)
        await signed_in(page)
        return await save_sign_in(context, site)
