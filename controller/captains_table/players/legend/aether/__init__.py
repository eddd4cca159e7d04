"""Aether, who plays Legend: a position of its own, and a search over moves and the throws of the Legend die."""
