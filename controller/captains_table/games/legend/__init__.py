"""Legend ~ Ship, Captain, Crew: chess with a Legend die, cargo and honour (docs/rules/legend.md)."""

from captains_table.games.legend.game import Legend

__all__ = ["Legend"]
