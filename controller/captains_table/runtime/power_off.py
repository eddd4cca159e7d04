"""Asking that the machine be switched off: a file that systemd watches, and no right of the table's own.

Source: systemd.path(5), PathExists; systemd/captains-table-poweroff.path starts the service whose end is the power-off.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE_VARIABLE: Final = "CAPTAINS_TABLE_POWER_OFF"
"""Names the file; systemd sets it where it watches for one."""
SIMULATED: Final = "It is simulated: end it where it was started (Ctrl-C). Everything is kept"
NO_RIGHT: Final = "This table may not do that: run 'sudo poweroff' on its machine"


@dataclass(frozen=True, slots=True)
class PowerOff:
    """How the machine is switched off.

    Attributes:
        ask: asks for it; raises OSError.
        instead: what to do where that cannot be asked for; empty where it can.
    """

    ask: Callable[[], object]
    instead: str = ""


def nothing() -> None:
    """Ask for nothing."""


def power_off_of(environment: Mapping[str, str], *, is_simulated: bool) -> PowerOff:
    """Return how the machine of a table is switched off; one that is simulated is but a program among others."""
    if is_simulated:
        return PowerOff(nothing, SIMULATED)
    file = environment.get(FILE_VARIABLE, "")
    return PowerOff(Path(file).touch) if file else PowerOff(nothing, NO_RIGHT)
