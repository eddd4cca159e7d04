"""Simulates the physics of a board: pieces, hands, reed switches and noise.

The simulation has no clock, no input and no output; its random numbers come from the caller.
"""
