"""Swashbuckle: five dice and a sheet of sixteen boxes, with raids and curses."""

from captains_table.games.swashbuckle.game import Swashbuckle

__all__ = ["Swashbuckle"]
