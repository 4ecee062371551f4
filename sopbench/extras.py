"""What only some need is an extra; whoever needs it is told which."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sopbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Around imports of what an extra brings. Raises: UsageError that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("sopbench"):
            raise
        raise UsageError(f"{error.name} is not installed: pip install 'sopbench[{extra}]'") from error
