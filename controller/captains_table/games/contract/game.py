"""The game itself: what every game must answer, and what it may.

A game is pure: a frozen state and an action give the next state. Chance is an action like any other (`Rolled`), so a
saved game is its options and its list of actions.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, Final, Generic, TypeVar

from captains_table.games.contract.corrections import Correctable
from captains_table.games.contract.display import (
    Die,
    GameEvent,
    Hindrance,
    Outcome,
    Refused,
    Shape,
    SheetRow,
    Slot,
    Square,
    Thing,
    Whereabouts,
)
from captains_table.games.contract.options import GameOption
from captains_table.games.contract.turns import Action, Option, TimeControl, Turn

S = TypeVar("S")
KEY: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class BadGame(TypeError):
    """A game's class declares something the contract does not know, or lacks what it must declare."""


class Game(ABC, Generic[S]):
    """A game's rules. `S` is its state: a frozen, hashable value.

    A game inherits from this, declares `key`, `title` and `seats`, and answers the abstract methods: one it forgets is
    an error when the game is made. The other methods have the answers of a game without board, dice, score sheet or
    clock. A public name of its own that the contract does not know is an error when the class is made, because it is
    most likely a misspelt one whose default would answer instead: helpers of a game's own begin with an underscore.

    Attributes:
        key: what commands, journals and tapes call the game: small letters, digits and hyphens.
        title: what players call it.
        seats: how many players may be named.
        shape: the squares it needs; `None` for a game of dice or cards alone.
        options: what may be agreed before a match.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    shape: ClassVar[Shape | None] = None
    options: ClassVar[Sequence[GameOption]] = ()

    def __init_subclass__(cls, **parameters: Any) -> None:  # noqa: ANN401 - whatever other base classes take
        super().__init_subclass__(**parameters)
        _check_names(cls)
        check_declarations(cls)

    # --- what every game answers ------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> S:
        """Return the first state; raises BadOption."""

    @abstractmethod
    def names(self, state: S) -> Sequence[str]:
        """Return the players in seat order; a game may seat one more than were named (solitaire)."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """Return what must happen next."""

    @abstractmethod
    def apply(self, state: S, action: Action) -> S:
        """Return the state after the action; raises IllegalAction and changes nothing."""

    @abstractmethod
    def score(self, state: S) -> Sequence[int]:
        """Return every seat's score, the column that ranks; the points of the match's events add up to it."""

    @abstractmethod
    def tallies(self, state: S) -> Sequence[Mapping[str, int]]:
        """Return each seat's named tallies, as displays show them."""

    @abstractmethod
    def game_events(self, before: S, after: S) -> Sequence[GameEvent]:
        """Return what happened in the one action between two states."""

    @abstractmethod
    def heading(self, state: S) -> str:
        """Return where in the match we are, in a few words."""

    # --- what a game may answer -------------------------------------------------------------------------------------

    def pieces(self, state: S) -> Mapping[Square, str]:  # noqa: ARG002 - games with a board answer for theirs
        """Return the pieces on the board; none by default."""
        return {}

    def spares(self, state: S) -> Sequence[str]:  # noqa: ARG002 - games that have such answer for theirs
        """Return the pieces that lie ready beside the board, as tokens of players elsewhere; none by default."""
        return ()

    def filled_in(self, state: S) -> Mapping[str, str]:  # noqa: ARG002 - games that bring something along answer for theirs
        """Return options that were left open and which a game fills in from what it brings along; none by default.

        A match writes them down, so that it is replayed as it was played when another version brings other things.
        """
        return {}

    def whereabouts(self, state: S) -> Sequence[Whereabouts]:  # noqa: ARG002 - games whose players are pieces answer for theirs
        """Return where each seat's player is, where players are pieces themselves; nothing by default."""
        return ()

    def things(self, state: S) -> Mapping[Square, Sequence[Thing]]:  # noqa: ARG002 - games that have such answer for theirs
        """Return what lies on squares beside pieces, or is worn by them; nothing by default."""
        return {}

    def shining(self, state: S) -> Mapping[Square, Thing]:  # noqa: ARG002 - games that have such answer for theirs
        """Return the things that lights show now, beneath what is to be done on their squares; nothing by default."""
        return {}

    def dice(self, state: S) -> Sequence[Die]:  # noqa: ARG002 - games with dice answer for theirs
        """Return each die as it lies; none by default."""
        return ()

    def calls(self, state: S) -> Sequence[Option]:  # noqa: ARG002 - games that have such answer for theirs
        """Return what anybody may pick now beside the turn, whoever is on it; nothing by default."""
        return ()

    def outcome(self, before: S, after: S, faces: Sequence[int | None]) -> Outcome | None:  # noqa: ARG002 - see below
        """Return what the dice came to by the action between two states, which ended a turn or decided who begins.

        By default what the first happening says; a game with dice may also say which of them counted.

        Args:
            before: the state before the action.
            after: the state after it.
            faces: all dice as they lay at last, those that fell by this action included; `None` where not thrown.
        """
        told = [event.words for event in self.game_events(before, after)]
        return Outcome(words=told[0]) if told else None

    def slots(self, state: S) -> Sequence[Slot]:  # noqa: ARG002 - games whose dice have places answer for theirs
        """Return the places that certain dice must fill, in their order; none by default."""
        return ()

    def standing(self, state: S) -> str:  # noqa: ARG002 - games whose dice have a meaning answer for theirs
        """Return in words what the dice that lie have come to so far, such as `ship, captain`; nothing by default."""
        return ""

    def refused(self, state: S) -> Sequence[Refused]:  # noqa: ARG002 - games with board and dice answer for theirs
        """Return the moves that only the dice, or the king's safety, forbid; none by default."""
        return ()

    def hindrance(self, state: S, square: Square) -> Hindrance | None:
        """Return what keeps the piece on a square from being moved now; `None`: nothing, or nothing can be said.

        By default the reason of the first refused move that would take it away.
        """
        letter = self.pieces(state).get(square)
        away = [move for move in self.refused(state) if letter is not None and square not in move.pieces]
        return Hindrance(away[0].reason, by_dice=bool(self.dice(state))) if away else None

    def sheet(self, state: S) -> Sequence[SheetRow]:  # noqa: ARG002 - games with a score sheet answer for theirs
        """Return the rows of the score sheet; none by default."""
        return ()

    def titles(self, state: S) -> Sequence[str]:  # noqa: ARG002 - most players keep their names
        """Return what displays show in place of seats' names, empty for the name itself; nothing if all keep theirs."""
        return ()

    def details(self, state: S) -> Mapping[str, object]:  # noqa: ARG002 - games that add something answer for theirs
        """Return what the game adds to a tape's final object; nothing by default."""
        return {}

    def time_control(self, state: S) -> TimeControl | None:  # noqa: ARG002 - games on time answer for theirs
        """Return on how much time the match is played; `None`, the default, for a match without a clock."""
        return None

    def corrections(self, state: S) -> Sequence[Correctable]:  # noqa: ARG002 - games with a master answer for theirs
        """Return what a game master may set right now; none by default: a game without one, or a match that is over."""
        return ()


