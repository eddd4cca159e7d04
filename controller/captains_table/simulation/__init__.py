"""Simulates the physics of a board: pieces, hands, reed switches, noise. No clock, no I/O, seeded randomness."""
