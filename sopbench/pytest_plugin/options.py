"""Options, each with an ini key of the same name, and the settings they come down to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from sopbench.engine.context import Autonomy
from sopbench.errors import UsageError
from sopbench.wiring import Settings, numbers, pairs

if TYPE_CHECKING:
    from sopbench.adapters.playwright_session import Tracing

# name, default, choices, help
_OPTIONS: tuple[tuple[str, str, tuple[str, ...] | None, str], ...] = (
    ("trials", "3", None, "trials per case and condition"),
    ("seed", "0", None, "trial k uses a seed derived from this and k"),
    ("site", "mock", ("mock", "real"), "mock sites, or the real ones with saved sign-ins"),
    ("autonomy", "light", tuple(mode.value for mode in Autonomy), "what the engine may do by itself"),
    ("llm", "replay", ("replay", "record", "live"), "model answers from cassettes, recorded anew, or live"),
    ("llm-base-url", "", None, "endpoint of the model, if not its maker's"),
    (
        "llm-model",
        "",
        None,
        "the model: anthropic/NAME, or openai/NAME for any endpoint like OpenAI's",
    ),
    ("llm-served-by", "", None, "what really answers at that endpoint; goes into the cassette's header"),
    ("operator", "unattended", None, "who answers questions: unattended, terminal, or a file"),
    ("screenshots", "steps", ("off", "failure", "steps"), "pictures of the page in the run's records"),
    ("records", "reports/runs", None, "where the runs' folders go"),
    ("browser-executable", "", None, "the browser to use, instead of the one that is found"),
    ("site-port", "0", None, "port of the mock sites; 0 takes any free one"),
)
_LISTS: tuple[tuple[str, str, str], ...] = (
    ("case", "PATH", "a case folder, instead of the scenario's; repeatable"),
    (
        "condition",
        "NAME",
        "conditions to try under: names, files or 'all'; repeatable (default: clean); see `sopbench conditions`",
    ),
    ("limit", "NAME=VALUE", "a limit of the run, e.g. run_s=600; repeatable"),
    ("var", "NAME=VALUE", "a variable of the procedure; repeatable"),
)


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("sopbench", "procedures in a browser (sopbench)")
    told = "decide the claims of gate.toml or pyproject.toml; stop as soon as all are, and exit with the answer"
    group.addoption("--gate", action="store_true", default=None, help=f"{told} (default: off)")
    parser.addini("gate", told, type="bool", default=False)
    for name, default, choices, text in _OPTIONS:
        group.addoption(f"--{name}", choices=choices, default=None, help=f"{text} (default: {default or 'none'})")
        parser.addini(_ini(name), text, default=default)
    for name, meta, text in _LISTS:
        group.addoption(f"--{name}", action="append", default=[], metavar=meta, help=text)
        parser.addini(_ini(name), text, type="linelist", default=[])


def option(config: pytest.Config, name: str) -> str:
    """An option's value: from the command line, else the ini file, else its default."""
    given = config.getoption(f"--{name}")
    return str(config.getini(_ini(name)) if given is None else given)


def gated(config: pytest.Config) -> bool:
    """Whether the session is to decide the claims of the policy."""
    return bool(config.getoption("--gate") or config.getini("gate"))


def options(config: pytest.Config, name: str) -> list[str]:
    """All values of a repeatable option; those of the command line replace those of the ini file."""
    given = config.getoption(f"--{name}") or config.getini(_ini(name))
    return [
        part for value in cast("list[str]", given) for part in ([value] if name != "condition" else value.split(","))
    ]


def number(config: pytest.Config, name: str, *, at_least: int) -> int:
    """Raises: UsageError."""
    text = option(config, name)
    if not text.lstrip("-").isdigit() or int(text) < at_least:
        raise UsageError(f"--{name} {text}: not a whole number of at least {at_least}")
    return int(text)


def settings(config: pytest.Config) -> Settings:
    """What the options come down to. Raises: UsageError."""
    executable = option(config, "browser-executable")
    return Settings(
        site=cast("Any", option(config, "site")),
        autonomy=Autonomy(option(config, "autonomy")),
        llm=cast("Any", option(config, "llm")),
        llm_base_url=option(config, "llm-base-url") or None,
        llm_model=option(config, "llm-model") or None,
        llm_served_by=option(config, "llm-served-by"),
        operator=_operator(config),
        screenshots=cast("Any", option(config, "screenshots")),
        tracing=_tracing(config),
        records=Path(option(config, "records")),
        headed=bool(config.getoption("--headed")),
        slow_mo_ms=float(config.getoption("--slowmo")),
        browser_channel=config.getoption("--browser-channel"),
        browser_executable=Path(executable) if executable else None,
        site_port=number(config, "site-port", at_least=0),
        limits=numbers(options(config, "limit")),
        variables=pairs(options(config, "var"), "--var"),
    )


def _operator(config: pytest.Config) -> str:
    """Raises: UsageError where a terminal could not be answered at."""
    name = option(config, "operator")
    if name != "terminal":
        return name
    if hasattr(config, "workerinput") or config.getoption("numprocesses", None):
        raise UsageError("--operator terminal: worker processes have no terminal; run it without -n")
    if config.getoption("capture") != "no":
        raise UsageError("--operator terminal: pytest captures what is typed and shown; run it with -s")
    return name


def _tracing(config: pytest.Config) -> Tracing:
    """Playwright's own option where it was given; a trace is kept of all but clean passes where it was not."""
    given = [str(arg) for arg in (*config.getini("addopts"), *config.invocation_params.args)]
    if not any(arg.startswith("--tracing") for arg in given):
        return "unless-clean"
    value = config.getoption("--tracing")
    return "unless-clean" if value == "retain-on-failure" else cast("Tracing", value)


def _ini(name: str) -> str:
    return name.replace("-", "_")
