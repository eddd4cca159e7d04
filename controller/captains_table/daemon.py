"""The daemon: starts one table with its journal, display and web page, and runs it until a signal stops it."""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from captains_table import catalog
from captains_table.catalog import table_hint
from captains_table.devices.build import BuildOptions, Devices, build
from captains_table.devices.dimming import Dimmer
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.devices.ports import JournalUnwritable
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.registry import not_installed
from captains_table.page.app import create_app
from captains_table.process import supervisor
from captains_table.process.hang_watch import BEAT_S, HangWatch
from captains_table.process.plugins import install_plugins
from captains_table.runtime import configured
from captains_table.runtime.club_line.desk import Surroundings
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.config import Config
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.session import Session
from captains_table.runtime.table import Table
from captains_table.runtime.uci_engine import BadEngine, engine_opponent, try_engine
from captains_table.storage.disk_dangers import dangers
from captains_table.storage.journal_file import JOURNAL, JournalFile
from captains_table.storage.key_files import SEATS, SeatKeyFile
from captains_table.storage.lock import sole_use
from captains_table.web.reach import PageReach
from captains_table.web.security import MASTER_KEY, MASTER_PATH, is_loopback
from captains_table.web.serving.guests import Guests, limits_within_reach
from captains_table.web.serving.server import PortTaken, listen, serve

ADDRESS = "address"
LOOK_AT_STATE_S = 5.0
LASTING_S = 1.0  # a fault that is over sooner is not announced, such as a board that has not been read yet
NO_NETWORK = "No network yet"


@dataclass(frozen=True, slots=True)
class Opening:
    """How the daemon starts, and which match it opens.

    Attributes:
        match: number of the match to resume; None: the match that was left last, or a new one.
        fresh: whether to start a new match in any case.
        record: file to record a tape into; it must not exist yet.
        any_port: whether any free port may be used if the requested one is taken.
        reread: reads the configuration file again, at SIGHUP. `None`: there is no file, and SIGHUP, which then means
            that the terminal was closed, stops the table in an orderly way.
    """

    match: int | None = None
    fresh: bool = False
    record: Path | None = None
    any_port: bool = False
    reread: Callable[[], Config] | None = None


def run(config: Config, opening: Opening, announce: Callable[[str], None] = print) -> int:
    """Run a table until a signal stops it and return the exit code.

    Raises:
        StateInUse, JournalUnreadable, JournalUnwritable, TokenUnusable, CannotListen, NoSuchMatch, BadOption,
            UnknownGame, BadProfile: the table cannot start.
    """
    return asyncio.run(_run(config, opening, announce))


async def _run(config: Config, opening: Opening, announce: Callable[[str], None]) -> int:
    stopping, reloading = asyncio.Event(), asyncio.Event()
    failures: list[JournalUnwritable] = []

    def fail(error: JournalUnwritable) -> None:
        failures.append(error)
        stopping.set()

    for sentence in install_plugins().left_out:
        _complain(sentence)
    async with AsyncExitStack() as stack:

        def run_in_background(*works: Coroutine[None, None, None]) -> None:
            for work in works:
                stack.callback(asyncio.ensure_future(work).cancel)

        stack.enter_context(supervisor.signals(stopping, stopping if opening.reread is None else reloading))
        stack.enter_context(sole_use(config.state_dir))
        listener, reach = _listen(config, opening)
        stack.enter_context(listener)
        table, devices, club = _bring_up(stack, config, opening, reach, fail)
        run_in_background(_beat(table.archive.watch), _log_faults(table, announce))
        dimmer = Dimmer(devices.dim)
        stack.callback(dimmer.stop)
        dimmer.follow(configured.night_of(config))
        _open(table, config, opening)

        keys, guests = configured.keys_of(config), Guests(limits_within_reach(config.limits, _complain), config.proxies)

        def hang_up() -> None:
            supervisor.fall_silent()
            stopping.set()

        def apply(config: Config) -> None:
            devices.switch_sound(on=config.sound)
            devices.speech.change(configured.voice_of(config))
            dimmer.follow(configured.night_of(config))
            guests.limits = limits_within_reach(config.limits, _complain)
            table.computers.think_s = config.think
            table.loop.do(lambda _: table.session.take_over(config.settings))

        if opening.reread is not None:
            reloader = configured.Reloader(
                opening.reread,
                config,
                apply,
                files=lambda read: configured.changed_files(config, read, devices.profile, keys),
                announce=announce,
                on_silence=hang_up,
                reloaded=configured.RELOADED if opening.record is None else configured.RELOADED_ON_TAPE,
            )
            run_in_background(reloader.reload_whenever(reloading))
        if club is not None:
            club.open()
            stack.push_async_callback(club.close)
            run_in_background(_report_changes(table, club))
        _announce(announce, reach, keys, config.state_dir / ADDRESS)
        run_in_background(
            supervisor.answer_watchdog(), reach.watch(table.network_changed), _watch_state(table, config.state_dir)
        )
        app = create_app(table, token=keys.token, reach=reach, guests=guests, master=keys.master)
        ended = asyncio.ensure_future(_stop_with(table, stopping))
        supervisor.notify_supervisor("READY=1", f"STATUS=The page is at {reach.own}")
        try:
            await serve(app, listener, stopping=stopping)
        finally:
            stopping.set()
            await ended
    for error in failures:
        print(f"The table stopped: {error.words}", file=sys.stderr)
    return 1 if failures else 0


