"""What the Pi's pins raise where they cannot be used."""

import sys

from gpiozero import GPIOZeroError

from captains_table.hardware.wiring.boot import UPGRADE


def pin_errors() -> tuple[type[Exception], ...]:
    """Return what gpiozero raises, and lgpio beneath it, if that is what drives the pins."""
    lgpio = sys.modules.get("lgpio")
    return (OSError, GPIOZeroError, *(() if lgpio is None else (lgpio.error,)))


def pin_words(error: Exception) -> str:
    """Return what is wrong with a pin, and what to look for where somebody else has it."""
    words = str(error).strip("'")
    advice = (
        f": another program has it, a line of config.txt, or an old kernel ({UPGRADE})"
        if "busy" in words.lower()
        else ""
    )
    return f"a pin cannot be used: {words}{advice}"
