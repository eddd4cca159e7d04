"""The setup of a match: the requests that the lobby returns, what the table offers, and the choices made so far."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from msgspec import Struct

from captains_table.games.common.board_sizes import misfit
from captains_table.games.common.computer_seat import ComputerSeat
from captains_table.games.contract import Choice, Game, GameOption, Shape, is_moot, proposals, settled
from captains_table.phrases import say
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.seating import declared_names
from captains_table.table.model.settings import Settings

PAIR: Final = 2

# --- requests ---------------------------------------------------------------------------------------------------------


class Start(Struct, frozen=True):
    """The request to start a match: the game's key, the names in seat order, and options that differ from the defaults.

    `pairing` is the id of the club's pairing that the match belongs to; empty without a pairing.
    """

    game: str
    names: tuple[str, ...]
    options: Mapping[str, str] = {}
    pairing: str = ""


class Resume(Struct, frozen=True):
    """The request to resume the match with this number."""

    number: int


class StartLesson(Struct, frozen=True):
    """The request to hold the lesson of a game, from a step on, counted from 1."""

    game: str
    step: int = 1


class Leave(Struct, frozen=True):
    """The request to leave the current match, which can be resumed later."""


class GiveWords(Struct, frozen=True):
    """The request to mix a text that a player wrote into the randomness of the current match's dice."""

    seat: int
    text: str


class ShowAddress(Struct, frozen=True):
    """The request to show the address of the table's page."""


class SwitchOff(Struct, frozen=True):
    """The request to save everything and switch the machine off."""


class SetPace(Struct, frozen=True):
    """The request to let computers and dice go at this pace from now on."""

    pace: str


class SetLanguage(Struct, frozen=True):
    """The request to show the texts of display, voice and menus in the language with this code from now on."""

    code: str


class SwitchCards(Struct, frozen=True):
    """The request to show cards on what comes up rarely, each once, or no cards any more."""

    is_on: bool


class CallArbiter(Struct, frozen=True):
    """The request to call the club's arbiter, or to cancel the call."""

    wanted: bool


class GiveUp(Struct, frozen=True):
    """The request to leave the current match permanently and to report that to the club."""


Request = (
    Start
    | StartLesson
    | Resume
    | Leave
    | GiveWords
    | ShowAddress
    | SetPace
    | SetLanguage
    | SwitchCards
    | SwitchOff
    | CallArbiter
    | GiveUp
)


NOBODY_YET: Final = "Sailor"  # the person's name in a match against a computer, where no name is known yet


def for_newcomers(game: Game[Any]) -> dict[str, str]:
    """Return the options proposed to a newcomer: the proposals of the form, and one round in a game of rounds."""
    rounds = {each.name: "1" for each in game.options if each.name == "rounds" and each.allows("1")}
    return settled(game.options, {**proposals(game.options), **rounds})


def level_for_next(levels: Sequence[str], last: str) -> str:
    """Return the level of a computer that is proposed: that of the last match, otherwise the lowest; empty if none.

    Args:
        levels: the computer at each of its levels, the lowest first, such as `aether:1`.
        last: the computer of the last match of the game; empty without one.
    """
    return last if last in levels else next(iter(levels), "")


def against_computer(game: Game[Any], computer: str, known_names: Sequence[str]) -> Start | None:
    """Return a newcomer's match against a computer; `None` if the game is not for two players.

    No bell's timer runs while the newcomer reads.

    Args:
        game: the game.
        computer: the computer's seat, such as `aether:1`.
        known_names: the known players' names, the most recent first; the first one plays, or NOBODY_YET if there is
            none.
    """
    name = next(iter(known_names), NOBODY_YET)
    untimed = {each.name: "0" for each in game.options if each.name == "timer" and each.allows("0")}
    options = settled(game.options, {**for_newcomers(game), **untimed})
    return Start(game.key, (name, computer), options) if PAIR in game.seats else None


# --- choices ----------------------------------------------------------------------------------------------------------


