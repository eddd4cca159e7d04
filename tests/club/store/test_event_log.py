import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.club.events.entries import Entered, EventEntry, Made, System, Withdrew
from captains_table.club.store.event_log import ClubEventLog, ClubPlayer, NoSuchEvent, NoSuchPlayer, PlayerKnown
from captains_table.club.store.store import Store

MADE = Made(title="An evening", game="legend", system=System.SWISS, rounds=5)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path)) as store:
        yield store


@pytest.fixture
def log(store: Store) -> ClubEventLog:
    prefixes = itertools.count()
    return ClubEventLog(store, lambda: f"p{next(prefixes)}-")


def test_players_are_entered_once(log: ClubEventLog) -> None:
    anne = log.add_player("Anne", 1800)
    assert log.add_player("bart", None) == ClubPlayer(2, "bart", None)
    with pytest.raises(PlayerKnown, match="Anne is on the list already"):
        log.add_player("Anne", None)
    assert [player.name for player in log.players()] == ["Anne", "bart"]
    assert log.change_player(anne.number, "Anna", 1850) == ClubPlayer(1, "Anna", 1850)
    with pytest.raises(PlayerKnown):
        log.change_player(2, "Anna", None)
    with pytest.raises(NoSuchPlayer, match="there is no player 7"):
        log.change_player(7, "Cleo", None)


def test_entries_are_read_as_they_were_written_by_another_connection_too(log: ClubEventLog, tmp_path: Path) -> None:
    head = log.make(lambda prefix: [MADE, Withdrew(player=1, why=prefix)], 100.0)
    log.append(head.number, 2, [Entered(player=2, name="Zoë")], 101.5)
    with closing(Store(tmp_path)) as other:
        again = ClubEventLog(other, lambda: "never")
        assert [logged.entry for logged in again.entries(1)] == [
            MADE,
            Withdrew(player=1, why="p0-"),
            Entered(player=2, name="Zoë"),
        ]
        assert [logged.at_s for logged in again.entries(1)] == [100.0, 100.0, 101.5]
        assert again.heads() == [head]


def test_of_two_who_write_the_same_place_one_is_refused_and_nothing_is_changed(log: ClubEventLog) -> None:
    head = log.make(lambda _: [MADE], 100.0)
    entries: list[EventEntry] = [Entered(player=1, name="Anne"), Entered(player=2, name="Bart")]
    with pytest.raises(sqlite3.IntegrityError):
        log.append(head.number, 0, entries, 101.0)
    assert [logged.entry for logged in log.entries(head.number)] == [MADE]


def test_entries_cannot_be_changed_or_taken_out_one_by_one(log: ClubEventLog, store: Store) -> None:
    log.make(lambda _: [MADE], 100.0)
    with pytest.raises(sqlite3.IntegrityError, match="entries are append-only"):
        store.database.execute("UPDATE event_entries SET body = ''")
    with pytest.raises(sqlite3.IntegrityError, match="entries go with their evening alone"):
        store.database.execute("DELETE FROM event_entries")


def test_an_evening_that_is_deleted_takes_its_events_with_it_and_leaves_the_others(
    log: ClubEventLog, store: Store
) -> None:
    first = log.make(lambda _: [MADE], 100.0)
    store.begin_evening("The next", 200.0)
    second = log.make(lambda _: [MADE], 201.0)
    store.delete_evening(first.evening)
    assert log.heads() == [second]
    with pytest.raises(NoSuchEvent, match="there is no event 1"):
        log.entries(first.number)
    assert store.database.execute("SELECT count(*) FROM event_entries").fetchone() == (1,)
