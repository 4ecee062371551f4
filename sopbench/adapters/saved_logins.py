"""Saved sign-ins: what a person's browser keeps after signing in, one file per site, readable by its owner only."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from sopbench.errors import UsageError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

SIGN_IN_PAGES = {"gmail": "https://mail.google.com/", "airtable": "https://airtable.com/login"}


def logins_folder() -> Path:
    """Where sign-ins are kept; ``SOPBENCH_LOGINS`` names another place."""
    return Path(os.environ.get("SOPBENCH_LOGINS") or platformdirs.user_config_path("sopbench") / "logins")


async def save_sign_in(context: BrowserContext, site: str) -> Path:
    """Keep the context's cookies and local storage as the site's sign-in, in place of an older one."""
    folder = logins_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    state = await context.storage_state()
    file, partial = folder / f"{site}.json", folder / f"{site}.json.part"
    partial.touch(mode=0o600)
    partial.write_text(json.dumps(state), encoding="utf-8")
    partial.replace(file)
    return file


def saved_sign_ins() -> dict[str, Any]:
    """Options for a new browser context that is signed in wherever a sign-in was saved.

    Raises: UsageError when a file cannot be read.
    """
    cookies: list[Any] = []
    origins: list[Any] = []
    for file in sorted(logins_folder().glob("*.json")):
        try:
            state = json.loads(file.read_text(encoding="utf-8"))
            cookies += state["cookies"]
            origins += state["origins"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"{file}: not a saved sign-in; sign in anew with: sopbench login {file.stem}"
            raise UsageError(message) from error
    return {"storage_state": {"cookies": cookies, "origins": origins}} if cookies or origins else {}
