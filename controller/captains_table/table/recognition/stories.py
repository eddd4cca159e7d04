"""The cost of each candidate, which is the cost of the cheapest story that ends with it.

A story gives each change of a switch a cause. It ends with the position after one move, or after that move and the next
player's reply. Every event that is not needed to reach that position adds to the cost (`story_search`). Stories that
cost at most `FITS_WITHIN` more than the cheapest one *fit*. The module also finds the moments at which a move was
complete, and rules out moves that contradict a person's claim.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.recognition.board_reports import PieceReadings, SwitchChange
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.story_search import StorySearch
from captains_table.table.recognition.story_state import (
    NOTHING_MADE,
    ClaimedMove,
    HeldPiece,
    Leftovers,
    Piece,
    PieceSource,
    Roles,
    SearchStart,
    StoryEnding,
    StoryState,
    TouchedSquare,
    claimed_changes,
)

FITS_WITHIN = 1.0
Goals = Mapping[Square, frozenset[Square]]


class MoveContext(NamedTuple):
    """The position from which a move is made.

    Attributes:
        occupied: the occupied squares.
        may_go: for each piece, all squares to which the piece may move.
        silent: the squares whose switch is ignored.
        readings: what the readings of the board mean.
    """

    occupied: frozenset[Square]
    may_go: Goals
    silent: frozenset[Square]
    readings: PieceReadings

    def touched_enough(self, move: Footprint, touched: frozenset[Square]) -> bool:
        """Return whether a move may have been made, or at least begun, given the touched squares.

        At least one square that the move changes must be touched, unless it changes none. In addition, one of these
        two conditions must hold:

        - All squares that the move changes are touched. Exceptions are squares whose switch is ignored, and squares of
          captured pieces, whose switch may have failed to open.
        - One piece has arrived: its target is touched, and so is a square from which it may come. For a piece from off
          the board, only the target counts.
        """
        untouched = move.changed - touched - self.silent
        if move.changed and not move.changed & touched:
            return False
        if not untouched or (untouched <= move.filled & self.occupied and not untouched & move.carried):
            return True
        return any(not starts or starts & touched for put, starts in move.origins.items() if put in touched)

    def search(self, move: Footprint, states: Mapping[StoryState, float]) -> StorySearch:
        """Return a search for the cheapest story that ends with a move from this position.

        Args:
            move: the move.
            states: the states with which the search begins, each with its cost.
        """
        roles = Roles.of(move, self.occupied, self.may_go)
        return StorySearch(roles, self.occupied, self.silent, states, self.readings)


def goals_of(moves: Iterable[Footprint]) -> Goals:
    """Return, for each square with a piece, the squares to which any of the moves may take that piece."""
    goals: dict[Square, set[Square]] = {}
    for move in moves:
        for put, starts in move.origins.items():
            for start in starts or (move.left if not move.carried else ()):  # a pawn that another piece replaces
                goals.setdefault(start, set()).add(put)
    return {start: frozenset(puts) for start, puts in goals.items()}


class Completion(NamedTuple):
    """A moment at which a move was complete, so that the next player may have begun to move.

    Attributes:
        after: the number of changes before that moment.
        state: the state with which the next move begins.
        cost: the cost of the story up to that moment.
    """

    after: int
    state: StoryState
    cost: float


class _Line:
    """The search for the cheapest story that ends with one move.

    The search is extended change by change, and records the moments when the move was complete.
    """

    def __init__(self, search: StorySearch, since: int = 0) -> None:
        self._search = search
        self.followed = since
        self._passed = [] if since else [(0, search.states)]  # not yet searched for completions
        self._completions: list[Completion] = []
        self._endings: list[StoryEnding | None] = []

    def begin_also(self, completion: Completion) -> None:
        """Let the search also begin at the moment `completion`, when the previous move was complete."""
        self._search.begin_also(completion.state, completion.cost)
        self._endings.clear()

    def step(self, change: SwitchChange) -> None:
        """Extend the search by one switch change."""
        self._search.follow(change)
        self.followed += 1
        self._passed.append((self.followed, self._search.states))
        self._endings.clear()

    @property
    def ending(self) -> StoryEnding | None:
        """The cheapest ending of a story (explanation of the switch changes) with the move; `None` if there is none."""
        if not self._endings:
            self._endings.append(self._search.cheapest())
        return self._endings[0]

    def completions(self) -> list[Completion]:
        """Return the moments at which the move was complete."""
        for after, states in self._passed:
            ends = [(ending.cost, state) for state, ending in self._search.endings(states) if ending.is_complete]
            if ends:
                cost, state = min(ends, key=itemgetter(0))
                self._completions.append(
                    Completion(after, _state_for_next_move(state, after, self._search.taken), cost)
                )
        self._passed = []
        return self._completions


class StorySearches:
    """Finds the cheapest story (explanation of switch changes) for each move, and for each move with a reply.

    There is one search for each move and one for each pair of move and reply. A search is extended when changes were
    appended.

    Args:
        stage: the position with which the search begins.
        found: what earlier moves left behind, such as captured pieces that still stand on the board.
        changes: the settled changes since that position; the caller appends new ones.
    """

    def __init__(self, stage: MoveContext, found: Leftovers, changes: Sequence[SwitchChange]) -> None:
        self._stage = stage
        self._first = found.state()
        self._changes = changes
        self._lines: dict[tuple[Footprint, Footprint | None], _Line] = {}  # by the move and the next player's reply

    def _touched(self, since: int = 0) -> frozenset[Square]:
        return frozenset(change.square for change in self._changes[since:])

    def ending(self, move: Footprint) -> StoryEnding | None:
        """Return the ending of the cheapest story in which a move was made.

        `None` if too few of the move's squares were touched, or if no story ends with the move.
        """
        if not self._stage.touched_enough(move, self._touched()):
            return None
        return self._line(move).ending

    def completions(self, move: Footprint) -> list[Completion]:
        """Return the moments at which a move was complete."""
        return self._line(move).completions() if self._stage.touched_enough(move, self._touched()) else []

    def completion_before_reply(self, move: Footprint, reply: Footprint) -> Completion | None:
        """Return when a move was complete and the reply began, according to the cheapest story with both moves.

        A story is a hypothesis of what hands did on the board. The result is `None` if no story has both moves.
        """
        line = self._lines.get((move, reply))
        if line is None or line.ending is None:
            return None
        return next((each for each in self.completions(move) if each.after == line.ending.began), None)

    def ending_of_reply(self, move: Footprint, reply: Footprint, stage: MoveContext) -> StoryEnding | None:
        """Return the ending of the cheapest story with a move and the next player's reply; `None` if no story has both.

        A story is a hypothesis of what hands did on the board.

        Args:
            move: the first move.
            reply: the reply.
            stage: the position between the move and the reply.
        """
        completions = self.completions(move)
        if not completions or not stage.touched_enough(reply, self._touched(completions[0].after)):
            return None
        plot = move, reply
        if plot not in self._lines:
            search = stage.search(reply, {})
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
            self._lines[plot] = _Line(stage.search(move, {self._first: 0.0}))
        line = self._lines[plot]
        for change in self._changes[line.followed :]:
            line.step(change)
        return line


def _state_for_next_move(state: StoryState, after: int, taken: frozenset[Square]) -> StoryState:
    """Return the state with which the next move begins.

    The state keeps echoes (switches that the magnet of a neighbouring piece holds closed) and the captured pieces that
    still stand on squares. A piece in a hand is kept if this move captured the piece. If an earlier move captured the
    piece, it counts as put away, and is dropped.

    Args:
        state: the state in which the move was complete.
        after: how many switch changes came before the next move.
        taken: the original squares of the pieces that the move captured.
    """
    standing, paid = set[TouchedSquare](), set[tuple[Piece | Square, str]]()
    for each in state.standing:
        if not isinstance(each.what, Piece):
            standing.add(each)
        elif each.what.source is PieceSource.TAKEN or (
            each.what.source is PieceSource.BOARD and each.what.square in taken
        ):
            stray = Piece(each.what.square, PieceSource.TAKEN)
            standing.add(each._replace(what=stray))
            paid.add((stray, f"misplaced {each.square}"))
    hand = frozenset(
        HeldPiece(Piece(held.piece.square, PieceSource.TAKEN), held.square, held.since_ms)
        for held in state.hand
        if held.piece.source is not PieceSource.TAKEN
    )
    return StoryState(frozenset(standing), hand, frozenset(paid), began=after)


class StoryCosts:
    """The cost of each candidate, given the changes since the search began.

    Args:
        begun: the state of match and board with which the search begins.
        silent: the squares whose switch is ignored.
        changes: the settled changes since the search began; the caller appends new ones.
        readings: what the readings of the board mean.
    """

    def __init__(
        self,
        begun: SearchStart,
        silent: frozenset[Square],
        changes: Sequence[SwitchChange],
        readings: PieceReadings,
    ) -> None:
        self._begun = begun
        self._silent = silent
        self._readings = readings
        self._changes = changes
        self._made: Footprint | None = None
        self._searches: StorySearches | None = None
        self._between: dict[str, MoveContext] = {}
        self._known: dict[int, tuple[Candidate | None, StoryEnding | None]] = {}

    def follow(self, made: Footprint | None) -> None:
        """Set the footprint of the last move (the squares that the move changed), and drop the cached costs.

        The footprint is `None` if the search begins with the position after the last move.
        """
        self._made = made
        self._known, self._between = {}, {}

    def go_on(self) -> None:
        """Drop the cached costs because a change was appended."""
        self._known = {}

    # --- completions of the last move ---------------------------------------------------------------------------------

    def explains(self, move: Footprint) -> bool:
        """Return whether any story ends with this move."""
        return self._searches_for(move).ending(move) is not None

    def last_completion(self) -> Completion | None:
        """Return the latest moment at which the last move was complete; `None` if it was never complete."""
        move = self._made or NOTHING_MADE
        completions = self._searches_for(move).completions(move)
        return completions[-1] if completions else None

    def completion_before_reply(self, reply: Footprint) -> Completion | None:
        """Return the moment between the last move and a reply; `None` if the switch changes do not fit the reply."""
        if self._searches is None or self._made is None:
            return None
        return self._searches.completion_before_reply(self._made, reply)

    def _searches_for(self, move: Footprint) -> StorySearches:
        return self._searches if self._searches is not None else self._new_searches([move])

    # --- endings ------------------------------------------------------------------------------------------------------

    def standing(self, options: Sequence[Candidate]) -> StoryEnding | None:
        """Return the cheapest ending of a story in which no move was made after the match's last move.

        The result is `None` if there is no story of this kind.
        """
        if 0 not in self._known:
            self._known[0] = None, self._all_searches(options).ending(self._made or NOTHING_MADE)
        return self._known[0][1]

    def ending(self, candidate: Candidate, options: Sequence[Candidate]) -> StoryEnding | None:
        """Return the ending of the cheapest story that ends with a candidate; `None` if no believable story does.

        Args:
            candidate: the move or reply with which the story ends.
            options: all candidates of the decision. If `candidate` is a reply to a move that replaces the match's last
                move, `options` are all replies to the replacing move.
        """
        key = id(candidate)
        if key not in self._known:  # the stored candidate stays alive, so its id is not reused
            self._known[key] = candidate, _believable(candidate, self._any_ending(candidate, options))
        return self._known[key][1]

    def _any_ending(self, candidate: Candidate, options: Sequence[Candidate]) -> StoryEnding | None:
        searches = self._all_searches(options)
        if self._made is None:
            return searches.ending(candidate.footprint)
        if self._is_denied(candidate):
            return None
        if candidate.instead is not None:
            return searches.ending(candidate.instead)
        first, reply = (candidate.first, candidate.reply) if candidate.first is not None else (None, None)
        move = first.instead if first is not None else self._made
        if move is None:
            return None
        return searches.ending_of_reply(move, reply or candidate.footprint, self._stage_after(first, options))

    def _is_denied(self, candidate: Candidate) -> bool:
        """Return whether a candidate is ruled out because a person claimed that another move was made.

        Only alternatives to the last move, and replies to these alternatives, can be ruled out. An alternative is ruled
        out if it changes the same squares as the claimed move. Until a square of the claimed move is touched again, the
        claim also rules out every alternative if all switches of the claimed move work. If some do not work, the claim
        rules out the alternatives that the working switches cannot tell from the claimed move.
        """
        claimed, other = self._begun.claimed, candidate.first or candidate
        if claimed is None or other.instead is None or other.id == claimed.id:
            return False
        changed = other.instead.changed
        is_blind = not changed.isdisjoint(self._silent) and changed - self._silent <= claimed.made.changed
        stands = claimed.made.changed.isdisjoint(self._silent)
        return changed == claimed.made.changed or ((is_blind or stands) and not self._is_touched_since(claimed))

    def _is_touched_since(self, claimed: ClaimedMove) -> bool:
        """Return whether a square of the claimed move was touched after the claim."""
        count = len(claimed_changes(claimed.made, self._begun.before, 0))
        return any(change.square in claimed.made.changed for change in self._changes[count:])

    def _stage_after(self, first: Candidate | None, options: Sequence[Candidate]) -> MoveContext:
        """Return the position in which the next move is made, with the moves that `options` allow there.

        The position is the one after the move `first`; if `first` is `None`, it is the one after the last move.
        """
        key = first.id if first is not None else ""
        if key not in self._between:
            if first is not None:
                home, replies = first.occupied, [each.reply for each in options if each.reply is not None]
            else:
                move = self._made or NOTHING_MADE
                home = (self._begun.before - move.left) | move.filled
                replies = [each.footprint for each in options if not each.takes_back and not each.replies]
            self._between[key] = MoveContext(home, goals_of(replies), self._silent, self._readings)
        return self._between[key]

    def _all_searches(self, options: Sequence[Candidate]) -> StorySearches:
        if self._searches is None:
            moves = [
                option.footprint if self._made is None else option.instead
                for option in options
                if not option.replies and option.takes_back == (self._made is not None)
            ]
            self._searches = self._new_searches([move for move in [*moves, self._made] if move is not None])
        return self._searches

    def _new_searches(self, moves: Iterable[Footprint]) -> StorySearches:
        return StorySearches(
            MoveContext(self._begun.before, goals_of(moves), self._silent, self._readings),
            self._begun.found,
            self._changes,
        )


def _believable(candidate: Candidate, ending: StoryEnding | None) -> StoryEnding | None:
    """Return the ending if it is believable, else `None`.

    An ending is not believable if it relies on a switch change that no hand caused.
    """
    move = candidate.instead or candidate.reply or candidate.footprint
    return None if ending is None or ending.rests_on_noise(move.changed) else ending
