"""Runs the club's server: its broker connection, database and web pages, until a signal or a failure stops it.

At the start it prints the addresses of the pages, and warnings of certificates that expire soon.
"""

import asyncio
import contextlib
import sys
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from typing import Final

from captains_table.club.config import ClubServerConfig
from captains_table.club.event_manager import EventManager
from captains_table.club.pages.app import create_app
from captains_table.club.pages.programme import Programme
from captains_table.club.service import ClubService
from captains_table.club.store.event_log import ClubEventLog, draw_prefix
from captains_table.club.store.store import Store
from captains_table.process.supervisor import answer_watchdog, notify_supervisor, signals
from captains_table.reporting.broker import ANSWER_S, cancel_all
from captains_table.storage.key_files import read_token
from captains_table.storage.lock import sole_use
from captains_table.web.reach import PageReach
from captains_table.web.security import TOKEN_PARAMETER
from captains_table.web.serving.guests import Guests, limits_within_reach
from captains_table.web.serving.server import listen, serve_page

ADDRESS: Final = "address"


def run_club_server(config: ClubServerConfig, announce: Callable[[str], None] = print) -> int:
    """Run the club's server until a signal or a failure stops it, and return the exit code.

    The exit code is 1 if the database failed, else 0.

    Args:
        config: the server's configuration.
        announce: prints a line for the administrator: a warning of a certificate, or the address of a page.

    Raises:
        StateInUse, StateUnusable, StoreUnusable, TokenUnusable, BrokerUnusable, CannotListen: the server cannot start.
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
        reach = PageReach(config.host, listener.getsockname()[1], config.hosts)
        broker = config.way()
        store = stack.enter_context(contextlib.closing(Store(config.state_dir)))
        token = read_token(config.state_dir)
        expiring = partial(_expiring, config)
        club = ClubService(config.title, broker, store, config.tables, fail, expiring=expiring)
        held = EventManager(club, ClubEventLog(store, draw_prefix))
        app = create_app(
            club,
            Programme(held),
            token=token,
            reach=reach,
            guests=Guests(limits_within_reach(config.limits, _complain), config.proxies),
        )
        own = reach.own
        address = reach.address() or own
        (config.state_dir / ADDRESS).write_text(f"{own}\n", encoding="ascii")
        for sentence in expiring():
            announce(sentence)
        announce(f"The wall is at {address}")
        announce(f"The arbiter is at {address}?{TOKEN_PARAMETER}={token}")
        kept = (answer_watchdog(), reach.watch(lambda: None))
        at_work = [asyncio.ensure_future(way) for way in (_work(club, held, stopping), *kept)]
        notify_supervisor("READY=1", f"STATUS=The wall is at {own}")
        try:
            await serve_page(app, listener, stopping=stopping)
        finally:
            stopping.set()
            for each in at_work[1:]:
                each.cancel()
            await at_work[0]
    for failure in failures:
        print(f"The club's server stopped: its file cannot be written: {failure}", file=sys.stderr)
    return 1 if failures else 0


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
    """Return a warning for each of the broker's certificates that expires soon, has expired, or cannot be read.

    If the package `cryptography` is missing, return a single warning that says so. If the connection is not encrypted,
    return no warning. If the broker runs on another computer, only the authority's certificate can be checked.
    """
    if config.ca is None:
        return ()
    try:
        from captains_table.club.setting_up.certificates import (  # noqa: PLC0415 - needs a package of the extra "club"
            certificates_of,
            expiring,
        )
    except ModuleNotFoundError:
        return (f"When {config.ca} expires is not known: expected the package cryptography, as `club init` does.",)
    return tuple(expiring(certificates_of(config.ca), datetime.now(UTC)))


def _complain(sentence: str) -> None:
    print(f"captains-table: {sentence}", file=sys.stderr)
