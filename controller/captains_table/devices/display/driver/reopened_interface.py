"""A panel's bus that need not be there yet: opened when a frame is sent, and anew after it failed."""

from collections.abc import Callable
from typing import Any, Final

from luma.core.error import Error as LumaError

from captains_table.devices.reopening import Reopening

BUS_ERRORS: Final = (OSError, LumaError)


class ReopenedInterface:
    """Stands where luma expects its interface to a panel.

    Args:
        open_: opens luma's interface, such as `luma.core.interface.serial.i2c(port=1)`; raises OSError, or an
            error of luma's.
    """

    def __init__(self, open_: Callable[[], Any]) -> None:
        self._interface = Reopening(open_, lambda interface: interface.cleanup(), BUS_ERRORS)

    def command(self, *cmd: int) -> None:
        """Send commands; raises OSError or luma's errors."""
        self._interface.use(lambda interface: interface.command(*cmd))

    def data(self, data: list[int]) -> None:
        """Send data; raises OSError or luma's errors."""
        self._interface.use(lambda interface: interface.data(data))

    def cleanup(self) -> None:
        """Let go of the bus; a second time does nothing."""
        self._interface.drop()
