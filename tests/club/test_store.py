import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, strategies as st

from captains_table.club.season.season import ProvenMatch
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


@given(st.lists(st.tuples(st.sampled_from([SEAL, OTHER]), st.integers(1, 6)), unique=True, max_size=12))
def test_in_whatever_order_revisions_come_the_same_hold(told: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder, closing(Store(Path(folder))) as store:
        for match, rev in told:
            store.add_result("table-1", outcome(match, rev), b"", NOON_S)
        held = {kept.outcome.match: kept.outcome.rev for kept in store.results()}
        assert held == {match: max(rev for of, rev in told if of == match) for match, _ in told}


def test_what_is_kept_together_is_kept_whole_or_not_at_all(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        _keep_twice(store)
    assert store.results() == []


def _keep_twice(store: Store) -> None:
    with store.together():
        store.add_result("table-1", outcome(), b"", NOON_S)
        store.add_result("table-1", outcome(), b"", NOON_S)


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
    assert store.result(SEAL).ending is None
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
    with closing(Store(tmp_path)) as store:
        store.add_result("table-1", outcome(), b"", NOON_S)
    with closing(Store(tmp_path)) as store:
        assert len(store.results()) == 1
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_what_is_durable_is_synced_before_it_is_acknowledged(store: Store) -> None:
    pragmas = {name: store.database.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}
    assert pragmas == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}


def test_another_programs_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.execute("CREATE TABLE others (a)")
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StoreUnusable, match="another program's database"):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_newer_programs_file_is_refused(tmp_path: Path) -> None:
    newer = (*STEPS, script("CREATE TABLE more (a INTEGER) STRICT;"))
    open_store(tmp_path / FILE, newer).close()
    with pytest.raises(StoreUnusable, match="written by a newer program"):
        Store(tmp_path)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    with pytest.raises(StoreUnusable, match="cannot be used"):
        Store(tmp_path)


def test_a_step_more_keeps_what_was_there(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        store.add_result("table-1", outcome(), b"", NOON_S)
    longer = (*STEPS, script("CREATE TABLE more (a INTEGER) STRICT;"))
    with closing(open_store(tmp_path / FILE, longer)) as database:
        assert database.execute("SELECT count(*) FROM results").fetchone() == (1,)
        assert database.execute("SELECT count(*) FROM more").fetchone() == (0,)


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
