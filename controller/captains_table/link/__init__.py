"""The link between the host and the microcontroller under the board: one source for both ends.

`debounce`, `frames`, `fields`, `from_board`, `from_host` and `board` also run on the board, under MicroPython: no
dataclasses, no `typing`, relative imports. `host` and what it leans on stay with the host.
"""
