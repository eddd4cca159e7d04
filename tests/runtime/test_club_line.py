"""A table and its club, over the real Mosquitto and over brokers that nobody wants."""

import asyncio
import base64
import json
import os
import signal
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from msgspec import structs

from captains_table.devices.ports import JournalUnwritable
from captains_table.games.contract import Over, Pick
from captains_table.page.live_pages import scene_of
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
from captains_table.runtime.table import Table as LiveTable
from captains_table.storage.journal_file import JournalFile, MatchJournal
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
)
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase, SeatView, View
from tests.support.club_side import USER, ClubSide, club_side
from tests.support.hostile_broker import HOSTILE, hostile_broker
from tests.support.journals import damage
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import at_a_table

pytestmark = pytest.mark.slow
SEAL = "ab" * 32
STARTED = MatchStarted("captains-chess", ("Anne", "Bart"), {}, SEAL, ("human", "human"), 0)
SEATS = (SeatView("Anne", {}, on_turn=True), SeatView("Bart", {}, on_turn=False))
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


@asynccontextmanager
async def at_club(journal: JournalFile, port: int) -> AsyncIterator[tuple[Table, ClubMember, ClubSide]]:
    """Have a table speak to a club, and wait until it does."""
    table = Table(journal)
    async with club_side(port) as side, member_of(table, config_for(port)) as club:
        await side.wait_for(is_there)
        yield table, club, side


def is_there(side: ClubSide) -> bool:
    states = [status.state for status in side.of(FromTable.STATUS) if isinstance(status, Status)]
    return states[-1:] == [Presence.READY] and bool(side.of(FromTable.VIEW)) and bool(side.of(FromTable.NEEDS))


def told(count: int) -> Callable[[ClubSide], bool]:
    return lambda side: len(side.results()) >= count


# --- what a table says ----------------------------------------------------------------------------------------------


