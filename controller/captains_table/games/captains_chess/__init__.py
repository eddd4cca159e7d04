"""Captain's Chess, a 9x8 chess variant by Patrik Hedman (docs/rules/captains-chess.md)."""

from captains_table.games.captains_chess.game import CaptainsChess as CaptainsChess
