"""The catalog entry of Captain's Chess."""

from typing import Final

from captains_table.catalog.entry import Example, Export, GameEntry, LessonFile, Picture, UciDialect
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.exports import (
    VARIANT,
    captains_pgn,
    fairy_ini,
    position_line,
    trial_states,
    variant_ini,
)
from captains_table.games.common.records import always
from captains_table.phrases import say
from captains_table.players.boreas.opponents import BOREAS, advise_by_boreas, judge_by_boreas, strategy_by_judges

ENTRY: Final = GameEntry(
    game=CaptainsChess(),
    move_adviser=advise_by_boreas,
    judge=judge_by_boreas,
    cost_unit="pawns",
    takes_undefended=lambda state, id_: state.position.takes_undefended(id_),
    opponents={BOREAS.key: BOREAS},
    uci=UciDialect(
        position=position_line,
        moves=lambda state: state.position.moves,
        trials=trial_states,
        strategy=strategy_by_judges,
        settings=lambda _: {"Use NNUE": "false"},
        variant=VARIANT,
        definition=variant_ini,
        crash_guess="Debian's build of fairy-stockfish dies on 9x8 positions",
        remedy="'make fairy' builds one that plays it, and says where it is",
    ),
    piece_values={"P": 1, "N": 3, "B": 3, "C": 5, "R": 5, "+B": 5, "+R": 7, "Q": 9},
    exports={"ini": Export(fairy_ini), "pgn": Export(captains_pgn, "application/x-chess-pgn")},
    lesson=LessonFile("captains_table.games.captains_chess", "lesson.toml"),
    picture=Picture("captains_table.catalog", "captains_chess.svg"),
    sentence=say("Chess with captains."),
    minutes=20,
    seat_hints=(say("Has White."),),
    seats_move_on=always,
    examples=(Example("play captains-chess clock=5+3", "on nine files, five minutes and three seconds a move"),),
)
