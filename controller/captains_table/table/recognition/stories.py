"""The stories that the switches may tell: what each thing that may have been done costs.

A *story* gives each change of a switch a cause, and ends with the pieces of one move; or with those of the next
player's move after it. What people do not need for that end it pays for (`story_search`). Two stories *fit* when they
cost within `FITS_WITHIN` of the cheapest one.
"""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.roles import From, Piece, Roles
from captains_table.table.recognition.story_search import StorySearch
from captains_table.table.recognition.story_state import NOTHING_FOUND, Ending, Found, Held, Standing, State
from captains_table.table.recognition.switch_history import Change

FITS_WITHIN = 1.0

Goals = Mapping[Square, frozenset[Square]]


class Plot(NamedTuple):
    """What a story is about: a move from where the search begins, and perhaps the next player's move after it."""

    move: Footprint
    reply: Footprint | None = None


class Stage(NamedTuple):
    """The position a move is made from.

    Attributes:
        occupied: where pieces stand.
        may_go: where each of them may go by some move.
        silent: the squares whose switch says nothing.
    """

    occupied: frozenset[Square]
    may_go: Goals
    silent: frozenset[Square] = frozenset()

    def touched_enough(self, move: Footprint, touched: frozenset[Square]) -> bool:
        """Return whether a move may have been made, or begun, at all.

        Only the switch of a taken piece may have failed to open; of a move of several pieces some may stand already.
        """
        untouched = move.changed - touched - self.silent
        if move.changed and not move.changed & touched:
            return False
        if not untouched or (untouched <= move.filled & self.occupied and not untouched & move.carried):
            return True
        return any(not starts or starts & touched for put, starts in move.origins.items() if put in touched)


def goals_of(moves: Iterable[Footprint]) -> Goals:
    """Return where each piece may go by some of the moves."""
    goals: dict[Square, set[Square]] = {}
    for move in moves:
        for put, starts in move.origins.items():
            for start in starts or (move.left if not move.carried else ()):  # a pawn that another piece replaces
                goals.setdefault(start, set()).add(put)
    return {start: frozenset(puts) for start, puts in goals.items()}


class Completion(NamedTuple):
    """A moment at which a move was complete, so that the next player may have begun.

    Attributes:
        after: how many changes there were until then.
        state: the pieces as the next move finds them.
        cost: what the story had cost until then.
    """

    after: int
    state: State
    cost: float


class _Line:
    """One search that has followed the changes so far, and when its move was complete."""

    def __init__(self, search: StorySearch, since: int = 0) -> None:
        self._search = search
        self.followed = since
        self._passed = [] if since else [(0, search.states)]  # what was not looked at yet for a move that is complete
        self._completions: list[Completion] = []
        self._endings: list[Ending | None] = []

    def begin_also(self, completion: Completion) -> None:
        """Let the story begin where the move before it was complete as well."""
        self._search.begin_also(completion.state, completion.cost)
        self._endings.clear()

    def follow(self, changes: list[Change]) -> None:
        """Catch up with what the switches said."""
        for change in changes[self.followed :]:
            self.step(change)

    def step(self, change: Change) -> None:
        """Go on with one change."""
        self._search.follow(change)
        self.followed += 1
        self._passed.append((self.followed, self._search.states))
        self._endings.clear()

    @property
    def ending(self) -> Ending | None:
        """How the story ends at the least cost, `None` if it does not end with the move."""
        if not self._endings:
            self._endings.append(self._search.cheapest())
        return self._endings[0]

    def completions(self) -> list[Completion]:
        """Return the moments at which the move was complete."""
        for after, states in self._passed:
            ends = [(ending.cost, state) for state, ending in self._search.endings(states) if ending.is_complete]
            if ends:
                cost, state = min(ends, key=itemgetter(0))
                self._completions.append(Completion(after, _as_next_found(state, after, self._search.taken), cost))
        self._passed = []
        return self._completions


