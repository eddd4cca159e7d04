"""The catalog entry of Captain's Chess."""

from typing import Any, Final

from captains_table.catalog.entry import Example, Export, GameEntry, LessonFile, Picture
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fairy import fairy_ini
from captains_table.games.captains_chess.pgn import captains_pgn
from captains_table.games.common.records import always
from captains_table.players.captains_chess.opponents import BOREAS
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import DecisionJudge, Means


def _advise_on_move(state: Any, means: Means) -> Advice | None:  # noqa: ANN401 - Captain's Chess's own
    from captains_table.players.captains_chess.advising import advise_on_captains_move  # noqa: PLC0415 - slow to import

    return advise_on_captains_move(state, means)


def _judge() -> DecisionJudge:
    from captains_table.players.captains_chess.advising import judge_move  # noqa: PLC0415 - as above

    return judge_move


ENTRY: Final = GameEntry(
    game=CaptainsChess(),
    move_adviser=_advise_on_move,
    judge=_judge,
    takes_undefended=lambda state, id_: state.position.takes_undefended(id_),
    opponents={BOREAS.key: BOREAS},
    piece_values={"P": 1, "N": 3, "B": 3, "C": 5, "R": 5, "+B": 5, "+R": 7, "Q": 9},
    exports={"ini": Export(fairy_ini), "pgn": Export(captains_pgn, "application/x-chess-pgn")},
    lesson=LessonFile("captains_table.games.captains_chess", "lesson.toml"),
    picture=Picture("captains_table.catalog", "captains_chess.svg"),
    sentence="Chess with captains.",
    minutes=20,
    seat_hints=("Has White.",),
    seats_move_on=always,
    examples=(Example("play captains-chess clock=5+3", "on nine files, five minutes and three seconds a move"),),
)
