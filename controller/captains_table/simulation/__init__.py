"""The physics of a board: what hands do, what the reeds and the link make of it. No clock, no I/O, seeded chance."""
