"""The page by https: a second port with its own certificate, whose connections are counted and limited like others."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from captains_table.club.setting_up.certificates import make_authority, make_certificate, make_key
from captains_table.page.app import create_app
from captains_table.web.reach import PageReach
from captains_table.web.serving import server
from captains_table.web.serving.guests import NEWCOMERS, Guests
from captains_table.web.serving.limits import PageLimits
from captains_table.web.serving.server import CertificateUnusable, listen, serve_page, tls_of
from tests.support.fake_table import FakeTable
from tests.support.patience import PATIENCE_S

ASK = b"GET /?token=owners HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True)
class Encrypted:
    """A page that is served by https too: its ports, its connections, and who trusts its certificate."""

    plain: int
    port: int
    guests: Guests
    trusting: ssl.SSLContext

    async def answer(self, port: int, tls: ssl.SSLContext | None) -> bytes:
        """Return what the page answers at a port."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls, local_addr=("127.0.0.9", 0))
        writer.write(ASK)
        try:
            return await reader.read()
        finally:
            writer.close()

    async def until(self, connections: int) -> None:
        """Wait until so many connections are open."""
        async with asyncio.timeout(PATIENCE_S):
            while self.guests.connections != connections:  # noqa: ASYNC110 - nothing of the page says so
                await asyncio.sleep(0.005)


def written(folder: Path) -> tuple[Path, Path, str]:
    """Write a certificate and its key; return their files and the authority's certificate."""
    now, authority_key, key = datetime.now(UTC), make_key(), make_key()
    authority = make_authority(authority_key, now)
    certificate = make_certificate(authority, authority_key, key, ["127.0.0.1"], now, for_pages=True)
    (folder / "web.crt").write_text(certificate)
    (folder / "web.key").write_text(key)
    return folder / "web.crt", folder / "web.key", authority


@asynccontextmanager
async def served(folder: Path, limits: PageLimits | None = None) -> AsyncIterator[Encrypted]:
    """Serve a page by http and https."""
    certificate, key, authority = written(folder)
    guests, stopping, plain, encrypted = Guests(limits), asyncio.Event(), listen("127.0.0.1", 0), listen("127.0.0.1", 0)
    app = create_app(FakeTable(), token="owners", guests=guests)  # noqa: S106 - a test's
    ports = plain.getsockname()[1], encrypted.getsockname()[1]
    serving = asyncio.ensure_future(
        serve_page(app, plain, stopping=stopping, encrypted=(encrypted, tls_of(certificate, key)))
    )
    try:
        yield Encrypted(*ports, guests, ssl.create_default_context(cadata=authority))
    finally:
        stopping.set()
        await serving
    for port in ports:
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)


async def test_the_owners_cookie_is_for_encrypted_pages_alone_where_it_was_set_by_one(tmp_path: Path) -> None:
    async with served(tmp_path) as page:
        encrypted, plain = await page.answer(page.port, page.trusting), await page.answer(page.plain, None)
        assert encrypted.startswith(b"HTTP/1.1 200 ")
        assert [b"; Secure" in answer for answer in (encrypted, plain)] == [True, False]
        await page.until(0)


async def test_who_speaks_no_tls_is_hung_up_on_and_not_counted_any_more(tmp_path: Path) -> None:
    async with served(tmp_path) as page:
        assert b"HTTP" not in await page.answer(page.port, None)
        await page.until(0)


async def test_a_handshake_that_stands_still_gives_way_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HANDSHAKE_S", 0.3)
    async with served(tmp_path, PageLimits(connections=2, share=2)) as page:
        silent = [await asyncio.open_connection("127.0.0.1", page.port, local_addr=("127.0.0.8", 0)) for _ in range(2)]
        await page.until(2)
        page.guests.make_room()
        await page.until(1)
        assert (await page.answer(page.port, page.trusting)).startswith(b"HTTP/1.1 200 ")
        await page.until(0)
        for reader, writer in silent:
            assert await reader.read() == b""
            writer.close()


async def test_handshakes_that_stand_still_keep_nobody_else_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HANDSHAKE_S", 10 * PATIENCE_S)
    async with served(tmp_path, PageLimits(connections=3, share=2)) as page:
        silent = [
            await asyncio.open_connection("127.0.0.1", page.port, local_addr=("127.0.0.8", 0))
            for _ in range(2 + NEWCOMERS)
        ]
        await page.until(2 + NEWCOMERS)
        assert not page.guests.is_crowded
        async with asyncio.timeout(PATIENCE_S):
            assert (await page.answer(page.plain, None)).startswith(b"HTTP/1.1 200 ")
            assert (await page.answer(page.port, page.trusting)).startswith(b"HTTP/1.1 200 ")
        for _, writer in silent:
            writer.close()


@pytest.mark.parametrize("wrong", ["web.crt", "web.key"])
def test_a_certificate_that_cannot_be_used_is_named(tmp_path: Path, wrong: str) -> None:
    certificate, key, _ = written(tmp_path)
    (tmp_path / wrong).write_text("nothing of the kind")
    with pytest.raises(
        CertificateUnusable, match=r"web\.crt and its key .*web\.key cannot be used .*without a password"
    ):
        tls_of(certificate, key)
    (tmp_path / wrong).unlink()
    with pytest.raises(CertificateUnusable, match="No such file"):
        tls_of(certificate, key)


def test_addresses_name_the_scheme() -> None:
    assert PageReach("::1", 8379, scheme="https").own == "https://[::1]:8379/"
