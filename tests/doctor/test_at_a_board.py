"""The guided test at a board on mock pins: pieces, buttons and typed lines in; glass, lights and findings out."""

import os
from pathlib import Path

import pytest

from captains_table.devices.lights.fake_chips import FakeApa102Chain
from captains_table.doctor import examination
from captains_table.doctor.diagnosis import guided_test
from captains_table.doctor.examination import Wanted, examine
from captains_table.games.contract import Square, parse_square
from captains_table.runtime.config import Config
from captains_table.storage.profile_files import load_profile
from tests.support.fake_hardware import FakeHardware

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
A1, B1, C1 = map(parse_square, ("a1", "b1", "c1"))
SWAPPED = {A1: B1, B1: A1}


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
            self._put(parse_square(words.removeprefix("Put the piece on ").rstrip(".")))
        elif words.startswith("Take everything"):
            self._hardware.factory.stand([])
            self._type("")
        elif words.startswith("Put a piece on each"):
            self._type("s")
        elif words.startswith("Press the roll"):
            self._hardware.factory.pressed.add(self._roll)
        elif words.startswith(("Turn", "Push")):
            self._type("")
        elif "Write it?" in words:
            self._type("y")

    def _put(self, square: Square) -> None:
        self._hardware.factory.stand([] if square == C1 else [SWAPPED.get(square, square)])
        if square == C1:
            self._type("")

    def _type(self, line: str) -> None:
        os.write(self._keyboard, f"{line}\n".encode())


def test_a_person_at_a_real_board_is_led_over_all_squares_and_the_map_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(guided_test, "DWELL_MS", 20)
    profile = load_profile("gpio-8x8")
    assert profile.buttons.roll is not None
    hardware = FakeHardware(profile)
    monkeypatch.setattr(examination, "PiHardware", lambda: hardware)
    read, write = os.pipe()
    person = Person(hardware, write, roll=profile.buttons.roll)
    with os.fdopen(read, encoding="ascii") as typed:
        code = examine(Wanted(Config(profile="gpio-8x8", state_dir=tmp_path, port=0), profile), typed, person.on_line)
        os.close(write)
    said = "\n".join(person.heard)
    assert code == 1
    assert "c1 is dead" in said
    assert "a1 and b1 are swapped." in said
    assert "roll does nothing" not in said
    assert "choose does nothing" in said
    assert "Written:" in said
    assert load_profile("gpio-8x8", tmp_path).corrections == SWAPPED
    assert isinstance(hardware.lights, FakeApa102Chain)
    assert not any(map(any, hardware.lights.colours))
    assert hardware.panel.is_on is False
