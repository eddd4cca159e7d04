"""The daemon: assembles one table from its configuration, and runs it until a signal or a failure stops it.

It opens the devices, the journal, the club's connection and the web page, and resumes or begins a match. While the
table runs, the daemon applies a changed configuration, prints faults, and watches for full disks and hanging plug-ins.
"""

import asyncio
import gc
import os
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from captains_table import catalog
from captains_table.catalog import table_hint
from captains_table.catalog.languages import language_codes
from captains_table.devices.bought.bought_board import CHESSBOARD
from captains_table.devices.build import BuildOptions, Devices, build
from captains_table.devices.clicker import Clicker
from captains_table.devices.dimming import Dimmer
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.devices.ports import JournalUnwritable
from captains_table.games.registry import not_installed
from captains_table.page.app import create_app
from captains_table.process import supervisor
from captains_table.process.hang_watch import WATCH_BEAT_S, HangWatch
from captains_table.process.plugins import install_plugins
from captains_table.runtime import applied_config
from captains_table.runtime.club_line.connection import TableCallbacks
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.config import TableConfig
from captains_table.runtime.displays import CardsOnDisplay
from captains_table.runtime.engines import (
    ENGINES,
    EngineFacts,
    FactFile,
    examine,
    find_stockfish,
    offer_engine,
    playable_games,
)
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.session import Session
from captains_table.runtime.table import Table
from captains_table.runtime.uci_engine import BadEngine, EngineProgram, SlowEngine
from captains_table.runtime.virtual_source import VirtualSource
from captains_table.storage.choice_file import CARDS, CardFile, language_file, pace_file
from captains_table.storage.disk_warnings import disk_warnings
from captains_table.storage.journal_file import JOURNAL, JournalFile
from captains_table.storage.key_files import SEATS, SeatKeyFile
from captains_table.storage.lock import sole_use
from captains_table.web.reach import PageReach
from captains_table.web.security import MASTER_KEY, MASTER_PATH, is_loopback
from captains_table.web.serving.guests import Guests, limits_within_reach
from captains_table.web.serving.server import PortTaken, listen, serve_page

ADDRESS = "address"
LOOK_AT_STATE_S = 5.0
LASTING_S = 1.0  # a shorter fault is not logged, such as that of a board that has not been read yet
NO_NETWORK_YET = "No network yet"


@dataclass(frozen=True, slots=True)
class StartOptions:
    """How the daemon starts, and which match is opened.

    Attributes:
        match: the number of the match to resume; `None`: the match that was left last, or a new one.
        fresh: whether to start a new match even if an earlier one could be resumed.
        record: the file into which a tape is recorded, which must not exist yet; `None`: no tape is recorded.
        any_port: whether to listen on any free port if the configured one is taken.
        reread: reads the configuration file again; called on SIGHUP. `None`: there is no configuration file, and
            SIGHUP (the terminal was closed) shuts the table down cleanly.
        restart: the command that starts the same table anew for other devices too; empty if its configuration says
            which devices may open the page.
    """

    match: int | None = None
    fresh: bool = False
    record: Path | None = None
    any_port: bool = False
    reread: Callable[[], TableConfig] | None = None
    restart: str = ""


def run_daemon(config: TableConfig, opening: StartOptions, announce: Callable[[str], None] = print) -> int:
    """Run a table until a signal or an unwritable journal stops it; return the exit code.

    The exit code is 1 if the journal could not be written, and 0 otherwise.

    Args:
        config: the table's configuration.
        opening: how the daemon starts.
        announce: prints a line for people, such as the page's address.

    Raises:
        StateInUse, StateUnusable, JournalUnreadable, CannotRead, JournalUnwritable, TableStopped, TokenUnusable,
            CannotListen, NoSuchMatch, CannotResume, BadOption, UnknownGame, BadProfile: the table cannot start.
        FileExistsError: the file to record into exists.
    """
    return asyncio.run(_run(config, opening, announce))


