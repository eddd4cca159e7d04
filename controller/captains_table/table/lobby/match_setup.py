"""A match before it begins: what was chosen for it so far, what may be chosen, and what comes of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from msgspec import Struct

from captains_table.games.common.board_sizes import misfit
from captains_table.games.common.sitter import Sitter
from captains_table.games.contract import Choice, Game, GameOption, Shape, is_usual, settled
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.seating import names_of

# --- what comes of it -----------------------------------------------------------------------------------------------


class Start(Struct, frozen=True):
    """Start this match: the game's key, the names in seat order, options that differ from the usual.

    `pairing` is the id of the club's pairing that it is, empty for any other match.
    """

    game: str
    names: tuple[str, ...]
    options: Mapping[str, str] = {}
    pairing: str = ""


class Resume(Struct, frozen=True):
    """Take up the match with this number again."""

    number: int


class Leave(Struct, frozen=True):
    """Leave the match in hand as it stands, to be taken up again."""


class GiveWords(Struct, frozen=True):
    """Let a player's own words go into the dice of the match in hand."""

    seat: int
    text: str


class ShowAddress(Struct, frozen=True):
    """Show by which address the page is opened."""


class SwitchOff(Struct, frozen=True):
    """Keep all that was played and switch the machine off."""


class CallArbiter(Struct, frozen=True):
    """Ask the club for an arbiter, or for none any more."""

    wanted: bool


class GiveUp(Struct, frozen=True):
    """Leave the match in hand for good, and let the club know."""


Request = Start | Resume | Leave | GiveWords | ShowAddress | SwitchOff | CallArbiter | GiveUp


# --- what may be chosen ---------------------------------------------------------------------------------------------


class Unfinished(Struct, frozen=True):
    """A match that is not over: its number, the game's key, who plays, and how far it is in words."""

    number: int
    game: str
    names: tuple[str, ...]
    how_far: str


class Paired(Struct, frozen=True):
    """A match that the club wants to be played at this table.

    Attributes:
        heading: what the club says of it ("Round 2").
        start: the match.
        begun: number of the match that it was begun as already; `None` where it was not.
    """

    heading: str
    start: Start
    begun: int | None = None


class ClubState(Struct, frozen=True):
    """What the table's own menu has to know of the club: whether an arbiter is called, and a pairing is in hand."""

    calls_arbiter: bool = False
    is_paired: bool = False


class MatchIndex(Protocol):
    """What a table remembers of its matches."""

    def names(self) -> Sequence[str]:
        """Return everybody who has played here, whoever played last first."""

    def waiting(self) -> Mapping[int, str]:
        """Return the number and the game's key of every match that is not over."""

    def unfinished(self) -> Sequence[Unfinished]:
        """Return the matches that can be gone on with, the one played last first, with how far each is."""


class Rival(Struct, frozen=True):
    """A computer that may be seated: by what it is called in `aether:3`, its title, what its levels are like.

    `usual` is the level proposed.
    """

    key: str
    title: str
    levels: Mapping[int, str]
    usual: int

    def at(self, level: int) -> str:
        """Return what seats it at a level."""
        return str(Sitter(self.key, level))