def _bring_up(
    stack: AsyncExitStack,
    config: Config,
    opening: Opening,
    reach: PageReach,
    fail: Callable[[JournalUnwritable], None],
) -> tuple[Table, Devices, ClubMember | None]:
    """Build the devices and the table on them, and return both with the table's membership of a club, if it has one.

    A broken device is only reported. The exit stack closes everything that is opened here.
    """
    journal = stack.enter_context(contextlib.closing(JournalFile(config.state_dir / JOURNAL, has_lock=True)))
    loop = asyncio.get_running_loop()
    tables: list[Table] = []

    def display_changed() -> None:
        loop.call_soon_threadsafe(_notify, tables)

    voice, debounce_ms = configured.voice_of(config), config.settings.debounce_ms
    options = BuildOptions(config.device, config.sound, voice, display_changed, debounce_ms, patient=True)
    devices = build(configured.profile_of(config), PiHardware(), options)
    stack.callback(devices.close)
    tape = None if opening.record is None else stack.enter_context(opening.record.open("x", encoding="utf-8"))
    session = _session(config, devices, reach)
    recorder = None if tape is None else Recorder(session, tape)
    if devices.board is None:
        session.board = configured.source_of(config, session)
        table = Table(session, journal, devices.display, recorder, fail, seats=_seat_desk(config))
    else:
        board = HardwareSource(session, devices.board.missing)
        shape = None if config.profile == Config().profile else devices.profile.shape
        table = Table(session, journal, devices.display, recorder, fail, shape, _seat_desk(config))
        devices.board.open(table.listen_to(board))
    table.archive.watch.is_watched = catalog.is_of_a_plugin
    stack.callback(table.archive.watch.close)
    tables.append(table)
    table.matches.may_switch_off(supervisor.power_off_of(os.environ, is_simulated=devices.board is None))
    table.devices_changed()
    return table, devices, _club_of(config, table, journal)


def _club_of(config: Config, table: Table, journal: JournalFile) -> ClubMember | None:
    """Return the table as a member of its club, if it belongs to one."""
    if not config.club.is_set:
        return None
    club = ClubMember(config.club, journal, Surroundings(table.showing, table.club_changed, table.fail))
    table.join(club)
    return club


async def _log_faults(table: Table, announce: Callable[[str], None]) -> None:
    """Announce each fault of board and devices once it has lasted for LASTING_S, and announce when it is over."""
    announced: tuple[str, ...] = ()
    with contextlib.suppress(OSError):  # the terminal that would show the faults was closed
        async for _ in table.subscribers.changes():
            await asyncio.sleep(LASTING_S)
            faults = tuple(dict.fromkeys(table.faults()))
            for fault in faults:
                if fault not in announced:
                    announce(fault)
            for fault in announced:
                if fault not in faults:
                    announce(f"Over: {fault}")
            announced = faults


async def _report_changes(table: Table, club: ClubMember) -> None:
    """Report the table's state to the club after each change."""
    async for _ in table.subscribers.changes():
        club.look()


def _seat_desk(config: Config) -> SeatDesk | None:
    """Return the issuer of links to seats; None if only this machine can open the page."""
    return None if is_loopback(config.host) else SeatDesk(SeatKeyFile(config.state_dir / SEATS), _complain)


