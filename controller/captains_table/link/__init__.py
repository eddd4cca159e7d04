"""The serial protocol between the host and the board's microcontroller, with the code of both ends.

`debounce`, `frames`, `fields`, `from_board`, `from_host` and `board` also run on the board, under MicroPython: so they
use no dataclasses, no `typing`, and relative imports. `host` and the modules it uses run on the host only.
"""
