"""Simulates a board: pieces, the hand, noisy reed switches, their scanner, and the electrics of the switch matrix.

Also simulates boards that people can buy (`virtual_boards`). The simulation has no clock, no input and no output, but
for `virtual_boards/line.py`; its random numbers come from the caller.
"""
