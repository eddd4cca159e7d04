"""Exports of matches as JSON or in formats of their game, and match results in words.

Of a match that is not over, only the part before the first secret choice is exported. Damage of a match is put into
words too.
"""

import json
from collections.abc import Sequence
from typing import Final

from captains_table import catalog
from captains_table.catalog import Export, Remarks
from captains_table.games.contract import BadOption, IllegalAction, Result, is_nobodys
from captains_table.games.registry import display_names, not_installed
from captains_table.phrases import listed, message, message_of, say
from captains_table.records.finished import all_names
from captains_table.storage.journal_file import Damage, MatchJournal, MatchRecord
from captains_table.table.history.export import clock_remarks, export_json, public_entries
from captains_table.table.model.entries import Entry, MatchStarted, advice_by_action, standing_actions
from captains_table.table.model.seating import declared_names, records_of
from captains_table.table.model.verdict import score_line

JSON = "json"
PAIR: Final = 2
MOST_OTHERS: Final = 4


class NoSuchForm(ValueError):
    """The match cannot be exported in this format."""


def export_match(journal: MatchJournal, form: str) -> str:
    """Return a match as text; if the match is not over, only what comes before the first secret choice.

    A damaged match is exported up to the entry that cannot be read. The JSON format does not need the game's rules.

    Raises:
        NoSuchForm: the game has no such export format or is not installed, no entry of the match can be read, or the
            readable entries break the game's rules.
        JournalUnreadable: the journal itself cannot be read.
    """
    found, damage = journal.readable()
    entries = public_entries(found)
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        raise NoSuchForm(
            say("match {number} is damaged from its first entry on: nothing of it can be written", journal.number)
        )
    if form == JSON:
        value = export_json(entries, journal.seed, journal.began, None if damage is None else damage.entry)
        return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    try:
        return match_text(entries, form, journal.began)
    except (BadOption, IllegalAction) as error:  # each entry can be read, but one of them was altered
        words = say(
            "match {number} does not replay ({error}): expected {form}, which needs no rules",
            journal.number,
            message_of(error),
            JSON,
        )
        raise NoSuchForm(words) from error


def match_text(entries: Sequence[Entry], form: str, began: str) -> str:
    """Return a match as text in a format of its game.

    Args:
        entries: the match's journal entries, from the start.
        form: the name of the format.
        began: when the match began, ISO 8601.

    Raises:
        NoSuchForm: the game has no such export format or is not installed, or the first entry is not a match's start.
        BadOption, IllegalAction: the entries break the game's rules.
    """
    started = entries[0]
    if not isinstance(started, MatchStarted):
        raise NoSuchForm("a journal must begin with the start of a match")
    export = _export(started.game, form)
    actions = [acted.action for acted in standing_actions(entries)]
    names = records_of(started, declared_names(started))
    return export.write(names, started.options, actions, began, _remarks(entries))


def _export(game: str, form: str) -> Export:
    titles = [entry.game.title for entry in catalog.entries() if form in entry.exports]
    entry = catalog.find_entry(game)
    known = " or ".join(forms_of(game))
    if not titles:
        raise NoSuchForm(say("unknown form {form}: expected {forms}", repr(form), known))
    if entry is None:
        raise NoSuchForm(say("{problem}: expected {forms}", not_installed(game), known))
    if form not in entry.exports:
        raise NoSuchForm(
            say("only matches of {games} can be written as {form}: expected {forms}", " and ".join(titles), form, known)
        )
    return entry.exports[form]


def _remarks(entries: Sequence[Entry]) -> Remarks:
    """Return the remarks before each action, keyed by the action's index: first a clock's time, then the advice."""
    advice = advice_by_action(entries)
    found = {place: [face] for place, face in clock_remarks(entries).items()}
    for place, acted in enumerate(standing_actions(entries)):
        if acted.seq in advice:
            found.setdefault(place, []).extend(f"advice: {advised.words}" for advised in advice[acted.seq])
    return found


def forms_of(game: str) -> tuple[str, ...]:
    """Return the names of a game's export formats; only JSON for a game that is not installed."""
    entry = catalog.find_entry(game)
    return (JSON, *(() if entry is None else entry.exports))


def outcome_words(record: MatchRecord) -> str | None:
    """Return the result of a match in words; `None` if the match is not over."""
    if record.ended is None:
        return None
    names = display_names(all_names(record.started), record.started.game)
    return outcome_in_words(names, record.ended.winner, record.ended.scores)


def outcome_in_words(names: Sequence[str], winner: int | None, scores: Sequence[int]) -> str:
    """Return the result of a match in words.

    If there are two players, and the highest score won or both players share the win, the scores stand side by side,
    the higher one first ("Anne won 11 : 4", "draw ½ : ½"). Otherwise the winners come first with their score, and then
    the other players with theirs. The result of a single player is only "Anne ended with 11".

    Args:
        names: the players' names, in seat order; a seat without a name is called by its number.
        winner: the seat that won alone; `None` if players share the match or nobody won.
        scores: the scores, in seat order.
    """
    called = [names[seat] if seat < len(names) else say("seat {number}", seat + 1) for seat in range(len(scores))]
    if len(scores) == 1:
        return say("{name} ended with {score}", called[0], scores[0])
    winners = _winners(winner, scores)
    if len(scores) == PAIR and any(scores[seat] == max(scores) for seat in winners):
        line = score_line(Result(winner, tuple(scores)))
        won = winner is not None and say("{name} won {scores}", called[winner], line)
        return won or say("draw {scores}", line)
    others = _others_words([(called[seat], score) for seat, score in enumerate(scores) if seat not in winners])
    if not winners:
        return say("nobody won{others}", others)
    score, names = scores[winners[0]], listed([called[seat] for seat in winners])
    if winner is None:
        return say("shared by {names} with {score}{others}", names, score, others)
    return say("{name} won with {score}{others}", names, score, others)


def _winners(winner: int | None, scores: Sequence[int]) -> list[int]:
    """Return the seats that won or share the win; empty if nobody won.

    `winner` is the only seat that won. If it is `None`, the seats with the highest score share the win. If it is `None`
    although only one of several seats has the highest score, nobody won.
    """
    if winner is not None:
        return [winner]
    return [] if is_nobodys(winner, scores) else [seat for seat, score in enumerate(scores) if score == max(scores)]


def _others_words(others: Sequence[tuple[str, int]]) -> str:
    """Return a semicolon with the names and scores of the players who did not win, the best first; empty without any.

    At most MOST_OTHERS players are named; the rest are only counted.
    """
    best = sorted(others, key=lambda other: -other[1])
    named = listed([say("{name} {score}", name, score) for name, score in best[:MOST_OTHERS]], ",")
    if len(best) > MOST_OTHERS:
        return say("; {names} and {count} more", named, len(best) - MOST_OTHERS)
    return say("; {names}", named) if named else ""


def damage_words(damage: Damage) -> str:
    """Return a clause that says that a match is damaged, at which entry, and what can be exported."""
    if not damage.entry:
        return say("damaged: its entry 0 cannot be read ({error}); nothing of it can be exported", damage.why)
    words = message("damaged: its entry {number} cannot be read ({error}); all before it can be exported")
    return say(words, number=damage.entry, error=damage.why)
