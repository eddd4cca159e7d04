"""The catalog entry of Captain's Chess."""

from typing import Final

from captains_table.catalog.entry import Example, Export, GameEntry, LessonFile, Picture
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fairy import fairy_ini
from captains_table.games.captains_chess.pgn import captains_pgn
from captains_table.games.common.records import always
from captains_table.players.boreas.opponents import BOREAS, advise_by_boreas, judge_by_boreas

ENTRY: Final = GameEntry(
    game=CaptainsChess(),
    move_adviser=advise_by_boreas,
    judge=judge_by_boreas,
    cost_unit="pawns",
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
