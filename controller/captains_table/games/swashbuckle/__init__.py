"""Swashbuckle, a dice game with five dice and a score sheet of sixteen boxes, with raids and curses."""

from captains_table.games.swashbuckle.game import Swashbuckle as Swashbuckle
