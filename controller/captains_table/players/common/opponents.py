"""Computer opponents: how a game declares them, what resources they get, and how a seat names one (`aether:3`).

The module also declares the types of functions that advise on a move or judge a decision.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from captains_table.games.common.computer_seat import SEPARATOR, ComputerSeat, NoSuchOpponent
from captains_table.games.contract import Action, did_you_mean
from captains_table.phrases import listed, message, say
from captains_table.players.common.advice import Advice
from captains_table.players.common.bidding import BidStrategy
from captains_table.players.common.strategies import Below, Strategy


@dataclass(frozen=True, slots=True)
class Means:
    """The resources of a computer player: randomness and time are passed in, so that its play can be reproduced.

    Attributes:
        below: returns a random integer from 0 up to, but not including, its argument.
        seconds: returns the current time of a monotonic clock, in seconds.
        think_s: the maximum thinking time for an answer in seconds, which applies together with the limits of the
            level; `None` if no such maximum is given.
    """

    below: Below
    seconds: Callable[[], float]
    think_s: float | None = None


MoveAdviser = Callable[[Any, Means], Advice | None]
"""Returns advice that takes computing time, as on a move; `None` where it has none."""

OpponentMaker = Callable[[int, Means], Strategy]  # from a level and its resources

OpponentBidder = Callable[[int, Means], BidStrategy]  # from a level and its resources


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer that may play a game in place of a person.

    Attributes:
        key: the lower-case name before the level, such as `aether` in `aether:3`.
        title: the name shown for the computer's seat.
        make: returns a player for a level.
        bid: returns a bidder for a level; `None` if the game has no auctions.
        levels: for each level, a description in a word or two; the weakest level comes first.
        usual: the default level.
        level_notes: how a level plays, a sentence for somebody who chooses one; may lack some levels.
    """

    key: str
    title: str
    make: OpponentMaker = field(compare=False)
    levels: Mapping[int, str] = field(default_factory=dict)
    usual: int = 1
    bid: OpponentBidder | None = field(default=None, compare=False)
    level_notes: Mapping[int, str] = field(default_factory=dict)


def sitter_of(words: str, opponents: Mapping[str, Opponent]) -> ComputerSeat | None:
    """Return the computer that a seat's text names, such as `aether:3`; `None` if the text is a person's name.

    Raises:
        NoSuchOpponent: the text misspells the name of one of the game's computers, or names a level that the computer
            does not have.
    """
    key, separator, level = words.partition(SEPARATOR)
    opponent = opponents.get(key.strip().lower())
    meant = did_you_mean(key, opponents) if separator and opponent is None and level.strip().isdecimal() else ""
    if meant:
        unknown = message("{name}: no computer of this game is called {key}{suggestion}")
        raise NoSuchOpponent(say(unknown, name=repr(words), key=key, suggestion=meant))
    if not separator or opponent is None:
        return None
    known = {str(each): each for each in opponent.levels}
    if level.strip() not in known:
        weakest, strongest = min(opponent.levels), max(opponent.levels)
        expected = message("{name}: expected a level from {weakest} to {strongest}, as in {key}:{weakest}")
        raise NoSuchOpponent(say(expected, name=repr(words), weakest=weakest, strongest=strongest, key=opponent.key))
    return ComputerSeat(opponent.key, known[level.strip()])


def opponent_of(sitter: ComputerSeat, opponents: Mapping[str, Opponent]) -> Opponent:
    """Return the opponent that plays a seat; raises NoSuchOpponent if none has the seat's key and level."""
    opponent = opponents.get(sitter.key)
    if opponent is None or sitter.level not in opponent.levels:
        known = [str(ComputerSeat(each.key, level)) for each in opponents.values() for level in each.levels]
        some = message("no computer {name} is known: expected one of {names}{suggestion}")
        wrong = some if known else message("no computer {name} is known: this game has none")
        meant = did_you_mean(str(sitter), known)
        raise NoSuchOpponent(say(wrong, name=repr(str(sitter)), names=listed(known, ","), suggestion=meant))
    return opponent


@dataclass(frozen=True, slots=True)
class Judgement:
    """The cost of a decision.

    Attributes:
        cost: how much better the best answer was, in points (in games like chess in pawns); 0 for the best answer.
        best: the best answer in words.
        move: the id of the best answer if it is a move on the board; empty for other answers.
        why: what the best answer is worth, in words; empty if unknown.
        worth: what the best answer is worth for the player, in the unit of `cost`; `None` if unknown.
        line: the ids of the best answer and of the answers that would follow; empty if unknown.
        chance: of 100 how likely the player was to win before the decision; `None` unless the judge knows chances.
        lost_chance: by how many of 100 that chance fell; `None` like it.
    """

    cost: float
    best: str
    move: str = ""
    why: str = ""
    worth: float | None = None
    line: tuple[str, ...] = ()
    chance: float | None = None
    lost_chance: float | None = None


DecisionJudge = Callable[[Any, Action, Means], Judgement | None]
"""Returns the cost of an action in a state; `None` for decisions that it does not judge."""
