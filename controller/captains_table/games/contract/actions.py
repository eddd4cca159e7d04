"""What is done in a match: every answer, every throw, and that time ran out. A match is its options and its actions."""

from dataclasses import dataclass


class IllegalAction(ValueError):  # noqa: N818 - named as the design names it
    """The action is not one the state asks for; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Pick:
    """One option of a pick was chosen."""

    id: str


@dataclass(frozen=True, slots=True)
class Keep:
    """These dice (1-based) stay; the others that may be thrown are thrown again."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount was named."""

    value: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice that were due have fallen, in the order of `Roll.dice`."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time of whoever must act has run out."""


Action = Pick | Keep | Amount | Rolled | TimeUp
