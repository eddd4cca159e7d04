"""Whatever Captain's Chess asks of a seat, answered by whoever can find a move and say what a position is worth.

Draws are settled by worth: one is claimed where nothing better is in sight, and agreed to where the position is worse
than even, or level for long. Nobody resigns: a lost match is soon over by the rules, and a beginner wants to see how.

Source: docs/rules/captains-chess.md C6, C7.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from captains_table.games.captains_chess.state import DrawConsent, Pressing, State, claim_of
from captains_table.games.contract import AGREE, CLAIM_DRAW, PRESS_CLOCK, REFUSE, Action, Decide, Pick
from captains_table.players.common.strategies import Strategy

WORSE: Final = -60  # hundredths of a pawn
LEVEL: Final = 30
LONG_PLAYED: Final = 40  # moves
LONG_QUIET: Final = 20  # moves of both sides together


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


def answering(judge: Judge) -> Strategy:
    """Return a player who answers every ask of a match by what somebody holds of its position."""

    def answer(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
        match state.step:
            case Pressing():
                return Pick(PRESS_CLOCK.id)
            case DrawConsent():
                return Pick(AGREE.id if _is_content(state, -judge(state).value) else REFUSE.id)
            case _:
                judged = judge(state)
                return Pick(CLAIM_DRAW.id if claim_of(state) and judged.value <= 0 else judged.move)

    return answer


def _is_content(state: State, value: int) -> bool:
    """Return whether a draw is as good as what the position is worth to the one who is asked."""
    position = state.position
    is_long = position.number >= LONG_PLAYED and position.quiet >= LONG_QUIET
    return value <= WORSE or (is_long and value <= LEVEL)
