import sqlite3
from contextlib import closing
from pathlib import Path

from captains_table.games.contract import Pick
from captains_table.storage.backup import back_up
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import MIGRATIONS
from captains_table.table.model.entries import Acted, MatchEnded, MatchStarted

SEALS = ("aa" * 32, "bb" * 32)
STARTED = MatchStarted("legend", ("Anne", "Bart"), {}, SEALS[0])
ENDED = MatchEnded(0, (9, 1))


def told(file: JournalFile) -> list[tuple[str, int, bytes]]:
    return [(each.seal, each.rev, each.payload) for each in file.club.unacknowledged()]


def note(file: JournalFile, number: int, seal: str = SEALS[0]) -> None:
    file.club.note(number, seal, file.open(number).count(), lambda rev: f"{number} as {rev}".encode())


def test_a_match_remembers_its_pairing_over_a_restart(path: Path) -> None:
    with closing(JournalFile(path)) as file:
        file.start(STARTED, None, pairing="round-2-table-3")
        file.start(STARTED, None, pairing="")
        file.start(STARTED, None)
    with closing(JournalFile(path)) as file:
        assert [file.club.pairing_of(number) for number in (1, 2, 3)] == ["round-2-table-3", "", None]
        file.start(STARTED, None, pairing="round-2-table-3").append(ENDED)
        known = file.club.matches_of(["round-2-table-3", "round-3-table-1"])
        assert known == {"round-2-table-3": {4: True, 1: False}, "round-3-table-1": {}}
        assert file.club.matches_of([]) == {}


def test_a_match_that_is_over_is_due_until_its_result_is_noted(file: JournalFile) -> None:
    journal = file.start(STARTED, None, pairing="")
    assert file.club.due() == []
    journal.append(ENDED)
    assert file.club.due() == [1]
    note(file, 1)
    file.start(STARTED, None).append(ENDED)  # at no club
    assert file.club.due() == []


def test_a_match_that_was_given_up_and_then_ended_is_due_again(file: JournalFile) -> None:
    journal = file.start(STARTED, None, pairing="7")
    note(file, 1)
    journal.append(Acted(1, 0, 5, Pick("roll")))
    assert file.club.due() == []
    journal.append(ENDED)
    assert file.club.due() == [1]
    note(file, 1)
    assert told(file) == [(SEALS[0], 2, b"1 as 2")]


def test_what_is_not_acknowledged_is_told_in_the_order_it_came(file: JournalFile) -> None:
    for seal in SEALS:
        number = file.start(STARTED, None, pairing="").number
        note(file, number, seal)
    assert [seal for seal, _, _ in told(file)] == list(SEALS)
    file.club.acknowledge(SEALS[0], 1)
    assert told(file) == [(SEALS[1], 1, b"2 as 1")]
    note(file, 1)  # a later revision, which an acknowledgement of the earlier one leaves
    file.club.acknowledge(SEALS[0], 1)
    assert [(seal, rev) for seal, rev, _ in told(file)] == [(SEALS[1], 1), (SEALS[0], 2)]
    file.club.acknowledge(SEALS[0], 9)
    assert told(file) == [(SEALS[1], 1, b"2 as 1")]


def test_an_earlier_journal_gets_room_for_the_club_and_keeps_its_matches(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        for step in MIGRATIONS[:-1]:
            step(database)
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 1}")
        database.execute("INSERT INTO matches (began) VALUES ('2026-11-22T14:00:00+01:00')")
        database.execute(
            "INSERT INTO entries (match, position, kind, body) VALUES (1, 0, 'started', ?)",
            ('{"entry":"started","game":"legend","seats":["Anne","Bart"],"options":{},"commitment":""}',),
        )
        database.commit()
    with closing(JournalFile(path)) as file:
        assert file.open(1).entries() == [MatchStarted("legend", ("Anne", "Bart"), {})]
        assert (file.club.due(), file.club.pairing_of(1), file.club.unacknowledged()) == ([], None, [])
        assert file.start(STARTED, None, pairing="7").number == 2


def test_a_backup_has_what_is_still_to_be_told(file: JournalFile, tmp_path: Path) -> None:
    file.start(STARTED, None, pairing="7")
    note(file, 1)
    copy = tmp_path / "copy.sqlite3"
    back_up(file.path, copy)
    with closing(JournalFile(copy)) as copied:
        assert told(copied) == told(file)