class UnfinishedMatch(Struct, frozen=True):
    """A match that is not over.

    Attributes:
        number: its number.
        game: the game's key.
        names: its players as displays show them.
        how_far: its progress in words.
        scores: every seat's score; empty if it is unknown.
        turn: the name of the player on turn; empty if nobody alone is, or it is unknown.
        is_begun: whether anything was done in it.
    """

    number: int
    game: str
    names: tuple[str, ...]
    how_far: str
    scores: tuple[int, ...] = ()
    turn: str = ""
    is_begun: bool = True


class ClubPairing(Struct, frozen=True):
    """A pairing of the club that is to be played at this table.

    Attributes:
        heading: the club's heading for the pairing ("Round 2").
        start: the request that starts its match.
        begun: the number of its match; `None` if the match has not begun.
    """

    heading: str
    start: Start
    begun: int | None = None


class ClubState(Struct, frozen=True):
    """The club's state for the table's menu: whether an arbiter is called, and whether the club paired the match."""

    calls_arbiter: bool = False
    is_paired: bool = False


class MatchIndex(Protocol):
    """The index of the matches and players that a table knows."""

    def names(self) -> Sequence[str]:
        """Return the names of all who have played at this table, the most recent player first."""

    def against(self) -> Mapping[str, str]:
        """Map the key of each game to the computer against which one person played it last, such as `aether:3`."""

    def waiting(self) -> Mapping[int, str]:
        """Return the game's key of every match that is not over, keyed by the match's number."""

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        """Return the matches that can be resumed, the most recent first."""


class ComputerPlayer(Struct, frozen=True):
    """A computer player.

    `key` is the computer's key, such as `aether`. `levels` maps each level to a description. `usual` is the proposed
    level. `level_notes` maps levels to a sentence that tells how they play.
    """

    key: str
    title: str
    levels: Mapping[int, str]
    usual: int
    level_notes: Mapping[int, str] = {}

    def at(self, level: int) -> str:
        """Return the name for a seat that the computer plays at a level, such as `aether:3`."""
        return str(ComputerSeat(self.key, level))


Languages = Callable[[], Mapping[str, str]]


def empty_collection(collection: str) -> Sequence[Choice]:  # noqa: ARG001 - nothing for any of them
    """Return no entries; used for a table that stores no collections."""
    return ()


