"""Legend ~ Ship, Captain, Crew: chess with a die that limits the moves, and dice for cargo (docs/rules/legend.md)."""

from captains_table.games.legend.game import Legend as Legend
