"""A game that cannot be imported: what it needs is nowhere."""

from broken_game.no_such_module import ENTRY

__all__ = ["ENTRY"]
