"""Matches of which an entry cannot be read: where the damage is, and what stands before it."""

from collections.abc import Iterable
from dataclasses import dataclass

from captains_table.table.model.codec import BadValue
from captains_table.table.model.entries import ENTRIES, Entry, MatchStarted


@dataclass(frozen=True, slots=True)
class Damage:
    """The first entry of a match that cannot be read, counted from 0 as `verify` counts them, and why."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True)
class DamagedMatch:
    """A match that cannot be gone on with: how it began, as far as that can be read, and how many actions are left."""

    number: int
    began: str
    started: MatchStarted | None
    actions: int
    damage: Damage


def read_entries(rows: Iterable[tuple[int, object]]) -> tuple[list[Entry], Damage | None]:
    """Return the entries up to the first that cannot be read, and what is wrong with that one.

    Args:
        rows: position and text of each entry of one match, in the order of their positions.
    """
    entries: list[Entry] = []
    for position, text in rows:
        place = len(entries)
        if position != place:
            return entries, Damage(place, f"it is missing: the next one there is has the number {position}")
        if not isinstance(text, str):  # a torn page may put any other value in its place
            return entries, Damage(place, f"it is no text: {text!r}")
        try:
            entry = ENTRIES.from_text(text)
        except BadValue as error:
            return entries, Damage(place, str(error))
        if place == 0 and not isinstance(entry, MatchStarted):
            return entries, Damage(place, "it is not the start of a match")
        entries.append(entry)
    return entries, None if entries else Damage(0, "it is missing: nothing of the match is there")
