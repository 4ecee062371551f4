"""The driver's errors in our words."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.errors import BrowserLost, NavigationFailed, NetworkFailed, StepError, TargetNotFound

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterator

    from playwright.async_api import Response

_LOST = ("Target closed", "has been closed", "Target crashed", "Page crashed", "Connection closed", "Browser closed")


ANSWERS_WITHIN_S = 20.0
"""A page that is asked something and takes longer than this is stuck: even a very slow one answers before."""


@asynccontextmanager
async def unless_stuck(what: str, own_s: float = 0.0) -> AsyncIterator[None]:
    """Do not wait for ever for a page that is stuck: the driver has no time limit for most of what it asks.

    ``own_s`` is what the question itself may take. Raises: BrowserLost when it took longer; StepError for the driver's
    own errors.
    """
    within_s = own_s + ANSWERS_WITHIN_S
    try:
        async with asyncio.timeout(within_s) as limit:
            with translated(what):
                yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise BrowserLost(f"{what}: the page gave no answer within {within_s:g} s", performed=None) from error


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn the driver's errors into ours; ``what`` is it was about. Raises: StepError."""
    try:
        yield
    except Error as error:
        raise translate(error, what) from error


def translate(error: Error, what: str) -> StepError:
    message = error.message
    if any(sign in message for sign in _LOST):
        return BrowserLost(f"the browser or its page is gone: {message.splitlines()[0]}", performed=None)
    if "strict mode violation" in message:
        count = message.split("resolved to ", 1)[-1].split()[0]
        message = f"{count} elements fit {what}; say which one is meant"
        return TargetNotFound(message, performed=False, target=what, count=int(count))
    if isinstance(error, PlaywrightTimeout):
        return TargetNotFound(f"no element fits {what}", performed=False, target=what, count=0)
    return StepError(f"{what}: {message.splitlines()[0]}", performed=None)


async def load(url: str, loading: Awaitable[Response | None], timeout_ms: float) -> Response | None:
    """Wait for a page. Raises: NetworkFailed, NavigationFailed, StepError."""
    try:
        response = await loading
    except PlaywrightTimeout as error:
        raise NetworkFailed(f"{url} did not load within {timeout_ms / 1000:g} s", performed=None) from error
    except Error as error:
        if "net::" in error.message:
            reason = error.message.split("net::", 1)[1].split()[0]
            raise NetworkFailed(f"{url} cannot be reached: {reason}", performed=False) from error
        raise translate(error, url) from error
    if response is not None and response.status >= 400:
        kind = NetworkFailed if response.status >= 500 else NavigationFailed
        raise kind(f"{url} answered {response.status} {response.status_text}".rstrip(), performed=True)
    return response
