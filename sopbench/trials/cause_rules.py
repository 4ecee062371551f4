"""The rules of the causes, in the order in which they are asked. Each looks for one kind of evidence.

The order goes from what leaves no doubt to what is left over. What the page itself says comes before what the driver
missed on it: on a sign-in page *every* element is missing, and after a lost connection every row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopbench.events.types import ActionFailed, AlternativeTaken, Event, Interrupted, PageSeen, StepFinished
from sopbench.trials import cause_words as words

if TYPE_CHECKING:
    from collections.abc import Callable

    from sopbench.trials.episodes import Episode
    from sopbench.trials.fault import Cause

_OF_MODELS = ("CassetteMiss", "ModelUnavailable", "AnswerUnusable", "AnswersDiffer", "TextInvalid")
_OF_NETWORK = ("NetworkFailed", "ToolUnavailable")
_OF_OPERATOR = ("OperatorStopped", "Rejected")
_OF_DOCUMENT = ("TemplateFailed", "StepError")
_KNOWS_NOBODY = (401, 403)
_FIELDS = {"textbox", "combobox", "listbox", "checkbox", "switch", "spinbutton", "searchbox"}
_PASSES_BY = (408, 425, 429)
"""Statuses below 500 that say "later"."""


@dataclass(frozen=True)
class Finding:
    """What a rule found."""

    cause: Cause
    because: str
    events: tuple[tuple[Event, str], ...] = ()
    """Each with what of it counts."""


def browser_lost(episode: Episode) -> Finding | None:
    """The browser or its page is gone."""
    found = _errors(episode, "BrowserLost")
    return Finding("browser", "the browser or its page was gone", found) if found else None


def model_gave_no_answer(episode: Episode) -> Finding | None:
    """The model refused, was out of reach, or answered what cannot be used."""
    found = _errors(episode, *_OF_MODELS)
    if not found:
        return None
    return Finding("model", "the model gave no answer that could be used", found)


def unexpected_dialog(episode: Episode) -> Finding | None:
    """A dialog of the browser came up, or did not."""
    found = _errors(episode, "DialogFailed")
    return Finding("navigation", "a dialog of the browser that nobody expected", found) if found else None


def asked_who_is_there(episode: Episode) -> Finding | None:
    """The page is one for signing in, or a challenge, where the step expects neither; or it is somebody else's."""
    signing_in = bool(words.ABOUT_SIGNING_IN.search(episode.about) or words.SIGN_IN.search(episode.about))
    for page in episode.pages:
        said = " · ".join((page.title, *page.headings, *page.notices))
        challenge = words.CHALLENGE.search(said) or words.CHALLENGE.search(page.text[:300])
        if challenge:
            return Finding("session", f"the page asks for something first: {challenge[0]!r}", ((page, said),))
        asks = words.SIGN_IN.search(said) or page.asks_password or words.ADDRESS_OF_SIGN_IN.search(page.url)
        if asks and not signing_in:
            return Finding("session", "a page for signing in stands where the step expects another", ((page, said),))
        if unknown := [each for each in page.troubles if each.status in _KNOWS_NOBODY]:
            told = f"{unknown[0].method} {unknown[0].url}: {unknown[0].outcome}"
            return Finding("session", "the site no longer knows who is there", ((page, told),))
        if other := _somebody_else(page, episode):
            return Finding("session", "somebody else is signed in", ((page, other),))
    return None


def network_gave_out(episode: Episode) -> Finding | None:
    """Requests failed, were answered with an error, or an answer did not come whole."""
    if found := _errors(episode, *_OF_NETWORK):
        return Finding("network", "the network or the server did not answer as it should", found)
    for page in episode.pages:
        failed = [each for each in page.troubles if _is_of_network(each.status, each.outcome)]
        if failed:
            told = "; ".join(f"{each.method} {each.url}: {each.outcome}" for each in failed[:3])
            return Finding("network", "what the page asked for did not come", ((page, told),))
        cut_off = [each for each in page.complaints if words.CUT_OFF.search(each)]
        if cut_off:
            return Finding("network", "an answer did not come whole", ((page, "; ".join(cut_off)),))
        said = " · ".join((page.title, *page.headings, *page.notices))
        if match := words.NO_NETWORK.search(said):
            return Finding("network", f"the page says so: {match[0]!r}", ((page, said),))
    return None


def something_in_the_way(episode: Episode) -> Finding | None:
    """Something lay over the element, or had to be put out of the way."""
    found = tuple((event, said) for event, _, said in episode.errors if words.COVERED.search(said))
    if found:
        return Finding("target", "something lay over the element", found)
    between = tuple((event, f"{event.label}: {'; '.join(event.seen)}") for event in episode.of(Interrupted))
    return Finding("target", "something came between, and was dealt with", between) if between else None


