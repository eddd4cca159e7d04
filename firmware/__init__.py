"""The firmware of the board's microcontroller: `main.py` opens the hardware and passes it to all other modules."""
