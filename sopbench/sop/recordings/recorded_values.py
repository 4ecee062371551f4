"""What was typed in a recording: as it is, or as variables; and never a secret.

Recorded texts are data: where braces in them would make a template, they are escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sopbench.sop.actions import AnyAction
from sopbench.sop.recordings.recorded import Json, Recorded
from sopbench.sop.recordings.recorded_urls import origin_of, pattern_of
from sopbench.sop.recordings.recorded_words import called, slug
from sopbench.sop.targets import UrlIs
from sopbench.sop.verbs.fields import Fill, PickDate, Select, Type, Upload
from sopbench.sop.verbs.pages import Navigate, SwitchTab

_TAKEN = {
    "loop", "if", "else", "elif", "for", "in", "not", "and", "or", "is", "true", "false", "none", "set", "filter",
    "raw", "include", "import",
}  # fmt: skip
"""Words of templates."""
_FOLLOWING = {"name", "text", "label", "placeholder", "value", "option"}
"""Keys whose text follows a variable when it is exactly what was typed before."""
_SHORT = 4
"""A value of fewer characters may stand elsewhere by chance."""
_BRACES = re.compile(r"\{(?=[{%#])")


@dataclass
class Values:
    """The variables of one procedure, and where each was typed."""

    prefix: str
    """Of environment variables: the procedure's id."""
    all_typed: bool
    """Whether every typed value becomes a variable, or secrets only."""
    declared: dict[str, Json] = field(default_factory=dict)
    _named: dict[tuple[str, str], str] = field(default_factory=dict)
    _followed: dict[str, str] = field(default_factory=dict)
    _held: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Target → what was last typed into it, and the variable for it."""
    _origins: dict[str, str] = field(default_factory=dict)
    _secrets: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> list[str]:
        """Environment variables that have to be set."""
        return [each["from_env"] for each in self.declared.values() if "from_env" in each]

    def declare_secrets(self, actions: Sequence[Recorded]) -> None:
        """All of them before anything else, so that none slips through where it stands in another field too."""
        for each in actions:
            typed = typed_value(each.action)
            if each.is_secret and (typed or each.from_env):
                self._variable(each, typed or "")

    def declare_addresses(self, actions: Sequence[Recorded]) -> None:
        """Where the sites are, so that the same procedure can be run on another host."""
        for each in actions:
            url = each.action.url if isinstance(each.action, Navigate | SwitchTab) else None
            if url is None:
                continue
            origin = "" if url.startswith("/") else origin_of(url)
            if origin in self._origins or not (url.startswith("/") or (origin and self.all_typed)):
                continue
            name = "address" if "address" not in self.declared else slug(f"address {origin.split('://')[-1]}")
            about: Json = {"description": "Where the site answers, as https://…"}
            self._origins[origin] = self._declare(name, ({"default": origin} if origin else {}) | about)

    def action(self, recorded: Recorded) -> Json:
        """The action as JSON, with its variables in it."""
        raw = _dumped(self._with_patterns(recorded.action))
        typed, own = typed_value(recorded.action), None
        if recorded.is_secret or recorded.from_env or (self.all_typed and typed):
            told = typed is not None and typed not in self._secrets and self.shown(typed) != typed
            own = self._variable(recorded, typed or "") if (typed and not told) or recorded.from_env else None
        if typed is not None and "target" in raw:
            self._held[_key(raw["target"])] = (typed, own or "")
        filled: Json = self._filled(raw, None)
        if own is not None:
            filled |= _slot(raw, _template(own))
        if recorded.fingerprint and "target" in filled:
            filled["target"]["fingerprint"] = self._lasting(recorded.fingerprint)
        return filled | ({"x-recorded": self._without_secrets(recorded.kept)} if recorded.kept else {})

    def shown(self, text: str) -> str:
        """A text for people, without secrets."""
        for secret in self._secrets:
            text = _replaced(text, secret, "…")
        return text

    def _with_patterns(self, action: AnyAction) -> AnyAction:
        """Expected addresses without ids, tokens, and what is a variable."""
        typed = self._followed.keys() | self._secrets.keys()
        expected = [
            each.model_copy(update={"url": pattern_of(each.url, typed)}) if isinstance(each, UrlIs) else each
            for each in action.expect
        ]
        return action.model_copy(update={"expect": tuple(expected)}) if expected else action

    def _variable(self, recorded: Recorded, value: str) -> str:
        about = recorded.field or called(recorded.target)
        key = (about, recorded.from_env or value)
        if key in self._named or value in self._secrets:
            return self._named.get(key) or self._secrets[value]
        base = slug(about)[:40].rstrip("_") or "value"
        described = {"description": f"Goes into {about!r}."} if about else {}
        if recorded.is_secret:
            name = self._free(base)
            env = recorded.from_env or slug(f"{self.prefix}_{name}").upper()
            self._declare(name, {"secret": True, "from_env": env} | described)
        elif recorded.from_env:
            name = self._declare(base, {"from_env": recorded.from_env} | described)
        else:
            name = self._declare(base, {"default": value} | described)
        self._named[key] = name
        if recorded.is_secret and value:
            self._secrets[value] = name
        if value and (recorded.is_secret or len(value) >= _SHORT):
            self._followed.setdefault(value, name)
        return name

    def _declare(self, name: str, what: Json) -> str:
        name = self._free(name)
        self.declared[name] = {"type": "string"} | what
        return name

    def _free(self, name: str) -> str:
        name = f"{name}_value" if name in _TAKEN else name
        number, free = 2, name
        while free in self.declared:
            free, number = f"{name}_{number}", number + 1
        return free

    def _filled(self, value: Any, key: str | None) -> Any:
        if isinstance(value, dict):
            made = {k: self._filled(v, k) for k, v in value.items()}
            if "of" in value and "value" in value:
                typed, name = self._held.get(_key(value["of"]), ("", ""))
                made |= {"value": _template(name)} if name and typed == value["value"] else {}
            return made
        if isinstance(value, list):
            return [self._filled(each, key) for each in value]
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if not isinstance(value, str) or key == "do":
            return value
        if key in _FOLLOWING and value in self._followed:
            return _template(self._followed[value])
        if key in {"url", "shows"}:
            return self._address(value)
        return self._scrubbed(value)

    def _address(self, url: str) -> str:
        origin = "" if url.startswith("/") else origin_of(url)
        name = self._origins.get(origin)
        return self._scrubbed(url) if name is None else _template(name) + self._scrubbed(url[len(origin) :])

    def _scrubbed(self, text: str) -> str:
        """As a template of the same text, with variables in place of secrets."""
        made = escaped(text)
        for secret, name in self._secrets.items():
            made = _replaced(made, escaped(secret), _template(name))
        return made

    def _without_secrets(self, kept: Any) -> Any:
        """Notes that hold a secret, or part of one, are left out."""
        if isinstance(kept, dict):
            return {key: self._without_secrets(each) for key, each in kept.items() if not self._tells(each)}
        if isinstance(kept, list):
            return [self._without_secrets(each) for each in kept if not self._tells(each)]
        return kept

    def _lasting(self, fingerprint: Json) -> Json:
        """What was typed is another text the next time."""
        told: Json = self._without_secrets(fingerprint)
        return {key: value for key, value in told.items() if value not in self._followed}

    def _tells(self, value: Any) -> bool:
        """Of a list: whether a text directly in it does."""
        if isinstance(value, list):
            return any(isinstance(each, str) and self._tells(each) for each in value)
        if not isinstance(value, str):
            return False
        told = value.partition("/")[2] if value.startswith("text/") else ""
        return any(secret in value or (len(told) >= _SHORT and told in secret) for secret in self._secrets)


def typed_value(action: AnyAction) -> str | None:
    """What was typed or chosen, if that is one text."""
    match action:
        case Fill(value=text) | Type(text=text) | PickDate(date=text):
            return text
        case Select(value=str(text)) | Select(option=str(text)):
            return text
        case Upload(files=(one,)):
            return one
    return None


def escaped(text: str) -> str:
    """``text`` so that a template of it gives the same text."""
    return _BRACES.sub("{{ '{' }}", text)


def _slot(raw: Json, template: str) -> Json:
    if raw["do"] == "upload":
        return {"files": [template]}
    key = next(key for key in ("value", "text", "date", "option") if key in raw)
    return {key: template}


def _dumped(action: AnyAction) -> Json:
    raw: Json = {"do": action.do} | action.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    if action.model_fields_set & {"effect"}:
        raw["effect"] = action.effect.value
    last = {key: raw.pop(key) for key in ("effect", "expect", "timeout_s", "note") if key in raw}
    return raw | last


def _key(target: Any) -> str:
    return json.dumps(target, sort_keys=True)


def _template(name: str) -> str:
    return f"{{{{ {name} }}}}"


def _replaced(text: str, secret: str, by: str) -> str:
    """A short secret only where it stands as a word: it would be found in anything."""
    if len(secret) < _SHORT:
        return by if text == secret else text
    if len(secret) > _SHORT + 2:
        return text.replace(secret, by)
    return re.sub(rf"(?<![A-Za-z0-9]){re.escape(secret)}(?![A-Za-z0-9])", lambda _: by, text)
