"""No date is written while nobody knows it: a Pi without a network goes on from where it was switched off."""

import json
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from captains_table.cli.matches import match_line
from captains_table.doctor import checks
from captains_table.process import system_clock
from captains_table.process.system_clock import HARDWARE_CLOCK, TIMESYNC, current_wall_time, is_clock_set
from captains_table.storage.exports import export_match
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history.export import export_json
from captains_table.table.history.verify import verify_export
from captains_table.web.render import Renderer
from tests.support.fake_table import FakeTable
from tests.support.honest_match import SEED, HonestTable
from tests.support.journals import journal_with
from tests.support.visiting import get


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine on which systemd-timesyncd runs and has not set the clock."""
    (tmp_path / TIMESYNC).mkdir(parents=True)
    (tmp_path / HARDWARE_CLOCK.parent).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(("behind_s", "is_believed"), [(0, True), (30, True), (3600, False), (1_700_000_000, False)])
def test_a_clock_with_a_battery_is_believed_and_one_that_was_without_power_once_the_network_has_set_it(
    behind_s: int, machine: Path, *, is_believed: bool
) -> None:
    assert not is_clock_set(machine)
    (machine / HARDWARE_CLOCK).write_text(f"{int(time.time()) - behind_s}\n")
    assert is_clock_set(machine) == is_believed
    (machine / TIMESYNC / "synchronized").touch()  # by the network
    assert is_clock_set(machine)
    assert is_clock_set(machine / "another"), "where another program keeps the time"


def test_a_match_that_begins_before_the_clock_is_set_has_no_date_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_clock, "is_clock_set", lambda: False)
    assert current_wall_time() == ""
    with closing(JournalFile(journal_with(tmp_path / "journal.sqlite3", "Anne"))) as file:
        assert match_line(file.matches()[0]).startswith("   1  (time not known)  legend")
        journal = file.open(1)
        assert json.loads(export_match(journal, "json"))["began"] == ""
        assert '[Date "????.??.??"]' in export_match(journal, "pgn")
    monkeypatch.undo()
    with closing(JournalFile(journal_with(tmp_path / "journal.sqlite3", "Cleo"))) as file:
        assert [record.began[:2] for record in file.matches()] == ["20", ""]


def test_the_page_says_that_no_date_is_known() -> None:
    [match, *_] = FakeTable().listed()
    pages = Renderer()
    assert "begun while the clock was not set" in pages.page("matches", matches=[replace(match, began="")])
    assert "while the clock was not set" not in get(FakeTable(), "/matches").text


@pytest.mark.parametrize("unknown", ["at the beginning", "later", "both"])
def test_a_match_on_the_clock_verifies_though_it_was_taken_up_when_nobody_knew_the_time(unknown: str) -> None:
    table = HonestTable("captains-chess", {"clock": "10"})
    table.pick("e2e4", "press-clock")
    if unknown != "at the beginning":
        table._wall_time = lambda: ""  # type: ignore[method-assign]
    table.leave(away_s=3600)
    table.pick("resign")
    began = "2026-01-31T20:15:00+01:00" if unknown == "later" else ""
    verdict = verify_export(json.loads(json.dumps(export_json(table.entries(), SEED, began))))
    assert verdict.proven, verdict
    assert "after a time that cannot be said" in " ".join(verdict.remarks)


def test_doctor_says_that_the_clock_was_not_set(machine: Path) -> None:
    [check] = checks._clock(machine, machine)
    assert (check.level, "matches get no date" in check.words) == (checks.Severity.WARNING, True)
    (machine / TIMESYNC / "synchronized").touch()
    [check] = checks._clock(machine, machine)
    assert check.words == "The clock is plausible, set by NTP."
