"""The firmware of the board's microcontroller: `main.py` wires, everything else takes pins, clock and streams."""
