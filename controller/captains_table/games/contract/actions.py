"""What is done in a match: every answer, every throw, and that time ran out. A match is its options and its actions."""

from msgspec import Struct


class IllegalAction(ValueError):
    """The action is not one the state asks for; nothing was changed."""


class Tagged(Struct, frozen=True, tag_field="type"):
    """An action; in JSON its `type` is the class's tag, beside its fields (table/model/codec.py)."""


class Pick(Tagged, frozen=True, tag="pick"):
    """One option of a pick was chosen."""

    id: str


class Keep(Tagged, frozen=True, tag="keep"):
    """These dice (1-based) stay; the others that may be thrown are thrown again."""

    dice: tuple[int, ...]


class Amount(Tagged, frozen=True, tag="amount"):
    """An amount was named."""

    value: int


class Rolled(Tagged, frozen=True, tag="rolled"):
    """The dice that were due have fallen, in the order of `Roll.dice`."""

    faces: tuple[int, ...]


class TimeUp(Tagged, frozen=True, tag="time-up"):
    """The time of whoever must act has run out."""


class Bid(Tagged, frozen=True, tag="bid"):
    """A seat bids this much in an auction."""

    seat: int
    value: int


class Bell(Tagged, frozen=True, tag="bell"):
    """The bell rings and ends an auction: somebody rang it, or its time is over."""


class Correct(Tagged, frozen=True, tag="correct"):
    """The game master sets something right, or punishes, against or beside the rules.

    Attributes:
        what: what is corrected, such as `gold`; see `Correctable`.
        of: whose it is, or which one.
        to: what it becomes, or by how much a number changes: `7`, `+3`, `-2`.
        why: the reason in the master's own words; may be empty.
    """

    what: str
    of: str
    to: str
    why: str = ""


class EndMatch(Tagged, frozen=True, tag="end"):
    """The game master ends the match, and nobody wins."""


Reply = Pick | Keep | Amount | Bid | Bell
"""What a player may say, at the page and on a tape; dice and time are the table's."""

MasterAction = Correct | EndMatch
"""What only a game master may do, in games that have one, whoever is to act."""

Action = Reply | MasterAction | Rolled | TimeUp
