"""The desk on the event loop, over a real store: results come back by themselves, pairings go to the tables."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import Closed, Made, Moved, Ruled, System, Withdrew
from captains_table.club.events.event import CannotBe
from captains_table.club.events.standings import standings
from captains_table.club.events.trf import trf_of
from captains_table.club.pages.programme import TOLD_MIN, Programme
from captains_table.club.store.event_log import NoSuchEvent
from tests.club.event_club import FIRST_WINS, NOW_S, SECOND_WINS, EventClub, at_work, opened

SWISS = Made(title="Swiss", game="captains-chess", system=System.SWISS, rounds=3)
NAMES = ("Anne", "Bart", "Cleo", "Dirk", "Elsa", "Finn")


@asynccontextmanager
async def first_round(folder: Path, players: int = len(NAMES), tables: int = 3) -> AsyncIterator[tuple[EventClub, int]]:
    """Let a club's desk work on an event whose first round was told to the tables."""
    with opened(folder, tables) as club:
        async with at_work(club):
            number = club.begin(SWISS, *NAMES[:players])
            await club.pair(number)
            yield club, number


def names(club: EventClub, user: str) -> list[tuple[str, ...]]:
    return [pairing.seats for pairing in club.published[user]]


async def test_pairings_go_to_the_tables_and_are_taken_away_when_they_are_played(tmp_path: Path) -> None:
    async with first_round(tmp_path) as (club, number):
        assert [names(club, f"table-{board}") for board in (1, 2, 3)] == [
            [("Anne", "Dirk")],
            [("Elsa", "Bart")],
            [("Cleo", "Finn")],
        ]
        await club.play("table-2", SECOND_WINS)
        assert club.published["table-2"] == ()
        assert next((line.name, line.halves) for line in standings(club.event(number))) == ("Bart", 2)
        with pytest.raises(CannotPair, match="matches without a result"):
            await club.desk.pair(number)


