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
from captains_table.phrases import listed, message, say, several
from captains_table.phrases.phrase import FIELD
from captains_table.reporting.messages import FinalScore
from captains_table.storage.exports import outcome_in_words
from captains_table.table.model.codec import tag_of

BRIEF: Final[Mapping[ResultSource, str]] = {
    ResultSource.ARBITER: say("the arbiter's word"),
    ResultSource.PROVEN: say("proven"),
    ResultSource.TOLD: say("told without an export"),
    ResultSource.PENDING: say("being verified"),
    ResultSource.FAILED: say("not counted: its export proves nothing"),
    ResultSource.OVERLAPS: say("not counted: it overlaps another match of its table"),
}
MEANING: Final[Mapping[ResultSource, str]] = {
    ResultSource.PROVEN: say(
        "The club's server played the match again from what its table exported: nothing in it is damaged, every action "
        "keeps the rules and leads to the result, and the dice are those of the seal. Who sat there is the table's "
        "word; whom the dice convince is said on the match's own page."
    ),
    ResultSource.TOLD: say(
        "The table said so, and nothing more is known: it keeps its players' names to itself, and sends no exports."
    ),
    ResultSource.ARBITER: say(
        "The arbiter set right how the match ended; his reason is kept beside what the table told."
    ),
    ResultSource.PENDING: say("The export has come and is not verified yet: until then the match counts in no record."),
    ResultSource.FAILED: say(
        "The export is damaged, breaks the rules or tells of another match: the match counts in no record until the "
        "arbiter says how it ended."
    ),
    ResultSource.OVERLAPS: say(
        "By its table's own times it was played while another match was played there: it is neither on the wall nor in "
        "a record until the arbiter takes it, or its export proves it."
    ),
}
ENTRY_WORDS: Final = {
    "made": message("{title} was made: {event}"),
    "revised": message("The settings were changed: {changed}"),
    "entered": message("{name} entered{halved}"),
    "removed": message("{who} was entered by mistake, and is taken off"),
    "mended": message("{was}{was_rated} is set right: {name}{rated}"),
    "withdrew": message("{who} withdrew{annulled}"),
    "returned": message("{who} came back"),
    "sat-out": message("{who} sits out round {round}{points}"),
    "sat-in": message("{who} plays round {round} after all"),
    "round-paired": message("Round {round} was paired{hand}"),
    "round-dropped": message("Round {round} was taken back"),
    "round-published": message("Round {round} was told to the tables"),
    "moved": message("{names}: moved to {table}"),
    "reported": message("{names}: {ended} ({source})"),
    "ruled": message("{names}: the arbiter says {points}{unplayed}"),
    "ruling-dropped": message("{names}: the arbiter takes back what he said"),
    "closed": message("The event was ended"),
    "reopened": message("The event was opened again"),
}
"""The format of each kind of entry in the log, by its tag."""
SYSTEM_WORDS: Final = {
    System.SWISS: say("Swiss"),
    System.ROUND_ROBIN: say("Round robin"),
    System.GROUPS: say("Groups"),
    System.KEIZER: say("Keizer"),
}
COLOUR_WORDS: Final = {
    (True, False): say("number 1 begins in round 1"),
    (True, True): say("number 1 begins in round 1 by lot"),
    (False, False): say("number 1 is second in round 1"),
    (False, True): say("number 1 is second in round 1 by lot"),
}
"""Whether number 1 begins in an event's first round, by whether it begins and by whether that was drawn."""
LEAVERS_MATCHES: Final[Mapping[bool | None, str]] = {
    True: say(": the matches played count for nobody"),
    False: say(": the matches played count, and the others are lost"),
}
ABSENCE_WORDS: Final = {
    entries.Absence.EXCUSED: say("excused"),
    entries.Absence.UNEXCUSED: say("without a word"),
    entries.Absence.CLUB: say("for the club's team"),
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
    """Return a table's caption, or the user name of an unknown table."""
    table = club.tables.find(user)
    return user if table is None else table.caption


def how_words(names: Sequence[str], ending: FinalScore | None) -> str:
    """Return in words how a match between players with these names ended; `None` means that it was abandoned."""
    return (
        say("left for good") if ending is None else outcome_in_words(display_names(names), ending.winner, ending.scores)
    )


def counted_words(words: Mapping[ResultSource, int]) -> str:
    """Return in words how many matches rest on each kind of evidence, without pending and failed evidence."""
    sources = (ResultSource.PROVEN, ResultSource.TOLD, ResultSource.ARBITER)
    counted = [say("{count} {evidence}", words[word], BRIEF[word]) for word in sources if words.get(word)]
    return listed(counted, ",")


def event_words(event: ClubEvent) -> str:
    """Return an event's game, pairing system, number of rounds and options, as one line."""
    made = event.made
    game = GAMES.get(made.game)
    system = SYSTEM_WORDS[made.system]
    if made.system is System.GROUPS:
        system = say("Groups of up to {count}", made.group_size)
    options = (_option_words(game, name, value) for name, value in made.options.items())
    rounds = several(event.rounds_planned, "{n} round", "{n} rounds")
    return listed([game.title if game else made.game, system, rounds, *options], ",")


def _settings_words(event: ClubEvent) -> str:
    """Return the settings of an event as its log tells them: also who begins, and the tie-breaks."""
    made, words = event.made, [event_words(event)]
    if made.system in {System.SWISS, System.ROUND_ROBIN}:
        words.append(COLOUR_WORDS[made.number_one_begins, made.is_drawn])
    if made.tie_breaks:
        codes = listed([TIE_BREAK_FORMS[each].code for each in made.tie_breaks], ",")
        words.append(say("tie-breaks {codes}", codes))
    return listed(words, ",")


def keizer_words(keizer: entries.KeizerSettings) -> str:
    """Return in words what counts in a Keizer event."""
    lost = say(", a loss {loss} of it", keizer.loss) if Fraction(keizer.loss) else ""
    most = "" if keizer.most_paid is None else say(" (at most {count} absences, the team's apart)", keizer.most_paid)
    return say(
        "For the score {own}a win the opponent's value, a draw half of it{lost}; without a match counts, of the own "
        "value: excused {excused}, without a word {unexcused}{most}, for the club's team {club}, bye {bye}.",
        say("the own value counts once, ") if keizer.own_value else "",
        lost,
        keizer.excused,
        keizer.unexcused,
        most,
        keizer.club,
        keizer.bye,
    )


def _option_words(game: Game[Any] | None, name: str, value: str) -> str:
    """Return an option of an event in words.

    If the game is not installed, or has no such option, return the option as it is stored.
    """
    option = next((option for option in game.options if option.name == name), None) if game else None
    if option is None:
        return f"{name}={value}"
    return say("{option}: {value}", option.words, option.display_text(value))


def ending_words(ending: FinalScore | None, seats: Sequence[str]) -> str:
    """Return in words how a match ended: the scores and the winner; `None` means that it was abandoned."""
    if ending is None:
        return say("it was left")
    scores = " : ".join(str(score) for score in ending.scores)
    if ending.winner is None:
        return say("{scores}, shared", scores)
    return say("{scores}, won by {name}", scores, seats[ending.winner])


def entry_words(  # noqa: C901, PLR0912 - a case for each kind of entry
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
        told[said] = say(", rated {rating}", rating) if rating else ""
    match entry:
        case entries.Made():
            told["event"] = _settings_words(replace(event, made=entry))
        case entries.Entered():
            told["halved"] = say(", with half a point for rounds missed: {count}", entry.halves) if entry.halves else ""
        case entries.Withdrew():
            is_round_robin = event.made.system is System.ROUND_ROBIN
            told["annulled"] = LEAVERS_MATCHES.get(entry.annuls, "") if is_round_robin else ""
        case entries.Moved(table=table):
            told["table"] = called(table)
        case entries.RoundPaired():
            told["hand"] = say(" by hand") if entry.by_hand else ""
        case entries.SatOut():
            half = points_text(event.draw_units if entry.half else 0, event.point_units)
            absence = "" if entry.absence is None else ABSENCE_WORDS[entry.absence]
            told["points"] = say(", {absence}", absence) if absence else say(" for {points}", half)
        case entries.Reported():
            source = called(entry.table)
            if entry.correction:
                source = say("correction {number}", entry.correction)
            elif entry.rev > 1:
                source = say("{table}, told anew ({number})", source, entry.rev)
            told |= {"ended": ending_words(entry.ending, entry.seats), "source": source}
        case entries.Ruled():
            told |= {
                "points": " : ".join(points_text(halves, event.point_units) for halves in entry.halves),
                "unplayed": "" if entry.played else say(", not played"),
            }
    if isinstance(entry, entries.OfPlayer):
        told["who"] = event.name(entry.player)
    if isinstance(entry, entries.OfMatch):
        told["names"] = _names(event, entry.pairing)
    why = told.get("why")
    text = ENTRY_WORDS[tag_of(entry)]
    words = say(text, **{name: told[name] for name, _ in FIELD.findall(text)})
    return say("{sentence} ({reason})", words, why) if why else words


def _names(event: ClubEvent, pairing: str) -> str:
    for round_, match in event.matches():
        if match.seated.id == pairing:
            names = " – ".join(map(event.name, match.seated.seats))  # noqa: RUF001 - a dash
            return say("Round {round}, {names}", round_.number, names)
    return say("a match of a round that was taken back")
