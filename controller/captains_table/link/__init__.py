"""The serial protocol between the host and the board's microcontroller, with the code of both ends.

`debounce`, `frames`, `fields`, `from_board`, `from_host` and `board` also run on the board, under MicroPython.
Therefore they use no dataclasses, no `typing`, and only relative imports. The other modules run only on the host.
`debounce` also serves the scanners that do not use the link.
"""
