"""The guided test at a board on mock pins: pieces, buttons and typed lines in; glass, lights and findings out."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from captains_table.doctor import examination
from captains_table.doctor.diagnosis import guided_test
from captains_table.doctor.examination import ExaminationRequest, examine_table
from captains_table.games.contract import Square, parse_square
from captains_table.runtime.config import TableConfig
from captains_table.simulation.electrics.faults import parse_fault
from captains_table.storage.profile_files import load_profile
from tests.support.fake_chips import FakeApa102Chain
from tests.support.fake_hardware import FakeHardware
from tests.support.mock_matrix import MatrixFactory
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
A1, B1, C1 = map(parse_square, ("a1", "b1", "c1"))
SWAPPED = {A1: B1, B1: A1}
PIECES = 16
SCANS = 30
DRIVEN_A_SCAN = 16


class ScannedFactory(MatrixFactory):
    """Mock pins that count how often a rank was driven otherwise."""

    driven = 0

    def driven_anew(self) -> None:
        self.driven += 1
        super().driven_anew()


class Person:
    """Does what is asked at a board whose a1 and b1 are swapped and whose c1 is dead."""

    def __init__(self, hardware: FakeHardware, keyboard: int, *, roll: int) -> None:
        self._hardware = hardware
        self._keyboard = keyboard
        self._roll = roll
        self.heard: list[str] = []

    def on_line(self, words: str) -> None:
        self.heard.append(words)
        if words.startswith("Put the piece on "):
            (square,) = named_in(words)
            self._hardware.factory.stand([SWAPPED.get(square, square)])
            if square == C1:
                self._type("")
        elif words.startswith(("Take everything", "Turn", "Push")):
            self._hardware.factory.stand([])
            self._type("")
        elif words.startswith("How many pieces"):
            self._type(str(PIECES))
        elif words.startswith(("Put a piece on each", "Put those")):
            self._hardware.factory.stand(SWAPPED.get(at, at) for at in named_in(words.rpartition("(")[2]))
            self._type("")
        elif words.startswith("Press the roll"):
            self._hardware.factory.pressed.add(self._roll)
        elif "Write it?" in words:
            os.write(self._keyboard, b"y\n")

    def _type(self, line: str) -> None:
        """Type a line once the board has been scanned some times more, as it is by then for any real hand."""
        Thread(target=self._type_when_scanned, args=(line,), daemon=True).start()

    def _type_when_scanned(self, line: str) -> None:
        factory = self._hardware.factory
        until, tries = factory.driven + SCANS * DRIVEN_A_SCAN, 0
        while factory.driven < until and tries < PATIENCE_S * 100:
            time.sleep(0.01)
            tries += 1
        os.write(self._keyboard, f"{line}\n".encode())


def named_in(words: str) -> Iterator[Square]:
    """Yield the squares that are named one by one or as `a1-d1`."""
    for first, last in re.findall(r"\b([a-i][1-9])(?:-([a-i][1-9]))?\b", words):
        one, other = parse_square(first), parse_square(last or first)
        yield from (Square(file, one.rank) for file in range(one.file, other.file + 1))


@pytest.mark.slow
def test_a_person_at_a_real_board_is_led_over_all_squares_and_the_map_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(guided_test, "DWELL_MS", 20)
    profile = load_profile("gpio-8x8")
    assert profile.buttons.roll is not None
    hardware = FakeHardware(profile)
    faults = [parse_fault(text, profile.shape) for text in ("reed-open:c1", "diode-missing:e4")]
    hardware.factory = ScannedFactory(profile, faults)
    monkeypatch.setattr(examination, "PiHardware", lambda: hardware)
    read, write = os.pipe()
    person = Person(hardware, write, roll=profile.buttons.roll)
    with os.fdopen(read, encoding="ascii") as typed:
        code = examine_table(
            ExaminationRequest(TableConfig(profile="gpio-8x8", state_dir=tmp_path, port=0), profile),
            typed,
            person.on_line,
        )
        os.close(write)
    said = "\n".join(person.heard)
    assert code == 1
    assert "c1 is dead" in said
    assert "e4: its diode is missing or bridged" in said
    assert "a1 and b1 are swapped." in said
    assert "magnet is weak" not in said
    assert "roll does nothing" not in said
    assert "choose does nothing" in said
    assert "Written:" in said
    assert load_profile("gpio-8x8", tmp_path).corrections == SWAPPED
    assert isinstance(hardware.lights, FakeApa102Chain)
    assert not any(map(any, hardware.lights.colours))
    assert hardware.panel.is_on is False