@dataclass(frozen=True, slots=True)
class LobbyContext:
    """What a table offers: its games, its past matches, its computers, and its board.

    Attributes:
        games: every game, keyed by its key.
        index: the index of past matches.
        board: the shape of the real board; `None` if the board takes the shape of the game.
        over: the number of the match whose result is displayed; that match is not offered, even before its end is
            recorded.
        rivals: the computers that can play a game, keyed by the game's key.
        kept: returns the stored entries of a collection, such as the players' own pieces, given the collection's name.
        settings: the table's settings, with its present pace.
        no_power_off: what to do instead if the table may not switch its machine off; empty if it may.
        paired: the pairings of the club for this table.
        club: the state of the table's club; `None` without a club.
        other_level: a rematch against the computer at another level; `None` if none is proposed.
        taught: the keys of the games that have a lesson.
        languages: returns the languages' own names by their codes; `None` if there is no choice.
    """

    games: Mapping[str, Game[Any]]
    index: MatchIndex
    board: Shape | None = None
    over: int | None = None
    rivals: Mapping[str, Sequence[ComputerPlayer]] = field(default_factory=dict)
    kept: Callable[[str], Sequence[Choice]] = empty_collection
    settings: Settings = field(default_factory=Settings)
    no_power_off: str = ""
    paired: Sequence[ClubPairing] = ()
    club: ClubState | None = None
    other_level: Start | None = None
    taught: Collection[str] = ()
    languages: Languages | None = None

    def called(self, game: str, names: Sequence[str]) -> tuple[str, ...]:
        """Return the players' names as the match will show them; a computer is shown by its title, such as *Aether*."""
        computers = {rival.at(level) for rival in self.rivals.get(game, ()) for level in rival.levels}
        kinds: tuple[SeatKind, ...] = tuple("computer" if name in computers else "human" for name in names)
        return declared_names(MatchStarted(game, tuple(names), {}, "", kinds))

    def fitting(self) -> list[Game[Any]]:
        """Return the games for which the board is large enough."""
        return [game for game in self.games.values() if misfit(game, self.board) is None]

    def waiting(self) -> set[int]:
        """Return the numbers of unfinished matches for which the board is large enough, except the number `over`."""
        return {number for number, game in self.index.waiting().items() if self._has_room(game)} - {self.over}

    def unfinished(self) -> list[UnfinishedMatch]:
        """Return the unfinished matches that fit on the board, except the match whose result is displayed (`over`).

        A match whose game is not installed is included, because choosing that match shows what is missing.
        """
        matches = self.index.unfinished()
        return [match for match in matches if match.number != self.over and self._has_room(match.game)]

    def _has_room(self, game: str) -> bool:
        return game not in self.games or misfit(self.games[game], self.board) is None


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """The choices made for a match so far.

    Attributes:
        context: what the table offers.
        game: the game.
        count: the number of players.
        names: the players chosen so far, in seat order; a computer as `aether:3`.
        options: the options that differ from the defaults.
    """

    context: LobbyContext
    game: Game[Any]
    count: int
    names: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def start(self) -> Start:
        """Return the request to start this match.

        Raises:
            BadOption: the game cannot start with these options.
        """
        options = settled(self.game.options, self.options)
        self.game.start(self.called, options)
        return Start(self.game.key, self.names, options)

    @property
    def called(self) -> tuple[str, ...]:
        """The players' names in seat order, as they will be in the match."""
        return self.context.called(self.game.key, self.names)

    def rivals(self) -> Sequence[ComputerPlayer]:
        """Return the computers that may be seated; none in a match for one player."""
        return self.context.rivals.get(self.game.key, ()) if self.count > 1 else ()

    def unseated(self) -> list[str]:
        """Return the players known to the table who have no seat yet."""
        return [name for name in self.context.index.names() if name not in self.names]

    def listed(self) -> list[GameOption]:
        """Return the options that can be set with buttons.

        The result leaves out free texts without listed values, options of unused seats, and options without effect.
        """
        return [
            option
            for option in self.game.options
            if (self.values(option) or option.bounds is not None)
            and option.seat <= self.count
            and not is_moot(option, self.game.options, self.options)
        ]

    def values(self, option: GameOption) -> tuple[Choice, ...]:
        """Return the values that can be listed for an option."""
        is_optional = option.of_players or (option.seat and option.choices and not option.default)
        nobody = (Choice("", option.empty_text),) if is_optional else ()
        if not option.collection:
            return nobody + option.values(self.called)
        usual = tuple(choice for choice in option.choices if choice.value == option.default)
        others = tuple(choice for choice in option.choices if choice.value != option.default)
        return (*usual, *self.context.kept(option.collection), *others)

    def words(self, option: GameOption) -> str:
        """Return the label of an option; the label of a seat's option includes the player's name."""
        if not option.seat:
            return option.words
        return say("{option}, {name}", option.words, self.called[option.seat - 1])

    def value(self, option: GameOption) -> str:
        """Return the current value of an option."""
        return self.options.get(option.name, option.default)

    def display_text(self, option: GameOption, value: str) -> str:
        """Return the label of an option's value, or the value itself if it is not listed."""
        return next((choice.words for choice in self.values(option) if choice.value == value), value)

    def with_value(self, option: GameOption, value: str) -> "MatchSetup":
        """Return the setup with one option set; a value equal to the default is removed from the stored options."""
        options = {name: other for name, other in self.options.items() if name != option.name}
        return replace(self, options=options if value == option.default else {**options, option.name: value})
