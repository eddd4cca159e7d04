"""The catalog entry of Legend ~ Ship, Captain, Crew."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from captains_table.catalog.entry import Example, Export, GameEntry, LessonFile, Picture, Remarks
from captains_table.games.common.records import RecordRules, always
from captains_table.games.contract import Action
from captains_table.games.legend import Legend
from captains_table.phrases import say
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import DecisionJudge, Means
from captains_table.players.legend import dice_advice, dice_solver
from captains_table.players.legend.aether.opponent import OPPONENT as AETHER
from captains_table.players.legend.bartering import with_bargains
from captains_table.players.legend.luck import TurnMeasure


def _pgn(
    names: Sequence[str], options: Mapping[str, str], actions: Iterable[Action], began: str, remarks: Remarks
) -> str:
    from captains_table.games.legend.pgn import legend_pgn  # noqa: PLC0415 - a fifth of the start-up time, rarely needed

    return legend_pgn(names, options, actions, began, remarks)


def _advise_on_move(state: Any, means: Means) -> Advice | None:  # noqa: ANN401 - Legend's own
    from captains_table.players.legend.aether.advising import advise_on_legend_move  # noqa: PLC0415 - slow to import: makes tables

    return advise_on_legend_move(state, means)


def _judge() -> DecisionJudge:
    from captains_table.players.legend.aether.advising import MoveJudge  # noqa: PLC0415 - as above

    return MoveJudge()


ENTRY: Final = GameEntry(
    game=Legend(),
    adviser=dice_advice.advise_on_legend_dice,
    move_adviser=_advise_on_move,
    judge=_judge,
    luck=TurnMeasure,
    takes_undefended=lambda state, id_: state.position.takes_undefended(id_),
    opponents={AETHER.key: with_bargains(AETHER)},
    odds=dice_solver.legend_odds,
    exports={"pgn": Export(_pgn, "application/x-chess-pgn")},
    lesson=LessonFile("captains_table.games.legend", "lesson.toml"),
    picture=Picture("captains_table.catalog", "legend.svg"),
    sentence=say("Dice command, chessmen obey."),
    minutes=30,
    seat_hints=(
        say("Has White in the first round."),
        say("With no second player you play both sides by your own hand."),
    ),
    seats_move_on=always,
    records=RecordRules(material=frozenset({"rounds", "turn_limit", "score"})),
    tally_icons={
        "cargo": ".###. #...# ##### #...# ##### #...# .###.",
        "legend": "..#.. ..#.. ##### .###. .###. ##.## #...#",
    },
    examples=(
        Example("play --players Anne Bart rounds=1", "a new match, one round"),
        Example("play legend --players Anne", "solitaire: Aether plays the other side with the same hand"),
        Example("simulate legend rounds=1 turn_limit=200 --players best,greedy --matches 100", ""),
    ),
)
