"""Pins that behave as a switch matrix with buttons, for gpiozero's own `MockFactory`: the real driver runs on them."""

from collections.abc import Iterable

from gpiozero import PinInfo
from gpiozero.pins.mock import MockFactory, MockPWMPin

from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import Profile


class MatrixPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose level, while it is read, comes from what is connected to it; PWM is there for a buzzer."""

    def __init__(self, factory: "MatrixFactory", info: PinInfo) -> None:
        super().__init__(factory, info)
        self._pulls_low = factory.pulls_low
        self._number = int(info.name.removeprefix("GPIO"))

    @property
    def is_driven_low(self) -> bool:
        """Whether it is an output at ground."""
        return bool(self._function == "output" and not self._state)

    def _get_state(self) -> bool:
        return not (self._function == "input" and self._pulls_low(self._number)) and bool(super()._get_state())


class MatrixFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """gpiozero's mock pins, wired as a profile says.

    Each switch has its diode: a file line is low exactly while a rank line with a closed switch on it is driven low.

    Attributes:
        pressed: pins connected to ground by a button or a contact of the encoder.
    """

    def __init__(self, profile: Profile) -> None:
        super().__init__(pin_class=MatrixPin)
        if profile.matrix is None:
            raise ValueError(f"{profile.name} has no switch matrix: expected a profile whose source is gpio")
        self.pressed: set[int] = set()
        self._profile = profile
        self._rank_lines: dict[int, MatrixPin] = {}
        self._matrix = profile.matrix
        self._closed: dict[int, set[int]] = {pin: set() for pin in profile.matrix.file_pins}  # and their rank lines

    def place(self, *squares: Square) -> None:
        """Close the switches of these squares."""
        for rank_pin, file_pin in map(self._wired, squares):
            self._closed[file_pin].add(rank_pin)

    def lift(self, *squares: Square) -> None:
        """Open the switches of these squares."""
        for rank_pin, file_pin in map(self._wired, squares):
            self._closed[file_pin].discard(rank_pin)

    def stand(self, squares: Iterable[Square]) -> None:
        """Close the switches of these squares and open all others."""
        for rank_pins in self._closed.values():
            rank_pins.clear()
        self.place(*squares)

    def pulls_low(self, pin: int) -> bool:
        """Return whether something connected to a pin that is read pulls it low now."""
        ranks = self._closed.get(pin)
        return pin in self.pressed or (ranks is not None and any(map(self._is_driven_low, ranks)))

    def _is_driven_low(self, rank_pin: int) -> bool:
        pin = self._rank_lines.get(rank_pin)
        if pin is None:
            pin = self._rank_lines[rank_pin] = self.pin(rank_pin)
        return pin.is_driven_low

    def _wired(self, square: Square) -> tuple[int, int]:
        """Return the rank and file pins of a square's switch, where it may be wired elsewhere."""
        files = len(self._matrix.file_pins)
        for index in range(files * len(self._matrix.rank_pins)):
            if self._profile.square_of(index) == square:
                rank, file = divmod(index, files)
                return self._matrix.rank_pins[rank], self._matrix.file_pins[file]
        raise ValueError(f"{square}: the board has {self._profile.shape}")
