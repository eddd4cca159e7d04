"""Puts times, tables, events, results, their evidence and log entries into words for the club's pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final

from msgspec import structs

from captains_table.club.events import entries
from captains_table.club.events.entries import EventEntry, System
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.standings import points_text
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS
from captains_table.club.season.season import ResultSource
from captains_table.club.service import ClubService
from captains_table.games.contract import Game
from captains_table.games.registry import GAMES, display_names
from captains_table.reporting.messages import FinalScore
from captains_table.storage.exports import outcome_in_words
from captains_table.table.model.codec import tag_of

BRIEF: Final[Mapping[ResultSource, str]] = {
    ResultSource.ARBITER: "the arbiter's word",
    ResultSource.PROVEN: "proven",
    ResultSource.TOLD: "told without an export",
    ResultSource.PENDING: "being verified",
    ResultSource.FAILED: "not counted: its export proves nothing",
    ResultSource.OVERLAPS: "not counted: it overlaps another match of its table",
}
MEANING: Final[Mapping[ResultSource, str]] = {
    ResultSource.PROVEN: (
        "The club's server played the match again from what its table exported: nothing in it is damaged, every action "
        "keeps the rules and leads to the result, and the dice are those of the seal. Who sat there is the table's "
        "word; whom the dice convince is said on the match's own page."
    ),
    ResultSource.TOLD: (
        "The table said so, and nothing more is known: it keeps its players' names to itself, and sends no exports."
    ),
    ResultSource.ARBITER: "The arbiter set right how the match ended; his reason is kept beside what the table told.",
    ResultSource.PENDING: "The export has come and is not verified yet: until then the match counts in no record.",
    ResultSource.FAILED: (
        "The export is damaged, breaks the rules or tells of another match: the match counts in no record until the "
        "arbiter says how it ended."
    ),
    ResultSource.OVERLAPS: (
        "By its table's own times it was played while another match was played there: it is neither on the wall nor in "
        "a record until the arbiter takes it, or its export proves it."
    ),
}
ENTRY_WORDS: Final = {
    "made": "{title} was made: {event}",
    "revised": "The settings were changed: {changed}",
    "entered": "{name} entered{halved}",
    "removed": "{who} was entered by mistake, and is taken off",
    "mended": "{was}{was_rated} is set right: {name}{rated}",
    "withdrew": "{who} withdrew{annulled}",
    "returned": "{who} came back",
    "sat-out": "{who} sits out round {round}{points}",
    "sat-in": "{who} plays round {round} after all",
    "round-paired": "Round {round} was paired{hand}",
    "round-dropped": "Round {round} was taken back",
    "round-published": "Round {round} was told to the tables",
    "moved": "{names}: moved to {table}",
    "reported": "{names}: {ended} ({source})",
    "ruled": "{names}: the arbiter says {points}{unplayed}",
    "ruling-dropped": "{names}: the arbiter takes back what he said",
    "closed": "The event was ended",
    "reopened": "The event was opened again",
}
"""The format of each kind of entry in the log, by its tag."""
SYSTEM_WORDS: Final = {
    System.SWISS: "Swiss",
    System.ROUND_ROBIN: "Round robin",
    System.GROUPS: "Groups",
    System.KEIZER: "Keizer",
}
LEAVERS_MATCHES: Final[Mapping[bool | None, str]] = {
    True: ": the matches played count for nobody",
    False: ": the matches played count, and the others are lost",
}
ABSENCE_WORDS: Final = {
    entries.Absence.EXCUSED: "excused",
    entries.Absence.UNEXCUSED: "without a word",
    entries.Absence.CLUB: "for the club's team",
}


def time_of_day(at_s: float | None) -> str:
    """Return the hours and minutes of a time in Unix seconds, in this machine's time zone; empty for `None`."""
    return "" if at_s is None else f"{datetime.fromtimestamp(at_s, UTC).astimezone():%H:%M}"


def slashed_date(at_s: float) -> str:
    """Return the date of a time in Unix seconds, in this machine's time zone, as YYYY/MM/DD."""
    return f"{datetime.fromtimestamp(at_s, UTC).astimezone():%Y/%m/%d}"


def game_title(game: str) -> str:
    """Return a game's name, or its key if the game is not installed here."""
    return GAMES[game].title if game in GAMES else game


def caption(club: ClubService, user: str) -> str:
    """Return a table's caption: "Table" with its number, or else its title; for an unknown table, the user name."""
    table = club.tables.find(user)
    if table is None:
        return user
    return f"Table {table.numbered}" if table.board else table.title


def how_words(names: Sequence[str], ending: FinalScore | None) -> str:
    """Return in words how a match between players with these names ended; `None` means that it was abandoned."""
    return "left for good" if ending is None else outcome_in_words(display_names(names), ending.winner, ending.scores)


def counted_words(words: Mapping[ResultSource, int]) -> str:
    """Return in words how many matches rest on each kind of evidence, without pending and failed evidence."""
    return ", ".join(
        f"{words[word]} {BRIEF[word]}"
        for word in (ResultSource.PROVEN, ResultSource.TOLD, ResultSource.ARBITER)
        if words.get(word)
    )


