"""Simulates the physics of a board: pieces, hands, reed switches and noise, and the electrics of the switch matrix.

The simulation has no clock, no input and no output; its random numbers come from the caller.
"""