def nothing_kept(collection: str) -> Sequence[Choice]:  # noqa: ARG001 - of whatever
    """Return what a table keeps that keeps nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class LobbyContext:
    """What a table has to offer: its games, its memory, and its board.

    Attributes:
        games: every game by its key.
        index: what is remembered.
        board: the shape of a real board, or None where the board takes the shape of the game.
        over: number of the match whose result is seen; it is not offered, though its end may not be written yet.
        rivals: the computers that play a game, by the game's key.
        kept: returns what the table keeps of a collection, such as pieces of players' own, named.
        no_power_off: what to do instead where the table may not switch its machine off; empty where it may.
        paired: the matches that the club wants to be played here.
        club: what the table's own menu has to know of it; `None` where the table belongs to no club.
    """

    games: Mapping[str, Game[Any]]
    index: MatchIndex
    board: Shape | None = None
    over: int | None = None
    rivals: Mapping[str, Sequence[Rival]] = field(default_factory=dict)
    kept: Callable[[str], Sequence[Choice]] = nothing_kept
    no_power_off: str = ""
    paired: Sequence[Paired] = ()
    club: ClubState | None = None

    def called(self, game: str, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of those who are to play as a match will have them: computers by their titles."""
        computers = {rival.at(level) for rival in self.rivals.get(game, ()) for level in rival.levels}
        kinds: tuple[SeatKind, ...] = tuple("computer" if name in computers else "human" for name in names)
        return names_of(MatchStarted(game, tuple(names), {}, "", kinds))

    def fitting(self) -> list[Game[Any]]:
        """Return the games that the board has room for."""
        return [game for game in self.games.values() if misfit(game, self.board) is None]

    def waiting(self) -> set[int]:
        """Return the numbers of the matches that are not over, but for those that the board has no room for."""
        return {number for number, game in self.index.waiting().items() if self._has_room(game)} - {self.over}

    def unfinished(self) -> list[Unfinished]:
        """Return the matches that are not over, but for those that the board has no room for.

        One whose game is not installed is listed too: whoever picks it is told what is missing.
        """
        matches = self.index.unfinished()
        return [match for match in matches if match.number != self.over and self._has_room(match.game)]

    def _has_room(self, game: str) -> bool:
        return game not in self.games or misfit(self.games[game], self.board) is None


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """A match as far as it was chosen.

    Attributes:
        context: what the table has to offer.
        game: the game.
        count: how many will play.
        names: who they are, in seat order, as far as they were named; a computer as `aether:3`.
        options: what differs from the usual.
    """

    context: LobbyContext
    game: Game[Any]
    count: int
    names: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def start(self) -> Start:
        """Return the request that this match be started; raises BadOption where it cannot begin so."""
        options = settled(self.game.options, self.options)
        self.game.start(self.called, options)
        return Start(self.game.key, self.names, options)

    @property
    def called(self) -> tuple[str, ...]:
        """Who plays, in seat order, by the names they will have."""
        return self.context.called(self.game.key, self.names)

    def rivals(self) -> Sequence[Rival]:
        """Return the computers that may play with those who do; with somebody alone none does."""
        return self.context.rivals.get(self.game.key, ()) if self.count > 1 else ()

    def strangers(self) -> list[str]:
        """Return everybody the table knows who has no seat yet."""
        return [name for name in self.context.index.names() if name not in self.names]

    def listed(self) -> list[GameOption]:
        """Return the options that can be chosen by buttons.

        No free text without usual values, no details of nothing, no empty seat's.
        """
        return [
            option
            for option in self.game.options
            if (self.values(option) or option.bounds is not None)
            and option.seat <= self.count
            and not (option.detail_of and is_usual(option.detail_of, self.game.options, self.options))
        ]

    def values(self, option: GameOption) -> tuple[Choice, ...]:
        """Return the values of an option that can be listed."""
        is_optional = option.of_players or (option.seat and option.choices and not option.default)
        nobody = (Choice("", option.empty_text),) if is_optional else ()
        if not option.collection:
            return nobody + option.values(self.called)
        usual = tuple(choice for choice in option.choices if choice.value == option.default)
        others = tuple(choice for choice in option.choices if choice.value != option.default)
        return (*usual, *self.context.kept(option.collection), *others)

    def words(self, option: GameOption) -> str:
        """Return what an option is called, a seat's with its player's name."""
        return f"{option.words}, {self.called[option.seat - 1]}" if option.seat else option.words

    def value(self, option: GameOption) -> str:
        """Return what an option is set to."""
        return self.options.get(option.name, option.default)

    def display_text(self, option: GameOption, value: str) -> str:
        """Return what a value of an option means, in words."""
        return next((choice.words for choice in self.values(option) if choice.value == value), value)

    def with_value(self, option: GameOption, value: str) -> "MatchSetup":
        """Return the draft with an option set; the usual value is not written down."""
        options = {name: other for name, other in self.options.items() if name != option.name}
        return replace(self, options=options if value == option.default else {**options, option.name: value})
