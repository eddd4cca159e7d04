"""What may be told of the board for one decision after another: where the search begins, and how each story ends.

While the last move may still be changed, the search begins with the position before it, so that the move itself, every
other choice in its place and the next player's answer to either are judged by one history. It begins with the position
on the table where no move may be changed, and where that is all that is known (a match taken up again). Once somebody
said which move it was, that was made without anything beside it, for all that follows.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import Footprint, footprint
from captains_table.table.recognition.roles import Piece
from captains_table.table.recognition.stories import Completion, Stage, Storyteller, goals_of
from captains_table.table.recognition.story_state import Ending
from captains_table.table.recognition.switch_history import Change, SwitchHistory

TOLD_MS = 1000
"""What somebody said was done counts as done so long before what is touched next."""

MOST_WITHDRAWN = 2
"""After so many moves of one decision that were put back, what was touched until then is no evidence any more."""

MOST_CHANGES = 80
"""A history of more changes is told no further back than to the last move, if that is complete."""


class Testimony(NamedTuple):
    """What the switches said since a state of the match: enough to tell its stories once more.

    Attributes:
        base: the state with which the search begins.
        changes: what settled since; none where it leaves nothing open.
        beside: the squares whose switch was held by a piece beside them at first.
    """

    base: Any
    changes: tuple[Change, ...]
    beside: frozenset[Square]


class _Said(NamedTuple):
    """A move that somebody said was made, and the squares it changes."""

    id: str
    changed: frozenset[Square]


class _Beginning(NamedTuple):
    """Where a search began, what was touched until the next player's move, and what somebody said it was."""

    base: Any
    before: frozenset[Square]
    changes: tuple[Change, ...]
    echoes: frozenset[Square]
    said: _Said | None


