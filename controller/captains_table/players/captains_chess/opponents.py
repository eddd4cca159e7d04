"""Who plays Captain's Chess in place of a person, and how whatever the game asks of a seat is answered.

Boreas is always there; a UCI engine is where the configuration names one. Any of them that finds a move and says what
a position is worth can answer everything. Draws are settled by worth, judged without the errors of a level: one is
claimed where nothing better is in sight, and agreed to where the position is worse than even, or level for long; in the
opening only where it is much worse. Nobody resigns: a lost match is soon over by the rules, and a beginner wants to see
how.

Source: docs/rules/captains-chess.md C6, C7.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from captains_table.games.captains_chess.state import DrawConsent, Pressing, State, claim_of
from captains_table.games.contract import AGREE, CLAIM_DRAW, PRESS_CLOCK, REFUSE, Action, Decide, Pick
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy

WORSE: Final = -60  # hundredths of a pawn
MUCH_WORSE: Final = -250
LEVEL: Final = 30
OPENING: Final = 20  # moves
LONG_PLAYED: Final = 40  # moves
LONG_QUIET: Final = 20  # moves of both sides together
ENGINE: Final = "engine"  # what precedes the level of a UCI engine that the configuration names
LEVELS: Final = {1: "beginner", 2: "novice", 3: "casual", 4: "club player", 5: "strong", 6: "strongest"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What somebody holds of a position.

    Attributes:
        move: the id of the move to make.
        value: what the position is worth to whoever is to move, in hundredths of a pawn.
    """

    move: str
    value: int


Judge = Callable[[State], Judged]


def answering(judge: Judge, weigh: Judge) -> Strategy:
    """Return a player who answers every ask of a match by what somebody holds of its position.

    Args:
        judge: finds the moves.
        weigh: the same without errors, by which draws are settled.
    """

    def answer(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
        match state.step:
            case Pressing():
                return Pick(PRESS_CLOCK.id)
            case DrawConsent():
                return Pick(AGREE.id if _is_content(state, -weigh(state).value) else REFUSE.id)
            case _:
                claims = claim_of(state) and weigh(state).value <= 0
                return Pick(CLAIM_DRAW.id if claims else judge(state).move)

    return answer


def _is_content(state: State, value: int) -> bool:
    """Return whether a draw is as good as what the position is worth to the one who is asked."""
    position = state.position
    is_long = position.number >= LONG_PLAYED and position.quiet >= LONG_QUIET
    is_opening = position.number < OPENING
    return value <= (MUCH_WORSE if is_opening else WORSE) or (is_long and value <= LEVEL)


def _boreas(level: int, means: Means) -> Strategy:
    from captains_table.players.captains_chess.boreas.player import boreas  # noqa: PLC0415 - tables only he needs

    return boreas(level, means)


BOREAS: Final = Opponent("boreas", "Boreas", _boreas, LEVELS, usual=3)
