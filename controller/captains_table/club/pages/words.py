"""Times, events and results in the words of the club's pages."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from captains_table.club.events.entries import (
    Closed,
    Entered,
    Entry,
    Made,
    Moved,
    Reported,
    Returned,
    RoundDropped,
    RoundPaired,
    RoundPublished,
    Ruled,
    RulingDropped,
    SatIn,
    SatOut,
    System,
    Withdrew,
)
from captains_table.club.events.event import Event
from captains_table.club.events.standings import shown
from captains_table.club.port import ClubPort, NoSuchTable
from captains_table.club.season.season import SeasonMatch, Word
from captains_table.games.contract import Game
from captains_table.games.registry import GAMES
from captains_table.reporting.messages import Ending

BRIEF: Final[Mapping[Word, str]] = {
    Word.ARBITER: "the arbiter's word",
    Word.PROVEN: "proven",
    Word.TOLD: "told without an export",
    Word.PENDING: "being verified",
    Word.FAILED: "not counted: its export proves nothing",
}
MEANING: Final[Mapping[Word, str]] = {
    Word.PROVEN: (
        "The club's server played the match again from what its table exported: nothing in it is damaged, every action "
        "keeps the rules and leads to the result, and the dice are those of the seal. Who sat there is the table's "
        "word; whom the dice convince is said on the match's own page."
    ),
    Word.TOLD: (
        "The table said so, and nothing more is known: it keeps its players' names to itself, and sends no exports."
    ),
    Word.ARBITER: "The arbiter set right how the match ended; his reason is kept beside what the table told.",
    Word.PENDING: "The export has come and is not verified yet: until then the match counts in no record.",
    Word.FAILED: (
        "The export is damaged, breaks the rules or tells of another match: the match counts in no record until the "
        "arbiter says how it ended."
    ),
}
SYSTEM_WORDS: Final = {System.SWISS: "Swiss", System.ROUND_ROBIN: "Round robin", System.GROUPS: "Groups"}


def time_of_day(at_s: float | None) -> str:
    """Return hours and minutes of a moment by this machine's clock; empty where it is not known."""
    return "" if at_s is None else f"{datetime.fromtimestamp(at_s, UTC).astimezone():%H:%M}"


class Tellers:
    """The tables, as pages name them.

    Args:
        club: whose tables they are.
    """

    def __init__(self, club: ClubPort) -> None:
        self._club = club

    def called(self, user: str) -> str:
        """Return what a table is called: its board, else its title; its user where it is not known any more."""
        try:
            table = self._club.table(user)
        except NoSuchTable:
            return user
        return f"Board {table.board}" if table.board else table.title

    def board(self, user: str) -> int:
        """Return a table's number, 0 where it has none or is not known any more."""
        try:
            return self._club.table(user).board
        except NoSuchTable:
            return 0

    def words(self, match: SeasonMatch) -> str:
        """Return whose word a match is, and which table told it."""
        return f"{self.called(match.user)}, {BRIEF[match.word]}"


def counted_words(words: Mapping[Word, int]) -> str:
    """Return how many matches rest on whose word."""
    return ", ".join(
        f"{words[word]} {BRIEF[word]}" for word in (Word.PROVEN, Word.TOLD, Word.ARBITER) if words.get(word)
    )


def event_words(event: Event) -> str:
    """Return in a line what an event is."""
    made = event.made
    game = GAMES.get(made.game)
    options = ", ".join(_option_words(game, name, value) for name, value in made.options.items())
    rounds = f"{event.rounds_planned} rounds" if event.rounds_planned != 1 else "1 round"
    size = f" of up to {made.group_size}" if made.system is System.GROUPS else ""
    parts = (game.title if game else made.game, f"{SYSTEM_WORDS[made.system]}{size}", rounds, options)
    return ", ".join(part for part in parts if part)


def _option_words(game: Game[Any] | None, name: str, value: str) -> str:
    """Return in words what an event is played with; of a game that is not installed here, as it is written."""
    option = next((option for option in game.options if option.name == name), None) if game else None
    return f"{name}={value}" if option is None else f"{option.words}: {option.display_text(value)}"


def ending_words(ending: Ending | None, seats: Sequence[str]) -> str:
    """Return in words how a match ended."""
    if ending is None:
        return "that it was left"
    scores = " : ".join(str(score) for score in ending.scores)
    return f"{scores}, {'shared' if ending.winner is None else f'won by {seats[ending.winner]}'}"


def entry_words(event: Event, entry: Entry) -> str:
    """Return an entry of the log in words."""
    why = getattr(entry, "why", "")
    return f"{_entry_words(event, entry)}{f' ({why})' if why else ''}"


def _entry_words(event: Event, entry: Entry) -> str:
    match entry:
        case Made():
            return f"{entry.title} was made: {event_words(event)}"
        case Entered() | Withdrew() | Returned():
            done = {Entered: "entered", Withdrew: "withdrew", Returned: "came back"}[type(entry)]
            return f"{event.name(entry.player)} {done}"
        case SatOut() | SatIn():
            how = "plays round {} after all" if isinstance(entry, SatIn) else "sits out round {} for {}"
            points = "½" if isinstance(entry, SatOut) and entry.half else "0"
            return f"{event.name(entry.player)} {how.format(entry.round, points)}"
        case RoundPaired() | RoundDropped() | RoundPublished():
            done = {RoundPaired: "paired", RoundDropped: "taken back", RoundPublished: "told to the tables"}[
                type(entry)
            ]
            return f"Round {entry.round} was {done}"
        case Closed():
            return "The event was ended"
    return _match_entry_words(event, entry)


def _match_entry_words(event: Event, entry: Reported | Ruled | RulingDropped | Moved) -> str:
    names = _names(event, entry.pairing)
    match entry:
        case Reported():
            source = f"correction {entry.correction}" if entry.correction else f"{entry.table}, revision {entry.rev}"
            return f"{names}: {ending_words(entry.ending, entry.seats)} ({source})"
        case Ruled():
            points = " : ".join(shown(halves) for halves in entry.halves)
            return f"{names}: the arbiter says {points}{'' if entry.played else ', not played'}"
        case RulingDropped():
            return f"{names}: the arbiter takes back what he said"
        case Moved():
            return f"{names}: moved to {entry.table}"


def _names(event: Event, pairing: str) -> str:
    seats: Mapping[str, str] = {
        match.seated.id: f"Round {round_.number}, {' – '.join(event.name(seat) for seat in match.seated.seats)}"  # noqa: RUF001
        for round_ in event.rounds
        for match in round_.matches
    }
    return seats.get(pairing, "a match of a round that was taken back")
