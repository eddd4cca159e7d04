"""One look after the other at switches and buttons: what changed, and when to look again."""

from collections.abc import Callable
from typing import Final, Protocol

from captains_table.devices.gpio.contacts import Contact, Quadrature
from captains_table.games.contract import Square
from captains_table.table.model.events import BoardRead, Button, ButtonPressed, ButtonReleased, SwitchChanged

REST_MS: Final = 20  # between two scans of a board on which nothing happens
BUSY_MS: Final = 5  # and while something does
BUSY_FOR_MS: Final = 3000  # after the last change: a hand is at work
GLANCE_MS: Final = 4  # between two looks at buttons and encoder at rest
BUSY_GLANCE_MS: Final = 2  # while one of them is moving: a quick turn makes 100 quarter steps a second
LARGEST_SHARE: Final = 0.5  # of a core: a slow Pi scans less often

Reported = BoardRead | SwitchChanged | ButtonPressed | ButtonReleased


class Matrix(Protocol):
    """Switches that can be read."""

    def read(self) -> list[int]:
        """Return the numbers of the closed switches."""


class ButtonsAndEncoder(Protocol):
    """Buttons and perhaps an encoder that can be read."""

    def pressed(self) -> dict[Button, bool]:
        """Return each button's level."""

    def turned(self) -> tuple[bool, bool] | None:
        """Return the encoder's levels, none without one."""


class Scanner:
    """Looks at the pins when it is due and tells what changed, raw: switches are debounced by the table.

    Args:
        matrix: the switches.
        buttons: the buttons and the encoder.
        square_of: the square of a switch.
        now_ms: monotonic milliseconds; asked again after a scan to know what it cost.
    """

    def __init__(
        self,
        matrix: Matrix,
        buttons: ButtonsAndEncoder,
        square_of: Callable[[int], Square],
        now_ms: Callable[[], float],
    ) -> None:
        self._matrix = matrix
        self._buttons = buttons
        self._square_of = square_of
        self._now_ms = now_ms
        self._closed: frozenset[int] | None = None
        self._contacts = {button: Contact() for button in buttons.pressed()}
        self._encoder = Quadrature()
        self._busy_until_ms = 0.0
        self._scan_ms = self._glance_ms = now_ms()

    @property
    def due_ms(self) -> float:
        """When to look next."""
        return min(self._scan_ms, self._glance_ms)

    def style(self) -> list[Reported]:
        """Look at whatever is due and return what changed since the last look, the whole board at first."""
        now_ms = self._now_ms()
        told: list[Reported] = []
        if now_ms >= self._glance_ms:
            told += self._glance(int(now_ms))
            is_moving = not self._encoder.is_at_rest or not all(map(_is_settled, self._contacts.values()))
            self._glance_ms = now_ms + (BUSY_GLANCE_MS if is_moving else GLANCE_MS)
        if now_ms >= self._scan_ms:
            told += self._scan(now_ms)
            cost_ms = self._now_ms() - now_ms
            period_ms = BUSY_MS if now_ms < self._busy_until_ms else REST_MS
            self._scan_ms = now_ms + max(period_ms, cost_ms / LARGEST_SHARE)
        return told

    def _scan(self, now_ms: float) -> list[Reported]:
        before, closed = self._closed, frozenset(self._matrix.read())
        self._closed = closed
        if before is None:
            return [BoardRead(frozenset(map(self._square_of, closed)))]
        if closed != before:
            self._busy_until_ms = now_ms + BUSY_FOR_MS
        # Of what changed within one scan nobody knows the order; a hand lifts before it places.
        lifted = [SwitchChanged(self._square_of(index), closed=False) for index in sorted(before - closed)]
        return [*lifted, *(SwitchChanged(self._square_of(index), closed=True) for index in sorted(closed - before))]

    def _glance(self, now_ms: int) -> list[Reported]:
        told: list[Reported] = []
        for button, closed in self._buttons.pressed().items():
            contact = self._contacts[button]
            if contact.read(closed=closed, now_ms=now_ms):
                told.append(ButtonPressed(button) if contact.is_down else ButtonReleased(button))
        levels = self._buttons.turned()
        step = 0 if levels is None else self._encoder.read(a=levels[0], b=levels[1])
        if step:
            button = Button.NEXT if step > 0 else Button.PREVIOUS
            told += [ButtonPressed(button), ButtonReleased(button)]
        return told


def _is_settled(contact: Contact) -> bool:
    return contact.is_settled
