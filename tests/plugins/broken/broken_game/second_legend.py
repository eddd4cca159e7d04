"""A game whose key another one has."""

from captains_table.catalog import GameEntry
from captains_table.games.legend import Legend

ENTRY = GameEntry(game=Legend())
