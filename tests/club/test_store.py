import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from captains_table.club.events.entries import Entered, EventEntry, Made, System, Withdrew
from captains_table.club.season.season import ProvenMatch
from captains_table.club.store.event_log import ClubEventLog, ClubPlayer, NoSuchPlayer, PlayerKnown
from captains_table.club.store.schema import STEPS, StoreUnusable, open_store
from captains_table.club.store.store import FILE, LONGEST_EVENING_S, NoSuchEvening, NoSuchResult, Proof, Store
from captains_table.reporting.messages import FinalScore
from captains_table.storage.schema import script
from tests.club.club_tables import NOON_S, SEAL, outcome

OTHER = "07ea" * 16


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path)) as opened:
        yield opened


def test_the_highest_revision_holds_and_all_are_kept(store: Store) -> None:
    store.add_result("table-1", outcome(rev=1), b"", NOON_S)
    store.add_result("table-2", outcome(OTHER), b"", NOON_S + 1)
    store.add_result("table-1", outcome(rev=3, scores=(1, 3)), b"", NOON_S + 2)
    store.add_result("table-1", outcome(rev=2, scores=(2, 2)), b"", NOON_S + 3)
    assert [(kept.outcome.match, kept.outcome.rev, kept.receipt) for kept in store.results()] == [
        (OTHER, 1, 2),
        (SEAL, 3, 3),
    ]
    assert [told.rev for _, told, _ in store.revisions(SEAL)] == [1, 3, 2]
    assert store.result(SEAL).outcome == outcome(rev=3, scores=(1, 3))


def test_what_is_kept_together_is_kept_whole_or_not_at_all(store: Store) -> None:
    def add_twice() -> None:
        with store.together():
            for _ in range(2):
                store.add_result("table-1", outcome(), b"", NOON_S)

    with pytest.raises(sqlite3.IntegrityError):
        add_twice()
    assert store.results() == []


def test_what_was_told_cannot_be_changed(store: Store) -> None:
    store.add_result("table-1", outcome(), b"", NOON_S)
    store.correct(SEAL, None, "nobody came", NOON_S)
    for statement in ("UPDATE results SET user = 'table-2'", "UPDATE corrections SET why = ''"):
        with pytest.raises(sqlite3.IntegrityError, match=r"stay as they were told|are a log"):
            store.database.execute(statement)


def test_results_of_a_night_belong_to_one_evening_and_those_of_the_next_to_another(store: Store) -> None:
    store.add_result("table-1", outcome(), b"", NOON_S)
    store.add_result("table-1", outcome(OTHER), b"", NOON_S + LONGEST_EVENING_S)
    store.add_result("table-1", outcome(SEAL, 2), b"", NOON_S + LONGEST_EVENING_S)
    latest, first = store.evenings()
    assert first.ended_s == latest.began_s == NOON_S + LONGEST_EVENING_S
    assert [kept.outcome.rev for kept in store.results(first.number)] == [2]
    assert [kept.outcome.match for kept in store.results(latest.number)] == [OTHER]
    [other] = store.results(latest.number)
    assert store.results(latest.number, after=other.receipt) == []
    assert [kept.outcome.match for kept in store.results(after=other.receipt)] == [SEAL]
    assert first.title == "2027-01-15"


def test_the_arbiter_has_the_last_word_and_all_of_them_are_logged(store: Store) -> None:
    store.add_result("table-1", outcome(), b"", NOON_S)
    shared = FinalScore(winner=None, scores=(2, 2))
    store.correct(SEAL, shared, "misread", NOON_S + 1)
    store.correct(SEAL, None, "it was never played", NOON_S + 2)
    store.add_result("table-1", outcome(rev=2), b"", NOON_S + 3)
    assert (store.result(SEAL).ending, store.result(SEAL).outcome.rev) == (None, 2)
    assert [(each.was, each.ending, each.why) for each in store.corrections()] == [
        (outcome().ending, shared, "misread"),
        (shared, None, "it was never played"),
    ]
    assert store.corrections(99) == []
    with pytest.raises(NoSuchResult):
        store.correct(OTHER, None, "", NOON_S)


