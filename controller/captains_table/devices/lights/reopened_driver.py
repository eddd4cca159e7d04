"""Lights whose bus need not be there yet: opened when a frame is sent, and anew after it failed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from captains_table.devices.lights.effects import Frame
from captains_table.devices.reopening import Reopening

if TYPE_CHECKING:  # it asks for luma.led_matrix, which is in the extra pi
    from captains_table.devices.lights.led_driver import LedDriver


class ReopenedDriver:
    """A `LedDriver` that is opened when it is needed.

    Args:
        open_: opens the driver; raises OSError.
    """

    def __init__(self, open_: Callable[[], "LedDriver"]) -> None:
        self._driver = Reopening(open_, lambda driver: driver.close(), (OSError,))

    def show(self, frame: Frame) -> None:
        """Light these squares in these colours, the others dark; raises OSError."""
        self._driver.use(lambda driver: driver.show(frame))

    def dim(self, brightness: float) -> None:
        """Be as bright as this share of the brightest, 0 to 1; raises OSError."""
        self._driver.use(lambda driver: driver.dim(brightness))

    def close(self) -> None:
        """Go dark and let go of the bus; a second time does nothing."""
        self._driver.drop()
