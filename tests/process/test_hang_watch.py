"""What watches a table whose game may hold it up: which matches, until when, and that nobody is ended by mistake."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table import catalog
from captains_table.process import hang_watch
from captains_table.process.hang_watch import HangWatch


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    return tmp_path / "hung-matches"


@pytest.fixture
def unanswered() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def ended(monkeypatch: pytest.MonkeyPatch, said: list[object], line: tuple[int, int], marks: Path) -> list[object]:
    """Return what a table was ended for that says this and is silent then; nothing where it closes the line first."""
    reasons: list[object] = []
    monkeypatch.setattr(hang_watch, "WATCH_BEAT_S", 0.01)
    monkeypatch.setattr(hang_watch, "kill_hung_table", lambda _table, match, *_: reasons.append(match))
    for each in said:
        os.write(line[1], b"\n" if each == "beat" else json.dumps(each).encode() + b"\n")
    os.set_blocking(line[0], False)
    with os.fdopen(os.dup(line[0]), "rb", buffering=0) as beats:
        hang_watch.watch(beats, os.getpid(), marks)
    return reasons


def test_a_silent_table_is_ended_for_the_match_it_spoke_of_last(
    monkeypatch: pytest.MonkeyPatch, unanswered: tuple[int, int], marks: Path
) -> None:
    said: list[object] = [[1, "toss", "a"], "beat", [2, "toss", "b"], "beat"]
    assert ended(monkeypatch, said, unanswered, marks) == [[2, "toss", "b"]]


def test_no_process_watches_where_no_plug_in_is_played(marks: Path) -> None:
    assert not any(catalog.is_of_a_plugin(entry.game.key) for entry in catalog.ENTRIES)
    assert catalog.is_of_a_plugin("toss")
    watch = HangWatch(marks, catalog.is_of_a_plugin)
    watch.take(1, "legend", "a")
    watch.beat()
    with watch.looking_at(2, "crowns", "b"):
        assert watch._process is None
    watch.close()


def test_a_match_that_was_looked_at_is_not_blamed_for_the_one_in_hand(
    marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = HangWatch(marks, lambda _: True)
    said: list[bytes] = []
    monkeypatch.setattr(watch, "_send", said.append)
    watch.take(1, "toss", "a")
    with watch.looking_at(2, "toss", "b"):
        pass
    watch.clear()
    watch.close()
    assert [json.loads(line) for line in said] == [[1, "toss", "a"], [2, "toss", "b"], [1, "toss", "a"], []]


def test_a_match_that_hung_is_remembered_until_somebody_takes_it_up(marks: Path) -> None:
    watch = HangWatch(marks, catalog.is_of_a_plugin)
    assert not watch.has_hung("abc")
    marks.write_text("abc\ndef\n", encoding="ascii")
    assert watch.has_hung("abc")
    watch.forget("abc")
    assert (watch.has_hung("abc"), watch.has_hung("def")) == (False, True)


def test_a_table_that_was_stopped_by_hand_is_not_taken_for_hung() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert not hang_watch._is_stopped(process.pid)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        assert hang_watch._is_stopped(process.pid)
        process.send_signal(signal.SIGCONT)
        process.kill()


def test_the_watch_ends_before_systemd_does_which_marks_nothing() -> None:
    unit = (Path(__file__).parents[2] / "systemd" / "captains-table.service").read_text(encoding="utf-8")
    [waits_s] = [int(line.partition("=")[2]) for line in unit.splitlines() if line.startswith("WatchdogSec=")]
    assert waits_s * 3 / 4 > hang_watch.LIMIT_S + 2 * hang_watch.WATCH_BEAT_S
