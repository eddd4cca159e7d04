"""The history of the board's switches across decisions, and the position with which the story search begins.

A *story* is a hypothesis of what hands did (docs/recognition.md). While the last move may still be changed, the search
for stories begins with the position before the last move. The search can then judge the last move, the alternatives to
it, and the next player's replies. If no move may be changed, or if earlier switch changes are unknown (a resumed match
without a record), the search begins with the match's current position. If a person says which move was made, the search
assumes that this move was made, and that hands touched only the squares of the move.

The history can be recorded and recalled. It drops the changes of ignored switches, and changes that are no longer
needed.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step
from captains_table.table.recognition.board_reports import PieceReadings, SwitchChange
from captains_table.table.recognition.stories import Completion, StoryCosts
from captains_table.table.recognition.story_state import (
    NO_LEFTOVERS,
    ClaimedMove,
    Leftovers,
    SearchStart,
    SwitchRecord,
    claimed_changes,
    move_of,
)

MOST_WITHDRAWN = 2
"""After this many moves of one decision were put back, earlier touches are no evidence any more."""

MOST_CHANGES = 80
"""A longer history is cut down to the changes since the last move, if that move is complete."""

NOWHERE = SearchStart(None, frozenset())


class _Since(NamedTuple):
    """The switch changes since a move was complete, and the leftovers of moves at that moment.

    Examples of leftovers are captured pieces that still stand on the board.
    """

    changes: tuple[SwitchChange, ...] = ()
    found: Leftovers = NO_LEFTOVERS


class StoryHistory:
    """The history of the switches for the current decision, and the cost of each candidate derived from it.

    Args:
        readings: what the readings of the board mean.

    Attributes:
        begun: the state of the match and the board at the start of the search for stories (the moves of the pieces that
            explain the switch changes).
        costs: the cost of each candidate.
    """

    def __init__(self, readings: PieceReadings) -> None:
        self._readings = readings
        self._voided: dict[Square, list[SwitchChange]] = {}  # changes of switches that turned out to chatter
        self._earlier: tuple[SearchStart, tuple[SwitchChange, ...]] | None = None
        self._silent: frozenset[Square] = frozenset()
        self._begin_anew(None)

    # --- decisions --------------------------------------------------------------------------------------------------

    def begin(self, match: Match | None) -> Sequence[SwitchChange]:
        """Begin the history of the next decision (the choice of a move), and return its first switch changes.

        These changes came before the decision began, but after the last move was complete on the board. They may
        already belong to the next move. The result is empty without a match and for a new match.
        """
        if match is None or match is not self._match:
            self._begin_anew(match)
            return ()
        since, last = self._since_complete(), match.provisional
        if last is not None and last.before is not self.begun.base and last.before is self._now:
            since = self._since_reply(match, last)
            self._earlier = self.begun, tuple(self._changes[: len(self._changes) - len(since.changes)])
            self._withdrawn = 0
            self._restart(SearchStart.at(match, last.before, since.found), since.changes)
        elif last is not None and self._earlier is not None and last.before is self._earlier[0].base:
            begun, changes = self._earlier  # the next player's move was taken back
            self._earlier = None
            self._restart(begun, [*changes, *self._changes])
        is_in_search = last is not None and last.before is self.begun.base
        if last is not None and is_in_search and self.costs.explains(move_of(match, last)):
            self._was_believed = True
        elif is_in_search or self.begun.base is not match.state:  # a move answered on a page left no traces
            self._begin_anew(match, found=since.found.without(_opened(since.changes)))
        elif last is None and self._was_believed:
            self._note_withdrawn()
        self._follow()
        return since.changes

    def _note_withdrawn(self) -> None:
        """Count a move that was put back; after `MOST_WITHDRAWN` of them, forget all earlier switch changes.

        The earlier changes are then no longer evidence of a move.
        """
        self._withdrawn += 1
        if self._withdrawn >= MOST_WITHDRAWN:
            self._restart(self.begun)
            self._withdrawn = 0

    def is_as_before_earlier(self, occupied: frozenset[Square], ignored: frozenset[Square]) -> bool:
        """Return whether the last move and the move before it are both undone on the board."""
        return self._earlier is not None and not (occupied ^ self._earlier[0].before) - ignored

    def restart(self) -> None:
        """Begin with the match's current position, because all pieces were placed at once."""
        self._begin_anew(self._match)

    def go_on_with(self, changes: Iterable[SwitchChange]) -> None:
        """Treat earlier switch changes as part of this decision."""
        self._restart(self.begun, changes)

    def settle(self, *, is_on_board: bool) -> None:
        """Treat the last move as certain, because a person said that the move was made.

        Args:
            is_on_board: whether the board already shows the position after the move.
        """
        match = self._match
        if match is None:
            return
        last_ms = self._changes[-1].at_ms if self._changes else 0
        since = self._since_complete()
        last = match.provisional
        self._begin_anew(match, since.changes, since.found)
        if last is not None and last.option is not None and is_on_board:
            made, begun = move_of(match, last), SearchStart.at(match, last.before, since.found)
            next_ms = since.changes[0].at_ms if since.changes else last_ms
            self._was_believed = True
            self._restart(
                begun._replace(claimed=ClaimedMove(last.option.id, made)),
                [*claimed_changes(made, begun.before, next_ms), *since.changes],
            )

    def _shorten(self, *, is_home: bool) -> None:
        """Forget switch changes that are no longer needed to explain the board.

        If the search begins with a position before the last move, forget the changes before that move was complete.
        If the search begins with the position after the last move, forget all changes, but only if the board shows
        that position (`is_home`).
        """
        if self._match is not None and self.begun.base is self._match.state and is_home:
            self._restart(self.begun)
        elif self._match is not None and self.begun.base is not self._match.state:
            self._begin_anew(self._match, *self._since_complete())

    def testimony(self) -> SwitchRecord:
        """Return the history as a record, to be recalled when the match is resumed."""
        return SwitchRecord(self.begun.base, tuple(self._changes), self.begun.found.closed())

    def recall(self, testimony: SwitchRecord) -> None:
        """Restore the search of a resumed match from its recorded switch changes (`testimony`).

        The record is used if it begins with the state before the last move and explains the last move. The record is
        also used if it begins with the same state as the search. Otherwise it is ignored.
        """
        match = self._match
        last = match.provisional if match is not None else None
        if match is not None and last is not None and last.before is testimony.base:
            self._was_believed = True
            self._restart(SearchStart.at(match, last.before, Leftovers(testimony.echoes)), testimony.changes)
            if not self.costs.explains(move_of(match, last)):
                self._begin_anew(match)
        elif match is not None and testimony.base is self.begun.base:
            self._restart(SearchStart.at(match, testimony.base, Leftovers(testimony.echoes)), testimony.changes)

    def _begin_anew(
        self, match: Match | None, changes: Iterable[SwitchChange] = (), found: Leftovers = NO_LEFTOVERS
    ) -> None:
        self._match, self._was_believed, self._earlier, self._withdrawn = match, False, None, 0
        self._restart(NOWHERE if match is None else SearchStart.at(match, match.state, found), changes)

    def _restart(self, begun: SearchStart, changes: Iterable[SwitchChange] = ()) -> None:
        self.begun = begun
        self._changes = list(changes)
        self._rethink()

    def _rethink(self) -> None:
        self.costs = StoryCosts(self.begun, self._silent, self._changes, self._readings)
        self._follow()

    def _follow(self) -> None:
        """Tell the cost search the last move, or `None` if the search begins only after the last move."""
        match, last = self._match, self._last_step_in_search()
        self._now = match.state if match is not None else None
        self.costs.follow(move_of(match, last) if match is not None and last is not None else None)

    def _last_step_in_search(self) -> Step | None:
        """Return the last move if the search begins with the position before that move, else `None`."""
        last = self._match.provisional if self._match is not None else None
        return last if last is not None and last.before is self.begun.base else None

    def _since_reply(self, match: Match, last: Step) -> _Since:
        """Return the switch changes since the last move began, and what the moves before it left on the board.

        The last move is a reply to a previous move. If the beginning of the last move is unknown, return the changes
        since the previous move was complete.

        Args:
            match: the match.
            last: the last move.
        """
        complete = self.costs.completion_before_reply(move_of(match, last))
        return self._since_complete() if complete is None else self._since(complete)

    def _since(self, complete: Completion) -> _Since:
        return _Since(tuple(self._changes[complete.after :]), Leftovers.of(complete.state))

    def _since_complete(self) -> _Since:
        """Return the switch changes since the last move was complete, and the leftovers of moves at that moment.

        Changes and leftovers are empty if the last move is not known to be complete.
        """
        complete = self.costs.last_completion()
        return _Since() if complete is None else self._since(complete)

    def last_move_in_search(self) -> str | None:
        """Return the id of the last move if the search begins with the position before that move, else `None`."""
        last = self._last_step_in_search()
        return last.option.id if last is not None and last.option is not None else None

    # --- changes of the switches --------------------------------------------------------------------------------------

    def note(self, change: SwitchChange) -> None:
        """Append a change of a switch."""
        self._changes.append(change)
        self.costs.go_on()

    def void(self, squares: Collection[Square]) -> None:
        """Set aside the changes of the switches on some squares, because these switches are ignored from now on.

        When a switch is used again, `trust` may restore one of its changes.
        """
        for change in self._changes:
            if change.square in squares:
                self._voided.setdefault(change.square, []).append(change)
        self._changes = [change for change in self._changes if change.square not in squares]
        self._rethink()

    def trust(self, square: Square, *, closed: bool) -> None:
        """Use a switch again after it chattered, and adopt its current state.

        If the current state does not fit the position before the search, a piece left or arrived while the switch
        chattered. A piece that is gone is assumed to have left when the switch first opened. A new piece is assumed to
        have arrived when the switch last closed.
        """
        if not closed:  # whatever held it closed when the search began is gone
            self.begun = self.begun._replace(found=self.begun.found.without([square]))
        voided = [change for change in self._voided.pop(square, []) if change.closed == closed]
        if voided and closed != (square in self.begun.before | self.begun.found.closed()):
            change = voided[-1] if closed else voided[0]
            self._changes = sorted([*self._changes, change], key=lambda each: each.at_ms)
        self._rethink()

    def silence(self, squares: frozenset[Square]) -> None:
        """Set the squares whose switch is ignored now."""
        if squares != self._silent:
            self._silent = squares
            self._rethink()

    def forget_at_home(self, occupied: frozenset[Square], ignored: frozenset[Square]) -> bool:
        """Forget all changes if the board is again as it was when the search began and no move was accepted since then.

        A history of more than `MOST_CHANGES` changes is always shortened if possible. Return whether any changes were
        forgotten.
        """
        before, is_home = self._changes, not (occupied ^ self.begun.before) - ignored
        if before and is_home and not self._was_believed:
            self._restart(self.begun._replace(found=NO_LEFTOVERS))
        if len(self._changes) > MOST_CHANGES:
            self._shorten(is_home=is_home)
        return self._changes is not before

    def touched(self) -> frozenset[Square]:
        return frozenset(change.square for change in self._changes)

    def has_history(self) -> bool:
        """Return whether any square was touched, or earlier moves left a switch closed where the match has no piece.

        A switch may be closed by the magnet of a neighbouring piece, or by a captured piece that was left on the board.
        """
        return bool(self._changes or self.begun.found.closed())


def _opened(changes: Iterable[SwitchChange]) -> frozenset[Square]:
    return frozenset(change.square for change in changes if not change.closed)