def column_changed(episode: Episode) -> Finding | None:
    """A table has no column of that name any more, but one whose name contains it or is part of it."""
    for failure in episode.failures:
        target = episode.arguments(failure).get("target")
        name = _name(target)
        page = next((page for page in episode.pages if page.seq > failure.seq), None)
        if not name or page is None or name in page.columns:
            continue
        like = [column for column in page.columns if _contains_words(column, name) or _contains_words(name, column)]
        if like and failure.error == "TargetNotFound":
            because = f"the table has no column {name!r}, but {like[0]!r}"
            return Finding("data", because, ((failure, failure.message), (page, ", ".join(page.columns))))
    return None


def field_changed(episode: Episode) -> Finding | None:
    """A field that is filled in has more to its name than it had, word for word, or is one of another kind."""
    for heal in episode.healed:
        was, now = str(heal.old.get("name") or ""), str(heal.new.get("name") or "")
        kinds = str(heal.old.get("role") or ""), str(heal.new.get("role") or "")
        if not was or not set(kinds) <= _FIELDS:
            continue
        if was == now and kinds[0] != kinds[1]:
            return Finding("data", f"the field {was!r} is a {kinds[1]} now, and was a {kinds[0]}", ((heal, heal.says),))
        if was != now and re.search(rf"(?<!\w){re.escape(was)}(?!\w)", now):
            return Finding("data", f"the field {was!r} is called {now!r} now", ((heal, heal.says),))
    return None


def was_slow(episode: Episode) -> Finding | None:
    """It came in the end, but what the page had asked for was long under way; or that is still awaited."""
    for page in episode.pages:
        late = [each for each in page.troubles if each.status is None or (episode.recovered and each.status < 400)]
        if late and not episode.healed:
            told = "; ".join(f"{each.method} {each.url}: {each.outcome} ({each.took_s:.1f} s)" for each in late[:3])
            return Finding("network", "what the page had asked for was long under way", ((page, told),))
    return None


def another_element_taken(episode: Episode) -> Finding | None:
    """It went on with another element, or by another way, in place of one that was not found."""
    if episode.healed:
        found = tuple((event, event.says) for event in episode.healed)
        return Finding("target", "the element was found by other things than its target says", found)
    if any(event.tier == "healed" for event in episode.of(StepFinished)) and episode.failures:
        missed = _missing(episode) or tuple((event, event.message) for event in episode.failures)
        return Finding("target", "the element was folded away, or something else stood for it", missed)
    taken = episode.of(AlternativeTaken)
    if taken and _missing(episode):
        return Finding("target", "the element was not found, and the step was done in another way", _missing(episode))
    return None


def came_late(episode: Episode) -> Finding | None:
    """The same thing, tried again or waited for, worked; or the element was there and not ready."""
    not_ready = tuple((event, said) for event, _, said in episode.errors if words.NOT_READY.search(said))
    if episode.recovered and episode.failures:
        found = tuple((event, event.message) for event in episode.failures)
        return Finding("timing", "what failed at first held soon after, with nothing else changed", found)
    if not_ready:
        return Finding("timing", "the element was there and not ready in time", not_ready)
    return None


def value_unreadable(episode: Episode) -> Finding | None:
    """The document could not make of a text that the run read what such a text should say."""
    for failure in episode.failures:
        read = [text for text in episode.read_before(failure.seq) if text in failure.message]
        if read and failure.error == "TemplateFailed":
            because = f"{max(read, key=len)!r}, which the page shows, is not what should stand there"
            return Finding("data", because, ((failure, failure.message),))
    return None


def form_wants_more(episode: Episode) -> Finding | None:
    """The page says that a field must be filled, and it is none that the step fills."""
    for page in episode.pages:
        said = next((each for each in page.notices if words.REQUIRED.search(each)), "")
        if said:
            return Finding("data", "the form is not taken without a value that nobody gave", ((page, said),))
    return None


def datum_not_there(episode: Episode) -> Finding | None:
    """What is looked for is named by something the run read before, and is gone, or there more than once."""
    for failure in episode.failures:
        named = _named_by_data(failure, episode)
        if named:
            several = words.SEVERAL.search(failure.message)
            what = "is there more than once" if several else "is not there any more"
            return Finding("data", f"{named!r}, which the run read before, {what}", ((failure, failure.message),))
    return None


