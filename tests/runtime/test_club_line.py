"""A table and its club, over the real Mosquitto and over brokers that nobody wants."""

import asyncio
import base64
import json
import os
import signal
import sys
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from msgspec import structs

from captains_table.devices.ports import JournalUnwritable
from captains_table.games.contract import Over, Pick
from captains_table.page.live_pages import LivePages
from captains_table.reporting.messages import (
    ArbiterCall,
    FromClub,
    FromTable,
    MatchReport,
    Pairing,
    Pairings,
    Presence,
    Status,
    ViewMessage,
)
from captains_table.runtime.club_line import connection, speaker_messages
from captains_table.runtime.club_line.connection import TableCallbacks, TableNow
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.config import ClubConfig
from captains_table.runtime.match_archive import CannotRead
from captains_table.runtime.match_control import NoSuchPairing
from captains_table.storage.journal_file import JournalFile, MatchJournal
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted
from captains_table.table.model.events import Button
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.serving.guests import Guests
from tests.support.club_side import USER, ClubSide, club_side
from tests.support.effort import effort
from tests.support.hostile_broker import HOSTILE, hostile_broker
from tests.support.journals import damage
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import OpenTable, answer, press

pytestmark = pytest.mark.slow
SEAL = "ab" * 32
STARTED = MatchStarted("captains-chess", ("Anne", "Bart"), {}, SEAL, ("human", "human"), 0)
SEATS = (SeatView("Anne", {}, on_turn=True), SeatView("Bart", {}, on_turn=False))
IMPATIENT = """
from captains_table.reporting import broker
from captains_table.runtime.club_line.speaker import main
broker.FIRST_PAUSE_S = 0.05
main()
"""  # a speaker that looks for the broker again at once
VIEW = View(phase=Phase.PLAYING, game="captains-chess", seats=SEATS)


@dataclass
class Table:
    """A table that shows what it is told to, and belongs to a club."""

    journal: JournalFile
    shown: TableNow = field(default_factory=lambda: TableNow(View()))
    changes: asyncio.Event = field(default_factory=asyncio.Event)
    failures: list[JournalUnwritable] = field(default_factory=list)

    def member(self, config: ClubConfig) -> ClubMember:
        around = TableCallbacks(
            showing=lambda: self.shown,
            on_change=self.changes.set,
            on_failure=self.failures.append,
            now=lambda: "2026-11-23T20:00:00+01:00",
            chance=lambda: 0.0,
            boot="boot",
            command=(sys.executable, "-c", IMPATIENT),
        )
        return ClubMember(config, self.journal, around)

    def play(self, club: ClubMember, pairing: str = "") -> MatchJournal:
        """Play a match until somebody resigns, and let the club know as the table does."""
        journal = self.begin(pairing)
        match = Match.resumed(journal.entries())
        for entry in _resigned(match):
            journal.append(entry)
        club.match_ended(journal.number)
        return journal

    def begin(self, pairing: str = "") -> MatchJournal:
        return self.journal.start(STARTED, bytes(32), pairing)


def _resigned(match: Match) -> Iterator[Entry]:
    yield match.act(Pick("e2e4"), 1)
    yield match.act(Pick("resign"), 2)
    assert isinstance(match.turn, Over)
    yield MatchEnded(match.turn.result.winner, match.turn.result.scores)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_PAUSE_S", 0.05)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[JournalFile]:
    with closing(JournalFile(tmp_path / "journal.sqlite3")) as file:
        yield file


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


def config_for(port: int) -> ClubConfig:
    return ClubConfig(host="127.0.0.1", port=port, user=USER, board=3, title="By the window", names=True)


@asynccontextmanager
async def member_of(table: Table, config: ClubConfig) -> AsyncIterator[ClubMember]:
    club = table.member(config)
    club.open()
    try:
        yield club
    finally:
        await club.close()


Joined = tuple[Table, ClubMember, ClubSide]


@asynccontextmanager
async def at_club(journal: JournalFile, port: int) -> AsyncIterator[Joined]:
    table = Table(journal)
    async with club_side(port) as side, member_of(table, config_for(port)) as club:
        await side.wait_for(is_there)
        yield table, club, side


@pytest.fixture
def joined(runner: asyncio.Runner, journal: JournalFile, mosquitto: Mosquitto) -> Iterator[Joined]:
    """Return a table that speaks to a club, its member of the club, and the club's end of the line."""
    club = at_club(journal, mosquitto.port)
    yield runner.run(club.__aenter__())
    runner.run(club.__aexit__(None, None, None))


def states(side: ClubSide) -> list[Presence]:
    return [status.state for status in side.of(FromTable.STATUS) if isinstance(status, Status)]


