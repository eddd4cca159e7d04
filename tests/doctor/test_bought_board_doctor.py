"""The doctor at a bought board: what the board tells about itself, and each square with one piece."""

import os
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from captains_table.doctor import checks
from captains_table.doctor.checks import Severity, check_all
from captains_table.doctor.diagnosis import guided_test
from captains_table.doctor.diagnosis.findings import TURNED
from captains_table.doctor.examination import ExaminationRequest, examine_table
from captains_table.runtime.applied_config import profile_of
from captains_table.runtime.config import TableConfig
from tests.support.board_in_thread import on_a_line
from tests.support.outsider import NOBODY
from tests.support.quirky_boards import START, Quirks, VirtualDgt, VirtualSentio


def told(config: TableConfig) -> Sequence[tuple[Severity, str]]:
    """Return what the checks say about the board."""
    words = [(check.level, check.words) for check in check_all(config, profile_of(config))]
    return words[-2:]


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    return TableConfig(board="dgt", device=str(tmp_path / "board"), state_dir=tmp_path, port=0)


@pytest.mark.waits
def test_a_board_is_found_and_tells_its_version_number_battery_and_clock(config: TableConfig, tmp_path: Path) -> None:
    with on_a_line(VirtualDgt(random.Random(1), START, battery=64), tmp_path / "board"):
        (opened, answers) = told(config)
    assert opened == (Severity.OK, f"{config.device} can be opened.")
    assert answers[0] is Severity.OK
    assert answers[1].startswith(f"DGT board on {config.device}, version ")
    assert answers[1].endswith("with its clock, battery at 64 %, number 01234 answers.")


@pytest.mark.waits
def test_a_board_that_is_missing_or_silent_is_told_of(
    config: TableConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "BOARD_ANSWERS_S", 0.3)
    assert told(config)[-1] == (Severity.WRONG, f"{config.device} is not there: switch it on (plug the board in).")
    ours, theirs = os.openpty()
    (tmp_path / "board").symlink_to(os.ttyname(theirs))
    level, words = told(config)[-1]
    os.close(ours)
    os.close(theirs)
    assert level is Severity.WRONG
    assert words.startswith("Waiting for the board on")


@pytest.mark.waits
def test_a_board_without_a_clock_says_so_only_if_it_has_a_place_for_one(
    config: TableConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "BOARD_TELLS_S", 1.0)
    with on_a_line(VirtualDgt(random.Random(1), START, Quirks(no_clock=True)), tmp_path / "board"):
        assert ", no clock on its cable, number 01234 answers." in told(config)[-1][1]
    with on_a_line(VirtualSentio(random.Random(1), {}), tmp_path / "board"):
        words = told(structs.replace(config, board="certabo"))[-1][1]
    assert words == f"Certabo or Tabutronic board on {config.device} answers."


def test_how_a_board_is_opened_depends_on_whose_its_device_is(
    config: TableConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    (_, rootish) = told(structs.replace(config, board="chessnut", device="/dev/null"))
    assert rootish[1].startswith("/dev/null is root's alone")
    assert "60-captains-table.rules" in rootish[1]
    device = Path(str(config.device))
    device.touch()
    if os.geteuid() == 0:
        os.chown(device, -1, NOBODY)
    (_, grouped) = told(config)
    assert "sudo usermod -aG dialout" in grouped[1]


def test_a_board_that_is_not_plugged_in_is_told_of(config: TableConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "found_devices", lambda *_: [])
    assert told(structs.replace(config, board="auto"))[-1][1].startswith(
        "No DGT, Certabo or Chessnut board on USB: plug it in"
    )


@pytest.mark.waits
@pytest.mark.slow
def test_each_square_is_asked_with_one_piece_and_a_turned_board_is_noticed(
    config: TableConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guided_test, "DWELL_MS", 15)
    config = structs.replace(config, board="certabo")
    keyboard, typed = os.pipe()
    heard: list[str] = []
    sentio = VirtualSentio(random.Random(1), {}, Quirks(turned=True, scan_ms=10))
    with on_a_line(sentio, tmp_path / "board") as other, os.fdopen(keyboard, encoding="utf-8") as source:

        def hear(words: str) -> None:
            heard.append(words)
            asked = re.match(r"Put the piece on (\w\d)", words)
            if asked is not None:
                other.stand(asked[1])
            elif words.startswith("Take everything"):
                os.write(typed, b"\n")

        request = ExaminationRequest(config, profile_of(config))
        code = examine_table(request, source, hear)
        os.close(typed)
    asked = [words for words in heard if words.startswith("Put the piece on ")]
    assert len(asked) == 64
    assert not [words for words in heard if "corners" in words or "How many" in words]
    assert any(TURNED in words for words in heard)
    assert code == 1
    assert not list(tmp_path.glob("profile-override*"))
