"""Crowns, a chess variant for two to fourteen people who design their own pieces (docs/rules/crowns.md)."""

from captains_table.games.crowns.game import Crowns as Crowns
