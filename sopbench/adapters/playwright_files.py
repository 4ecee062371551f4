"""Files that go to the page and come from it."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sopbench.errors import StepError
from sopbench.ports.browser import Artifact
from sopbench.records.folder import ARTIFACTS

if TYPE_CHECKING:
    from playwright.async_api import Download, Locator, Page

    from sopbench.sop.verbs.fields import Upload

_NAMES = "element => [...element.files].map(file => file.name)"
_IS_FILE_FIELD = "element => element.matches('input[type=file]')"
_TAKES_SEVERAL = "element => element.multiple"


class Downloads:
    """Every file that comes in during a run, kept as an artefact of it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._coming: list[asyncio.Task[Artifact | None]] = []
        self.kept: list[Artifact] = []
        """Those that are whole."""

    def listen(self, page: Page) -> None:
        page.on("download", self._begun)

    async def next(self, count: int, timeout_s: float, what: str) -> Artifact:
        """The file that began to come after ``count`` others had. Raises: StepError."""
        deadline = asyncio.get_running_loop().time() + timeout_s
        while len(self._coming) <= count:
            if asyncio.get_running_loop().time() > deadline:
                raise StepError(f"{what} brought no file within {timeout_s:g} s", performed=True)
            await asyncio.sleep(0.01)
        try:
            async with asyncio.timeout_at(deadline):
                artifact = await asyncio.shield(self._coming[count])
        except TimeoutError as error:
            raise StepError(f"the file of {what} was not whole after {timeout_s:g} s", performed=True) from error
        if artifact is None:
            raise StepError(f"the file of {what} did not come: its download failed", performed=True)
        return artifact

    @property
    def begun(self) -> int:
        return len(self._coming)

    def path_for(self, name: str) -> Path:
        """Where to keep a file of this name; a name that is taken gets a number. Raises: StepError without a folder."""
        if self._folder is None:
            raise StepError("there is no folder to keep files in", performed=False)
        folder = self._folder / ARTIFACTS
        folder.mkdir(parents=True, exist_ok=True)
        plain = PurePath(name.replace("\\", "/")).name or "file"
        path, number = folder / plain, 2
        while path.exists():
            path, number = folder / f"{PurePath(plain).stem}-{number}{PurePath(plain).suffix}", number + 1
        path.touch()
        return path

    def artifact(self, name: str, path: Path) -> Artifact:
        assert self._folder is not None  # noqa: S101 - path_for has seen to it
        data = path.read_bytes()
        return Artifact(name, str(path.relative_to(self._folder)), len(data), hashlib.sha256(data).hexdigest())

    def _begun(self, download: Download) -> None:
        self._coming.append(asyncio.ensure_future(self._keep(download)))

    async def _keep(self, download: Download) -> Artifact | None:
        if self._folder is None:
            return None
        path = self.path_for(download.suggested_filename)
        try:
            await download.save_as(path)
        except Error:
            path.unlink()
            return None
        kept = self.artifact(download.suggested_filename, path)
        self.kept.append(kept)
        return kept


async def upload(page: Page, locator: Locator, action: Upload, root: Path, timeout_ms: float) -> str:
    """Give the files to the field; gives a remark when the field does not name them.

    Raises: StepError when a file is missing, or it is no field for them, or it names others.
    """
    files = [_existing(root / given, action) for given in action.files]
    if not await locator.evaluate(_IS_FILE_FIELD, timeout=timeout_ms):
        await _through_chooser(page, locator, action, files, timeout_ms)
        return ""
    if len(files) > 1 and not await locator.evaluate(_TAKES_SEVERAL):
        raise StepError(f"{action.target} takes one file, not {len(files)}", performed=False)
    await locator.set_input_files(files, timeout=timeout_ms)
    held = await locator.evaluate(_NAMES)
    if not held:
        return "the page took the files and emptied the field"
    if sorted(held) != sorted(file.name for file in files):
        raise StepError(f"{action.target} holds {held} instead of {[file.name for file in files]}", performed=True)
    return ""


async def _through_chooser(page: Page, locator: Locator, action: Upload, files: list[Path], timeout_ms: float) -> None:
    try:
        async with page.expect_file_chooser(timeout=timeout_ms) as waiting:
            await locator.click(timeout=timeout_ms)
        chooser = await waiting.value
    except PlaywrightTimeout as error:
        raise StepError(f"{action.target} is no file field, and a click on it asks for no file") from error
    await chooser.set_files(files, timeout=timeout_ms)


def _existing(path: Path, action: Upload) -> Path:
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "not there"
        raise StepError(f"upload to {action.target}: the file {path} is {kind}", performed=False)
    return path
