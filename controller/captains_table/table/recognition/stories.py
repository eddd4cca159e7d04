"""The stories that the switches may tell: what each thing that may have been done costs.

A *story* gives each change of a switch a cause, and ends with the pieces of one move; or with those of the next
player's move after it. What people do not need for that end it pays for (`story_search`). Two stories *fit* when they
cost within `FITS_WITHIN` of the cheapest one.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.story_search import StorySearch
from captains_table.table.recognition.story_state import (
    NOTHING_MADE,
    Beginning,
    Ending,
    Found,
    From,
    Held,
    Piece,
    Roles,
    Said,
    Standing,
    State,
    as_told,
)
from captains_table.table.recognition.switch_history import Change

FITS_WITHIN = 1.0
Goals = Mapping[Square, frozenset[Square]]


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
        changes: what the switches said since; further changes are appended to it.
    """

    def __init__(self, stage: Stage, found: Found, changes: Sequence[Change]) -> None:
        self._stage = stage
        self._first = found.state()
        self._changes = changes
        self._lines: dict[tuple[Footprint, Footprint | None], _Line] = {}  # a move, and the next player's after it

    def _touched(self, since: int = 0) -> frozenset[Square]:
        """Return the squares whose switch changed."""
        return frozenset(change.square for change in self._changes[since:])

    def ending(self, move: Footprint) -> Ending | None:
        """Return how a story ends with a move at the least cost, `None` if none does."""
        if not self._stage.touched_enough(move, self._touched()):
            return None
        return self._line(move).ending

    def completions(self, move: Footprint) -> list[Completion]:
        """Return the moments at which a move was complete."""
        return self._line(move).completions() if self._stage.touched_enough(move, self._touched()) else []

    def began_of_reply(self, move: Footprint, reply: Footprint) -> Completion | None:
        """Return when a move was complete before the reply that was made to it, `None` if nothing tells of that."""
        line = self._lines.get((move, reply))
        if line is None or line.ending is None:
            return None
        return next((each for each in self.completions(move) if each.after == line.ending.began), None)

    def ending_of_reply(self, move: Footprint, reply: Footprint, stage: Stage) -> Ending | None:
        """Return how a story ends with a move and the next player's after it at the least cost.

        Args:
            move: the first move.
            reply: the next one.
            stage: the position between the two.
        """
        completions = self.completions(move)
        if not completions or not stage.touched_enough(reply, self._touched(completions[0].after)):
            return None
        plot = move, reply
        if plot not in self._lines:
            search = StorySearch(Roles.of(reply, stage.occupied, stage.may_go), stage.occupied, stage.silent, {})
            self._lines[plot] = _Line(search, completions[0].after)
        line, begun = self._lines[plot], {each.after: each for each in completions}
        for change in self._changes[line.followed :]:
            if line.followed in begun:
                line.begin_also(begun[line.followed])
            line.step(change)
        return line.ending

    def _line(self, move: Footprint) -> _Line:
        plot, stage = (move, None), self._stage
        if plot not in self._lines:
            roles = Roles.of(move, stage.occupied, stage.may_go)
            self._lines[plot] = _Line(StorySearch(roles, stage.occupied, stage.silent, {self._first: 0.0}))
        line = self._lines[plot]
        for change in self._changes[line.followed :]:
            line.step(change)
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


class StoryCosts:
    """The costs by one history from one beginning.

    Args:
        begun: where the search begins.
        silent: the squares whose switch says nothing.
        changes: what settled since; further changes are appended to it.
    """

    def __init__(self, begun: Beginning, silent: frozenset[Square], changes: Sequence[Change]) -> None:
        self._begun = begun
        self._silent = silent
        self._changes = changes
        self._made: Footprint | None = None
        self._teller: Storyteller | None = None
        self._between: dict[str, Stage] = {}
        self._known: dict[int, tuple[Candidate | None, Ending | None]] = {}

    def follow(self, made: Footprint | None) -> None:
        """Know the last move that the search does not begin with, if there is one."""
        self._made = made
        self._known, self._between = {}, {}

    def go_on(self) -> None:
        """Know that a further change was appended."""
        self._known = {}

    # --- when the last move was complete ----------------------------------------------------------------------------

    def tells(self, move: Footprint) -> bool:
        """Return whether a story ends with a move."""
        return self._teller_for(move).ending(move) is not None

    def completed_last(self) -> Completion | None:
        """Return when the last move was complete last, `None` if it never was."""
        move = self._made or NOTHING_MADE
        completions = self._teller_for(move).completions(move)
        return completions[-1] if completions else None

    def began_of_reply(self, reply: Footprint) -> Completion | None:
        """Return when the last move was complete before the next player's that was made, `None` if nothing tells."""
        if self._teller is None or self._made is None:
            return None
        return self._teller.began_of_reply(self._made, reply)

    def _teller_for(self, move: Footprint) -> Storyteller:
        return self._teller if self._teller is not None else self._teller_of([move])

    # --- what may be told -------------------------------------------------------------------------------------------

    def standing(self, options: Sequence[Candidate]) -> Ending | None:
        """Return how the story ends with what the match has, `None` if nothing explains that."""
        if 0 not in self._known:
            self._known[0] = None, self._told(options).ending(self._made or NOTHING_MADE)
        return self._known[0][1]

    def ending(self, candidate: Candidate, options: Sequence[Candidate]) -> Ending | None:
        """Return how the cheapest story ends in which a candidate was done, `None` if there is none to be believed.

        Args:
            candidate: what may have been done.
            options: all that may have been done instead: for an answer to a rival, the other answers to that.
        """
        key = id(candidate)
        if key not in self._known:  # the candidate is kept beside it, so that no other one can have its id
            self._known[key] = candidate, _believable(candidate, self._told_ending(candidate, options))
        return self._known[key][1]

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
        """Return whether a candidate needs another move than the one that somebody said was made, and cannot have it.

        It cannot until the one said is touched again, if all its switches speak; nor if it looks like that one, as it
        does where the switches that speak cannot tell them apart until then.
        """
        said, other = self._begun.said, candidate.first or candidate
        if said is None or other.instead is None or other.id == said.id:
            return False
        changed = other.instead.changed
        is_blind = not changed.isdisjoint(self._silent) and changed - self._silent <= said.made.changed
        stands = said.made.changed.isdisjoint(self._silent)
        return changed == said.made.changed or ((is_blind or stands) and not self._is_touched_since(said))

    def _is_touched_since(self, said: Said) -> bool:
        """Return whether a square of the move that somebody said was made was touched after that."""
        told = len(as_told(said.made, self._begun.before, 0))
        return any(change.square in said.made.changed for change in self._changes[told:])

    def _stage_after(self, first: Candidate | None, options: Sequence[Candidate]) -> Stage:
        """Return the position that the next player finds after the last move, or after another choice in its place."""
        key = first.id if first is not None else ""
        if key not in self._between:
            if first is not None:
                home, replies = first.occupied, [each.reply for each in options if each.reply is not None]
            else:
                move = self._made or NOTHING_MADE
                home = (self._begun.before - move.left) | move.filled
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
        return Storyteller(Stage(self._begun.before, goals_of(moves), self._silent), self._begun.found, self._changes)


def _believable(candidate: Candidate, ending: Ending | None) -> Ending | None:
    """Return an ending, unless it rests on a switch that changed though nobody did that."""
    move = candidate.instead or candidate.reply or candidate.footprint
    return None if ending is None or ending.rests_on_noise(move.changed) else ending
