"""The base class of all games: the methods a game must implement, and those it may override.

A game is pure: the next state depends only on the present state, which is frozen, and the action. Chance is an action
like any other (`Rolled`). So a match is stored as its players' names, its options and its list of actions.

The class of a game is checked when it is defined: unknown public names and invalid declarations are refused.
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
    Meaning,
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
    """A game's class has a public name unknown to the contract, or a required attribute is missing or invalid."""


class Game(ABC, Generic[S]):
    """A game's rules. `S` is the type of the game's states, which are frozen and hashable.

    A subclass must declare `key`, `title` and `seats`, or the class cannot be defined. It must implement the abstract
    methods, or the game cannot be created. The defaults of the other methods suit a game without board, dice, score
    sheet or clock. A subclass cannot define a public name that `Game` does not have, because the name is probably a
    misspelt method. So the names of a game's own helpers must begin with an underscore.

    Attributes:
        key: the game's name in commands, journals and tapes: small letters, digits and hyphens.
        title: the game's name for players.
        seats: the allowed numbers of named players.
        shape: the size of the board; `None` for a game without one.
        options: the options that can be chosen before a match.
        meanings: what everything means that displays show of the game, by key (`table/meanings.py`). A key may be
            a pattern, such as `pick raid-*`; the first that fits counts.
        cards: what comes up rarely, keyed as in `meanings`: the title of the card that tells players of it once.
        touch_move: whether the table remarks that a player held one piece for a second and then moved another.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    shape: ClassVar[Shape | None] = None
    options: ClassVar[Sequence[GameOption]] = ()
    meanings: ClassVar[Mapping[str, Meaning]] = {}
    cards: ClassVar[Mapping[str, str]] = {}
    touch_move: ClassVar[bool] = False

    def __init_subclass__(cls, **parameters: Any) -> None:  # noqa: ANN401 - the arguments of other base classes
        super().__init_subclass__(**parameters)
        _check_names(cls)
        check_declarations(cls)

    # --- methods every game implements ------------------------------------------------------------------------------

    @abstractmethod
    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> S:
        """Return the first state; raises BadOption if the players' names or the options are invalid."""

    @abstractmethod
    def names(self, state: S) -> Sequence[str]:
        """Return the names of the players in seat order; a game may seat one more than were named (solitaire)."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """Return what must happen next (a throw, a decision by a seat, or an auction), or the end of the match."""

    @abstractmethod
    def apply(self, state: S, action: Action) -> S:
        """Return the state after the action; raises IllegalAction if the state does not allow it."""

    @abstractmethod
    def score(self, state: S) -> Sequence[int]:
        """Return every seat's score, which decides the ranking; only the points of game events change the score."""

    @abstractmethod
    def tallies(self, state: S) -> Sequence[Mapping[str, int]]:
        """Return each seat's named counts, such as gold or cargo, for displays."""

    @abstractmethod
    def game_events(self, before: S, after: S) -> Sequence[GameEvent]:
        """Return the events of the one action that led from one state to the other."""

    @abstractmethod
    def heading(self, state: S) -> str:
        """Return the stage of the match in a few words, such as `Round 2 of 3`."""

    # --- methods a game may override --------------------------------------------------------------------------------

    def pieces(self, state: S) -> Mapping[Square, str]:  # noqa: ARG002 - for games with a board
        """Return the pieces on the board; none by default."""
        return {}

    def white_seat(self, state: S) -> int:  # noqa: ARG002 - for games in which colours are chosen
        """Return the seat that has White's pieces; the first by default."""
        return 0

    def spares(self, state: S) -> Sequence[str]:  # noqa: ARG002 - for games that have some
        """Return the pieces next to the board, such as the tokens of players who are off it; none by default."""
        return ()

    def filled_in(self, state: S) -> Mapping[str, str]:  # noqa: ARG002 - for games that have some
        """Return the options that nobody chose and that the game set from its built-in data; none by default.

        They are stored with the match, so that the match replays unchanged even if a later version has other built-in
        data.
        """
        return {}

    def for_rematch(self, state: S) -> Mapping[str, str]:  # noqa: ARG002 - for games that decide some by dice
        """Return the options that a rematch has in place of this match's, as what dice decided; none by default."""
        return {}

    def target(self, state: S) -> int | None:  # noqa: ARG002 - for games that have one
        """Return the total that a player must reach to win; `None`, the default, in games without such a target."""
        return None

    def goal(self, state: S) -> str:  # noqa: ARG002 - for games whose goal needs words
        """Return what wins, in a few words; what follows a semicolon is left out on narrow pages. Empty by default."""
        return ""

    def stakes(self, state: S) -> str:  # noqa: ARG002 - for games in which the score presses
        """Return in words what the score asks of the player on turn, as in the last turn; empty by default."""
        return ""

    def whereabouts(self, state: S) -> Sequence[Whereabouts]:  # noqa: ARG002 - for games that have some
        """Return where each seat's token is, in a game whose players are pieces; empty by default."""
        return ()

    def movements(self, state: S) -> Sequence[Sequence[str]]:  # noqa: ARG002 - for games that have some
        """Return each seat's move grids, such as `b4 d4 n`, in the order of levels; empty by default."""
        return ()

    def things(self, state: S) -> Mapping[Square, Sequence[Thing]]:  # noqa: ARG002 - for games that have some
        """Return the marks on each square besides its piece, such as rings and crowns; none by default."""
        return {}

    def shining(self, state: S) -> Mapping[Square, Thing]:  # noqa: ARG002 - for games that have some
        """Return the things that the LEDs of some squares show, keyed by square; empty by default.

        A more important mark may replace a thing (`View.lights`).
        """
        return {}

    def dice(self, state: S) -> Sequence[Die]:  # noqa: ARG002 - for games with dice
        """Return the dice as they lie on the table now; none by default."""
        return ()

    def calls(self, state: S) -> Sequence[Option]:  # noqa: ARG002 - for games that have some
        """Return the options that any player may pick now, even out of turn; none by default."""
        return ()

    def outcome(self, before: S, after: S, faces: Sequence[int | None]) -> Outcome | None:  # noqa: ARG002 - see below
        """Return the result of the turn that an action ended, or of the throw that decided who begins.

        `None` if the action ended no turn and did not decide who begins. By default, the result is the text of the
        action's first game event. A game with dice may add the dice that counted.

        Args:
            before: the state before the action.
            after: the state after it.
            faces: the final faces of all dice, including those thrown by this action; `None` for a die not thrown.
        """
        words = [event.words for event in self.game_events(before, after)]
        return Outcome(words=words[0]) if words else None

    def slots(self, state: S) -> Sequence[Slot]:  # noqa: ARG002 - for games that have some
        """Return the places to be filled by dice with certain faces, in order; none by default."""
        return ()

    def standing(self, state: S) -> str:  # noqa: ARG002 - for games with dice
        """Return in words what the dice of the turn have achieved so far, such as `ship, captain`; empty by default."""
        return ""

    def refused(self, state: S) -> Sequence[Refused]:  # noqa: ARG002 - for games that have some
        """Return the moves that would be legal but for the dice or the safety of the king; none by default."""
        return ()

    def hindrance(self, state: S, square: Square) -> Hindrance | None:
        """Return why the piece on a square cannot be moved now.

        Return `None` if the piece can be moved, or if the reason is not known. This default returns the reason of the
        first refused move that would take the piece off the square. If there are dice, the dice count as the cause.
        """
        letter = self.pieces(state).get(square)
        away = [move for move in self.refused(state) if letter is not None and square not in move.pieces]
        return Hindrance(away[0].reason, by_dice=bool(self.dice(state))) if away else None

    def manner(self, piece: str) -> str:  # noqa: ARG002 - for pieces that chess does not have
        """Return in words how a piece moves, given its FEN letter; empty by default, and for pieces of chess."""
        return ""

    def sheet(self, state: S) -> Sequence[SheetRow]:  # noqa: ARG002 - for games with a score sheet
        """Return the rows of the score sheet; none by default."""
        return ()

    def titles(self, state: S) -> Sequence[str]:  # noqa: ARG002 - most players keep their names
        """Return the text that displays show for each seat instead of its name; an empty text keeps the name.

        If the sequence is empty, which is the default, all names are kept.
        """
        return ()

    def details(self, state: S) -> Mapping[str, object]:  # noqa: ARG002 - for games that have some
        """Return what the game adds to the JSON result of a tape (a script of input), by key; nothing by default."""
        return {}

    def time_control(self, state: S) -> TimeControl | None:  # noqa: ARG002 - for games on time
        """Return the match's time control; `None`, the default, for a match without a clock."""
        return None

    def corrections(self, state: S) -> Sequence[Correctable]:  # noqa: ARG002 - for games with a game master
        """Return the values that a game master may correct now; none by default and after the end of a match."""
        return ()


def _check_names(cls: "type[Game[Any]]") -> None:
    """Raise BadGame if the class defines a public name that `Game` does not define."""
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
    """Raise BadGame if the key, title, seats, shape or options of a game, or of its class, are missing or invalid."""
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