def item_not_listed(episode: Episode) -> Finding | None:
    """An item that failed is gone when the run looks for it again."""
    end = episode.end
    if end is None or not words.NOT_LISTED.search(end.reason):
        return None
    return Finding("data", "an item that the run had read is not listed any more", ((end, end.reason),))


def value_not_as_expected(episode: Episode) -> Finding | None:
    """A value is missing, is not what it should be, or a field does not keep it."""
    found = _errors(episode, "DataInvalid", "ValueNotHeld", "ToolRefused")
    return Finding("data", "a value is not what it should be", found) if found else None


def other_page(episode: Episode) -> Finding | None:
    """The page is another one than expected."""
    if found := _errors(episode, "NavigationFailed"):
        return Finding("navigation", "the page did not load", found)
    found = tuple((event, said) for event, _, said in episode.errors if words.ADDRESS_EXPECTED.search(said))
    return Finding("navigation", "another page than expected was shown", found) if found else None


def element_missing(episode: Episode) -> Finding | None:
    """The element, or what the action should bring to sight, is not on the page, or not alone."""
    found = _missing(episode)
    if found:
        return Finding("target", "no single element on the page is the one that is meant", found)
    unseen = _errors(episode, "ExpectationFailed", "GoalNotReached")
    return Finding("target", "what should be seen is not on the page", unseen) if unseen else None


def operator_said_no(episode: Episode) -> Finding | None:
    """A person said no, did not answer, or stopped it."""
    if found := _errors(episode, *_OF_OPERATOR):
        return Finding("operator", "the operator said no, or nobody answered", found)
    end = episode.end
    if end is not None and end.status in ("stopped", "cancelled"):
        return Finding("operator", "the run was stopped", ((end, end.reason),))
    return None


def limit_reached(episode: Episode) -> Finding | None:
    """Time, steps, tokens or cost were used up."""
    if found := _errors(episode, "LimitReached"):
        return Finding("limit", "a limit was used up", found)
    end = episode.end
    if end is not None and (end.status == "timed_out" or end.cause == "limit"):
        return Finding("limit", "a limit was used up", ((end, end.reason),))
    return None


def document_at_fault(episode: Episode) -> Finding | None:
    """Nothing else explains it: what the document asks for could not be done."""
    if found := _errors(episode, *_OF_DOCUMENT):
        return Finding("procedure", "the document asks for what cannot be done", found)
    end = episode.end
    if end is not None and end.status == "failed":
        return Finding("procedure", "the document asks for what cannot be done", ((end, end.reason),))
    return None


RULES: tuple[Callable[[Episode], Finding | None], ...] = (
    browser_lost,
    model_gave_no_answer,
    unexpected_dialog,
    asked_who_is_there,
    network_gave_out,
    something_in_the_way,
    column_changed,
    field_changed,
    another_element_taken,
    was_slow,
    came_late,
    form_wants_more,
    value_unreadable,
    datum_not_there,
    item_not_listed,
    value_not_as_expected,
    other_page,
    element_missing,
    operator_said_no,
    limit_reached,
    document_at_fault,
)


def _errors(episode: Episode, *kinds: str) -> tuple[tuple[Event, str], ...]:
    return tuple((event, said) for event, kind, said in episode.errors if kind in kinds)


def _missing(episode: Episode) -> tuple[tuple[Event, str], ...]:
    missing = tuple((event, said) for event, kind, said in episode.errors if kind == "TargetNotFound")
    return missing + tuple((event, event.why) for event in episode.unclear)


def _is_of_network(status: int | None, outcome: str) -> bool:
    if status is not None:
        return status >= 500 or status in _PASSES_BY
    return outcome.startswith("ERR_")


def _somebody_else(page: PageSeen, episode: Episode) -> str:
    """The account that the page names, when it is none of those that the run was given."""
    given = episode.given_accounts
    for account in page.accounts:
        if given and not any(each in account.casefold() for each in given):
            return account
    return ""


def _named_by_data(failure: ActionFailed, episode: Episode) -> str:
    target = episode.arguments(failure).get("target")
    said = str(target) if failure.error == "TargetNotFound" else failure.message.partition("; found:")[0]
    named = [text for text in episode.data if text in said]
    return max(named, key=len, default="")


def _name(target: object) -> str:
    """What a target calls its element."""
    if not isinstance(target, dict):
        return ""
    told = next((target[key] for key in ("name", "label", "placeholder", "text") if target.get(key)), "")
    return str(told)


def _contains_words(longer: str, shorter: str) -> bool:
    those, these = longer.casefold().split(), shorter.casefold().split()
    return bool(these) and len(those) > len(these) and set(these) <= set(those)
