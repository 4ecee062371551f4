"""The files the browser gets: pages, scripts and styles that lie beside this module."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@cache
def text(name: str) -> str:
    """A file of the folder ``static``. Raises: FileNotFoundError."""
    if "/" in name or "\\" in name or name.startswith("."):
        raise FileNotFoundError(name)
    return resources.files("sopbench.sites.gmail").joinpath("static", name).read_text(encoding="utf-8")


def media_type(name: str) -> str:
    """Content type by the end of the name. Raises: FileNotFoundError for kinds of files that are not served."""
    try:
        return _TYPES[name.rpartition(".")[2]]
    except KeyError:
        raise FileNotFoundError(name) from None


def etag(name: str) -> str:
    """A validator that changes with the file. Raises: FileNotFoundError."""
    return f'"{sha256(text(name).encode()).hexdigest()[:20]}"'
