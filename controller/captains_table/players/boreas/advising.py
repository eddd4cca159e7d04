"""Boreas as adviser in games like chess: the best move of a position, and how many pawns any other move costs."""

from captains_table.games.common.chesslike.match import AnyState, MoveStep
from captains_table.games.contract import Action, Pick
from captains_table.players.boreas.player import ADVISER, Boreas, search_of
from captains_table.players.boreas.search import BoreasLimits
from captains_table.players.common.advice import Advice, lead_in_words
from captains_table.players.common.opponents import Judgement, Means

MATED = 100  # pawns: only a mate has a larger value
DEPTH = 3  # plies
NODES = 200_000
PAWN = 100  # hundredths
MOST = 20.0  # pawns: the cost of a decision is capped here, so that a missed mate stays finite


def advise_on_move(state: AnyState, means: Means) -> Advice | None:
    """Return advice on the best move; `None` if the game is not waiting for a move."""
    if not isinstance(state.step, MoveStep):
        return None
    judged = Boreas(ADVISER, means).judge(state)
    pawns = judged.value / PAWN
    words = f"Move {state.position.label(state.position.moves[judged.move])}"
    return Advice(Pick(judged.move), words, _lead(pawns), pawns)


def _lead(pawns: float) -> str:
    """Return in words what a value means for the player to move."""
    return lead_in_words(pawns, "pawn") if abs(pawns) < MATED else "it mates" if pawns > 0 else "mate is not far"


def judge_move(state: AnyState, action: Action, means: Means) -> Judgement | None:
    """Return the cost of a move in pawns, at most MOST, and the best move.

    The result is `None` if the action is no legal move, or if the search did not reach the move within its limits.
    """
    if not isinstance(state.step, MoveStep) or not isinstance(action, Pick) or action.id not in state.position.moves:
        return None
    until = None if means.think_s is None else means.seconds() + means.think_s
    board, search = search_of(state, BoreasLimits(NODES, until), means.seconds)
    worth = {board.id_of(move): value for move, value in search.values(DEPTH)}
    if action.id not in worth:
        return None
    best = max(worth, key=worth.__getitem__)
    cost = min(MOST, (worth[best] - worth[action.id]) / PAWN)
    why = _lead(worth[best] / PAWN)
    return Judgement(cost, state.position.label(state.position.moves[best]), best, why)
