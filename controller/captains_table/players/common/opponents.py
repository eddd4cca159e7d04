"""Computer opponents: who may sit on a seat in place of a person, at which levels, and how one is made to play."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from captains_table.games.common.sitter import SEPARATOR, NoSuchOpponent, Sitter
from captains_table.games.contract import Action, did_you_mean
from captains_table.players.common.advice import Advice
from captains_table.players.common.bidding import BidStrategy
from captains_table.players.common.strategies import Below, Strategy


@dataclass(frozen=True, slots=True)
class Means:
    """What a computer player is given to think with: chance and time come from outside, so that it can be repeated.

    Attributes:
        below: a whole number from 0 up to its argument, the argument excluded, by chance.
        seconds: the time, by a clock that only goes forward.
        think_s: how long it may think about an answer at most, next to its level's own limit; `None` for that alone.
    """

    below: Below
    seconds: Callable[[], float]
    think_s: float | None = None


MoveAdviser = Callable[[Any, Means], Advice | None]
"""Advises in a state where that takes thought, as on moves; `None` where it has nothing to say."""

OpponentMaker = Callable[[int, Means], Strategy]  # of a level, and what it thinks with

OpponentBidder = Callable[[int, Means], BidStrategy]  # the same


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who may play a game in place of a person.

    Attributes:
        key: what precedes the level, in small letters: `aether` of `aether:3`.
        title: the name it sits as.
        make: returns one that plays at a level.
        bid: returns how one bids at a level; `None` where the game has no auctions.
        levels: what each of its levels is like, in a word or two, the weakest first.
        usual: the level proposed to somebody who does not say one.
    """

    key: str
    title: str
    make: OpponentMaker = field(compare=False)
    levels: Mapping[int, str] = field(default_factory=dict)
    usual: int = 1
    bid: OpponentBidder | None = field(default=None, compare=False)


def sitter_of(words: str, opponents: Mapping[str, Opponent]) -> Sitter | None:
    """Return whom a seat's words declare, such as `aether:3`; `None` where they are a person's name.

    Raises:
        NoSuchOpponent: they name a computer of this game at a level it has not, or misspell one.
    """
    key, separator, level = words.partition(SEPARATOR)
    opponent = opponents.get(key.strip().lower())
    meant = did_you_mean(key, opponents) if separator and opponent is None and level.strip().isdecimal() else ""
    if meant:
        raise NoSuchOpponent(f"{words!r}: no computer of this game is called {key}{meant}")
    if not separator or opponent is None:
        return None
    known = {str(each): each for each in opponent.levels}
    if level.strip() not in known:
        weakest, strongest = min(opponent.levels), max(opponent.levels)
        raise NoSuchOpponent(
            f"{words!r}: expected a level from {weakest} to {strongest}, as in {opponent.key}:{weakest}"
        )
    return Sitter(opponent.key, known[level.strip()])


def opponent_of(sitter: Sitter, opponents: Mapping[str, Opponent]) -> Opponent:
    """Return who a sitter is; raises NoSuchOpponent where this game has none of that name or level."""
    opponent = opponents.get(sitter.key)
    if opponent is None or sitter.level not in opponent.levels:
        known = [str(Sitter(each.key, level)) for each in opponents.values() for level in each.levels]
        expected = f"expected one of {', '.join(known)}" if known else "this game has none"
        raise NoSuchOpponent(f"no computer {str(sitter)!r} is known: {expected}{did_you_mean(str(sitter), known)}")
    return opponent


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a decision cost.

    Attributes:
        cost: by how much the best was better, in points, or pawns where moves are worth those; 0 for the best itself.
        best: the best, in words.
    """

    cost: float
    best: str


Judge = Callable[[Any, Action, Means], Judgement | None]
"""Judges what was decided in a state; `None` where that is none of its business."""