def _page_of(reach: PageReach) -> str:
    """Return the address at which other devices can watch, NO_NETWORK if there is none now, empty on loopback.

    The address contains no token, because every spectator can read it on the display.
    """
    if reach.is_private:
        return ""
    address = reach.address()
    return f"{address}table" if address else NO_NETWORK


def _session(config: Config, devices: Devices, reach: PageReach) -> Session:
    """Return the session of a table; a real display shows the page's address first if other devices can open it."""
    session = Session(
        configured.settings_for(config, devices), devices.displays, devices.lights, devices.buzzers, table_hint
    )
    session.device_faults = devices.faults
    session.has_master = config.master
    session.page_address = lambda: _page_of(reach)
    session.greets = devices.profile.display.bus is not None and not is_loopback(config.host)
    return session


def _notify(tables: Sequence[Table]) -> None:
    for table in tables:
        table.devices_changed()


def _open(table: Table, config: Config, opening: Opening) -> None:
    _seat_engine(table, config)
    table.computers.think_s = config.think
    if opening.match is not None:
        table.matches.resume(opening.match)
    elif opening.fresh and config.players:
        table.matches.new_match(config.game, config.players, config.options)
    elif opening.fresh:
        table.matches.ask_who_plays(config.game, config.options)
    else:
        try:
            table.matches.begin(config.game, config.players, config.options)
        except CannotResume as error:  # the lobby opens then: one bad match must not prevent the start
            print(f"captains-table: {error} The lobby is open.", file=sys.stderr)
    _name_left_matches(table)


def _seat_engine(table: Table, config: Config) -> None:
    """Offer the configured engine as an opponent; an engine that does not work is only reported."""
    if config.engine is None:
        return
    try:
        try_engine(config.engine)
    except BadEngine as error:
        _complain(f"engine = {str(config.engine)!r}: {error}. It is not offered")
    else:
        catalog.add_opponent(CaptainsChess.key, engine_opponent(config.engine))
        table.computers.add_arguments("--engine", str(config.engine))


def _name_left_matches(table: Table) -> None:
    """Report each unfinished match that is not resumed automatically, with the reason."""
    for number, game in table.archive.missing_games().items():
        print(f"Match {number} is kept as it stands: {not_installed(game)}.", file=sys.stderr)
    for number, game in table.archive.hung().items():
        print(f"Match {number} is kept as it stands: {game} held the table up in it.", file=sys.stderr)


async def _beat(watch: HangWatch) -> None:
    """Send the event loop's heartbeat to the watchdog, which ends the process if a plug-in's game blocks the loop."""
    while True:
        watch.beat()
        await asyncio.sleep(BEAT_S)


def _listen(config: Config, opening: Opening) -> tuple[socket.socket, PageReach]:
    """Open the listening socket; this precedes every match, because a table without its port must not start one."""
    try:
        listener = listen(config.host, config.port)
    except PortTaken:
        if not opening.any_port:
            raise
        listener = listen(config.host, 0)
    return listener, PageReach(config.host, listener.getsockname()[1], config.hosts)


async def _watch_state(table: Table, folder: Path) -> None:
    """Check regularly whether the matches' disk is safe and show warnings: it may fill up, or be mounted late."""
    while True:
        table.warn(await asyncio.to_thread(dangers, folder))
        await asyncio.sleep(LOOK_AT_STATE_S)


def _announce(announce: Callable[[str], None], reach: PageReach, keys: configured.Keys, file: Path) -> None:
    """Announce the page's addresses, including the tokens, and write its local address to a file."""
    address = reach.address()
    begin = address or reach.own
    announce(f"The table is at {begin}table{f'?token={keys.token}' if keys.token else ''}")
    announce(f"Spectators look at {address}" if address else f"{NO_NETWORK}: other devices cannot look on")
    if keys.master is not None:
        announce(f"The game master is at {begin.rstrip('/')}{MASTER_PATH}?{MASTER_KEY}={keys.master}")
    file.write_text(f"{reach.own}\n", encoding="ascii")


def _complain(sentence: str) -> None:
    print(f"captains-table: {sentence}", file=sys.stderr)


async def _stop_with(table: Table, stopping: asyncio.Event) -> None:
    await stopping.wait()
    supervisor.notify_supervisor("STOPPING=1")
    table.stop()
