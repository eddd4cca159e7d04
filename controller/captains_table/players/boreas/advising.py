"""Advice and reviews of moves in games like chess, by Boreas's search or by any engine that evaluates positions.

A move's cost is the difference between what the position was worth before it and after it, each found by a search of
its own. A search of our own is coarse, so a cost below LEAST_COST counts as none. An engine whose values are calibrated
also tells by how much the chance to win fell.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace
from math import exp
from typing import Final

from captains_table.games.common.chesslike.match import AnyState, ending
from captains_table.games.common.chesslike.steps import MoveStep
from captains_table.games.contract import Action, Pick
from captains_table.phrases import say
from captains_table.players.boreas.opponents import JudgedMove
from captains_table.players.boreas.player import ADVISER, Boreas, search_of
from captains_table.players.boreas.search import LOST, SURE, BoreasLimits
from captains_table.players.common.advice import Advice, lead_in_words
from captains_table.players.common.opponents import DecisionJudge, Judgement, Means

MATED: Final = 100  # pawns: only a mate has a larger value
PAWN: Final = 100  # hundredths
DECIDED: Final = 10 * PAWN  # a match is decided, so that larger values make no difference
LEAST_COST: Final = 0.5  # pawns
MISSED_MATE: Final = 1.0  # pawns: the least cost of not mating at once, even if the match stays won
MATE_IN_ONE: Final = -LOST - 1
LINE_MOVES: Final = 6
KEPT: Final = 4  # evaluations: the position after a move is the one before the next
CHANCE_OF_PAWN: Final = 0.004  # how steeply the chance to win rises with each hundredth of a pawn, in logits

Evaluator = Callable[[AnyState, Means], JudgedMove]


def advise_on_move(state: AnyState, means: Means) -> Advice | None:
    """Return advice on the best move; `None` if the game is not waiting for a move."""
    if not isinstance(state.step, MoveStep):
        return None
    judged = Boreas(ADVISER, means).judge(state)
    pawns = judged.value / PAWN
    words = say("Move {move}", state.position.label(state.position.moves[judged.move]))
    return Advice(Pick(judged.move), words, _lead(pawns), pawns)


def _lead(pawns: float) -> str:
    """Return in words what a value means for the player to move."""
    if abs(pawns) < MATED:
        return lead_in_words(pawns, in_pawns=True)
    return say("it mates") if pawns > 0 else say("mate is not far")


def evaluate_by_search(state: AnyState, means: Means) -> JudgedMove:
    """Return what Boreas finds within the limits of its strongest level, as deep as it looks when it plays."""
    until = None if means.think_s is None else means.seconds() + means.think_s
    _, search = search_of(state, BoreasLimits(ADVISER.nodes, until), means.seconds)
    found = search.best()
    line = tuple(search.line_of(found.move, LINE_MOVES))
    return JudgedMove(line[0] if line else "", found.value, line)


def evaluation_of(state: AnyState, judged: JudgedMove) -> JudgedMove:
    """Return what an engine said of a position; its line ends before the first move that is not legal."""
    ids = list[str]()
    for id_ in judged.line[:LINE_MOVES]:
        if ending(state) is not None or id_ not in state.position.moves:
            break
        ids.append(id_)
        state = state.moved(id_)
    return replace(judged, line=tuple(ids))


def win_chance(value: int) -> float:
    """Return of 100 how likely the side to move wins at a calibrated value in hundredths of a pawn."""
    return 100 / (1 + exp(-CHANCE_OF_PAWN * max(-SURE, min(SURE, value))))


def move_judge(evaluate: Evaluator, *, is_calibrated: bool) -> DecisionJudge:
    """Return a judge of one match's moves; it evaluates each position once.

    Args:
        evaluate: returns what a position is worth.
        is_calibrated: whether the values follow the chance to win, so that this chance is told.
    """
    known: dict[Hashable, JudgedMove] = {}

    def worth(state: AnyState, means: Means) -> JudgedMove:
        key = state.position, state.times_seen
        if key not in known:
            if len(known) == KEPT:
                del known[next(iter(known))]
            known[key] = _of_end(state) or evaluate(state, means)
        return known[key]

    def judge(state: AnyState, action: Action, means: Means) -> Judgement | None:
        position = state.position
        is_move = isinstance(state.step, MoveStep) and isinstance(action, Pick) and action.id in position.moves
        if not is_move or not isinstance(action, Pick):
            return None
        best = worth(state, means)
        if not best.line:
            return None
        chosen = best.value if action.id == best.line[0] else -worth(state.moved(action.id), means).value
        return _judgement(state, best, chosen, is_calibrated=is_calibrated)

    return judge


def _of_end(state: AnyState) -> JudgedMove | None:
    """Return the value of a position in which the match is over; `None` while it goes on."""
    end = ending(state)
    if end is None:
        return None
    winner = end.result.winner
    return JudgedMove("", 0 if winner is None else -LOST if winner == state.to_move else LOST)


def _judgement(state: AnyState, best: JudgedMove, chosen: int, *, is_calibrated: bool) -> Judgement:
    """Return the cost of a move.

    Args:
        state: the state before the move.
        best: what the position is worth, with the best line.
        chosen: what the move that was made is worth for its player, in hundredths of a pawn.
        is_calibrated: whether the chance to win is told.
    """
    position, move = state.position, best.line[0]
    cost = max(0, _undecided(best.value) - _undecided(chosen)) / PAWN
    chance = win_chance(best.value) if is_calibrated else None
    lost = None if chance is None else max(0.0, chance - win_chance(chosen))
    label, worth = position.label(position.moves[move]), best.value / PAWN
    if best.value >= MATE_IN_ONE > chosen:
        cost = max(cost, MISSED_MATE)
    told = cost if cost >= LEAST_COST else 0.0
    return Judgement(told, label, move, _lead(worth), worth, best.line, chance, lost)


def _undecided(value: int) -> int:
    return max(-DECIDED, min(DECIDED, value))
