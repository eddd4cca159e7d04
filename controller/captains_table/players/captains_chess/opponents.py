"""Answers every question of a seat in Captain's Chess with an engine's moves and values; declares Boreas.

Boreas is always available; a UCI engine is available if the configuration names one. Any engine that finds a move and
the value of a position can play a whole match. Decisions about draws use the position's value without the errors of
the level. The player claims a possible draw if its position is worth 0 or less. It agrees to a draw if its position is
clearly worse than even (in the opening, much worse), or if a long match without recent progress is about even.
Computers never resign: a lost match is soon over by the rules, and a beginner wants to see how to win.

Source: docs/rules/captains-chess.md C6, C7.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from captains_table.games.captains_chess.state import ClockPressStep, DrawConsent, State, claim_of
from captains_table.games.contract import AGREE, CLAIM_DRAW, PRESS_CLOCK, REFUSE, Action, Decide, Pick
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy

WORSE: Final = -60  # hundredths of a pawn
MUCH_WORSE: Final = -250
LEVEL: Final = 30
OPENING: Final = 20  # moves: before this one a match is in its opening
LONG_PLAYED: Final = 40  # moves
LONG_QUIET: Final = 20  # plies without a capture, pawn move or promotion
ENGINE: Final = "engine"  # the key of a UCI engine that the configuration names, before its level: engine:3
LEVELS: Final = {
    0: "gentle",
    1: "beginner",
    2: "novice",
    3: "casual",
    4: "club player",
    5: "strong",
    6: "strongest",
}
LEVEL_NOTES: Final = {
    0: "Overlooks every answer, and misjudges moves by up to six pawns",
    1: "Sees what it can capture, but rarely your answer",
    2: "Overlooks three of your answers in ten",
    3: "Looks two moves ahead, and overlooks one answer in seven",
    4: "Looks three moves ahead, and overlooks few answers",
    5: "Looks some six moves ahead",
    6: "Looks some eight moves ahead",
}


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """The move that an engine chose in a position, and the position's value.

    Attributes:
        move: the id of the chosen move.
        value: the position's value for the side to move, in hundredths of a pawn.
    """

    move: str
    value: int


PositionJudge = Callable[[State], JudgedMove]


def strategy_by_judges(judge: PositionJudge, weigh: PositionJudge) -> Strategy:
    """Return a player that answers every question of a match with an engine's moves and values.

    Args:
        judge: returns the move to make.
        weigh: the same engine without errors; its values decide about draws.
    """

    def answer(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
        match state.step:
            case ClockPressStep():
                return Pick(PRESS_CLOCK.id)
            case DrawConsent():
                return Pick(AGREE.id if _is_content(state, -weigh(state).value) else REFUSE.id)
            case _:
                claims = claim_of(state) and weigh(state).value <= 0
                return Pick(CLAIM_DRAW.id if claims else judge(state).move)

    return answer


def _is_content(state: State, value: int) -> bool:
    """Return whether a player agrees to a draw.

    Args:
        state: the match.
        value: the position's value for the player, in hundredths of a pawn.
    """
    position = state.position
    is_long = position.number >= LONG_PLAYED and position.quiet >= LONG_QUIET
    is_opening = position.number < OPENING
    return value <= (MUCH_WORSE if is_opening else WORSE) or (is_long and value <= LEVEL)


def _boreas(level: int, means: Means) -> Strategy:
    from captains_table.players.boreas.player import boreas  # noqa: PLC0415 - builds large tables

    return boreas(level, means)


BOREAS: Final = Opponent("boreas", "Boreas", _boreas, LEVELS, usual=3, level_notes=LEVEL_NOTES)