def event_words(event: ClubEvent) -> str:
    """Return an event's game, pairing system, number of rounds and options, as one line."""
    made = event.made
    game = GAMES.get(made.game)
    options = ", ".join(_option_words(game, name, value) for name, value in made.options.items())
    rounds = f"{event.rounds_planned} rounds" if event.rounds_planned != 1 else "1 round"
    size = f" of up to {made.group_size}" if made.system is System.GROUPS else ""
    parts = (game.title if game else made.game, f"{SYSTEM_WORDS[made.system]}{size}", rounds, options)
    return ", ".join(part for part in parts if part)


def _settings_words(event: ClubEvent) -> str:
    """Return the settings of an event as its log tells them: also who begins, and the tie-breaks."""
    made = event.made
    lot = " by lot" if made.is_drawn else ""
    begins = f", number 1 {'begins' if made.number_one_begins else 'is second'} in round 1{lot}"
    tie_breaks = ", ".join(TIE_BREAK_FORMS[each].code for each in made.tie_breaks)
    has_colours = made.system in {System.SWISS, System.ROUND_ROBIN}
    return f"{event_words(event)}{begins if has_colours else ''}{f', tie-breaks {tie_breaks}' if tie_breaks else ''}"


def keizer_words(keizer: entries.KeizerSettings) -> str:
    """Return in words what counts in a Keizer event."""
    own = "the own value counts once, " if keizer.own_value else ""
    lost = f", a loss {keizer.loss} of it" if Fraction(keizer.loss) else ""
    most = "" if keizer.most_paid is None else f" (at most {keizer.most_paid} absences, the team's apart)"
    return (
        f"For the score {own}a win the opponent's value, a draw half of it{lost}; without a match counts, of the own "
        f"value: excused {keizer.excused}, without a word {keizer.unexcused}{most}, for the club's team {keizer.club}, "
        f"bye {keizer.bye}."
    )


def _option_words(game: Game[Any] | None, name: str, value: str) -> str:
    """Return an option of an event in words.

    If the game is not installed, or has no such option, return the option as it is stored.
    """
    option = next((option for option in game.options if option.name == name), None) if game else None
    return f"{name}={value}" if option is None else f"{option.words}: {option.display_text(value)}"


def ending_words(ending: FinalScore | None, seats: Sequence[str]) -> str:
    """Return in words how a match ended: the scores and the winner; `None` means that it was abandoned."""
    if ending is None:
        return "it was left"
    scores = " : ".join(str(score) for score in ending.scores)
    return f"{scores}, {'shared' if ending.winner is None else f'won by {seats[ending.winner]}'}"


def entry_words(  # noqa: C901 - a case for each kind of entry
    event: ClubEvent, entry: EventEntry, called: Callable[[str], str]
) -> str:
    """Return an entry of an event's log in words, followed by the arbiter's reason if the entry states one.

    Args:
        event: the event.
        entry: the entry.
        called: returns the caption of a table, given its user name.
    """
    told = structs.asdict(entry)
    for said, rating in (("rated", told.get("rating")), ("was_rated", told.get("was_rated"))):
        told[said] = f", rated {rating}" if rating else ""
    match entry:
        case entries.Made():
            told["event"] = _settings_words(replace(event, made=entry))
        case entries.Entered():
            told["halved"] = f", with half a point for rounds missed: {entry.halves}" if entry.halves else ""
        case entries.Withdrew():
            is_round_robin = event.made.system is System.ROUND_ROBIN
            told["annulled"] = LEAVERS_MATCHES.get(entry.annuls, "") if is_round_robin else ""
        case entries.Moved(table=table):
            told["table"] = called(table)
        case entries.RoundPaired():
            told["hand"] = " by hand" if entry.by_hand else ""
        case entries.SatOut():
            half = points_text(event.draw_units if entry.half else 0, event.point_units)
            told["points"] = f" for {half}" if entry.absence is None else f", {ABSENCE_WORDS[entry.absence]}"
        case entries.Reported():
            revised = f", told anew ({entry.rev})" if entry.rev > 1 else ""
            source = f"correction {entry.correction}" if entry.correction else f"{called(entry.table)}{revised}"
            told |= {"ended": ending_words(entry.ending, entry.seats), "source": source}
        case entries.Ruled():
            told |= {
                "points": " : ".join(points_text(halves, event.point_units) for halves in entry.halves),
                "unplayed": "" if entry.played else ", not played",
            }
    if isinstance(entry, entries.OfPlayer):
        told["who"] = event.name(entry.player)
    if isinstance(entry, entries.OfMatch):
        told["names"] = _names(event, entry.pairing)
    why = told.get("why")
    return ENTRY_WORDS[tag_of(entry)].format(**told) + (f" ({why})" if why else "")


def _names(event: ClubEvent, pairing: str) -> str:
    for round_, match in event.matches():
        if match.seated.id == pairing:
            return f"Round {round_.number}, {' – '.join(map(event.name, match.seated.seats))}"  # noqa: RUF001 - a dash
    return "a match of a round that was taken back"
