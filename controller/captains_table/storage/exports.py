"""Matches as text: exports in the forms their games know, and how a match ended in words."""

import json
from collections.abc import Sequence

from captains_table import catalog
from captains_table.catalog import Export, Remarks
from captains_table.games.registry import not_installed
from captains_table.storage.journal_file import MatchJournal, MatchRecord
from captains_table.table.history.export import export_json, public_entries
from captains_table.table.model.entries import Entry, MatchStarted, advice_by_action, folded
from captains_table.table.model.match import BadHistory
from captains_table.web.port import NoSuchForm

JSON = "json"


def export_match(journal: MatchJournal, form: str) -> str:
    """Return a match as text, while it is played without what is secret in it; JSON needs no rules.

    Raises:
        NoSuchForm: the game's matches cannot be written so.
    """
    entries = public_entries(journal.entries())
    if form == JSON:
        return json.dumps(export_json(entries, journal.seed, journal.began), ensure_ascii=False, indent=1) + "\n"
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        raise BadHistory("a journal must begin with the start of a match")
    export = _export(started.game, form)
    actions = [acted.action for acted in folded(entries)]
    return export.write(started.seats, started.options, actions, journal.began, _remarks(entries))


def _export(game: str, form: str) -> Export:
    titles = [entry.game.title for entry in catalog.entries() if form in entry.exports]
    entry = catalog.find_entry(game)
    known = " or ".join(forms_of(game))
    if not titles:
        raise NoSuchForm(f"unknown form {form!r}: expected {known}")
    if entry is None:
        raise NoSuchForm(f"{not_installed(game)}: expected {known}")
    if form not in entry.exports:
        raise NoSuchForm(f"only matches of {' and '.join(titles)} can be written as {form}: expected {known}")
    return entry.exports[form]


def _remarks(entries: Sequence[Entry]) -> Remarks:
    """Return the advice that was given, by the place of the action it preceded."""
    advice = advice_by_action(entries)
    return {
        place: [f"advice: {advised.words}" for advised in advice[acted.seq]]
        for place, acted in enumerate(folded(entries))
        if acted.seq in advice
    }


def forms_of(game: str) -> tuple[str, ...]:
    """Return the forms a game's matches can be written in; of a game that is not installed only JSON."""
    entry = catalog.find_entry(game)
    return (JSON, *(() if entry is None else entry.exports))


def outcome_words(record: MatchRecord) -> str | None:
    """Return how a match ended, `None` while it is not over."""
    if record.ended is None:
        return None
    scores = " : ".join(str(score) for score in sorted(record.ended.scores, reverse=True))
    winner, names = record.ended.winner, all_names(record)
    if winner is None:
        return f"shared {scores}"
    return f"{names[winner] if winner < len(names) else f'seat {winner + 1}'} won {scores}"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def all_names(record: MatchRecord) -> Sequence[str]:
    """Return a match's players in seat order, those included that nobody named (solitaire's second).

    Of a game that is not installed only those who were named are known.
    """
    entry = catalog.find_entry(record.started.game)
    if entry is None:
        return record.started.seats
    return entry.game.names(entry.game.start(record.started.seats, record.started.options))
