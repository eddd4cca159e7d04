"""Matches as text: exports as JSON and PGN, and how a match ended in words."""

import json
from collections.abc import Sequence

from captains_table.devices.journal import MatchJournal, MatchRecord
from captains_table.games.legend import Legend
from captains_table.games.legend.pgn import pgn
from captains_table.games.registry import game_by_key
from captains_table.kiosk.port import NoSuchForm
from captains_table.table.export import export_json
from captains_table.table.journal import MatchStarted, folded

FORMS = ("json", "pgn")


def export_match(journal: MatchJournal, form: str) -> str:
    """Return a match as text; raises NoSuchForm."""
    entries = journal.entries()
    if form == "json":
        return json.dumps(export_json(entries, journal.seed, journal.began), ensure_ascii=False, indent=1) + "\n"
    if form != "pgn":
        raise NoSuchForm(f"unknown form {form!r}: expected {' or '.join(FORMS)}")
    started = entries[0]
    if not isinstance(started, MatchStarted) or started.game != Legend.key:
        raise NoSuchForm("only Legend's matches can be written as PGN: expected form json")
    return pgn(started.seats, started.options, [acted.action for acted in folded(entries)], journal.began)


def outcome_words(record: MatchRecord) -> str | None:
    """Return how a match ended, none while it is not over."""
    if record.ended is None:
        return None
    scores = " : ".join(str(score) for score in sorted(record.ended.scores, reverse=True))
    if record.ended.winner is None:
        return f"shared {scores}"
    return f"{all_names(record)[record.ended.winner]} won {scores}"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def all_names(record: MatchRecord) -> Sequence[str]:
    """Return a match's players in seat order, those included that nobody named (solitaire's second)."""
    game = game_by_key(record.started.game)
    return game.names(game.start(record.started.seats, record.started.options))
