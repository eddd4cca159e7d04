"""The catalog entry of chess."""

from typing import Final

from captains_table.catalog.entry import Example, Export, GameEntry, LessonFile, Picture, UciDialect
from captains_table.games.chess import Chess
from captains_table.games.chess.pgn import book_moves, chess_pgn
from captains_table.games.chess.state import State
from captains_table.games.common.chesslike.match import line_of
from captains_table.games.common.records import always
from captains_table.phrases import say
from captains_table.players.boreas.opponents import (
    BOREAS_IN_CHESS,
    advise_by_boreas,
    judge_by_boreas,
    judge_by_engine,
    strategy_by_judges,
)

TRIAL_FENS: Final = ("", "8/8/8/8/8/2k5/p7/K7 w - - 0 1")  # the usual opening, and a position with one legal move


def _position_line(state: State) -> str:
    first, moves = line_of(state)
    return f"position fen {first.fen()}{' moves ' if moves else ''}{' '.join(moves)}"


def _trial_states() -> list[State]:
    return [Chess().start(("White", "Black"), {"fen": fen} if fen else {}) for fen in TRIAL_FENS]


ENTRY: Final = GameEntry(
    game=Chess(),
    move_adviser=advise_by_boreas,
    judge=judge_by_boreas,
    cost_unit="pawns",
    takes_undefended=lambda state, id_: state.position.takes_undefended(id_),
    opponents={BOREAS_IN_CHESS.key: BOREAS_IN_CHESS},
    book_moves=book_moves,
    uci=UciDialect(
        position=_position_line,
        moves=lambda state: state.position.moves,
        trials=_trial_states,
        strategy=strategy_by_judges,
        settings=lambda state: {"UCI_Chess960": "true" if state.position.is_960 else "false"},
        judge=judge_by_engine,
    ),
    piece_values={"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9},
    exports={"pgn": Export(chess_pgn, "application/x-chess-pgn")},
    lesson=LessonFile("captains_table.games.chess", "lesson.toml"),
    picture=Picture("captains_table.catalog", "chess.svg"),
    sentence=say("Two armies, one king to catch."),
    minutes=25,
    seat_hints=(say("Has White, unless it is agreed otherwise."),),
    seats_move_on=always,
    examples=(Example("play chess clock=5+3 white=dice", "five minutes and three seconds a move; a die gives White"),),
)
