"""The steps of a match of a game like chess: the inputs that the game waits for, and the end of the match.

Source: docs/rules/chess.md G5 to G12, docs/rules/captains-chess.md C6, C7.
"""

from msgspec import Struct

from captains_table.games.contract import Result


class MoveStep(Struct, frozen=True):
    """The step in which the player to move moves, claims or offers a draw, or resigns."""


class ClockPressStep(Struct, frozen=True):
    """The step after a move in a match with a clock, in which the player who moved must press the clock."""


class DrawConsent(Struct, frozen=True):
    """The step in which the opponent answers an offer of a draw."""


class TakebackConsent(Struct, frozen=True):
    """The step in which the opponent answers the wish of the player to move to take their last move back."""


class ClaimStep(Struct, frozen=True):
    """The step in which the player to move names the move with which they claim a draw."""


class SetupStep(Struct, frozen=True):
    """The step before the first move in which dice decide colours or the array.

    Attributes:
        dice: the numbers of the dice to throw now.
        faces: the faces that count already, in the order of the dice; 0 for a die that must be thrown.
        what: `colours` or `array`.
    """

    what: str
    dice: tuple[int, ...]
    faces: tuple[int, ...]


class Finished(Struct, frozen=True):
    """The end of a match: the result, and the reason in words.

    It is the step of a match only after a draw, a resignation or the end of a player's time. All other ends follow from
    the position (see `match.ending`).
    """

    result: Result
    words: str


ChesslikeStep = MoveStep | ClockPressStep | DrawConsent | TakebackConsent | ClaimStep | SetupStep | Finished