def views(side: ClubSide) -> list[ViewMessage]:
    return [message for message in side.of(FromTable.VIEW) if isinstance(message, ViewMessage)]


def needs(side: ClubSide) -> list[ArbiterCall]:
    return [message for message in side.of(FromTable.NEEDS) if isinstance(message, ArbiterCall)]


def is_there(side: ClubSide) -> bool:
    return states(side)[-1:] == [Presence.READY] and bool(side.of(FromTable.VIEW)) and bool(side.of(FromTable.NEEDS))


def told(count: int) -> Callable[[ClubSide], bool]:
    return lambda side: len(side.results()) >= count


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.02)


async def test_a_table_says_that_it_is_there_what_is_seen_when_it_is_lost_and_when_it_leaves(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    async with club_side(mosquitto.port) as outsider:
        async with at_club(journal, mosquitto.port) as (table, club, side):
            os.kill(club._link._speaker.pid or 0, signal.SIGKILL)
            await side.wait_for(lambda side: Presence.LOST in states(side))
            await side.wait_for(is_there)
            table.shown = TableNow(VIEW, Match(STARTED), table.begin("7").number)
            club.look()
            await side.wait_for(lambda side: views(side)[-1].match == SEAL)
            first, last = views(side)[0], views(side)[-1]
            assert (first.match, last.pairing, last.boot) == ("", "7", "boot")
            assert last.n > first.n
            assert [seat.name for seat in last.view.seats] == ["Anne", "Bart"]
            status = side.of(FromTable.STATUS)[-1]
            assert isinstance(status, Status)
            assert (status.board, status.title, "legend" in status.games) == (3, "By the window", True)
        await outsider.wait_for(lambda side: states(side)[-1:] == [Presence.DISCONNECTED])
        async with club_side(mosquitto.port) as late:  # it is retained: those who come later are told the same
            await late.wait_for(lambda side: {FromTable.STATUS, FromTable.VIEW} <= {kind for kind, _ in side.said})


async def test_an_arbiter_is_called_until_the_club_answers_that_very_call_or_the_table_takes_it_back(
    joined: Joined,
) -> None:
    table, club, side = joined
    offered = Pairing(id="1", heading="", game="legend", seats=("Anne", "Bart"))
    club.call_arbiter(wanted=True)
    await side.wait_for(lambda side: needs(side)[-1].arbiter)
    first = needs(side)[-1].call
    assert club.state().calls_arbiter
    assert table.changes.is_set()
    await side.order(Pairings(pairings=(offered,), answered="another call"), FromClub.PAIRINGS)
    await until(club.offered)
    assert club.calls_arbiter
    table.changes.clear()
    await side.order(Pairings(answered=first), FromClub.PAIRINGS)
    await side.wait_for(lambda side: not needs(side)[-1].call)
    assert not club.calls_arbiter
    assert table.changes.is_set()
    club.call_arbiter(wanted=True)
    await side.wait_for(lambda side: needs(side)[-1].call not in {"", first})
    await side.order(Pairings(pairings=(offered,), answered=first), FromClub.PAIRINGS)
    await until(club.offered)
    assert club.calls_arbiter
    club.call_arbiter(wanted=False)
    await side.wait_for(lambda side: not needs(side)[-1].arbiter)
    assert [each.arbiter for each in needs(side)] == [False, True, False, True, False]


async def test_a_result_is_told_to_servers_and_brokers_that_were_away_until_it_is_acknowledged(
    journal: JournalFile, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SENT_AGAIN_S", 10 * PATIENCE_S)
    async with club_side(mosquitto.port) as side:
        await side.order(Pairings(), FromClub.PAIRINGS)
    table = Table(journal)
    async with member_of(table, config_for(mosquitto.port)) as club:
        async with club_side(mosquitto.port) as side:
            await side.wait_for(is_there)
            table.play(club, pairing="7")
            await side.wait_for(told(1))
            [first] = side.results()
            assert (first.match, first.rev, first.pairing, first.seats) == (SEAL, 1, "7", ("Anne", "Bart"))
            assert first.ending is not None
            assert first.ending.winner == 0
            assert first.export
            await side.order(b'{"v":2}', FromClub.ACKNOWLEDGED)
            await until(club.faults)  # seen later, so that what was retained was heard
            assert len(side.results()) == 1
            await side.order(Pairings(), FromClub.PAIRINGS)  # a server that was away says so first
            await side.wait_for(told(2))
            assert side.results()[1] == first
        mosquitto.kill()
        mosquitto.start()
        async with club_side(mosquitto.port) as side:
            await side.wait_for(told(1))
            assert side.results()[0] == first
            await side.acknowledge(first)
            await until(lambda: journal.club.unacknowledged() == [])
        mosquitto.kill()
        mosquitto.start()
        async with club_side(mosquitto.port) as side:
            await side.wait_for(is_there)
            table.play(club)
            await side.wait_for(told(1))
            assert [outcome.pairing for outcome in side.results()] == [""]


async def test_what_ended_before_the_start_is_told_then_and_what_cannot_be_read_keeps_no_other_back(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    damaged = journal.start(STARTED, bytes(32), "6")
    journal._database.execute(
        "INSERT INTO entries (match, position, kind, body) VALUES (?, 1, 'ended', 'torn')", (damaged.number,)
    )
    ended = journal.start(STARTED, bytes(32), "7")
    for entry in _resigned(Match.resumed(ended.entries())):
        ended.append(entry)
    journal.start(STARTED, bytes(32), "8")
    async with at_club(journal, mosquitto.port) as (table, club, side):
        await side.wait_for(told(1))
        await until(club.faults)
        assert "match 1 cannot be told to the club: damaged: its entry 1" in club.faults()[0]
        table.play(club, pairing="9")
        await side.wait_for(lambda side: any(outcome.pairing == "9" for outcome in side.results()))
        assert ({outcome.pairing for outcome in side.results()}, len(club.faults())) == ({"7", "9"}, 1)


async def test_a_match_that_was_given_up_and_then_played_is_a_correction_that_only_its_own_acknowledgement_ends(
    joined: Joined, journal: JournalFile
) -> None:
    table, club, side = joined
    left = table.begin("7")
    club.give_up(left.number)
    await side.wait_for(told(1))
    for entry in _resigned(Match.resumed(left.entries())):
        left.append(entry)
    club.match_ended(left.number)
    await side.wait_for(lambda side: any(outcome.rev == 2 for outcome in side.results()))
    endings = {outcome.rev: outcome.ending for outcome in side.results()}
    assert endings[1] is None
    assert endings[2] is not None
    await side.acknowledge(MatchReport(match="cd" * 32, rev=9, game="x", seats=("a",), ending=None))
    await side.order(Pairings(pairings=(Pairing(id="1", heading="", game="x", seats=("a",)),)), FromClub.PAIRINGS)
    await until(club.offered)  # said later, so that all before it was heard
    assert [each.seal for each in journal.club.unacknowledged()] == [SEAL]


async def test_an_evening_without_a_broker_is_told_later_and_by_initials_where_names_are_not_given(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    mosquitto.kill()
    table = Table(journal)
    async with member_of(table, structs.replace(config_for(mosquitto.port), names=False)) as club:
        pairings = [str(number) for number in range(12)]
        for number in pairings:
            started = structs.replace(STARTED, commitment=f"{int(number):064x}")
            table.journal.start(started, bytes(32), number).append(MatchEnded(0, (1, 0)))
            club.match_ended(int(number) + 1)
        table.shown = TableNow(VIEW, Match(STARTED), 1)
        club.look()
        await until(lambda: len(journal.club.unacknowledged()) == len(pairings))
        mosquitto.start()
        async with club_side(mosquitto.port) as side:
            await side.wait_for(lambda side: {outcome.pairing for outcome in side.results()} == set(pairings))
            outcomes = {(outcome.rev, outcome.seats, outcome.export) for outcome in side.results()}
            assert outcomes == {(1, ("A.", "B."), "")}
            await side.wait_for(is_there)
            assert [seat.name for seat in views(side)[-1].view.seats] == ["A.", "B."]


async def test_pairings_are_offered_until_they_were_played_and_whatever_else_the_club_says(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    paired = Pairings(
        pairings=tuple(Pairing(id=id_, heading="Round 2", game="legend", seats=("Anne", "Bart")) for id_ in "123")
    )
    async with at_club(journal, mosquitto.port) as (table, club, side):
        await side.order(paired, FromClub.PAIRINGS)
        await until(lambda: len(club.offered()) == 3)
        table.play(club, pairing="1")
        left = table.begin("2").number
        assert [(each.start.pairing, each.begun) for each in club.offered()] == [("2", left), ("3", None)]
        assert [each.start.pairing for each in club.offered(over=left)] == ["3"]
    async with at_club(journal, mosquitto.port) as (_, club, side):  # retained: known again after a restart
        await until(lambda: len(club.offered()) == 2)
        for payload in (b"{", b"[]", b'{"v":1,"pairings":[{"id":7}]}', b" " * 70_000):
            await side.order(payload, FromClub.PAIRINGS)
        await until(lambda: club.faults() and club.faults()[0].startswith("The club sent 4 messages"))
        await side.order(b'{"v":2}', FromClub.ACKNOWLEDGED)
        await until(lambda: club.faults() == (connection.NEEDS_UPDATE,))
        assert len(club.offered()) == 2


@pytest.mark.parametrize("name", HOSTILE)
async def test_whatever_a_broker_does_little_waits_and_the_table_says_so(
    name: str, journal: JournalFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "OUT_OF_REACH_S", 0.3)
    table = Table(journal)
    async with hostile_broker(HOSTILE[name]) as port, member_of(table, config_for(port)) as club:
        table.play(club)
        table.shown = TableNow(VIEW, Match(STARTED), 1)
        for revision in range(effort(500, 2000)):
            table.shown = TableNow(replace(VIEW, revision=revision), Match(STARTED), 1)
            club.look()
        await until(lambda: club.faults() and journal.club.unacknowledged() and club._link._speaker.pid)
        writer = club._link._speaker._writer
        assert writer is None or writer.transport.get_write_buffer_size() < 1 << 16
        assert table.failures == []


async def test_a_password_that_others_may_read_is_said_and_not_used(journal: JournalFile, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("sea shanty\n")
    file.chmod(0o644)
    config = structs.replace(config_for(1), password_file=file)
    async with member_of(Table(journal), config) as club:
        await until(club.faults)
        [fault] = club.faults()
        assert "may be read by others" in fault


async def test_what_the_club_pairs_is_begun_at_the_table_and_its_result_comes_back(
    open_table: OpenTable, mosquitto: Mosquitto
) -> None:
    pairing = Pairing(id="7", heading="Round 2", game="chess", seats=("Anne", "Bart"))
    with open_table(on_floor=True) as live:
        around = TableCallbacks(live.showing, live.club_changed, live.fail, lambda: "", lambda: 0.0, "boot")
        club = ClubMember(config_for(mosquitto.port), live.archive._file, around)
        live.join(club)
        live.matches.begin("", (), {})
        assert live.view().menu.entries[0].id == "computer"  # nothing was ever played here
        club.open()
        async with club_side(mosquitto.port) as side:
            await side.wait_for(is_there)
            await side.order(Pairings(pairings=(pairing,)), FromClub.PAIRINGS)
            await until(lambda: live.view().menu.entries[0].id == "pairing-7")
            live.matches.club.call_arbiter(wanted=True)
            press(live, Button.CHOOSE)
            assert not live.matches.club.calls_arbiter  # the call was about the match before
            assert [seat.name for seat in live.view().seats] == ["Anne", "Bart"]
            assert club.state().is_paired
            club.look()
            await side.wait_for(lambda side: any(seen.pairing == "7" for seen in views(side)))
            answer(live, "e2e4", "e7e5")
            club.look()
            await side.wait_for(lambda side: [move.id for move in views(side)[-1].moves] == ["e2e4", "e7e5"])
            answer(live, "resign")
            answer(live, live.view().options[0].id)  # so the end is written
            await side.wait_for(told(1))
            [outcome] = side.results()
            assert (outcome.pairing, outcome.ending is None) == ("7", False)
            exported = json.loads(zlib.decompress(base64.b64decode(outcome.export)))
            assert verify_export(exported).proven
            assert club.offered() == ()
            assert live.matches.paired() == ()
            with pytest.raises(NoSuchPairing):
                live.matches.begin_paired("7")
            await side.order(b'{"v":2}', FromClub.PAIRINGS)
            await until(lambda: connection.NEEDS_UPDATE in live.view().faults)
        live.stop()
        await club.close()


def test_a_page_comes_up_though_it_cannot_be_read_which_of_the_pairings_were_begun(
    open_table: OpenTable, tmp_path: Path
) -> None:
    pairing = Pairing(id="7", heading="Round 2", game="captains-chess", seats=("Anne", "Bart"))
    with open_table() as live:
        for _ in range(30):
            live.matches.new_match("captains-chess", ("Anne", "Bart"), {})
    with open_table() as live:
        around = TableCallbacks(live.showing, live.club_changed, live.fail, lambda: "", lambda: 0.0, "boot")
        club = ClubMember(config_for(1), live.archive._file, around)
        live.join(club)
        live.matches.ask_who_plays("captains-chess", {})
        damage(tmp_path / "journal.sqlite3")
        club._link._take(speaker_messages.PairingsChanged(Pairings(pairings=(pairing,))))
        for ask in (live.matches.paired, lambda: live.matches.begin_paired("7")):
            with pytest.raises(CannotRead, match="The journal cannot be read"):
                ask()
        watching = LivePages(live, Renderer(), Guests(), PageReach("127.0.0.1", 0))
        assert watching.first_screen().paired == ()
