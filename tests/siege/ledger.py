"""What a journal must hold after a daemon ended: all that was there, all that was told, and one action more at most."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from captains_table.devices.dice_sources import HonestDice
from captains_table.table.model.entries import JOURNAL_ENTRIES, Acted, Entry, TakenBack
from captains_table.table.model.match import Match
from captains_table.web.svg.dice_svg import die_label
from tests.siege.attack import Fault, Found, Trial
from tests.siege.http_person import Deed, Memory, Shown

Row = tuple[int, int, str, str]


class Ledger:
    """The journal of a state directory, as it was last looked at."""

    def __init__(self, state: Path, trial: Trial) -> None:
        self._state = state
        self._counts = trial.counts
        self._rows = rows_of(state)

    def compare(self, memory: Memory, in_flight: Deed | None) -> None:
        """Compare the journal as it is now with what a person was told since the last comparison; raises Found.

        It may have the action in flight more, or any one where that is None.
        """
        deeds = self._deeds_since()
        more = deeds[len(memory.done) :]
        is_known = not more or (len(more) == 1 and in_flight in (None, more[0]))
        if deeds[: len(memory.done)] != memory.done or not is_known:
            words = f"acknowledged were {memory.done}, in flight was {in_flight}; the journal has {deeds}"
            raise Found(Fault.LOST, words)
        self._counts["actions compared"] += len(deeds)
        self._counts["in flight, kept"] += len(more)
        self._compare_shown(memory.shown)

    def compare_computers(self, memory: Memory) -> None:
        """Compare the journal with what was there and with what was shown; nobody but computers did anything."""
        self._counts["actions compared"] += len(self._deeds_since())
        self._compare_shown(memory.shown)

    def _deeds_since(self) -> list[Deed]:
        """Return what the journal has that it had not when it was looked at last; raises Found where it lost any."""
        rows, known = rows_of(self._state), self._rows
        if rows[: len(known)] != known:
            place = next(at for at, row in enumerate(known) if rows[at : at + 1] != [row])
            raise Found(Fault.LOST, f"row {place} was {known[place]}, now {rows[place : place + 1]}")
        self._rows = rows
        return [deed for row in rows[len(known) :] if (deed := deed_of(row)) is not None]

    def _compare_shown(self, shown: list[Shown]) -> None:
        histories = {number: self._history(number) for number in {one.match for one in shown}}
        for one in set(shown):
            dice = dice_at(histories[one.match], one.seq)
            if dice is None:
                raise Found(Fault.LOST, f"action {one.seq} of match {one.match} was shown and is not in the journal")
            if not _same_dice(one.dice, dice):
                raise Found(Fault.LOST, f"action {one.seq}: shown were {one.dice}, the journal has {dice}")
            self._counts["pictures of the dice compared"] += 1

    def _history(self, number: int) -> list[Entry]:
        """Return the entries of a match, whose dice are those of its seed."""
        entries = [JOURNAL_ENTRIES.from_text(body) for match, _, _, body in self._rows if match == number]
        HonestDice.resumed(seed_of(self._state, number), entries)  # raises DiceMismatch
        return entries


def rows_of(state: Path) -> list[Row]:
    """Return every entry of a journal in the order it was written, without opening it for writing."""
    with closing(sqlite3.connect(f"file:{state / 'journal.sqlite3'}?mode=ro", uri=True)) as database:
        return database.execute("SELECT match, position, kind, body FROM entries ORDER BY id").fetchall()


def seed_of(state: Path, number: int) -> bytes:
    with closing(sqlite3.connect(f"file:{state / 'journal.sqlite3'}?mode=ro", uri=True)) as database:
        [(seed,)] = database.execute("SELECT seed FROM matches WHERE number = ?", (number,)).fetchall()
    return bytes(seed)


def deed_of(row: Row) -> Deed | None:
    """Return what somebody did, as a person remembers it; None for what the table does by itself."""
    _, _, kind, body = row
    if kind in ("started", "taken-back"):
        return (kind,)
    if kind != "acted":
        return None
    action = msgspec.json.decode(body)["action"]
    match action["type"]:
        case "rolled":
            return None
        case "keep":
            return ("keep", *map(str, action["dice"]))
        case other:
            return (other, str(action.get("id")))


def dice_at(entries: list[Entry], seq: int) -> tuple[str, ...] | None:
    """Return the dice in words as a match had them after an action; None if it has not come to that."""
    last = next((at for at, one in enumerate(entries) if isinstance(one, Acted | TakenBack) and one.seq == seq), None)
    if seq and last is None:
        return None
    match = Match.resumed(entries[: 1 if last is None else last + 1])
    dice = match.game.dice(match.state)
    return tuple(die_label(number, die) for number, die in enumerate(dice, start=1))


def _same_dice(shown: tuple[str, ...], kept: tuple[str, ...]) -> bool:
    """Return whether dice lie as they were shown; some may still have tumbled then, or been held."""
    pairs = zip(shown, kept, strict=False)
    return all("tumbling" in one or one.removesuffix(", held") == other.removesuffix(", held") for one, other in pairs)
