"""A built table is switched off: the real daemon, and a stand-in for the unit that watches for its wish."""

import signal
import threading
from pathlib import Path

import pytest

from captains_table.process.supervisor import FILE_VARIABLE
from tests.e2e.conftest import Call, OpenTable
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller, TableProcess, soon, write_config

MATCH = ("[match]", 'players = ["Anne", "Bart"]', 'game = "ship-captain-crew"', "[settings]", "menu_ms = 300")


def open_menu(player: Caller) -> None:
    """Hold the encoder's push until the table's own menu is open."""
    assert player.post("/button/choose/press").status_code == 204
    soon(lambda: "table-off" in player.offers())
    assert player.post("/button/choose/release").status_code == 204


class PathUnit(threading.Thread):
    """Stands for captains-table-poweroff.path: a file that appears stops the table as a shutdown does."""

    def __init__(self, file: Path, table: TableProcess) -> None:
        super().__init__()
        self._file, self._table = file, table
        self.has_switched_off = False

    def run(self) -> None:
        soon(self._file.exists)
        self._table.process.send_signal(signal.SIGTERM)
        self.has_switched_off = True


def test_a_table_that_is_switched_off_in_mid_match_goes_on_there_when_it_has_power_again(
    open_table: OpenTable, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "power-off"))
    config = write_config(tmp_path, *MATCH, table=('profile = "pico-8x8"',))
    table = open_table("run", config)
    player = call(table)
    player.hold_roll()
    open_menu(player)
    unit = PathUnit(tmp_path / "power-off", table)
    unit.start()
    player.pick("table-off")
    unit.join(PATIENCE_S)
    assert unit.has_switched_off
    table.process.wait(PATIENCE_S)
    assert table.process.returncode == 0
    monkeypatch.delenv(FILE_VARIABLE)
    (tmp_path / "power-off").unlink()  # as systemd clears a runtime directory
    again = call(open_table("run", config))
    entries = [entry["entry"] for entry in again.get("/export/1.json").json()["entries"]]
    assert "resumed" in entries
    open_menu(again)  # without the right, it is said in words
    again.pick("table-off")
    assert "sudo poweroff" in again.get("/table").text
    assert not (tmp_path / "power-off").exists()