async def _run(config: TableConfig, opening: StartOptions, announce: Callable[[str], None]) -> int:
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
        dimmer.follow(applied_config.night_of(config))
        _open(table, config, opening)

        keys, guests = (
            applied_config.page_tokens_of(config),
            Guests(limits_within_reach(config.limits, _complain), config.proxies),
        )

        def hang_up() -> None:
            supervisor.silence_output()
            stopping.set()

        def apply(config: TableConfig) -> None:
            devices.switch_sound(on=config.sound)
            devices.speech.change(applied_config.voice_of(config))
            dimmer.follow(applied_config.night_of(config))
            guests.limits = limits_within_reach(config.limits, _complain)
            table.computers.think_s = config.think
            table.loop.do(lambda _: table.session.take_over(config.settings))
            table.matches.configure(pace=config.pace, language=config.language)

        if opening.reread is not None:
            reloader = applied_config.Reloader(
                opening.reread,
                config,
                apply,
                files=lambda read: applied_config.changed_files(config, read, devices.profile, keys),
                announce=announce,
                on_silence=hang_up,
                reloaded=applied_config.RELOADED if opening.record is None else applied_config.RELOADED_ON_TAPE,
            )
            run_in_background(reloader.reload_whenever(reloading))
        if club is not None:
            club.open()
            stack.push_async_callback(club.close)
            run_in_background(_publish_changes(table, club))
        _announce(announce, reach, keys, config.state_dir / ADDRESS)
        run_in_background(
            supervisor.answer_watchdog(), reach.watch(table.network_changed), _watch_state(table, config.state_dir)
        )
        app = create_app(
            table, token=keys.token, reach=reach, guests=guests, master=keys.master, restart=opening.restart
        )
        ended = asyncio.ensure_future(_stop_with(table, stopping))
        _report_ready(reach)
        try:
            await serve_page(app, listener, stopping=stopping)
        finally:
            stopping.set()
            await ended
    for error in failures:
        print(f"The table stopped: {error.words}", file=sys.stderr)
    return 1 if failures else 0


def _bring_up(
    stack: AsyncExitStack,
    config: TableConfig,
    opening: StartOptions,
    reach: PageReach,
    fail: Callable[[JournalUnwritable], None],
) -> tuple[Table, Devices, ClubMember | None]:
    """Return the table, its devices, and its membership of a club, which is `None` without a club.

    A broken device is only reported and stops nothing. The stack closes everything that is opened here.
    """
    journal = stack.enter_context(closing(JournalFile(config.state_dir / JOURNAL, has_lock=True)))
    loop = asyncio.get_running_loop()
    tables: list[Table] = []

    def display_changed() -> None:
        loop.call_soon_threadsafe(_notify, tables)

    voice, debounce_ms = applied_config.voice_of(config), config.settings.debounce_ms
    options = BuildOptions(
        config.device, config.turned, config.sound, voice, display_changed, debounce_ms, patient=True
    )
    devices = build(applied_config.profile_of(config), PiHardware(), options)
    stack.callback(devices.close)
    tape = None if opening.record is None else stack.enter_context(opening.record.open("x", encoding="utf-8"))
    session = _session(config, devices, reach)
    recorder = None if tape is None else Recorder(session, tape)
    if devices.board is None:
        session.board = source = applied_config.source_of(config, session)
        shape = CHESSBOARD if isinstance(source, VirtualSource) else None
        table = Table(session, journal, devices.display, recorder, fail, shape, _seat_links(config))
        if isinstance(source, VirtualSource):
            session.board_words = source.driver.described
            source.driver.open(table.listen_to(source.reports))
            stack.callback(source.close)
    else:
        board = HardwareSource(session, devices.board.missing)
        is_built = config.profile != TableConfig().profile or devices.profile.board.is_bought
        shape = devices.profile.shape if is_built else None
        table = Table(session, journal, devices.display, recorder, fail, shape, _seat_links(config))
        if devices.bought is not None:
            session.turn_board, session.board_words = devices.bought.turn, devices.bought.described
        devices.board.open(table.listen_to(board))
    if config.clicker is not None:
        clicker = Clicker(config.clicker, display_changed)
        devices.fallible.append(clicker)
        clicker.open(table.listen_to_buttons())
        stack.callback(clicker.close)
    table.archive.watch.is_watched = catalog.is_of_a_plugin
    stack.callback(table.archive.watch.close)
    tables.append(table)
    table.matches.may_switch_off(supervisor.power_off_of(os.environ, is_simulated=devices.board is None))
    table.devices_changed()
    return table, devices, _club_of(config, table, journal)


