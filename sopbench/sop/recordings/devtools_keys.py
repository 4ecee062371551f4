"""Keys going down and up, as presses of keys and chords."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, cast

from sopbench.sop.verbs.pointer import Modifier

_MODIFIERS: dict[str, Modifier] = {
    "Alt": "Alt", "AltLeft": "Alt", "AltRight": "Alt", "Control": "Control", "ControlLeft": "Control",
    "ControlRight": "Control", "Meta": "Meta", "MetaLeft": "Meta", "MetaRight": "Meta", "Shift": "Shift",
    "ShiftLeft": "Shift", "ShiftRight": "Shift",
}  # fmt: skip
_SPELLED = {" ": "Space", "\r": "Enter", "\n": "Enter", "\t": "Tab", "+": "Equal", "Esc": "Escape", "Del": "Delete"}
_LOCKS = {"CapsLock", "NumLock", "ScrollLock", "AltGraph"}
_NAMED = re.compile(r"[A-Z][A-Za-z]+\d{0,2}")
_UNKNOWN = {"Unidentified", "Dead", "Process", "Compose"}


@dataclass
class Keyboard:
    """Which modifiers are held."""

    held: list[Modifier] = field(default_factory=list)

    def down(self, key: str) -> str | Literal[False] | None:
        """The chord that this key makes with those held; None for a modifier or lock; False for no key."""
        if key in _MODIFIERS:
            if _MODIFIERS[key] not in self.held:
                self.held.append(_MODIFIERS[key])
            return None
        if key in _LOCKS:
            return None
        name = _SPELLED.get(key, key)
        if key in _UNKNOWN or not (len(name) == 1 or _NAMED.fullmatch(name)):
            return False
        held = list(cast("list[str]", self.held))
        if len(name) == 1 and held == ["Shift"]:
            held = []  # the character is the shifted one already
        if key == "+":
            held = [*held, "Shift"]
        return "+".join([*held, name])

    def up(self, key: str) -> None:
        if _MODIFIERS.get(key) in self.held:
            self.held.remove(_MODIFIERS[key])
