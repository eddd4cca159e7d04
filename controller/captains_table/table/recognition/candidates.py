"""The candidates of a decision: next moves, changes of the last move, and replies to such changes.

While the last move may still be changed, it may be taken back or replaced by another move. A further candidate takes
back a computer's answer together with the person's move before it. Each candidate has the footprint of its move.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from captains_table.games.contract import Decide, Game, Option, Pick, PickAsk, Square, Turn, offered_option
from captains_table.phrases import say
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step
from captains_table.table.recognition.footprint import Footprint, Placement, footprint

TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move that the players may have made on the board.

    Attributes:
        id: the id of the move's option in the game, or `take-back` for the position before a move that may still be
            changed.
        label: the label of the option.
        then: what the option brings, in words; may be empty.
        occupied: the squares occupied after the move.
        footprint: the footprint of the move from the match's current position.
        becomes: the piece on the one filled square after the move; `None` if not exactly one square is filled.
        instead: the footprint of the move from the position before the last move; `None` if the candidate does not
            replace that move.
        first: another move that may have been made instead of the last one, if this candidate is the next player's
            reply to it; otherwise `None`.
        reply: the footprint of the reply from the position after `first`; `None` without `first`.
    """

    id: str
    label: str
    occupied: frozenset[Square]
    footprint: Footprint
    becomes: str | None
    instead: Footprint | None = None
    first: "Candidate | None" = None
    reply: Footprint | None = None
    then: str = ""

    @property
    def takes_back(self) -> bool:
        """Whether this candidate replaces the last move."""
        return self.instead is not None

    @property
    def replies(self) -> bool:
        """Whether this candidate is the next player's reply to an alternative to the last move."""
        return self.first is not None

    @property
    def touched(self) -> frozenset[Square]:
        """The squares that the candidate's moves change: its own, and for a reply also those of the move before it."""
        earlier = frozenset[Square]() if self.first is None else self.first.touched
        moves = [move for move in (self.footprint, self.instead, self.reply) if move is not None]
        return earlier.union(*(move.changed for move in moves))

    def pieces(self, now: Placement) -> dict[Square, str]:
        """Return the pieces after the move, given those of the match's current position."""
        stay = {square: piece for square, piece in now.items() if square not in self.footprint.left}
        return stay | self.footprint.puts

    def extends(self, shorter: "Candidate") -> bool:
        """Return whether the move of `shorter` may be only an intermediate state of this candidate's move.

        Only candidates of the same kind can extend each other: a next move extends a next move, a replacement of the
        last move extends a replacement, and a reply extends a reply to the same alternative.
        """
        if self.first is not shorter.first:
            return False
        if self.reply is not None and shorter.reply is not None:
            return self.reply.extends(shorter.reply)
        if self.instead is None or shorter.instead is None:
            return self.takes_back == shorter.takes_back and self.footprint.extends(shorter.footprint)
        if TAKE_BACK in (self.id, shorter.id):
            return self.footprint.extends(shorter.footprint)
        return self.instead.extends(shorter.instead)


def candidates_of(match: Match) -> list[Candidate]:
    """Return all candidates: the next moves, the take-back of the last move, and the alternatives to the last move.

    The take-back and the alternatives are included only if the last move may still be changed. There are no next moves
    while a player who is not at the table decides (`absent_decides`). An alternative is left out if a next move has the
    same id and leaves the same squares occupied.
    """
    now = match.pieces()
    found = [] if match.absent_decides else options_of(match.game, match.state)
    last = match.provisional
    if last is None:
        return found
    before = match.game.pieces(last.before)
    known = {(candidate.id, candidate.occupied) for candidate in found}
    found.append(_candidate(Option(TAKE_BACK, say("Take the move back")), now, before, before=before))
    for option, after in _board_options(match.game, last.before):
        # After a swap, the opponent may have the same move as we had before: then it is the opponent's.
        if Pick(option.id) != last.acted.action and (option.id, frozenset(after)) not in known:
            found.append(_candidate(option, now, after, before=before))
    return found


def believed_candidate(match: Match) -> Candidate:
    """Return the last move of the match as a candidate.

    If no move may still be changed, return the candidate say("Nothing was played").
    """
    now, last = match.pieces(), match.provisional
    if last is None or last.option is None:
        return _candidate(Option(TAKE_BACK, say("Nothing was played")), now, now)
    return _candidate(last.option, now, now, before=match.game.pieces(last.before))


def answered_take_back(match: Match) -> Candidate | None:
    """Return the candidate that takes back a person's move and the computer's answer; `None` if that is not allowed."""
    step = match.answered_move
    if step is None:
        return None
    return _candidate(Option(TAKE_BACK, say("Take the move back")), match.pieces(), match.game.pieces(step.before))


def replies_to(match: Match, first: Candidate) -> list[Candidate]:
    """Return the moves that the next player may make if `first` was made instead of the last move.

    Empty if there is no last move that may still be changed, if `first` is the take-back, or if the player who must
    decide is not at the table. Also empty if no move can answer the last move now, because a draw was offered after it
    for example: a move would otherwise speak for `first`, where it is allowed.
    """
    last = match.provisional
    may_move = any(option.on_board for option in _picks(match.turn))
    if last is None or first.id == TAKE_BACK or match.absent_decides or not may_move:
        return []
    state = match.game.apply(last.before, Pick(first.id))
    between, now = match.game.pieces(state), match.pieces()
    return [
        replace(_candidate(option, now, after), first=first, reply=footprint(between, after))
        for option, after in _board_options(match.game, state)
    ]


def leads_to(match: Match, last: Step, story: Candidate, option: Option) -> bool:
    """Return whether an option may be picked if a candidate replaces the last move.

    If the candidate does not replace the last move, any option may be picked.

    Args:
        match: the match.
        last: the last move.
        story: the candidate.
        option: the option to be picked next.
    """
    if not story.takes_back:
        return True
    state = last.before if story.id == TAKE_BACK else match.game.apply(last.before, Pick(story.id))
    return offered_option(match.game.turn(state), option.id) is not None


def options_of(game: Game[Any], state: object) -> list[Candidate]:
    """Return the candidates for the moves on the board that a state of the game offers."""
    now = game.pieces(state)
    return [_candidate(option, now, after) for option, after in _board_options(game, state)]


def _board_options(game: Game[Any], state: object) -> Iterator[tuple[Option, Placement]]:
    for option in _picks(game.turn(state)):
        if option.on_board:
            yield option, game.pieces(game.apply(state, Pick(option.id)))


def _picks(turn: Turn) -> Sequence[Option]:
    return turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()


def _candidate(option: Option, now: Placement, after: Placement, *, before: Placement | None = None) -> Candidate:
    seen = footprint(now, after)
    return Candidate(
        id=option.id,
        label=option.label,
        occupied=frozenset(after),
        footprint=seen,
        becomes=after[next(iter(seen.filled))] if len(seen.filled) == 1 else None,
        instead=None if before is None else footprint(before, after),
        then=option.then,
    )