def _club_of(config: TableConfig, table: Table, journal: JournalFile) -> ClubMember | None:
    """Make the table a member of its club and return the membership; `None` if no club is configured.

    The membership is not connected to the club yet.
    """
    if not config.club.is_set:
        return None
    club = ClubMember(config.club, journal, TableCallbacks(table.showing, table.club_changed, table.fail))
    table.join(club)
    return club


async def _log_faults(table: Table, announce: Callable[[str], None]) -> None:
    """Announce each fault or warning of the table once, and later that it is over.

    The faults are read LASTING_S seconds after a change of the table, so that brief faults are not announced.
    """
    announced: tuple[str, ...] = ()
    with suppress(OSError):  # standard output was closed
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


async def _publish_changes(table: Table, club: ClubMember) -> None:
    """Publish every change of the table to the club."""
    async for _ in table.subscribers.changes():
        club.look()


def _seat_links(config: TableConfig) -> SeatLinks | None:
    """Return the object that issues links to seats; `None` if only this machine can reach the page."""
    return None if is_loopback(config.host) else SeatLinks(SeatKeyFile(config.state_dir / SEATS), _complain)


def _page_of(reach: PageReach) -> str:
    """Return the address at which other devices can watch the table.

    The result is empty if the page is for this machine only, and NO_NETWORK_YET without a network. The address does not
    contain the token, because the displays show the address to everybody.
    """
    if reach.is_private:
        return ""
    address = reach.address()
    return f"{address}table" if address else NO_NETWORK_YET


def _session(config: TableConfig, devices: Devices, reach: PageReach) -> Session:
    """Return the table's session.

    If the table has a real display and other devices can reach the page, the display first shows the page's address.
    """
    session = Session(
        applied_config.settings_for(config, devices), devices.displays, devices.lights, devices.buzzers, table_hint
    )
    session.device_faults = devices.faults
    session.has_master = config.master
    session.page_address = lambda: _page_of(reach)
    if devices.profile.display.bus is not None:  # a page has cards of its own
        session.displays.cards = CardsOnDisplay(CardFile(config.state_dir / CARDS))
    session.greets = devices.profile.display.bus is not None and not is_loopback(config.host)
    return session


def _notify(tables: Sequence[Table]) -> None:
    for table in tables:
        table.devices_changed()


def _open(table: Table, config: TableConfig, opening: StartOptions) -> None:
    table.matches.keep_choices(
        pace=pace_file(config.state_dir, config.pace),
        language=language_file(config.state_dir, config.language, language_codes()),
    )
    _offer_engines(table, config)
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
        except CannotResume as error:  # the lobby opens instead: one bad match does not keep the table from starting
            print(f"captains-table: {error} The lobby is open.", file=sys.stderr)
    _report_unresumed_matches(table)


def _offer_engines(table: Table, config: TableConfig) -> None:
    """Offer the found and the configured UCI engines as computer players.

    No engine is started here: those that were never examined are examined in the background, and those that do not work
    are withdrawn then.
    """
    found = find_stockfish() if config.engines == "found" else None
    others = () if found is None or any(each.key == found.key for each in config.programs) else (found,)
    programs, file = (*others, *config.programs), config.state_dir / ENGINES
    facts = FactFile(file)
    for program in programs:
        offer_engine(program, facts.find(program))
    table.reviews.engines = programs
    if programs:
        table.computers.add_arguments("--engines", msgspec.json.encode(programs).decode(), "--facts", str(file))
    unknown = [program for program in config.programs if facts.find(program) is None]
    if unknown:
        examining = partial(_examine_engines, unknown, facts, asyncio.get_running_loop(), table.subscribers.notify)
        threading.Thread(target=examining, name=ENGINES, daemon=True).start()


