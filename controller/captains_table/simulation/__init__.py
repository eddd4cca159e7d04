"""Simulates a board: pieces, the hand, noisy reed switches, their scanner, and the electrics of the switch matrix.

The simulation has no clock, no input and no output; its random numbers come from the caller.
"""
