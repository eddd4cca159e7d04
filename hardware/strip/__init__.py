"""Designs a circuit board for several squares of one rank, with reeds, diodes and lights (`make strip`)."""
