"""Short ways to do something in a browser of either kind."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from sopbench.errors import StepError
from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import Expectation

from .conftest import Shop

Json = dict[str, Any]
ACTION: TypeAdapter[Any] = TypeAdapter(AnyAction)
EXPECTATION: TypeAdapter[Any] = TypeAdapter(Expectation)

SAVE: Json = {"role": "button", "name": "Save", "exact": True}
NAME: Json = {"label": "Name", "exact": True}
SAVED: Json = {"visible": {"role": "status"}}


COMES_S = 20.0
DOES_NOT_COME_S = 0.8
"""How long to wait for what will come, and for what will not."""


async def do(shop: Shop, verb: str, target: Json | None = None, **more: Any) -> None:
    data = {"do": verb, **more, **({"target": target} if target else {})}
    await shop.browser.perform(ACTION.validate_python(data), timeout_s=more.get("timeout_s", COMES_S))


async def holds(shop: Shop, expectation: Json) -> bool:
    return (await shop.browser.look(EXPECTATION.validate_python(expectation), timeout_s=0)).holds


async def refused(shop: Shop, verb: str, target: Json, **more: Any) -> StepError:
    """The error; on a busy machine a browser may need longer to get as far as finding the reason."""
    for patience_s in (DOES_NOT_COME_S, 5, 30):
        with pytest.raises(StepError) as raised:
            await do(shop, verb, target, timeout_s=patience_s, **more)
        if "it was not ready" not in str(raised.value):
            break
    return raised.value