def _check_names(cls: "type[Game[Any]]") -> None:
    """Raise BadGame where a public name is none of the contract's."""
    known = [name for name in vars(Game) if not name.startswith("_")] + list(Game.__annotations__)
    for name in vars(cls):
        if name.startswith("_") or name in known:
            continue
        alike = get_close_matches(name, known, n=1)
        meant = f"did you mean {alike[0]!r}?" if alike else f"it knows {', '.join(sorted(set(known)))}."
        raise BadGame(
            f"{cls.__name__}.{name}: the contract of a game knows no such name; {meant} "
            "A name of the game's own begins with an underscore"
        )


def check_declarations(game: "Game[Any] | type[Game[Any]]") -> None:
    """Raise BadGame where key, title, seats, shape or options of a game or its class are missing or unusable."""
    called = game.__name__ if isinstance(game, type) else type(game).__name__
    key, title, seats = (getattr(game, name, None) for name in ("key", "title", "seats"))
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise BadGame(f"{called}.key is {key!r}: expected small letters, digits and hyphens, such as 'my-game'")
    if not isinstance(title, str) or not title.strip() or not title.isprintable():
        raise BadGame(f"{called}.title is {title!r}: expected what players call the game")
    if not isinstance(seats, range) or not seats or seats.start < 1 or seats.step != 1:
        raise BadGame(f"{called}.seats is {seats!r}: expected how many may play, such as range(2, 5) for 2 to 4")
    if game.shape is not None and not isinstance(game.shape, Shape):
        raise BadGame(f"{called}.shape is {game.shape!r}: expected a Shape, or None for a game without a board")
    names = [option.name if isinstance(option, GameOption) else None for option in game.options]
    if None in names or len(set(names)) != len(names):
        raise BadGame(f"{called}.options are {list(game.options)!r}: expected GameOptions of different names")
