"""A small mailbox, the site served from it, and a browser to look at it."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import pytest_asyncio
import trustme
import uvicorn
from playwright.async_api import Browser, Page, async_playwright

from sopbench.sites.gmail.mail import Mail, read_mail
from sopbench.sites.gmail.site import GmailSite
from sopbench.trials.case import Account, Base, SiteCase

NOW = datetime.fromisoformat("2025-06-02T11:30:00+02:00")
ME = "Dana Wells <dana@acme.test>"
PASSWORD = "correct horse"

MakeCase = Callable[..., SiteCase]
ReadMail = Callable[..., Mail]
WriteMail = Callable[..., EmailMessage]
OpenGmail = Callable[..., Awaitable[Page]]


def make_mail(
    sender: str = "Bob Stone <bob@stone.test>",
    subject: str = "Hello",
    text: str = "Hi Dana",
    date: str = "2025-06-02T09:14:00+02:00",
    html: str | None = None,
    files: dict[str, bytes] | None = None,
    **headers: str,
) -> EmailMessage:
    """A mail to Dana; further headers by name with ``_`` for ``-``."""
    mail = EmailMessage()
    given = {
        "From": sender,
        "To": ME,
        "Subject": subject,
        "Message-ID": f"<{crc32(f'{subject} {date} {sender}'.encode())}@test>",
    }
    for name, value in given.items():
        mail[name] = value
    for name, value in headers.items():
        del mail[name.replace("_", "-")]
        mail[name.replace("_", "-").title()] = value
    mail["Date"] = datetime.fromisoformat(date)
    mail.set_content(text)
    if html is not None:
        mail.add_alternative(html, subtype="html")
    for name, content in (files or {}).items():
        mail.add_attachment(content, maintype="application", subtype="pdf", filename=name)
    return mail


@pytest.fixture
def now() -> datetime:
    """The present of the sample morning: June 2, 2025, 11:30, two hours ahead of UTC."""
    return NOW


@pytest.fixture
def write() -> WriteMail:
    """Builds a mail: ``write(subject="Hello", text="Hi", in_reply_to="<1@test>")``."""
    return make_mail


@pytest.fixture
def read(tmp_path: Path) -> ReadMail:
    """Stores a mail, or raw bytes, as a file and reads it back."""

    def read(mail: EmailMessage | bytes, name: str = "a.eml") -> Mail:
        path = tmp_path / name
        path.write_bytes(mail if isinstance(mail, bytes) else mail.as_bytes())
        return read_mail(path, NOW.tzinfo, NOW)

    return read


@pytest.fixture
def make_case(tmp_path: Path) -> MakeCase:
    """Write mails to a folder and describe it as a case: ``make_case({"a.eml": mail}, labels=("Processed",))``."""

    def make(mails: dict[str, EmailMessage], labels: tuple[str, ...] = ()) -> SiteCase:
        box = tmp_path / "case" / "mailbox"
        box.mkdir(parents=True)
        for name, mail in mails.items():
            (box / name).write_bytes(mail.as_bytes())
        return SiteCase(
            path=tmp_path / "case",
            title="A small day",
            now=NOW,
            account=Account(name="Dana Wells", email="dana@acme.test", password=PASSWORD),
            base=Base(id="appTest", name="Test"),
            tables={},
            labels=dict.fromkeys(labels, ()),
        )

    return make


def sample_mails() -> dict[str, EmailMessage]:
    """A morning's mail: a conversation of three, HTML with a quotation, a file, other scripts, old and new dates."""
    quoted = (
        '<p>Thanks, we accept.</p><script>alert(1)</script><div class="gmail_quote"><div>On Sun Dana wrote:</div>'
        "<blockquote>The offer is 400 EUR.</blockquote></div>"
    )
    return {
        "01-offer.eml": make_mail(
            subject="Offer 4711", text="Please send an offer.", date="2025-05-30T10:00:00+02:00",
            message_id="<o1@stone.test>", x_gmail_labels="Inbox",
        ),
        "02-answer.eml": make_mail(
            sender=ME, to="Bob Stone <bob@stone.test>", subject="Re: Offer 4711", text="The offer is 400 EUR.",
            date="2025-06-01T16:20:00+02:00", message_id="<o2@acme.test>", in_reply_to="<o1@stone.test>",
            references="<o1@stone.test>",
        ),
        "03-accepted.eml": make_mail(
            subject="Re: Offer 4711", text="Thanks, we accept.", html=quoted, date="2025-06-02T09:14:00+02:00",
            message_id="<o3@stone.test>", references="<o1@stone.test> <o2@acme.test>", cc="Ann Lee <ann@lee.test>",
        ),
        "04-invoice.eml": make_mail(
            sender='"Müller, Jörg" <joerg@mueller.test>',
            subject="Rechnung für Mai", text="Anbei die Rechnung.\n\nhttps://mueller.test/r/1",
            files={"invoice.pdf": b"%PDF"},
            date="2025-06-01T08:05:00+02:00",
        ),
        "05-hello.eml": make_mail(
            sender="佐藤 <sato@example.test>", subject="ご注文の確認", text="ありがとうございます。",
            date="2025-05-31T23:59:00+02:00", x_gmail_labels="Inbox, Unread, Customers",
        ),
        "06-old.eml": make_mail(
            sender="news@letter.test", subject="Spring news", text="Old news.", date="2024-04-02T12:00:00+02:00",
            x_gmail_labels="Inbox",
        ),
        "07-archived.eml": make_mail(subject="Minutes of April", text="See below.", date="2025-04-14T12:00:00+02:00",
                                     x_gmail_labels="Customers"),
    }  # fmt: skip


