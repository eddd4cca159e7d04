"""Everything that happened at a table, as it happened: what the judge goes by, and what a finding's tape is made of."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from captains_table.games.contract import Action, Pick, Square
from captains_table.table.model import events
from captains_table.table.tapes.tape_writer import format_answer
from tests.prove.stories.history import Change, History
from tests.prove.stories.roles import changed_between


class Happening(NamedTuple):
    """Something that happened, in the words of a tape."""

    at_ms: int
    words: str
    end_ms: int


class Mark(NamedTuple):
    """Where a decision begins: the number of its first change and of its first happening, and what was closed then."""

    change: int
    happening: int
    closed: frozenset[Square]


class Ledger:
    """All settled changes of a table, as far as the table can know them, and everything that happened at it."""

    def __init__(
        self, closed: Collection[Square], names: tuple[str, ...], readings: Mapping[Square, str] | None = None
    ) -> None:
        self.readings = dict(readings or {})
        self._first_readings = dict(self.readings)
        self._read: list[str] = []  # what was read of each change's piece, in words
        self._meanings: dict[str, frozenset[str]] = {}
        self.changes: list[Change] = []
        self.happenings: list[Happening] = []
        self.closed = frozenset(closed)
        self._names = names
        self.is_linked = True
        self._pressed_ms = 0

    def note(self, event: events.Event, now_ms: int) -> None:
        """Take in what happened; what the table cannot have seen is known when the board is read again."""
        match event:
            case events.SwitchChanged(square, closed, _, reading):
                self._note_switch(Change(now_ms, square, closed), reading)
            case events.BoardLost():
                self.is_linked = False
                self._say(now_ms, "unplug")
            case events.BoardRead(occupied, readings):
                self._note_board(occupied, readings, now_ms)
            case events.SwitchMasked(square):
                self._say(now_ms, f"mask {square}")
            case events.Answered(action):
                self._say(now_ms, self._answer(action))
            case events.ButtonPressed():
                self._pressed_ms = now_ms
            case events.ButtonReleased(button):
                words = f"hold {button} {now_ms - self._pressed_ms}"
                self.happenings.append(Happening(self._pressed_ms, words, now_ms))

    def _note_switch(self, change: Change, reading: str) -> None:
        is_other = change.closed and self._is_other(change.square, reading)
        if change.closed == (change.square in self.closed) and not is_other and self.is_linked:
            return
        words = f"place {change.square} {word_of(reading)}".strip() if change.closed else f"lift {change.square}"
        self._say(change.at_ms, words)
        if self.is_linked and is_other:
            self._change(change._replace(closed=False))
        if self.is_linked:
            self._change(change, reading)

    def _note_board(self, occupied: frozenset[Square], readings: Mapping[Square, str], now_ms: int) -> None:
        if not self.is_linked:
            self._say(now_ms, "plug")
        if readings:
            self._say(
                now_ms, " ".join(["reads", *(f"{square}={word_of(readings[square])}" for square in sorted(readings))])
            )
        self.is_linked = True
        known = {square: reading for square, reading in self.readings.items() if square in occupied}
        others = {square for square in self.closed & occupied if self._is_other(square, readings.get(square, ""))}
        for square in sorted(self.closed - occupied | others):
            self._change(Change(now_ms, square, closed=False))
        for square in sorted(occupied - self.closed):
            self._change(Change(now_ms, square, closed=True), readings.get(square, ""))
        self.readings = known | dict(readings)

    # --- what the board reads ---------------------------------------------------------------------------------------

    def learn(self, pieces: Mapping[Square, str], before: Mapping[Square, str]) -> None:
        """Know what new readings stand for where these pieces stand, and stood before the last move."""
        found: dict[str, frozenset[str]] = {}
        for square, reading in self.readings.items() if self.closed == frozenset(pieces) else ():
            if pieces[square] == before.get(square):
                found[reading] = found.get(reading, frozenset()) | {pieces[square]}
        self._meanings = found | self._meanings

    def reads(self) -> dict[Square, frozenset[str]]:
        """Return which pieces may stand on the squares that the board reads, as far as its readings are known."""
        found = {square: self._signs(reading) for square, reading in self.readings.items()}
        return {square: signs for square, signs in found.items() if signs}

    def _signs(self, reading: str) -> frozenset[str]:
        return self._meanings.get(reading, frozenset())

    def _is_other(self, square: Square, reading: str) -> bool:
        """Return whether another piece is read on a square that holds one."""
        known = self.readings.get(square, "")
        is_alike = bool(self._signs(known) & self._signs(reading))
        return square in self.closed and bool(known) and bool(reading) and known != reading and not is_alike

    def _answer(self, action: Action) -> str:
        return f"pick {action.id}" if isinstance(action, Pick) else format_answer(action, self._names)

    def _change(self, change: Change, reading: str = "") -> None:
        read = reading if change.closed else self.readings.pop(change.square, "")
        if reading:
            self.readings[change.square] = reading
        self.changes.append(change._replace(reads=self._signs(read)))
        self._read.append(word_of(reading))
        self.closed = self.closed | {change.square} if change.closed else self.closed - {change.square}

    def _say(self, at_ms: int, words: str) -> None:
        self.happenings.append(Happening(at_ms, words, at_ms))

    def mark(self) -> Mark:
        return Mark(len(self.changes), len(self.happenings), self.closed)

    def stood_like(
        self, pieces: Mapping[Square, str], since: Mark, silent: Collection[Square], before: Collection[Square]
    ) -> list[Mark]:
        """Return when the board stood so since a moment, the earliest first, by the switches that are not silent.

        Where it stood so even before it stood as `before` does not count, nor where it read another piece.
        """
        wanted, left = frozenset(pieces).difference(silent), frozenset(before).difference(silent)
        closed, reads, found = set(self.closed), self.reads(), list[Mark]()
        for number in range(len(self.changes), since.change - 1, -1):
            is_read = all(pieces[square] in reads.get(square, pieces[square]) for square in wanted)
            if closed.difference(silent) == wanted and is_read:
                found.append(self._mark_at(number, since, closed))
            elif found and closed.difference(silent) == left:
                break
            if number:
                last = self.changes[number - 1]
                (closed.discard if last.closed else closed.add)(last.square)
                reads.pop(last.square, None)
                if last.reads and not last.closed:
                    reads[last.square] = last.reads
        return found[::-1]

    def _mark_at(self, number: int, since: Mark, closed: Collection[Square]) -> Mark:
        if number == len(self.changes):
            return self.mark()
        at_ms = self.changes[number - 1].at_ms if number else 0
        happening = sum(1 for happening in self.happenings if happening.at_ms <= at_ms)
        return Mark(number, max(since.happening, happening), frozenset(closed))

    def history(
        self,
        mark: Mark,
        silent: Collection[Square],
        told: Iterable[Change] = (),
        told_pieces: Mapping[Square, str] | None = None,
        *,
        reads_pieces: bool = True,
    ) -> History:
        """Return what settled since a moment, after what was told, and with that what stood where.

        Args:
            mark: the moment.
            silent: the switches that say nothing.
            told: what counts as having happened first.
            told_pieces: what stood where after that.
            reads_pieces: whether what the board reads of its pieces counts.
        """
        told = list(told)
        closed = set(mark.closed)
        for change in reversed(told):
            (closed.discard if change.closed else closed.add)(change.square)
        known = (len(told), told_pieces) if told and told_pieces is not None else None
        changes = [*told, *self.changes[mark.change :]]
        if not reads_pieces:
            return History([change._replace(reads=frozenset()) for change in changes], closed, silent, known)
        return History(changes, closed, silent, known, self.reads())

    def tape(self, mark: Mark, start: Iterable[str], what: Iterable[str]) -> str:
        """Return a tape: comments on what is wrong, the lines that lead to a moment, and what happened since then."""
        lines = [*(f"# {words}" for words in what), *start, *self._readings_at(mark)]
        since_ms = self.happenings[mark.happening].at_ms if mark.happening < len(self.happenings) else 0
        for at_ms, words, end_ms in self.happenings[mark.happening :]:
            lines.append(f"+{max(0, at_ms - since_ms)} {words}")
            since_ms = end_ms
        return "\n".join(lines) + "\n"

    def _readings_at(self, mark: Mark) -> list[str]:
        """Return the line of a tape that says what the board read at a moment; empty if it reads no pieces."""
        readings = {square: word_of(reading) for square, reading in self._first_readings.items()}
        for change, reading in zip(self.changes[: mark.change], self._read, strict=False):
            readings.pop(change.square, "")
            if reading:
                readings[change.square] = reading
        return (
            [" ".join(["reads", *(f"{square}={readings[square]}" for square in sorted(readings))])] if readings else []
        )


def word_of(reading: str) -> str:
    """Return a reading as one word of a tape."""
    return reading.replace(" ", "-")


def canonical(before: Mapping[Square, str], after: Mapping[Square, str], at_ms: int) -> list[Change]:
    """Return how a move is made and nothing else: all pieces lifted that leave their square, then all set."""
    changed = changed_between(before, after)
    lifted = [Change(at_ms - 2000, square, closed=False) for square in sorted(changed) if square in before]
    return lifted + [Change(at_ms - 1000, square, closed=True) for square in sorted(changed) if square in after]
