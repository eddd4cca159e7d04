"""The catalog entry of chess."""

from typing import Final

from captains_table.catalog.entry import Example, Export, GameEntry
from captains_table.games.chess import Chess
from captains_table.games.chess.pgn import book_moves, chess_pgn
from captains_table.games.common.records import always
from captains_table.players.boreas.opponents import BOREAS_IN_CHESS, advise_by_boreas, judge_by_boreas

ENTRY: Final = GameEntry(
    game=Chess(),
    move_adviser=advise_by_boreas,
    judge=judge_by_boreas,
    cost_unit="pawns",
    takes_undefended=lambda state, id_: state.position.takes_undefended(id_),
    opponents={BOREAS_IN_CHESS.key: BOREAS_IN_CHESS},
    book_moves=book_moves,
    piece_values={"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9},
    exports={"pgn": Export(chess_pgn, "application/x-chess-pgn")},
    sentence="The game of kings, move by move.",
    minutes=20,
    seat_hints=("Has White.",),
    seats_move_on=always,
    examples=(Example("play chess clock=5+3 white=dice", "five minutes and three seconds a move; a die gives White"),),
)