def test_of_a_pairing_whatever_tables_told_is_found_with_who_told_it(store: Store) -> None:
    store.add_result("table-2", outcome(OTHER, pairing="e1-r2-b3"), b"", NOON_S)
    assert store.results_of_pairings(["e1-r2-b4"]) == []
    store.add_result("table-1", outcome(pairing="e1-r2-b3"), b"", NOON_S)
    found = store.results_of_pairings(["e1-r2-b3"])
    assert [(kept.user, kept.outcome.match) for kept in found] == [("table-2", OTHER), ("table-1", SEAL)]
    store.add_result("table-1", outcome("1" * 64), b"", NOON_S)
    assert store.results_of_pairings([""]) == []


def test_exports_wait_to_be_proven_from_the_oldest_on(store: Store) -> None:
    store.add_result("table-1", outcome(), b"deflated", NOON_S)
    store.add_result("table-1", outcome(OTHER), b"", NOON_S)
    waiting = store.to_prove()
    assert waiting == (1, outcome(), b"deflated")
    store.note_proof(1, "seq 3 is wrong")
    assert store.to_prove() is None
    assert [(kept.proof, kept.proof_words) for kept in store.results()] == [
        (Proof.FAILED, "seq 3 is wrong"),
        (Proof.NONE, ""),
    ]
    assert store.export(SEAL) == b"deflated"