async def test_a_server_killed_in_mid_round_goes_on_exactly_and_takes_what_came_meanwhile(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        async with at_work(club):
            number = club.begin(SWISS, *NAMES)
            await club.pair(number)
            await club.play("table-1", FIRST_WINS)
        # kept by the store, but the desk never came to it
        club.tell("table-3", club.published["table-3"][0], SECOND_WINS)
        before = club.event(number)
    with opened(tmp_path) as again:
        assert again.event(number) == before
        async with at_work(again):
            assert [names(again, f"table-{board}") for board in (1, 2, 3)] == [[], [("Elsa", "Bart")], []]
            await again.play("table-2", FIRST_WINS)
            killed = again.event(number)
    async with first_round(tmp_path / "undisturbed") as (other, number):
        for user, end in (("table-1", FIRST_WINS), ("table-3", SECOND_WINS), ("table-2", FIRST_WINS)):
            await other.play(user, end)
        assert trf_of(killed) == trf_of(other.event(number))


async def test_a_result_from_a_table_that_was_not_given_the_match_does_not_count_and_is_shown(tmp_path: Path) -> None:
    async with first_round(tmp_path) as (club, number):
        pairing = club.published["table-1"][0]
        await club.play("table-2", SECOND_WINS, pairing)
        assert len(club.published["table-1"]) == 1
        assert [kept.user for kept in club.desk.strangers(number)] == ["table-2"]
        await club.play("table-1", FIRST_WINS, pairing)
        assert not club.published["table-1"]


async def test_a_table_that_was_off_gets_its_pairings_when_it_comes(tmp_path: Path) -> None:
    async with first_round(tmp_path, players=4, tables=1) as (club, number):
        assert len(club.published["table-1"]) == 2
        club.report("table-9", board=9)
        await club.settled()
        assert not club.published["table-9"]
        second = club.event(number).rounds[-1].matches[1].seated.id
        club.desk.write(number, Moved(pairing=second, table="table-9"))
        assert [pairing.id for pairing in club.published["table-9"]] == [second]
        assert len(club.published["table-1"]) == 1


async def test_a_game_is_given_only_to_tables_that_have_it_and_are_there(tmp_path: Path) -> None:
    with opened(tmp_path, tables=2) as club:
        club.report("table-1", games=("legend",))
        club.report("table-2", presence=None)
        number = club.begin(SWISS, *NAMES[:2])
        await club.desk.pair(number)
        with pytest.raises(CannotBe, match="no table is there"):
            club.desk.publish(number)
        club.report("table-3", games=("legend", "captains-chess"))
        club.desk.publish(number)
        assert [user for user, pairings in club.published.items() if pairings] == ["table-3"]


async def test_what_cannot_be_is_written_nowhere(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        number = club.begin(SWISS, *NAMES[:2])
        await club.desk.pair(number)
        pairing = club.event(number).rounds[-1].matches[0].seated.id
        written = len(club.desk.log.entries(number))
        with pytest.raises(CannotBe):
            club.desk.write(number, Withdrew(player=1), Ruled(pairing=pairing, halves=(2, 2), played=True))
        assert len(club.desk.log.entries(number)) == written
        assert not club.event(number).entrants[1].is_gone


async def test_who_plays_where_is_told_from_the_publication_until_a_table_has_begun_or_the_time_is_over(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as club:
        programme = Programme(club.desk)
        async with at_work(club):
            number = club.begin(SWISS, *NAMES)
            await club.desk.pair(number)
            assert programme.to_begin((), NOW_S) == [], "it is not published"
            club.desk.publish(number)
            told = programme.to_begin((), NOW_S)
            assert [(match.heading, match.board, match.seats, match.table) for match in told][:1] == [
                ("Swiss: round 1", 1, ("Anne", "Dirk"), "table-1")
            ]
            [first, *_] = club.published["table-1"]
            assert programme.to_begin({first.id}, NOW_S) == told[1:], "it has begun"
            await club.play("table-2", FIRST_WINS)
            assert [match.table for match in programme.to_begin({first.id}, NOW_S)] == ["table-3"]
            assert programme.to_begin((), NOW_S + 60 * TOLD_MIN) == []


async def test_the_wall_is_told_the_standings_and_what_waits_at_a_table(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        programme = Programme(club.desk)
        assert programme.standings() is None
        async with at_work(club):
            number = club.begin(SWISS, *NAMES)
            await club.pair(number)
            waiting = programme.waiting("table-1")
            assert waiting is not None
            assert (waiting.heading, waiting.seats) == ("Round 1", ("Anne", "Dirk"))
            assert programme.playing(club.published["table-1"][0].id) == "Round 1"
            assert (programme.waiting("table-8"), programme.playing("none")) == (None, "")
            await club.play_all()
            assert programme.waiting("table-1") is None
            standings_now = programme.standings()
            assert standings_now is not None
            assert (standings_now.title, standings_now.heading) == ("Swiss", "Round 1 of 3")
            assert [(line.rank, line.points) for line in standings_now.lines][:3] == [("1", "1"), ("", "1"), ("", "1")]
            club.desk.write(number, Closed())
            assert programme.standings() is not None


async def test_a_store_that_takes_no_more_is_told_and_nothing_counts_that_is_not_written(tmp_path: Path) -> None:
    async with first_round(tmp_path, players=2) as (club, number):
        before = club.event(number)
        pairing = club.published["table-1"][0]
        club.store.database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON event_entries BEGIN SELECT raise(ABORT, 'full'); END"
        )
        await club.play("table-1", FIRST_WINS, pairing)
        assert [str(failure) for failure in club.failures] == ["full"]
        assert club.event(number) is before


async def test_of_an_evening_that_is_deleted_an_event_of_another_knows_nothing_more(tmp_path: Path) -> None:
    async with first_round(tmp_path) as (club, number):
        before = club.event(number)
        await club.play("table-1", FIRST_WINS)
        of_first = club.event(number)
        club.begin_evening("The next")
        await club.play("table-2", SECOND_WINS)
        second = club.begin(replace(SWISS, title="Another"), "Anne", "Gwen")
        assert club.event(number) != of_first
        club.store.delete_evening(2)
        club.desk.forget()
        assert club.event(number) == of_first != before
        assert [held.number for held in club.desk.events()] == [number]
        assert [player.name for player in club.desk.log.players()] == sorted(NAMES)
        with pytest.raises(NoSuchEvent):
            club.desk.event(second)
        club.store.delete_evening(1)
        club._changed(results=True)
        await club.settled()
        assert (club.desk.events(), club.desk.log.players()) == ([], [])
        assert not any(club.published.values())


async def test_the_events_of_an_evening_are_found_without_being_held(tmp_path: Path) -> None:
    with opened(tmp_path) as club:
        number = club.begin(SWISS, *NAMES)
        await club.pair(number)
        club.tell("table-1", club.published["table-1"][0], FIRST_WINS)
        club.begin_evening("The next")
        club.begin(replace(SWISS, title="Another"), "Anne", "Bart")
        club.desk.forget()
        [shown] = Programme(club.desk).of_evening(1)
        assert (shown.title, shown.address) == ("Swiss", f"/events/{number}")
        assert shown.words.startswith("Round 1 of 3: Anne 0, Bart 0, Cleo 0")
        assert [shown.title for shown in Programme(club.desk).of_evening(2)] == ["Another"]


async def test_while_nothing_changes_the_wall_is_answered_without_a_look_at_the_file(tmp_path: Path) -> None:
    async with first_round(tmp_path) as (club, _):
        programme, asked = Programme(club.desk), list[str]()
        programme.waiting("table-1")
        club.store.database.set_trace_callback(asked.append)
        assert [bool(programme.waiting(f"table-{board}")) for board in (1, 2, 3, 4)] == [True, True, True, False]
        assert asked == []
        await club.play("table-1", FIRST_WINS)
        assert programme.waiting("table-1") is None
