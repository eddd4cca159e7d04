"""Draws a board for the squares of one rank: reeds, diodes, lights. `make strip`."""