def _examine_engines(
    programs: Sequence[EngineProgram], facts: FactFile, loop: asyncio.AbstractEventLoop, notify: Callable[[], None]
) -> None:
    """Examine engines one after the other, in a thread of its own; offer or withdraw each, and complain in words."""

    def offer(program: EngineProgram, found: EngineFacts) -> None:
        offer_engine(program, found)
        for game in program.games:
            if game in found.refused:
                _complain(f"engine {program.name!r}: {found.refused[game]}. It is not offered in {game}")
        notify()

    for program in programs:
        try:
            found = examine(program)
            facts.keep(program, found)
        except SlowEngine as error:
            _complain(f"engine {program.name!r}: {error}. It is started again when it is to move")
            continue
        except BadEngine as error:
            _complain(f"engine {program.name!r}: {error}. It is not offered")
            found = EngineFacts(program.name, None, dict.fromkeys(playable_games(program), str(error)))
        with suppress(RuntimeError):  # the table has stopped
            loop.call_soon_threadsafe(offer, program, found)


def _report_unresumed_matches(table: Table) -> None:
    """Print each unfinished match that cannot be resumed, with the reason.

    Either the match's game is not installed, or the game blocked the table in this match.
    """
    for number, game in table.archive.missing_games().items():
        print(f"Match {number} is kept as it stands: {not_installed(game)}.", file=sys.stderr)
    for number, game in table.archive.hung().items():
        print(f"Match {number} is kept as it stands: {game} held the table up in it.", file=sys.stderr)


async def _beat(watch: HangWatch) -> None:
    """Send heartbeats to the watchdog, which ends the process if a plug-in's game blocks the event loop."""
    while True:
        watch.beat()
        await asyncio.sleep(WATCH_BEAT_S)


def _listen(config: TableConfig, opening: StartOptions) -> tuple[socket.socket, PageReach]:
    """Return the listening socket and the page's addresses.

    The socket is opened before anything else, so that no match is started if the port is taken. If `any_port` is set, a
    free port replaces a taken one. Raises CannotListen; a taken port without `any_port` raises its subclass PortTaken.
    """
    try:
        listener = listen(config.host, config.port)
    except PortTaken:
        if not opening.any_port:
            raise
        listener = listen(config.host, 0)
    return listener, PageReach(config.host, listener.getsockname()[1], config.hosts)


async def _watch_state(table: Table, folder: Path) -> None:
    """Check the disk of the state folder regularly, and show the present warnings about the disk.

    A disk may be mounted late, or fill up while the table runs.
    """
    while True:
        table.warn(await asyncio.to_thread(disk_warnings, folder))
        await asyncio.sleep(LOOK_AT_STATE_S)


def _announce(announce: Callable[[str], None], reach: PageReach, keys: applied_config.PageTokens, file: Path) -> None:
    """Announce the page's addresses for the owner, spectators and the game master, with the tokens that are needed.

    Also write the page's address on this machine to a file.
    """
    address = reach.address()
    begin = address or reach.own
    announce(f"The table is at {begin}table{f'?token={keys.token}' if keys.token else ''}")
    announce(f"Spectators look at {address}" if address else f"{NO_NETWORK_YET}: other devices cannot look on")
    if keys.master is not None:
        announce(f"The game master is at {begin.rstrip('/')}{MASTER_PATH}?{MASTER_KEY}={keys.master}")
    file.write_text(f"{reach.own}\n", encoding="ascii")


def _report_ready(reach: PageReach) -> None:
    gc.freeze()  # later collections leave out what the start has made: with it, one took 50 ms in the middle of a move
    supervisor.notify_supervisor("READY=1", f"STATUS=The page is at {reach.own}")


def _complain(sentence: str) -> None:
    print(f"captains-table: {sentence}", file=sys.stderr)


async def _stop_with(table: Table, stopping: asyncio.Event) -> None:
    await stopping.wait()
    supervisor.notify_supervisor("STOPPING=1")
    table.stop()
