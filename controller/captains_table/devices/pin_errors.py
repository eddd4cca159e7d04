"""The exceptions that the Pi's pins raise, and the message about a pin that cannot be used."""

import sys

from gpiozero import GPIOZeroError

from captains_table.hardware.wiring.boot import UPGRADE


def pin_errors() -> tuple[type[Exception], ...]:
    """Return the types of exceptions to catch: OSError, gpiozero's, and lgpio's if lgpio has been imported."""
    lgpio = sys.modules.get("lgpio")
    return (OSError, GPIOZeroError, *(() if lgpio is None else (lgpio.error,)))


def pin_error_message(error: Exception) -> str:
    """Return a message about a pin that cannot be used, with possible causes if the pin is busy."""
    words = str(error).strip("'")
    advice = (
        f": another program has it, a line of config.txt, or an old kernel ({UPGRADE})"
        if "busy" in words.lower()
        else ""
    )
    return f"a pin cannot be used: {words}{advice}"
