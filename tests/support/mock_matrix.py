"""Pins that behave as a switch matrix with buttons, for gpiozero's own `MockFactory`: the real driver runs on them.

What a file reads is what the electrics say of the rank lines as the driver left them: low, high, or not driven.
"""

from collections.abc import Iterable, Sequence

from gpiozero import PinInfo
from gpiozero.pins.mock import MockFactory, MockPWMPin

from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import Profile
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.simulation.electrics.faults import BoardFault
from tests.support.measured_board import PI


class MatrixPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose level, while it is read, comes from what is connected to it; PWM is there for a buzzer."""

    def __init__(self, factory: "MatrixFactory", info: PinInfo) -> None:
        super().__init__(factory, info)
        self._pulls_low = factory.pulls_low
        self._number = int(info.name.removeprefix("GPIO"))

    @property
    def driven(self) -> bool | None:
        """The level it drives as an output, `None` as an input."""
        return bool(self._state) if self._function == "output" else None

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._factory.driven_anew()

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001 - gpiozero's own
        has_changed: bool = super()._change_state(value)
        if has_changed:
            self._factory.driven_anew()
        return has_changed

    def _get_state(self) -> bool:
        return not (self._function == "input" and self._pulls_low(self._number)) and bool(super()._get_state())


class MatrixFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """gpiozero's mock pins, wired as a profile says.

    Args:
        profile: the build, which has a matrix.
        faults: what is wrong with its matrix, by wiring.

    Attributes:
        profile: the build.
        pressed: pins connected to ground by a button or a contact of the encoder.
    """

    def __init__(self, profile: Profile, faults: Iterable[BoardFault] = ()) -> None:
        super().__init__(pin_class=MatrixPin)
        assert profile.matrix is not None
        self.pressed: set[int] = set()
        self.profile = profile
        self._matrix = profile.matrix
        self._electrics = ElectricBoard(profile.shape, faults, PI)
        self._standing: set[Square] = set()  # by wiring
        self._circuit = self._electrics.circuit(self._electrics.reeds(()))
        self._rank_pins: dict[int, MatrixPin] = {}
        self._low_files: set[int] | None = None  # pins, as the ranks are driven now; None: not known yet
        self._seen: dict[tuple[bool | None, ...], set[int]] = {}  # ranks as they are driven -> those, as pieces stand

    def place(self, *squares: Square) -> None:
        """Close the switches of these squares."""
        self._stand(self._standing.union(map(self._wired, squares)))

    def lift(self, *squares: Square) -> None:
        """Open the switches of these squares."""
        self._stand(self._standing.difference(map(self._wired, squares)))

    def stand(self, squares: Iterable[Square]) -> None:
        """Close the switches of these squares and open all others."""
        self._stand(set(map(self._wired, squares)))

    def pulls_low(self, pin: int) -> bool:
        """Return whether something connected to a pin that is read pulls it low now."""
        if pin in self.pressed:
            return True
        if self._low_files is None:
            self._low_files = self._files_read_low()
        return pin in self._low_files

    def driven_anew(self) -> None:
        """Take note that a pin is driven otherwise."""
        self._low_files = None

    def _stand(self, standing: set[Square]) -> None:
        self._standing = standing
        self._circuit = self._electrics.circuit(self._electrics.reeds(standing))
        self._low_files = None
        self._seen = {}

    def _files_read_low(self) -> set[int]:
        driven = tuple(self._pin_of(rank).driven for rank in range(len(self._matrix.rank_pins)))
        if driven not in self._seen:
            self._seen[driven] = self._files_at(driven)
        return self._seen[driven]

    def _files_at(self, driven: Sequence[bool | None]) -> set[int]:
        low = [rank for rank, level in enumerate(driven) if level is False]
        high = [rank for rank, level in enumerate(driven) if level]
        volts = self._electrics.files(self._circuit.driven(low, high))
        return {pin for pin, level in zip(self._matrix.file_pins, volts, strict=True) if level <= TYPICAL_THRESHOLD_V}

    def _pin_of(self, rank: int) -> MatrixPin:
        if rank not in self._rank_pins:
            self._rank_pins[rank] = self.pin(self._matrix.rank_pins[rank])
        return self._rank_pins[rank]

    def _wired(self, square: Square) -> Square:
        """Return the square in whose place a square's switch is wired."""
        shape = self.profile.shape
        for number in range(shape.files * shape.ranks):
            if self.profile.square_of(number) == square:
                return shape.square_at(number)
        raise ValueError(f"{square}: the board has {shape}")