class Storyteller:
    """Tells what each plot costs by all that the switches said since the pieces stood as at first.

    Args:
        stage: the position the search begins with.
        found: what the stories find beside the pieces that stand on their squares.
    """

    def __init__(self, stage: Stage, found: Found = NOTHING_FOUND) -> None:
        self.stage = stage
        self._first = found.state()
        self.changes: list[Change] = []
        self._lines: dict[Plot, _Line] = {}

    def note(self, change: Change) -> None:
        """Know of a change of a switch, after those that are known."""
        self.changes.append(change)

    def touched(self, since: int = 0) -> frozenset[Square]:
        """Return the squares whose switch changed."""
        return frozenset(change.square for change in self.changes[since:])

    def ending(self, move: Footprint) -> Ending | None:
        """Return how a story ends with a move at the least cost, `None` if none does."""
        if not self.stage.touched_enough(move, self.touched()):
            return None
        return self._line(move).ending

    def completed_after(self, move: Footprint) -> int | None:
        """Return after how many changes a move was complete first, `None` if it never was."""
        completions = self._line(move).completions() if self.stage.touched_enough(move, self.touched()) else []
        return completions[0].after if completions else None

    def completed_last(self, move: Footprint) -> Completion | None:
        """Return when a move was complete last, `None` if it never was."""
        completions = self._line(move).completions() if self.stage.touched_enough(move, self.touched()) else []
        return completions[-1] if completions else None

    def began_of_reply(self, move: Footprint, reply: Footprint) -> Completion | None:
        """Return when a move was complete before the reply that was made to it, `None` if nothing tells of that."""
        line = self._lines.get(Plot(move, reply))
        if line is None or line.ending is None:
            return None
        return next((each for each in self._line(move).completions() if each.after == line.ending.began), None)

    def ending_of_reply(self, move: Footprint, reply: Footprint, stage: Stage) -> Ending | None:
        """Return how a story ends with a move and the next player's after it at the least cost.

        Args:
            move: the first move.
            reply: the next one.
            stage: the position between the two.
        """
        first = self.completed_after(move)
        if first is None or not stage.touched_enough(reply, self.touched(first)):
            return None
        plot = Plot(move, reply)
        if plot not in self._lines:
            search = StorySearch(Roles.of(reply, stage.occupied, stage.may_go), stage.occupied, stage.silent, {})
            self._lines[plot] = _Line(search, first)
        line, begun = self._lines[plot], {each.after: each for each in self._line(move).completions()}
        for change in self.changes[line.followed :]:
            if line.followed in begun:
                line.begin_also(begun[line.followed])
            line.step(change)
        return line.ending

    def _line(self, move: Footprint) -> _Line:
        plot = Plot(move)
        if plot not in self._lines:
            roles = Roles.of(move, self.stage.occupied, self.stage.may_go)
            self._lines[plot] = _Line(StorySearch(roles, self.stage.occupied, self.stage.silent, {self._first: 0.0}))
        line = self._lines[plot]
        line.follow(self.changes)
        return line


def _as_next_found(state: State, after: int, taken: frozenset[Square]) -> State:
    """Return the pieces as the next move finds them: what was taken lies beside the board or was left on it.

    What an earlier move took, and nobody has set down since, is put away for good.
    """
    standing, paid = set[Standing](), set[tuple[Piece | Square, str]]()
    for each in state.standing:
        if not isinstance(each.what, Piece):
            standing.add(each)
        elif each.what.whence is From.TAKEN or (each.what.whence is From.BOARD and each.what.square in taken):
            stray = Piece(each.what.square, From.TAKEN)
            standing.add(each._replace(what=stray))
            paid.add((stray, f"misplaced {each.square}"))
    hand = frozenset(
        Held(Piece(held.piece.square, From.TAKEN), held.square, held.since_ms)
        for held in state.hand
        if held.piece.whence is not From.TAKEN
    )
    return State(frozenset(standing), hand, frozenset(paid), began=after)
