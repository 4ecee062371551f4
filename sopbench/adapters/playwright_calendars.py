"""Choosing a day in a calendar that a page made, whatever it is made of."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.adapters.in_page_scripts import script
from sopbench.errors import StepError
from sopbench.sop import meaning

if TYPE_CHECKING:
    import datetime as dt

    from playwright.async_api import ElementHandle, JSHandle, Locator

    from sopbench.sop.meaning import Conventions

_CALENDAR = script("calendar")
_SAYS = script("calendar_says")
_OPENER = script("calendar_opener")
_CONFIRM = script("calendar_confirm")
_LIVE = "(calendars, [at, path]) => path.reduce((it, key) => it?.[key], calendars[at]) ?? null"

_COMES_WITHIN_S = 1.5
_AT_ONCE_S = 0.3
_TURNS_WITHIN_S = 2.0
_LOOK_EVERY_S = 0.03
_MOST_TURNS = 600
_YEAR = 12
"""Months."""


@dataclass
class Calendars:
    """The calendars of a field's page. Every click may draw them anew, so they are looked for each time."""

    field: Locator
    date: dt.date
    page: Conventions
    deadline: float
    """On the monotonic clock."""
    known: JSHandle | None = None
    """Those that showed before the field was touched."""
    live: JSHandle | None = None

    async def remember(self) -> None:
        """What shows now is none that comes up later."""
        await self.look()
        self.known = self.live

    async def look(self) -> list[dict[str, Any]]:
        """What each says, those that belong to the field first: in it, come up since, known before."""
        names = [[*own, *english] for own, english in zip(self.page.months, meaning.ENGLISH.months, strict=True)]
        self.live = await self.field.evaluate_handle(_CALENDAR, [names, self.known], timeout=self._left_ms())
        says: list[dict[str, Any]] = await self.live.evaluate(_SAYS, self.date.day)
        said = [{**one, "at": at} for at, one in enumerate(says) if one["year"]]
        own = [one for one in said if one["isIn"]] or [one for one in said if not one["isKnown"]]
        return own or said

    async def open(self) -> bool:
        """Bring the field's calendar up. True if it came by this; False if it stands on the page anyway.

        Raises: StepError when none comes.
        """
        there = await self.look()
        if any(one["isIn"] for one in there):
            return False
        if any(not one["isKnown"] for one in there):
            return True
        await self.field.click(timeout=self._left_ms())
        if await self._comes():
            return True
        opener = (await self.field.evaluate_handle(_OPENER)).as_element()
        if opener is not None:
            await self._click(opener, "what opens the calendar")
            if await self._comes():
                return True
        if not await self.look():
            raise StepError("no calendar came up when it was clicked", performed=False)
        return False

    async def comes_up(self) -> bool:
        """Whether a click on the field brings its calendar up at once."""
        if not await self.is_open():
            await self.field.click(timeout=self._left_ms())
        return await self._comes(_AT_ONCE_S)

    async def choose(self) -> None:
        """Turn to the month and click the day. Raises: StepError, not performed, when that cannot be."""
        goal = self.date.year * 12 + self.date.month
        shown = await self.look()
        for _ in range(_MOST_TURNS):
            if not shown:
                raise StepError("the calendar went away before the day was chosen", performed=False)
            nearest = min(shown, key=lambda one: abs(goal - _month(one)))
            if _month(nearest) == goal:
                await self._click_day(nearest)
                return
            shown = await self._turn(nearest, goal - _month(nearest))
        raise StepError(f"the calendar did not come to {self.date:%Y-%m} in {_MOST_TURNS} turns", performed=False)

    async def confirm(self) -> bool:
        """Click the button that makes the choice hold, if the calendar still shows and has one."""
        if not await self.look() or self.live is None:
            return False
        button = (await self.live.evaluate_handle(_CONFIRM)).as_element()
        if button is None:
            return False
        await self._click(button, "the calendar's button")
        return True

    async def is_chosen(self) -> bool:
        """Whether the calendar itself shows the day as the chosen one."""
        month = self.date.year * 12 + self.date.month
        return any(one["isChosen"] for one in await self.look() if _month(one) == month)

    async def is_open(self) -> bool:
        """Whether one shows that did not before."""
        return any(not one["isKnown"] for one in await self.look())

    async def _comes(self, within_s: float = _COMES_WITHIN_S) -> bool:
        until = min(time.monotonic() + within_s, self.deadline)
        while True:
            if await self.is_open():
                return True
            if time.monotonic() > until:
                return False
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _turn(self, shown: dict[str, Any], months: int) -> list[dict[str, Any]]:
        """Bring it nearer by so many months or fewer; gives what shows then. Raises: StepError."""
        before = (shown["year"], shown["month"])
        if not await self._select(shown):
            way = "on" if months > 0 else "back"
            turns = shown["turns"]
            if abs(months) >= _YEAR and turns[way + "Year"] == "ready":
                way += "Year"
            if turns[way] != "ready":
                why = "cannot be turned further" if turns[way] else "has nothing that turns it"
                raise StepError(f"the calendar shows {_said(before)} and {why}", performed=False)
            button = await self._element(shown["at"], [way])
            await self._click(button, "what turns the calendar")
        until = min(time.monotonic() + _TURNS_WITHIN_S, self.deadline)
        while True:
            now = await self.look()
            if now and (now[0]["year"], now[0]["month"]) != before:
                return now
            if time.monotonic() > until:
                raise StepError(f"the calendar still shows {_said(before)} after it was turned", performed=False)
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _select(self, shown: dict[str, Any]) -> bool:
        """By the calendar's own drop-downs, the year first; False if there are none that lead nearer."""
        years, months = shown["years"], shown["months"]
        if years and shown["year"] != self.date.year:
            nearest = min(years, key=lambda year: abs(year - self.date.year))
            if nearest != shown["year"]:
                element = await self._element(shown["at"], ["select", "year"])
                await element.select_option(index=years.index(nearest), timeout=self._left_ms())
                return True
        elif months and self.date.month in months and shown["year"] == self.date.year:
            element = await self._element(shown["at"], ["select", "month"])
            await element.select_option(index=months.index(self.date.month), timeout=self._left_ms())
            return True
        return False

    async def _click_day(self, shown: dict[str, Any]) -> None:
        if shown["isBarred"] or not shown["hasDay"]:
            raise StepError(f"the calendar does not let {self.date.isoformat()} be chosen", performed=False)
        said = [date for label in shown["labels"] if (date := meaning.date_in(label, self.page)) is not None]
        if said and self.date not in said:
            message = f"the calendar's day {self.date.day} of {_said((shown['year'], shown['month']))} says {said[0]}"
            raise StepError(message, performed=False)
        await self._click(await self._element(shown["at"], ["days", self.date.day - 1]), f"day {self.date.day}")

    async def _element(self, at: int, path: list[str | int]) -> ElementHandle:
        assert self.live is not None  # noqa: S101 - looked at before
        element = (await self.live.evaluate_handle(_LIVE, [at, path])).as_element()
        if element is None:
            raise StepError("the calendar was drawn anew while it was used", performed=False)
        return element

    async def _click(self, element: ElementHandle, what: str) -> None:
        try:
            await element.click(timeout=self._left_ms())
        except PlaywrightTimeout as error:
            raise StepError(f"{what} cannot be clicked", performed=None) from error

    def _left_ms(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise StepError(f"the calendar did not come to {self.date:%Y-%m} in time", performed=None)
        return left * 1000


def _month(shown: dict[str, Any]) -> int:
    return int(shown["year"]) * 12 + int(shown["month"])


def _said(year_and_month: tuple[int, int]) -> str:
    return f"{year_and_month[0]}-{year_and_month[1]:02}"
