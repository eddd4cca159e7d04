"""Runs the club's server: its broker connection, database and web pages, until a signal or a failure stops it.

At the start it prints the addresses of the pages, and warnings of certificates that expire soon.
"""

import asyncio
import contextlib
import secrets
import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import Final

from captains_table.club.config import ClubServerConfig
from captains_table.club.event_manager import EventManager
from captains_table.club.pages.app import create_app
from captains_table.club.pages.club_pages import LOG_IN
from captains_table.club.pages.programme import Programme
from captains_table.club.service import ClubService
from captains_table.club.store.arbiters import Arbiters
from captains_table.club.store.event_log import ClubEventLog, draw_prefix
from captains_table.club.store.store import Store
from captains_table.process.supervisor import answer_watchdog, notify_supervisor, signals
from captains_table.reporting.broker import ANSWER_S, cancel_all
from captains_table.storage.key_files import read_token
from captains_table.storage.lock import sole_use
from captains_table.web.reach import PageReach
from captains_table.web.security import TOKEN_PARAMETER
from captains_table.web.serving.guests import Guests, limits_within_reach
from captains_table.web.serving.server import listen, serve_page, tls_of

ADDRESS: Final = "address"


def run_club_server(config: ClubServerConfig, announce: Callable[[str], None] = print) -> int:
    """Run the club's server until a signal or a failure stops it, and return the exit code.

    The exit code is 1 if the database failed, else 0.

    Args:
        config: the server's configuration.
        announce: prints a line for the administrator: a warning of a certificate, or the address of a page.

    Raises:
        StateInUse, StateUnusable, StoreUnusable, TokenUnusable, BrokerUnusable, CannotListen, CertificateUnusable: the
            server cannot start.
    """
    return asyncio.run(_run(config, announce))


async def _run(config: ClubServerConfig, announce: Callable[[str], None]) -> int:
    stopping = asyncio.Event()
    failures: list[Exception] = []

    def fail(error: Exception) -> None:
        failures.append(error)
        stopping.set()

    with ExitStack() as stack:
        stack.enter_context(signals(stopping, stopping))
        stack.enter_context(sole_use(config.state_dir, "club's server", "state_dir"))
        listener = stack.enter_context(listen(config.host, config.port))
        reach = PageReach(config.host, _port_of(listener), config.hosts)
        encrypted = _encrypted(config, stack)
        broker = config.way()
        store = stack.enter_context(contextlib.closing(Store(config.state_dir)))
        is_revoked = Arbiters(store.database).is_token_revoked()
        token = secrets.token_urlsafe(16) if is_revoked else read_token(config.state_dir)
        expiring = partial(_expiring, config)
        club = ClubService(config.title, broker, store, config.tables, fail, expiring=expiring)
        held = EventManager(club, ClubEventLog(store, draw_prefix))
        app = create_app(
            club,
            Programme(held),
            token=token,
            public=config.public,
            https_port=0 if encrypted is None else _port_of(encrypted[0]),
            reach=reach,
            guests=Guests(limits_within_reach(config.limits, _complain), config.proxies),
            language=config.language,
        )
        own = reach.own
        address = reach.address() or own
        (config.state_dir / ADDRESS).write_text(f"{own}\n", encoding="ascii")
        for sentence in expiring():
            announce(sentence)
        announce(f"The wall is at {address}")
        by_https = reach
        if encrypted is not None:
            by_https = PageReach(config.host, _port_of(encrypted[0]), config.hosts, scheme="https")
        announce(f"Arbiters log in at {(by_https.address() or by_https.own).removesuffix('/')}{LOG_IN}")
        if not is_revoked:
            announce(f"The arbiter is at {address}?{TOKEN_PARAMETER}={token}")
        kept = (answer_watchdog(), reach.watch(lambda: None))
        at_work = [asyncio.ensure_future(way) for way in (_work(club, held, stopping), *kept)]
        notify_supervisor("READY=1", f"STATUS=The wall is at {own}")
        try:
            await serve_page(app, listener, stopping=stopping, encrypted=encrypted)
        finally:
            stopping.set()
            for each in at_work[1:]:
                each.cancel()
            await at_work[0]
    for failure in failures:
        print(f"The club's server stopped: its file cannot be written: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _encrypted(config: ClubServerConfig, stack: ExitStack) -> tuple[socket.socket, ssl.SSLContext] | None:
    """Return the listening socket of the encrypted pages, and how they are encrypted; `None` without a certificate."""
    if config.certificate is None or config.certificate_key is None:
        return None
    tls = tls_of(config.certificate, config.certificate_key)
    return stack.enter_context(listen(config.host, config.https_port)), tls


def _port_of(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


async def _work(club: ClubService, held: EventManager, stopping: asyncio.Event) -> None:
    """Run the club and its events until `stopping` is set, then end both.

    If one of them ends by itself, set `stopping`, so that the server stops; if an exception ended it, raise this
    exception at the end.
    """
    working = [asyncio.ensure_future(work) for work in (club.run(), held.run())]
    for work in working:
        work.add_done_callback(lambda _: stopping.set())
    await stopping.wait()
    notify_supervisor("STOPPING=1")
    club.stop()
    await cancel_all(working, 3 * ANSWER_S)
    for work in working:
        with contextlib.suppress(asyncio.CancelledError):
            work.result()


def _expiring(config: ClubServerConfig) -> tuple[str, ...]:
    """Return a warning for each certificate, of broker or pages, that expires soon, has expired, or cannot be read.

    If the package `cryptography` is missing, return a single warning that says so. If the broker runs on another
    computer, only the authority's certificate can be checked of those at the broker.
    """
    known = config.ca or config.certificate
    if known is None:
        return ()
    try:
        from captains_table.club.setting_up.certificates import (  # noqa: PLC0415 - needs a package of the extra "club"
            certificates_of,
            expiring,
        )
    except ModuleNotFoundError:
        return (f"When {known} expires is not known: expected the package cryptography, as `club init` does.",)
    of_broker = () if config.ca is None else certificates_of(config.ca)
    of_pages = () if config.certificate is None else (config.certificate,)
    return tuple(expiring((*of_broker, *of_pages), datetime.now(UTC)))


def _complain(sentence: str) -> None:
    print(f"captains-table: {sentence}", file=sys.stderr)
