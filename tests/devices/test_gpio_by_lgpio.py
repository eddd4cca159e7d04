"""The Pi's switch matrix by gpiozero's own lgpio pins, on a chip that exists in memory only.

What claims do is as lgpio does it: a line that is claimed again in the same direction stays as it is, with its old
flags; in the other direction it is let go of and claimed anew, an output with a level of its own.
"""

import pytest
from gpiozero.pins import lgpio as gpiozero_lgpio

from captains_table.devices.gpio.gpio_board import MatrixLines
from captains_table.games.contract import Square, parse_square
from captains_table.hardware.profiles.profile import Matrix
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.simulation.electrics.faults import parse_fault
from captains_table.storage.profile_files import load_profile
from tests.support.measured_board import PI

PROFILE = load_profile("gpio-8x8")
HANDLE = 0
IS_OUT = 1 << 1
PI_3 = 0xA02082


class FakeGpiochip:
    """Stands for the module lgpio.

    Attributes:
        closed: squares whose reed a piece closes, by wiring.
        outputs: line -> level it drives; only those that are outputs.
        most_driven: the most ranks that were driven at a time.
    """

    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
    error = OSError

    def __init__(self, matrix: Matrix, faults: tuple[str, ...]) -> None:
        self._matrix = matrix
        self._electrics = ElectricBoard(PROFILE.shape, [parse_fault(fault, PROFILE.shape) for fault in faults], PI)
        self.closed: set[Square] = set()
        self.outputs: dict[int, int] = {}
        self.most_driven = 0
        self._flags: dict[int, int] = {}

    def gpiochip_open(self, chip: int) -> int:
        assert chip == 0
        return HANDLE

    def gpiochip_close(self, handle: int) -> None:
        assert handle == HANDLE

    def gpio_free(self, handle: int, gpio: int) -> None:
        assert handle == HANDLE
        self.outputs.pop(gpio, None)
        self._flags.pop(gpio, None)

    def gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> None:
        assert handle == HANDLE
        if gpio in self.outputs or gpio not in self._flags:
            self.outputs.pop(gpio, None)
            self._flags[gpio] = flags or self._flags.get(gpio, 0)  # no flag leaves a bias as it is

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0) -> None:
        assert handle == HANDLE
        if gpio not in self.outputs:
            self.gpio_write(handle, gpio, level, claimed=False)

    def gpio_write(self, handle: int, gpio: int, level: int, *, claimed: bool = True) -> None:
        assert handle == HANDLE
        assert not claimed or gpio in self.outputs, "only an output can be written"
        self.outputs[gpio] = int(level)
        driven = [pin for pin in self._matrix.rank_pins if pin in self.outputs]
        self.most_driven = max(self.most_driven, len(driven))

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        assert handle == HANDLE
        return IS_OUT if gpio in self.outputs else self._flags[gpio]

    def gpio_read(self, handle: int, gpio: int) -> int:
        assert handle == HANDLE
        assert self._flags[gpio] & self.SET_PULL_UP, "a file needs its pull-up"
        ranks = {rank: self.outputs[pin] for rank, pin in enumerate(self._matrix.rank_pins) if pin in self.outputs}
        low, high = ([rank for rank, level in ranks.items() if level == wanted] for wanted in (0, 1))
        circuit = self._electrics.circuit(self._electrics.reeds(self.closed))
        volts = self._electrics.files(circuit.driven(low, high))
        return int(volts[self._matrix.file_pins.index(gpio)] > TYPICAL_THRESHOLD_V)


def squares(names: str) -> set[Square]:
    return set(map(parse_square, names.split()))


def read(monkeypatch: pytest.MonkeyPatch, closed: str, *faults: str) -> tuple[FakeGpiochip, set[Square]]:
    """Return the chip with these switches closed and faults, and what the driver reads of it."""
    assert PROFILE.matrix is not None
    chip = FakeGpiochip(PROFILE.matrix, faults)
    chip.closed = squares(closed)
    monkeypatch.setattr(gpiozero_lgpio, "lgpio", chip)
    monkeypatch.setattr(gpiozero_lgpio.LGPIOFactory, "_get_revision", lambda _: PI_3)
    factory = gpiozero_lgpio.LGPIOFactory()
    lines = MatrixLines(PROFILE.matrix, factory, lambda _: None)
    lines.read()
    found = {PROFILE.square_of(index) for index in lines.read()}
    lines.close()
    factory.close()
    return chip, found


def test_the_switches_are_read_and_one_rank_is_driven_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    chip, found = read(monkeypatch, "a1 h8 e2 e4 c7")
    assert found == chip.closed
    assert chip.most_driven == 1
    assert chip.outputs == {}


def test_a_bridged_diode_hides_no_piece_and_shows_its_ghost(monkeypatch: pytest.MonkeyPatch) -> None:
    _, found = read(monkeypatch, "c1 c4 d4", "diode-bridged:c4")
    assert found == squares("c1 c4 d4 d1")
