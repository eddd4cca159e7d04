"""Matches as text: exports in the forms their games know, and how a match ended in words."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fairy import fairy_ini
from captains_table.games.contract import Action
from captains_table.games.legend import Legend
from captains_table.games.legend.pgn import pgn
from captains_table.games.registry import game_by_key
from captains_table.storage.journal_file import MatchJournal, MatchRecord
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Entry, MatchStarted, advice_by_action, folded
from captains_table.table.model.match import public_entries
from captains_table.web.port import NoSuchForm

Remarks = Mapping[int, Sequence[str]]
Writer = Callable[[Sequence[str], Mapping[str, str], Iterable[Action], str, Remarks], str]


def _fairy_ini(
    names: Sequence[str],
    options: Mapping[str, str],
    actions: Iterable[Action],
    began: str,
    remarks: Remarks,  # noqa: ARG001 - there is no advice on moves to tell of
) -> str:
    return fairy_ini(names, options, actions, began)


WRITERS: dict[str, tuple[str, Writer]] = {"pgn": (Legend.key, pgn), "ini": (CaptainsChess.key, _fairy_ini)}
FORMS = ("json", *WRITERS)


def export_match(journal: MatchJournal, form: str) -> str:
    """Return a match as text, while it is played without what is secret in it; raises NoSuchForm."""
    entries = public_entries(journal.entries())
    if form == "json":
        return json.dumps(export_json(entries, journal.seed, journal.began), ensure_ascii=False, indent=1) + "\n"
    if form not in WRITERS:
        raise NoSuchForm(f"unknown form {form!r}: expected {' or '.join(FORMS)}")
    started, (key, write) = entries[0], WRITERS[form]
    if not isinstance(started, MatchStarted) or started.game != key:
        known = " or ".join(forms_of(started.game)) if isinstance(started, MatchStarted) else "json"
        raise NoSuchForm(f"only matches of {game_by_key(key).title} can be written as {form}: expected {known}")
    actions = [acted.action for acted in folded(entries)]
    return write(started.seats, started.options, actions, journal.began, _remarks(entries))


def _remarks(entries: Sequence[Entry]) -> Remarks:
    """Return the advice that was given, by the place of the action it preceded."""
    advice = advice_by_action(entries)
    return {
        place: [f"advice: {advised.words}" for advised in advice[acted.seq]]
        for place, acted in enumerate(folded(entries))
        if acted.seq in advice
    }


def forms_of(game: str) -> tuple[str, ...]:
    """Return the forms a game's matches can be written in."""
    return ("json", *(form for form, (key, _) in WRITERS.items() if key == game))


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
