"""The private interface between the page and its server: each call takes and gives plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.sites.gmail import views
from sopbench.sites.gmail.store import Letter, Refused

if TYPE_CHECKING:
    from sopbench.sites.gmail.store import Mailbox
    from sopbench.trials.case import Account

_LETTER = ("thread", "draft", "to", "cc", "subject", "text")

Data = dict[str, Any]


class Calls:
    """What the page can ask for and order, once somebody has signed in."""

    def __init__(self, box: Mailbox, account: Account) -> None:
        self._box = box
        self._account = account
        self._answers = {
            "start": self._start,
            "list": self._list,
            "thread": self._thread,
            "change": self._change,
            "undo": self._undo,
            "label": self._label,
            "send": self._send,
            "draft": self._draft,
            "discard": self._discard,
        }

    def answer(self, name: str, asked: object) -> tuple[int, Data]:
        """HTTP status and data for a call; on 4xx the data is ``{"error": text}``."""
        if name not in self._answers or not isinstance(asked, dict):
            return 400, {"error": "Bad request"}
        try:
            return 200, self._answers[name](asked)
        except Refused as error:
            return 422, {"error": str(error)}
        except KeyError:
            return 404, {"error": "The conversation you requested cannot be loaded."}
        except (ValueError, TypeError):
            return 400, {"error": "Bad request"}

    def _start(self, _asked: Data) -> Data:
        account = {"name": self._account.name, "email": self._account.email}
        return self._with_navigation(account=account, pageSize=views.PAGE)

    def _list(self, asked: Data) -> Data:
        view, argument = str(asked.get("view", "")), str(asked.get("argument", ""))
        return views.listing(self._box, view, argument, int(asked.get("page", 1)))

    def _thread(self, asked: Data) -> Data:
        thread = self._box.threads[str(asked.get("id"))]
        shown = views.conversation(self._box, thread)
        if any(message["unread"] for message in shown["messages"]):
            self._box.change([thread.id], [], ["UNREAD"])
        return self._with_navigation(thread=shown)

    def _change(self, asked: Data) -> Data:
        ids, add, remove = (_strings(asked.get(key, [])) for key in ("threads", "add", "remove"))
        return self._with_navigation(undo=self._box.change(ids, add, remove))

    def _undo(self, asked: Data) -> Data:
        self._box.undo(str(asked.get("undo")))
        return self._with_navigation()

    def _label(self, asked: Data) -> Data:
        return self._with_navigation(name=self._box.create_label(str(asked.get("name", ""))))

    def _send(self, asked: Data) -> Data:
        return self._with_navigation(id=self._box.send(_letter(asked)).id)

    def _draft(self, asked: Data) -> Data:
        return self._with_navigation(draft=self._box.save_draft(_letter(asked)).id)

    def _discard(self, asked: Data) -> Data:
        self._box.discard(str(asked.get("draft")))
        return self._with_navigation()

    def _with_navigation(self, **data: Any) -> Data:
        return {**data, "navigation": views.navigation(self._box)}


def _strings(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError(f"not a list: {value!r}")
    return [str(one) for one in value]


def _letter(asked: Data) -> Letter:
    return Letter(**{name: str(asked[name]) for name in _LETTER if asked.get(name)})