def test_of_an_evening_that_is_deleted_not_a_byte_is_left(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        store.add_result("table-1", outcome(seats=("Guinevere", "Bart")), b"its export", NOON_S)
        store.correct(SEAL, None, "Guinevere left", NOON_S)
        gone = store.evenings()[0].number
        kept = store.begin_evening("Kept", NOON_S + 1).number
        store.add_result("table-1", outcome(OTHER, seats=("Lancelot", "Bart")), b"", NOON_S + 1)
        store.delete_evening(gone)
        assert [evening.number for evening in store.evenings()] == [kept]
        assert [found.outcome.match for found in store.results()] == [OTHER]
        assert store.corrections() == []
        left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        with pytest.raises(NoSuchEvening):
            store.delete_evening(gone)
    for word in (b"Guinevere", b"its export", SEAL.encode()):
        assert word not in left
    assert b"Lancelot" in left


def test_a_file_is_there_again_after_it_was_closed_and_its_owners_alone(tmp_path: Path) -> None:
    for kept in (0, 1):
        with closing(Store(tmp_path)) as store:
            assert len(store.results()) == kept
            store.add_result("table-1", outcome(rev=1 + kept), b"", NOON_S)
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_what_is_durable_is_synced_before_it_is_acknowledged(store: Store) -> None:
    pragmas = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    assert {name: store.database.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas} == pragmas


def test_what_is_no_file_of_this_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / FILE
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE others (a)")
    for content, words in ((file.read_bytes(), "another program's database"), (b"no database" * 100, "cannot be used")):
        file.write_bytes(content)
        with pytest.raises(StoreUnusable, match=words):
            Store(tmp_path)
        assert file.read_bytes() == content


def test_a_step_more_keeps_what_was_there_and_a_newer_programs_file_is_refused(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        store.add_result("table-1", outcome(), b"", NOON_S)
    longer = (*STEPS, script("CREATE TABLE more (a INTEGER) STRICT;"))
    with closing(open_store(tmp_path / FILE, longer)) as database:
        assert database.execute("SELECT count(*) FROM results").fetchone() == (1,)
        assert database.execute("SELECT count(*) FROM more").fetchone() == (0,)
    with pytest.raises(StoreUnusable, match="written by a newer program"):
        Store(tmp_path)


def older_file(folder: Path, steps: int, *proofs: tuple[str, str]) -> None:
    """Make a file of a program before, with results whose exports were found to be so, in these words."""
    with closing(open_store(folder / FILE, STEPS[:steps])) as database:
        database.execute("INSERT INTO evenings (title, began_s) VALUES ('Thursday', 1)")
        for receipt, (proof, words) in enumerate(proofs, 1):
            match = f"{receipt:064}"
            database.execute(
                "INSERT INTO results (evening, match, rev, user, pairing, outcome, export, received_s, proof,"
                " proof_words) VALUES (1, ?, 1, 'table-1', '', ?, x'00', 1, ?, ?)",
                (match, msgspec.json.encode(outcome(match)), proof, words),
            )


def test_what_was_proven_before_seasons_were_is_proven_once_more(tmp_path: Path) -> None:
    older_file(tmp_path, 2, ("proven", ""), ("failed", ""), ("none", ""))
    with closing(Store(tmp_path)) as store:
        assert [kept.proof for kept in store.results()] == [Proof.PENDING, Proof.FAILED, Proof.NONE]
        store.note_proof(1, "proven", ProvenMatch(names=("Anne",), options={}))
        assert [kept.remembered for kept in store.results()] == [ProvenMatch(names=("Anne",), options={}), None, None]


def test_what_was_refused_for_a_clock_that_a_hand_had_stopped_is_verified_once_more(tmp_path: Path) -> None:
    refused = "entry 6: the clock went on without an interruption that is written down: expected `resumed` before it"
    older_file(tmp_path, 4, ("failed", refused), ("failed", "another face"))
    with closing(Store(tmp_path)) as store:
        assert [kept.proof for kept in store.results()] == [Proof.PENDING, Proof.FAILED]


def test_a_file_of_before_a_table_could_be_shown_large_is_gone_on_with(tmp_path: Path) -> None:
    older_file(tmp_path, 3)
    with closing(Store(tmp_path)) as store:
        assert store.shown_large() == ""
        store.show_large("table-1")
        store.show_large("table-2")
    with closing(Store(tmp_path)) as store:
        assert store.shown_large() == "table-2"
        store.show_large("")
        assert store.shown_large() == ""


MADE = Made(title="An evening", game="legend", system=System.SWISS, rounds=5)


@pytest.fixture
def log(store: Store) -> ClubEventLog:
    prefixes = itertools.count()
    return ClubEventLog(store, lambda: f"p{next(prefixes)}-")


def test_players_are_entered_once(log: ClubEventLog) -> None:
    anne = log.add_player("Anne", 1800)
    assert log.add_player("bart", None) == ClubPlayer(2, "bart", None, "bart")
    with pytest.raises(PlayerKnown, match="Anne is on the list already"):
        log.add_player("Anne", None)
    assert [player.name for player in log.players()] == ["Anne", "bart"]
    assert log.change_player(anne.number, "Anna", 1850) == ClubPlayer(1, "Anna", 1850, "Anna")
    with pytest.raises(PlayerKnown):
        log.change_player(2, "Anna", None)
    with pytest.raises(NoSuchPlayer, match="there is no player 7"):
        log.change_player(7, "Cleo", None)


def test_entries_are_read_as_they_were_written_by_another_connection_too(log: ClubEventLog, tmp_path: Path) -> None:
    head = log.make(lambda prefix: [MADE, Withdrew(player=1, why=prefix)], 100.0)
    log.append(head.number, 2, [Entered(player=2, name="Zoë")], 101.5)
    later = log.make(lambda _: [MADE], 102.0)
    with closing(Store(tmp_path)) as other:
        again = ClubEventLog(other, lambda: "never")
        entries = [logged.entry for logged in again.entries(1)]
        assert entries == [MADE, Withdrew(player=1, why="p0-"), Entered(player=2, name="Zoë")]
        assert [logged.at_s for logged in again.entries(1)] == [100.0, 100.0, 101.5]
        assert again.heads() == [later, head], "the latest first"


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