class StoryBook:
    """The history of the switches for the decision in hand, and what it costs that each candidate was done."""

    def __init__(self) -> None:
        self._history = SwitchHistory()
        self._match: Match | None = None
        self._base: Any = None
        self._before: frozenset[Square] = frozenset()
        self._now: Any = None
        self._made: Footprint | None = None
        self._said: _Said | None = None
        self._was_believed = False
        self._earlier: _Beginning | None = None
        self._withdrawn = 0
        self._echoes: frozenset[Square] = frozenset()
        self._silent: frozenset[Square] = frozenset()
        self._teller: Storyteller | None = None
        self._between: dict[str, Stage] = {}
        self._known: dict[tuple[int, Candidate | None], Ending | None] = {}

    # --- decisions --------------------------------------------------------------------------------------------------

    def begin(self, match: Match | None) -> Sequence[Change]:
        """Begin a decision, and return what was touched since the last move was complete."""
        since, echoes = self._since_complete() if match is self._match else ((), frozenset[Square]())
        last = match.provisional if match is not None else None
        if match is None or match is not self._match:
            self._begin_anew(match)
        elif last is not None and last.before is not self._base and last.before is self._now:
            since, echoes = self._since_reply(match)
            self._keep_earlier(len(self._history.changes) - len(since))
            self._base, self._said, self._withdrawn = last.before, None, 0
            self._restart(frozenset(match.game.pieces(last.before)), since, echoes)
        elif last is not None and self._earlier is not None and last.before is self._earlier.base:
            self._go_back_to(self._earlier)
        if match is not None and last is not None and last.before is self._base and self._tells(match):
            self._was_believed = True
        elif match is not None and self._base is not match.state:
            opened = {change.square for change in since if not change.closed}
            self._begin_anew(match, echoes=echoes - opened)
        elif match is not None and last is None and self._was_believed:
            self._note_withdrawn()
        self._follow(match)
        return since

    def _note_withdrawn(self) -> None:
        """Begin afresh where moves were put back twice: whoever does so cannot mean what was touched before."""
        self._withdrawn += 1
        if self._withdrawn >= MOST_WITHDRAWN:
            self._restart(self._before, (), self._echoes)
            self._withdrawn = 0

    def _keep_earlier(self, until: int) -> None:
        """Remember where the search began, in case the next player's move is taken back."""
        self._earlier = _Beginning(
            self._base, self._before, tuple(self._history.changes[:until]), self._echoes, self._said
        )

    def _go_back_to(self, earlier: "_Beginning") -> None:
        """Begin where the search began before the next player's move, which was taken back."""
        self._base, self._said, self._earlier = earlier.base, earlier.said, None
        self._restart(earlier.before, [*earlier.changes, *self._history.changes], earlier.echoes)

    def is_as_before_earlier(self, occupied: frozenset[Square], ignored: frozenset[Square]) -> bool:
        """Return whether the board is as before the move that the last one answers, so that both are put back."""
        return self._earlier is not None and not (occupied ^ self._earlier.before) - ignored

    def _tells(self, match: Match) -> bool:
        """Return whether the history ends with the last move; what was answered on a page left no traces."""
        move = footprint(match.game.pieces(self._base), match.pieces())
        teller = self._teller if self._teller is not None else self._teller_of([move])
        return teller.ending(move) is not None

    def restart(self) -> None:
        """Begin with the position on the table: the pieces were put there in one go."""
        self._begin_anew(self._match)
        self._follow(self._match)

    def go_on_with(self, changes: Iterable[Change]) -> None:
        """Count what was touched before as part of this decision."""
        self._restart(self._before, changes, self._echoes)

    def settle(self, *, is_on_board: bool) -> None:
        """Take what the match has for certain, because somebody said so.

        Args:
            is_on_board: whether the pieces stand like that already.
        """
        match = self._match
        if match is None:
            return
        last_ms = self._history.changes[-1].at_ms if self._history.changes else 0
        since, echoes = self._since_complete()
        last = match.provisional if self._made is not None else None
        self._begin_anew(match, since, echoes)
        if last is not None and is_on_board:
            at_ms = (since[0].at_ms if since else last_ms) - TOLD_MS
            self._base, self._was_believed = last.before, True
            before = frozenset(match.game.pieces(last.before))
            made = footprint(match.game.pieces(last.before), match.pieces())
            self._said = _Said(last.option.id if last.option is not None else "", made.changed)
            self._restart(before, [*_told(made, before, at_ms), *since], echoes)
        self._follow(match)

    def _shorten(self, *, is_home: bool) -> None:
        """Tell of no more than what was touched since the last move, if that is complete; of nothing if none is."""
        if self._match is not None and self._base is self._match.state and is_home:
            self._restart(self._before, (), self._echoes)
        elif self._match is not None and self._base is not self._match.state:
            self._begin_anew(self._match, *self._since_complete())
            self._follow(self._match)

    def testimony(self) -> Testimony:
        """Return what the switches said, for a time when all else is forgotten."""
        return Testimony(self._base, tuple(self._history.changes), self._echoes)

    def recall(self, testimony: Testimony) -> None:
        """Begin with what the switches said once about a match that is taken up again."""
        match = self._match
        last = match.provisional if match is not None else None
        if match is not None and last is not None and last.before is testimony.base:
            self._base, self._was_believed = last.before, True
            self._restart(frozenset(match.game.pieces(last.before)), testimony.changes, testimony.beside)
            if not self._tells(match):
                self._begin_anew(match)
        elif match is not None and testimony.base is self._base:
            self._restart(self._before, testimony.changes, testimony.beside)
        self._follow(match)

    def _begin_anew(
        self, match: Match | None, changes: Iterable[Change] = (), echoes: frozenset[Square] = frozenset()
    ) -> None:
        self._match, self._was_believed, self._earlier, self._said = match, False, None, None
        self._withdrawn = 0
        self._base = match.state if match is not None else None
        self._restart(frozenset(match.pieces()) if match is not None else frozenset(), changes, echoes)

    def _restart(self, before: frozenset[Square], changes: Iterable[Change], echoes: frozenset[Square]) -> None:
        self._before, self._echoes = before, echoes - before
        self._history.begin(changes)
        self._rethink()

    def _follow(self, match: Match | None) -> None:
        """Know the move that the search does not begin with, if there is one."""
        last = match.provisional if match is not None else None
        self._now = match.state if match is not None else None
        self._made = None
        if match is not None and last is not None and last.before is self._base:
            self._made = footprint(match.game.pieces(last.before), match.pieces())
        self._known, self._between = {}, {}

    def _since_reply(self, match: Match) -> tuple[Sequence[Change], frozenset[Square]]:
        """Return what was touched for the next player's move, and the switches that pieces beside them held before."""
        last = match.provisional
        if self._teller is None or self._made is None or last is None:
            return self._since_complete()
        reply = footprint(match.game.pieces(last.before), match.pieces())
        complete = self._teller.began_of_reply(self._made, reply)
        return self._since_complete() if complete is None else self._since(complete)

    def _since(self, complete: Completion) -> tuple[Sequence[Change], frozenset[Square]]:
        echoes = frozenset(each.square for each in complete.state.standing if not isinstance(each.what, Piece))
        return tuple(self._history.changes[complete.after :]), echoes

    def _since_complete(self) -> tuple[Sequence[Change], frozenset[Square]]:
        """Return what was touched since the last move was complete, and which switches were held from beside then."""
        move = self._made or footprint({}, {})
        teller = self._teller if self._teller is not None else self._teller_of([move])
        complete = teller.completed_last(move)
        if complete is None:
            return (), frozenset()
        return self._since(complete)

    @property
    def base(self) -> Any:  # noqa: ANN401 - each game has its own state
        """The state of the match with which the search begins."""
        return self._base

    def last_move_told(self) -> str | None:
        """Return the id of the last move where the search begins with the position before it, else None."""
        last = self._match.provisional if self._match is not None and self._made is not None else None
        return last.option.id if last is not None and last.option is not None else None

    # --- what the switches said -------------------------------------------------------------------------------------

    def note(self, change: Change) -> None:
        """Know of a change of a switch."""
        self._history.note(change)
        if self._teller is not None:
            self._teller.note(change)
        self._known = {}

    def void(self, squares: Collection[Square]) -> None:
        """Know that what some switches said is worth nothing."""
        self._history.void(squares)
        self._rethink()

    def trust(self, square: Square, *, closed: bool) -> None:
        """Know that a switch is worth listening to again, and what it says."""
        self._history.trust(square, closed=closed, was_closed=square in self._before)
        self._rethink()

    def silence(self, squares: frozenset[Square]) -> None:
        """Know which switches say nothing now."""
        if squares != self._silent:
            self._silent = squares
            self._rethink()

    def forget_at_home(self, occupied: frozenset[Square], ignored: frozenset[Square]) -> bool:
        """Forget what was touched where the board is as the search began, and no move was believed since.

        Returns whether anything was forgotten.
        """
        before = self._history.changes
        if self._history.changes and not (occupied ^ self._before) - ignored and not self._was_believed:
            self._restart(self._before, (), frozenset())
        if len(self._history.changes) > MOST_CHANGES:
            self._shorten(is_home=not (occupied ^ self._before) - ignored)
        return self._history.changes is not before

    def _rethink(self) -> None:
        self._teller, self._known, self._between = None, {}, {}

    # --- what may be told -------------------------------------------------------------------------------------------

    def has_history(self) -> bool:
        """Return whether anything was touched, or is held by a piece beside it."""
        return bool(self._history.changes or self._echoes)

    def standing(self, options: Sequence[Candidate]) -> Ending | None:
        """Return how the story ends with what the match has, `None` if nothing explains that."""
        key = (0, None)
        if key not in self._known:
            teller = self._told(options)
            self._known[key] = teller.ending(self._made or footprint({}, {}))
        return self._known[key]

    def ending(self, candidate: Candidate, options: Sequence[Candidate]) -> Ending | None:
        """Return how the cheapest story ends in which a candidate was done, `None` if there is none to be believed.

        Args:
            candidate: what may have been done.
            options: all that may have been done instead: for an answer to a rival, the other answers to that.
        """
        key = (id(candidate), candidate)
        if key not in self._known:
            self._known[key] = _believable(candidate, self._told_ending(candidate, options))
        return self._known[key]

    def _told_ending(self, candidate: Candidate, options: Sequence[Candidate]) -> Ending | None:
        teller = self._told(options)
        if self._made is None:
            return teller.ending(candidate.footprint)
        if self._is_denied(candidate):
            return None
        if candidate.instead is not None:
            return teller.ending(candidate.instead)
        first, reply = (candidate.first, candidate.reply) if candidate.first is not None else (None, None)
        move = first.instead if first is not None else self._made
        if move is None:
            return None
        return teller.ending_of_reply(move, reply or candidate.footprint, self._stage_after(first, options))

    def _is_denied(self, candidate: Candidate) -> bool:
        """Return whether a candidate needs a move that looks like the one that somebody said was made instead."""
        said, other = self._said, candidate.first or candidate
        if said is None or other.instead is None:
            return False
        return other.instead.changed == said.changed and other.id != said.id

    def _stage_after(self, first: Candidate | None, options: Sequence[Candidate]) -> Stage:
        """Return the position that the next player finds after the last move, or after another choice in its place."""
        key = first.id if first is not None else ""
        if key not in self._between:
            if first is not None:
                home, replies = first.occupied, [each.reply for each in options if each.reply is not None]
            else:
                move = self._made or footprint({}, {})
                home = (self._before - move.left) | move.filled
                replies = [each.footprint for each in options if not each.takes_back and not each.replies]
            self._between[key] = Stage(home, goals_of(replies), self._silent)
        return self._between[key]

    def _told(self, options: Sequence[Candidate]) -> Storyteller:
        if self._teller is None:
            moves = [
                option.footprint if self._made is None else option.instead
                for option in options
                if not option.replies and option.takes_back == (self._made is not None)
            ]
            self._teller = self._teller_of([move for move in [*moves, self._made] if move is not None])
        return self._teller

    def _teller_of(self, moves: Iterable[Footprint]) -> Storyteller:
        teller = Storyteller(Stage(self._before, goals_of(moves), self._silent), self._echoes)
        for change in self._history.changes:
            teller.note(change)
        return teller


def _believable(candidate: Candidate, ending: Ending | None) -> Ending | None:
    """Return an ending, unless it rests on a switch that changed though nobody did that."""
    if ending is None or not ending.unexplained:
        return ending
    move = candidate.instead or candidate.reply or candidate.footprint
    return None if ending.unexplained & (move.changed | ending.besides | ending.strays) else ending


def _told(made: Footprint, before: frozenset[Square], at_ms: int) -> list[Change]:
    """Return how a move is made with nothing beside it: what leaves its square is lifted, then all is set down."""
    lifted = [Change(at_ms - TOLD_MS, square, closed=False) for square in sorted(made.changed & before)]
    return [*lifted, *(Change(at_ms, square, closed=True) for square in sorted(made.filled))]
