"""The Pi's switch matrix by gpiozero's own lgpio pins, on a chip that exists in memory only."""

from collections.abc import Iterable

import pytest

from captains_table.devices.gpio.lines import MatrixLines
from captains_table.games.contract import Square, parse_square
from captains_table.simulation.electrics.faults import parse_fault
from captains_table.storage.profile_files import load_profile
from tests.support.fake_gpiochip import FakeGpiochip, factory_on

PROFILE = load_profile("gpio-8x8")


def squares(names: str) -> set[Square]:
    return set(map(parse_square, names.split()))


def chip_with(faults: Iterable[str] = ()) -> FakeGpiochip:
    assert PROFILE.matrix is not None
    return FakeGpiochip(PROFILE.matrix, [parse_fault(fault, PROFILE.shape) for fault in faults])


def read(chip: FakeGpiochip, monkeypatch: pytest.MonkeyPatch) -> set[Square]:
    assert PROFILE.matrix is not None
    factory = factory_on(chip, monkeypatch)
    lines = MatrixLines(PROFILE.matrix, factory, lambda _: None)
    lines.read()
    closed = {PROFILE.square_of(index) for index in lines.read()}
    lines.close()
    factory.close()
    return closed


def test_the_switches_are_read_and_one_rank_is_driven_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    chip = chip_with()
    chip.closed = squares("a1 h8 e2 e4 c7")
    assert read(chip, monkeypatch) == chip.closed
    assert chip.most_driven == 1
    assert chip.outputs == {}


def test_a_bridged_diode_hides_no_piece_and_shows_its_ghost(monkeypatch: pytest.MonkeyPatch) -> None:
    chip = chip_with(["diode-bridged:c4"])
    chip.closed = squares("c1 c4 d4")
    assert read(chip, monkeypatch) == squares("c1 c4 d4 d1")