@pytest.fixture
def case(make_case: MakeCase) -> SiteCase:
    """The sample morning; the label Processed exists and is on no mail."""
    return make_case(sample_mails(), labels=("Processed",))


class _Server(uvicorn.Server):
    """Says when it is ready, and leaves signals to pytest."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def served(site: GmailSite, **options: Any) -> AsyncIterator[int]:
    """Serve a site on a free port of this machine; gives the port."""
    server = _Server(uvicorn.Config(site, host="127.0.0.1", port=0, log_level="error", lifespan="off", **options))
    task = asyncio.create_task(server.serve())
    await server.ready.wait()
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await task


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all tests of this folder."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        pytest.skip("no browser is installed")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def window(chromium: Browser) -> AsyncIterator[Page]:
    """A fresh page in a far time zone; an error in a script of the site fails the test."""
    context = await chromium.new_context(
        viewport={"width": 1280, "height": 800}, timezone_id="America/New_York", ignore_https_errors=True
    )
    page = await context.new_page()
    page.set_default_timeout(5000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    await context.close()
    assert problems == []


@pytest_asyncio.fixture(loop_scope="session")
async def serve() -> AsyncIterator[Callable[[GmailSite], Awaitable[str]]]:
    """Serves a site plainly until the test ends; gives its address."""
    async with contextlib.AsyncExitStack() as stack:

        async def serve(site: GmailSite) -> str:
            return f"http://127.0.0.1:{await stack.enter_async_context(served(site))}"

        yield serve


@pytest_asyncio.fixture(loop_scope="session")
async def open_gmail(serve: Callable[[GmailSite], Awaitable[str]], window: Page) -> OpenGmail:
    """Serves a site, signs in, and waits for the list or conversation: call it with the site and what follows ``#``."""

    async def open_gmail(site: GmailSite, hash_: str = "#inbox") -> Page:
        address = await serve(site)
        ask = {"accept": "application/json"}
        post = window.context.request.post
        first = await post(f"{address}/signin/v2/identifier", headers=ask, form={"identifier": "dana@acme.test"})
        await post(address + (await first.json())["next"], headers=ask, form={"Passwd": PASSWORD})
        await window.goto(f"{address}/mail/u/0/{hash_}")
        await window.get_by_role("main").wait_for()
        return window

    return open_gmail


@pytest_asyncio.fixture(loop_scope="session")
async def real_names(tmp_path: Path) -> AsyncIterator[Callable[[GmailSite], Awaitable[Page]]]:
    """Serves a site over TLS; gives a page of a browser that finds it under Google's names and finds nothing else."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    async with contextlib.AsyncExitStack() as stack:

        async def open_page(site: GmailSite) -> Page:
            certificate = trustme.CA().issue_cert(*site.hosts)
            chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
            chain.write_bytes(b"".join(blob.bytes() for blob in certificate.cert_chain_pems))
            certificate.private_key_pem.write_to_path(str(key))
            port = await stack.enter_async_context(served(site, ssl_certfile=chain, ssl_keyfile=key))
            rules = ",".join([*(f"MAP {host} 127.0.0.1:{port}" for host in site.hosts), "MAP * ~NOTFOUND"])
            playwright = await stack.enter_async_context(async_playwright())
            browser = await playwright.chromium.launch(
                executable_path=program, args=["--no-sandbox", f"--host-resolver-rules={rules}"]
            )
            stack.push_async_callback(browser.close)
            return await browser.new_page(ignore_https_errors=True)

        yield open_page
