"""Exports a match as a JSON value protected by a digest.

The digest is a SHA-256 chain over the whole export, including names, times and options. It detects only accidental
changes, because anybody could recompute it after a deliberate change. The match is proven by its seed and by a replay
(see `verify`).
The module also chooses the format version, selects the entries that may be shown during a match, and returns the
clock's times as PGN comments.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UnsetType

from captains_table.games.contract import BadOption
from captains_table.games.registry import UnknownGame
from captains_table.table.model.entries import (
    JOURNAL_ENTRIES,
    Advised,
    ClockStopped,
    Entry,
    MatchEnded,
    MatchStarted,
    Resumed,
    SaltText,
    SeatChanged,
    TimersStopped,
    TimersWentOn,
    Unsure,
    standing_actions,
)
from captains_table.table.model.match import BadHistory, Match

EXPORT_FORMS = ("captains-table match 1", "captains-table match 2", "captains-table match 3")
FORM = EXPORT_FORMS[-1]
"""The format version of this program's own matches; an earlier program's matches are exported in its version."""


def export_json(
    entries: Sequence[Entry],
    seed: bytes | None = None,
    began: str = "",
    damaged: int | None = None,
    form: str | None = None,
) -> dict[str, Any]:
    """Return a match as a JSON value, which contains the seed of the dice only if the match is over.

    Args:
        entries: the whole journal of the match, beginning with MatchStarted.
        seed: the seed of honest dice; `None` if the dice were dictated.
        began: when the match began, ISO 8601 with UTC offset; empty if that is unknown.
        damaged: the number, counted from 0, of the unreadable entry before which the journal is cut off; `None` if the
            journal is whole.
        form: the format version; `None` for the earliest version that has all these entries.

    Raises:
        BadHistory: the journal does not begin with the start of a match.
    """
    if not entries or not isinstance(entries[0], MatchStarted):
        raise BadHistory("a journal must begin with the start of a match")
    started = entries[0]
    ended = end_entry(entries)
    value: dict[str, Any] = {
        "form": form or form_of(entries),
        "game": started.game,
        "seats": list(started.seats),
        "options": dict(started.options),
        "dice": "honest" if started.commitment else "dictated",
        "commitment": started.commitment,
        "began": began,
        "entries": [JOURNAL_ENTRIES.to_plain(entry) for entry in entries],
        "result": None if ended is None else {"winner": ended.winner, "scores": list(ended.scores)},
    }
    if damaged is not None:
        value["damaged"] = damaged
    value["digest"] = digest(value)
    if ended is not None and started.commitment and seed is not None:
        value["seed"] = seed.hex()
    return value


def form_of(entries: Sequence[Entry]) -> str:
    """Return the earliest format version that has all these entries and fields."""
    return EXPORT_FORMS[max(map(_form_number, entries), default=0)]


def _form_number(entry: Entry) -> int:
    """Return the index in `EXPORT_FORMS` of the first format version that has an entry's type and fields."""
    match entry:
        case MatchStarted(master=bool()) | Resumed(master=bool()) | ClockStopped(why=str()):
            return 2
        case MatchStarted(kinds=UnsetType(), at_ms=UnsetType()):
            return 0
        case MatchStarted() | SaltText() | Resumed() | ClockStopped() | Unsure() | SeatChanged():
            return 1
        case TimersStopped() | TimersWentOn():
            return 1
        case _:
            return 0


def public_entries(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the public part of a journal: all of it if the match is over, else all before the first secret choice.

    Advice on that choice is left out too. A journal that cannot be replayed is wholly public, because nobody is playing
    its match.
    """
    if any(isinstance(entry, MatchEnded) for entry in entries):
        return entries
    try:
        match = Match.resumed(entries)
    except (BadHistory, BadOption, UnknownGame):
        return entries
    secret = next((step.acted for step in match.history if step.is_secret), None)
    end = len(entries) if secret is None else entries.index(secret)
    if secret is not None or match.is_secret_now():
        while isinstance(entries[end - 1], Advised):
            end -= 1
    return entries[:end]


def end_entry(entries: Sequence[Entry]) -> MatchEnded | None:
    """Return the entry that ends a match; `None` if no end is recorded."""
    return next((entry for entry in reversed(entries) if isinstance(entry, MatchEnded)), None)


def final_digest(entries: Sequence[Entry], began: str) -> str:
    """Return the digest of a finished match's export; empty if the match is not over or has no provable dice."""
    started = entries[0]
    is_final = end_entry(entries) is not None and isinstance(started, MatchStarted) and bool(started.commitment)
    return str(export_json(entries, began=began)["digest"]) if is_final else ""


def digest(value: Mapping[str, Any]) -> str:
    """Return the SHA-256 chain of an export, with one link for its heading and one for each entry.

    The seed of the dice is not part of the chain.
    """
    heading = {key: part for key, part in value.items() if key not in {"entries", "digest", "seed"}}
    link = hashlib.sha256(canonical(heading)).digest()
    for entry in value["entries"]:
        link = hashlib.sha256(link + canonical(entry)).digest()
    return link.hex()


def canonical(value: object) -> bytes:
    """Return a value as canonical JSON: sorted keys, no spaces, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def clock_remarks(entries: Sequence[Entry]) -> dict[int, str]:
    """Return a PGN comment with the clock's time for each press of the clock.

    The key is the index of the first action after the press. Indexes count from 0 and skip actions that were taken
    back. The result is empty if the match has no clock.

    Args:
        entries: the journal of the match.

    Raises:
        BadOption: no match can have begun with these options.
        UnknownGame: there is no such game.
    """
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        return {}
    clock = Match(started).clock
    if clock is None:
        return {}
    for entry in entries:
        clock.note(entry)
    places = {acted.seq: place for place, acted in enumerate(standing_actions(entries), 1)}
    return {places[seq]: clock_comment(seconds) for seq, seconds in clock.at_press.items() if seq in places}


def clock_comment(seconds: int) -> str:
    """Return the PGN comment that says how much time a player had left."""
    minutes, seconds = divmod(seconds, 60)
    return f"[%clk {minutes // 60}:{minutes % 60:02}:{seconds:02}]"
