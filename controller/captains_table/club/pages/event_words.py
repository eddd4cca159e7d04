"""An event, and what was written of it, in words."""

from collections.abc import Mapping, Sequence
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
from captains_table.games.contract import Game
from captains_table.games.registry import GAMES
from captains_table.reporting.messages import Ending

SYSTEM_WORDS: Final = {System.SWISS: "Swiss", System.ROUND_ROBIN: "Round robin", System.GROUPS: "Groups"}


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
