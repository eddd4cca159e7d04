"""A journal's files that are moved, deleted or replaced under a table: it stops, and nothing played is lost."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from captains_table.devices.ports import JournalLost, JournalUnwritable
from captains_table.games.contract import Rolled
from captains_table.storage.backup import restore_journal
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, Entry, MatchStarted
from tests.storage.writing import full
from tests.support.journals import LOSSES, log_of, names_in, rows_of
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller, TableProcess, run_here

NAME = "journal.sqlite3"
RESCUED = f"{NAME}.rescued"
STARTED = MatchStarted("legend", ("Anne", "Bart"), {})
NOW = datetime(2026, 11, 22, 4, 5, 6, tzinfo=UTC)


def acted(seq: int) -> Acted:
    return Acted(seq, 0, seq, Rolled((1, 2, 3, 4, 5, 6)))


HISTORY: list[Entry] = [STARTED, *(acted(seq) for seq in range(1, 30))]


@pytest.fixture
def file(path: Path) -> Iterator[JournalFile]:
    """Return an open journal with a match that is being played, much of it in the write-ahead log alone."""
    with closing(JournalFile(path)) as file:
        journal = file.start(STARTED, bytes(32))
        for entry in HISTORY[1:]:
            journal.append(entry)
        yield file


def history(path: Path) -> list[Entry]:
    with closing(JournalFile(path)) as file:
        return file.open(1).entries()


@pytest.mark.parametrize(("lose", "words"), LOSSES)
def test_a_journal_that_lost_its_place_takes_nothing_more_and_is_saved_whole(
    file: JournalFile, path: Path, lose: Callable[[Path], None], words: str
) -> None:
    lose(path)
    in_its_place = path.read_bytes() if path.exists() else None
    saved = path.with_name(RESCUED)
    told = (
        f"{path} {words} while the table played; every match is saved in {saved}: "
        f"stop the table, and put them back by `captains-table restore {saved} --state {path.parent}`"
    )
    with pytest.raises(JournalUnwritable, match=re.escape(told)):
        file.open(1).append(acted(30))
    assert names_in(path.parent) == ([RESCUED] if in_its_place is None else [NAME, RESCUED])
    assert in_its_place is None or path.read_bytes() == in_its_place, "it is not mixed with the log"
    file.close()
    restore_journal(path, saved, NOW)
    assert history(path) == HISTORY


def test_a_journal_that_lost_its_place_is_saved_once(file: JournalFile, path: Path) -> None:
    path.with_name(RESCUED).write_text("saved another day", encoding="ascii")
    path.unlink()
    for seq in (30, 31):
        with pytest.raises(JournalUnwritable, match=f"saved in {path}.rescued.1: stop"):
            file.open(1).append(acted(seq))
    with pytest.raises(JournalUnwritable, match=f"saved in {path}.rescued.1: stop"):
        file.start(STARTED, bytes(32))
    assert names_in(path.parent) == [RESCUED, f"{RESCUED}.1"]
    assert path.with_name(RESCUED).read_text(encoding="ascii") == "saved another day"


def test_a_journal_that_cannot_be_saved_is_not_said_to_be(
    file: JournalFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.unlink()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalLost, match=r"and the matches in it could not be saved: .*No space left") as lost:
        file.open(1).append(acted(30))
    assert "Nothing played before is lost" not in lost.value.words


def delete_the_log(path: Path) -> None:
    log_of(path).unlink()


def replace_the_log(path: Path) -> None:
    """Put a log in its place that SQLite would read: one of an earlier moment."""
    log_of(path).rename(path.with_name("log"))
    content = path.with_name("log").read_bytes()
    log_of(path).write_bytes(content[: len(content) // 2])
    path.with_name("log").unlink()


@pytest.mark.parametrize("lose", [delete_the_log, replace_the_log])
def test_what_stood_in_a_lost_log_is_in_the_journal_when_the_table_stops(
    file: JournalFile, path: Path, lose: Callable[[Path], None]
) -> None:
    lose(path)
    words = rf"{log_of(path)} was .* while the table played; every match is whole in {path}: start the table again"
    with pytest.raises(JournalUnwritable, match=words) as lost:
        file.open(1).append(acted(30))
    assert "Nothing played before is lost." in lost.value.words
    shutil.copytree(path.parent, path.parent.with_name("killed"))  # as it is where nothing more is done
    file.close()
    assert history(path) == HISTORY
    assert history(path.parent.with_name("killed") / NAME) == HISTORY


def test_where_somebody_reads_a_journal_without_its_log_it_is_saved_next_to_it(file: JournalFile, path: Path) -> None:
    file._database.execute("PRAGMA busy_timeout = 100")
    with closing(JournalFile(path)) as reader:
        reading = reader._database.execute("SELECT * FROM entries")
        reading.fetchone()
        delete_the_log(path)
        with pytest.raises(JournalUnwritable, match=f"every match is saved in {path.with_name(RESCUED)}: stop"):
            file.open(1).append(acted(30))
        reading.close()
    assert history(path.with_name(RESCUED)) == HISTORY


@pytest.mark.slow
def test_a_table_whose_journal_was_deleted_stops_and_its_match_is_put_back(path: Path, tmp_path: Path) -> None:
    arguments = ("play", "--players", "Anne", "Bart", "--port", "0", "--state", path.parent)
    table = TableProcess(*arguments, logs=tmp_path / "logs")
    with closing(Caller(table.origin)) as anne:
        anne.hold_roll()
        anne.pick("e2e4", "done")
        rows = rows_of(path)
        path.unlink()
        said = ""
        with suppress(httpx.TransportError):  # it may have gone before it could answer
            anne.post("/button/roll/press")
            answer = anne.post("/button/roll/release")
            assert answer.status_code >= 500
            said = answer.text
    assert table.process.wait(PATIENCE_S) == 1
    said += table.complaints
    saved = path.with_name(RESCUED)
    assert f"The table stopped: {path} was moved or deleted while the table played; every match is saved in" in said
    assert "Nothing played before is lost." in said
    assert "Traceback" not in said
    restored = run_here("restore", saved, "--state", path.parent)
    assert (restored.returncode, restored.stderr) == (0, "")
    assert rows_of(path) == rows