def test_a_table_says_that_it_is_there_what_is_to_be_seen_and_when_it_leaves(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    async def play() -> None:
        async with club_side(mosquitto.port) as outsider:
            async with at_club(journal, mosquitto.port) as (table, club, side):
                number = table.begin("7").number
                table.shown = TableNow(VIEW, Match(STARTED), number)
                club.look()
                await side.wait_for(lambda side: len(side.of(FromTable.VIEW)) > 1)
                first, last = side.of(FromTable.VIEW)[0], side.of(FromTable.VIEW)[-1]
                assert isinstance(first, ViewMessage)
                assert isinstance(last, ViewMessage)
                assert (first.match, last.match, last.pairing, last.boot) == ("", SEAL, "7", "boot")
                assert last.n > first.n
                assert [seat.name for seat in last.view.seats] == ["Anne", "Bart"]
                status = side.of(FromTable.STATUS)[-1]
                assert isinstance(status, Status)
                assert (status.board, status.title, "legend" in status.games) == (3, "By the window", True)
            await outsider.wait_for(
                lambda side: (
                    [status.state for status in side.of(FromTable.STATUS) if isinstance(status, Status)][-1:]
                    == [Presence.DISCONNECTED]
                )
            )
            async with club_side(mosquitto.port) as late:  # it is retained: whoever comes later is told the same
                await late.wait_for(lambda side: {FromTable.STATUS, FromTable.VIEW} <= {kind for kind, _ in side.said})

    asyncio.run(play())


def test_initials_are_told_in_place_of_names_and_no_match_is(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        table = Table(journal)
        config = structs.replace(config_for(mosquitto.port), names=False)
        async with club_side(mosquitto.port) as side, member_of(table, config) as club:
            await side.wait_for(is_there)
            number = table.play(club).number
            table.shown = TableNow(VIEW, Match(STARTED), number)
            club.look()
            await side.wait_for(lambda side: told(1)(side) and len(side.of(FromTable.VIEW)) > 1)
            [outcome], seen = side.results(), side.of(FromTable.VIEW)[-1]
            assert (outcome.seats, outcome.export) == (("A.", "B."), "")
            assert isinstance(seen, ViewMessage)
            assert [seat.name for seat in seen.view.seats] == ["A.", "B."]

    asyncio.run(play())


def test_the_broker_says_that_a_table_is_lost_and_it_comes_back(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (_, club, side):
            os.kill(club._desk._speaker.pid or 0, signal.SIGKILL)
            await side.wait_for(
                lambda side: Presence.LOST in [s.state for s in side.of(FromTable.STATUS) if isinstance(s, Status)]
            )
            await side.wait_for(is_there)

    asyncio.run(play())


def test_an_arbiter_is_called_and_sent_away_again(journal: JournalFile, mosquitto: Mosquitto) -> None:
    def asked(side: ClubSide) -> list[bool]:
        return [needs.arbiter for needs in side.of(FromTable.NEEDS) if isinstance(needs, ArbiterCall)]

    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (table, club, side):
            club.call_arbiter(wanted=True)
            await side.wait_for(lambda side: asked(side)[-1])
            assert club.state().calls_arbiter
            assert table.changes.is_set()
            club.call_arbiter(wanted=False)
            await side.wait_for(lambda side: not asked(side)[-1])
            assert asked(side) == [False, True, False]

    asyncio.run(play())


def test_a_call_that_the_club_answered_is_over_and_the_next_one_is_not(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    def calls(side: ClubSide) -> list[str]:
        return [needs.call for needs in side.of(FromTable.NEEDS) if isinstance(needs, ArbiterCall)]

    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (table, club, side):
            club.call_arbiter(wanted=True)
            await side.wait_for(lambda side: calls(side)[-1])
            first = calls(side)[-1]
            await side.order(Pairings(answered="another call"), FromClub.PAIRINGS)
            await side.order(b'{"v":2}', FromClub.ACKNOWLEDGED)
            await until(club.faults)  # seen later, so that what was said of another call was heard
            assert club.calls_arbiter
            table.changes.clear()
            await side.order(Pairings(answered=first), FromClub.PAIRINGS)
            await side.wait_for(lambda side: not calls(side)[-1])
            assert not club.calls_arbiter
            assert table.changes.is_set()
            club.call_arbiter(wanted=True)
            await side.wait_for(lambda side: calls(side)[-1] not in {"", first})
            offered = Pairing(id="1", heading="", game="legend", seats=("Anne", "Bart"))
            await side.order(Pairings(pairings=(offered,), answered=first), FromClub.PAIRINGS)
            await until(club.offered)
            assert club.calls_arbiter

    asyncio.run(play())


# --- results --------------------------------------------------------------------------------------------------------


def test_a_result_is_told_until_it_is_acknowledged_over_brokers_that_die(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    async def play() -> None:
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

    asyncio.run(play())


def test_a_server_that_was_away_is_told_again_as_soon_as_it_says_what_is_to_be_played(
    journal: JournalFile, mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SENT_AGAIN_S", 10 * PATIENCE_S)

    async def play() -> None:
        async with club_side(mosquitto.port) as side:
            await side.order(Pairings(), FromClub.PAIRINGS)
        table = Table(journal)
        async with club_side(mosquitto.port) as side, member_of(table, config_for(mosquitto.port)) as club:
            await side.wait_for(is_there)
            table.play(club)
            await side.wait_for(told(1))
            await side.order(b'{"v":2}', FromClub.ACKNOWLEDGED)
            await until(club.faults)  # seen later, so that what was retained was heard
            assert len(side.results()) == 1
            await side.order(Pairings(), FromClub.PAIRINGS)
            await side.wait_for(told(2))
            first, again = side.results()
            assert again == first
            await side.acknowledge(again)
            await until(lambda: journal.club.unacknowledged() == [])

    asyncio.run(play())


def test_what_ended_while_nobody_noted_it_is_told_at_the_next_start(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        ended = journal.start(STARTED, bytes(32), "7")
        for entry in _resigned(Match.resumed(ended.entries())):
            ended.append(entry)
        journal.start(STARTED, bytes(32), "8")
        async with at_club(journal, mosquitto.port) as (_, _, side):
            await side.wait_for(told(1))
            assert [outcome.pairing for outcome in side.results()] == ["7"]

    asyncio.run(play())


def test_a_match_that_was_given_up_and_then_played_is_a_correction(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (table, club, side):
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

    asyncio.run(play())


def test_a_match_that_cannot_be_read_is_said_and_keeps_no_other_back(
    journal: JournalFile, mosquitto: Mosquitto
) -> None:
    async def play() -> None:
        damaged = journal.start(STARTED, bytes(32), "7")
        journal._database.execute(
            "INSERT INTO entries (match, position, kind, body) VALUES (?, 1, 'ended', 'torn')", (damaged.number,)
        )
        async with at_club(journal, mosquitto.port) as (table, club, side):
            await until(club.faults)
            assert "match 1 cannot be told to the club: damaged: its entry 1" in club.faults()[0]
            table.play(club, pairing="8")
            await side.wait_for(told(1))
            assert ([outcome.pairing for outcome in side.results()], len(club.faults())) == (["8"], 1)

    asyncio.run(play())


def test_results_of_an_evening_without_a_broker_are_all_told(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        mosquitto.kill()
        table = Table(journal)
        async with member_of(table, config_for(mosquitto.port)) as club:
            pairings = [str(number) for number in range(12)]
            for number in pairings:
                table.journal.start(replace_seal(int(number)), bytes(32), number).append(MatchEnded(0, (1, 0)))
                club.match_ended(int(number) + 1)
            await until(lambda: len(journal.club.unacknowledged()) == len(pairings))
            mosquitto.start()
            async with club_side(mosquitto.port) as side:
                await side.wait_for(lambda side: {outcome.pairing for outcome in side.results()} == set(pairings))
                assert {outcome.rev for outcome in side.results()} == {1}

    asyncio.run(play())


def replace_seal(number: int) -> MatchStarted:
    return MatchStarted("captains-chess", ("Anne", "Bart"), {}, f"{number:064x}", ("human", "human"), 0)


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.02)


# --- what the club says ---------------------------------------------------------------------------------------------


def test_pairings_are_offered_until_they_were_played(journal: JournalFile, mosquitto: Mosquitto) -> None:
    paired = Pairings(
        pairings=tuple(Pairing(id=id_, heading="Round 2", game="legend", seats=("Anne", "Bart")) for id_ in "123")
    )

    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (table, club, side):
            await side.order(paired, FromClub.PAIRINGS)
            await until(lambda: len(club.offered()) == 3)
            table.play(club, pairing="1")
            left = table.begin("2").number
            assert [(each.start.pairing, each.begun) for each in club.offered()] == [("2", left), ("3", None)]
            assert [each.start.pairing for each in club.offered(over=left)] == ["3"]
        async with at_club(journal, mosquitto.port) as (_, club, _):  # retained: known again after a restart
            await until(lambda: len(club.offered()) == 2)

    asyncio.run(play())


def test_a_newer_club_is_named_and_what_cannot_be_read_is_counted(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (_, club, side):
            for payload in (b"{", b"[]", b'{"v":1,"pairings":[{"id":7}]}', b" " * 70_000):
                await side.order(payload, FromClub.PAIRINGS)
            await until(lambda: club.faults() and club.faults()[0].startswith("The club sent 4 messages"))
            await side.order(b'{"v":2}', FromClub.ACKNOWLEDGED)
            await until(lambda: club.faults() == (connection.NEEDS_UPDATE,))
            assert club.offered() == ()

    asyncio.run(play())


def test_an_acknowledgement_of_something_else_acknowledges_nothing(journal: JournalFile, mosquitto: Mosquitto) -> None:
    async def play() -> None:
        async with at_club(journal, mosquitto.port) as (table, club, side):
            table.play(club)
            await side.wait_for(told(1))
            [outcome] = side.results()
            await side.acknowledge(MatchReport(match="cd" * 32, rev=9, game="x", seats=("a",), ending=None))
            await side.order(
                Pairings(pairings=(Pairing(id="1", heading="", game="x", seats=("a",)),)), FromClub.PAIRINGS
            )
            await until(club.offered)  # said later, so that all before it was heard
            assert [each.seal for each in journal.club.unacknowledged()] == [outcome.match]

    asyncio.run(play())


# --- brokers that nobody wants --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_broker_does_little_waits_and_the_table_says_so(
    name: str, journal: JournalFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "OUT_OF_REACH_S", 0.3)

    async def play() -> None:
        table = Table(journal)
        async with hostile_broker(HOSTILE[name]) as port, member_of(table, config_for(port)) as club:
            table.play(club)
            table.shown = TableNow(VIEW, Match(STARTED), 1)
            for revision in range(2000):
                table.shown = TableNow(replace(VIEW, revision=revision), Match(STARTED), 1)
                club.look()
            await until(lambda: club.faults() and journal.club.unacknowledged())
            writer = club._desk._speaker._writer
            assert writer is None or writer.transport.get_write_buffer_size() < 1 << 16
            assert table.failures == []

    asyncio.run(play())


def test_a_password_that_others_may_read_is_said_and_not_used(
    journal: JournalFile, mosquitto: Mosquitto, tmp_path: Path
) -> None:
    file = tmp_path / "password"
    file.write_text("sea shanty\n")
    file.chmod(0o644)

    async def play() -> None:
        config = structs.replace(config_for(mosquitto.port), password_file=file)
        async with member_of(Table(journal), config) as club:
            await until(club.faults)
            assert "may be read by others" in club.faults()[0]
            assert len(club.faults()) == 1

    asyncio.run(play())


# --- at the table ---------------------------------------------------------------------------------------------------


def test_what_the_club_pairs_is_begun_at_the_table_and_its_result_comes_back(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    pairing = Pairing(id="7", heading="Round 2", game="captains-chess", seats=("Anne", "Bart"))

    async def play(live: LiveTable) -> None:
        around = TableCallbacks(live.showing, live.club_changed, live.fail, lambda: "", lambda: 0.0, "boot")
        club = ClubMember(config_for(mosquitto.port), live.archive._file, around)
        live.join(club)
        live.matches.begin("", (), {})
        assert live.view().menu.entries[0].id.startswith("game-")  # nothing was ever played here
        club.open()
        async with club_side(mosquitto.port) as side:
            await side.wait_for(is_there)
            await side.order(Pairings(pairings=(pairing,)), FromClub.PAIRINGS)
            await until(lambda: live.view().menu.entries[0].id == "pairing-7")
            live.matches.club.call_arbiter(wanted=True)
            live.handle(ButtonPressed(Button.CHOOSE))
            live.handle(ButtonReleased(Button.CHOOSE))
            assert not live.matches.club.calls_arbiter  # he was called for the match before
            assert [seat.name for seat in live.view().seats] == ["Anne", "Bart"]
            assert club.state().is_paired
            club.look()
            await side.wait_for(
                lambda side: any(isinstance(s, ViewMessage) and s.pairing == "7" for s in side.of(FromTable.VIEW))
            )
            for answer in ("e2e4", "e7e5", "resign"):
                live.handle(Answered(Pick(answer)), live.view().revision)
            live.handle(Answered(Pick(live.view().options[0].id)), live.view().revision)  # so the end is written
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

    at_a_table(tmp_path, play, on_floor=True)


def test_a_page_comes_up_though_it_cannot_be_read_which_of_the_pairings_were_begun(tmp_path: Path) -> None:
    pairing = Pairing(id="7", heading="Round 2", game="captains-chess", seats=("Anne", "Bart"))

    def look(live: LiveTable) -> None:
        around = TableCallbacks(live.showing, live.club_changed, live.fail, lambda: "", lambda: 0.0, "boot")
        club = ClubMember(config_for(1), live.archive._file, around)
        live.join(club)
        live.matches.ask_who_plays("captains-chess", {})
        damage(tmp_path / "journal.sqlite3")
        club._desk._take(speaker_messages.PairingsChanged(Pairings(pairings=(pairing,))))
        for ask in (live.matches.paired, lambda: live.matches.begin_paired("7")):
            with pytest.raises(CannotRead, match="The journal cannot be read"):
                ask()
        assert scene_of(live, touch=True, flipped=False).paired == ()

    for _ in range(30):
        at_a_table(tmp_path, lambda live: live.matches.new_match("captains-chess", ("Anne", "Bart"), {}))
    at_a_table(tmp_path, look)
