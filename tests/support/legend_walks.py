"""Random walks through a round of Legend, and what a second pair of eyes sees in its positions.

Source: docs/rules/legend.md.
"""

import random
from collections.abc import Iterator

import chess

from captains_table.games.contract import Action, Over, Pick, Square
from captains_table.games.legend.state import State
from captains_table.games.legend.steps import LegendMain
from tests.support.legend_harness import GAME, pieces, start
from tests.support.random_matches import taken
from tests.support.random_play import random_action

Board = dict[Square, str]
OPEN_START = "r3k2r/pp4pp/8/8/8/8/PP4PP/R3K2R w KQkq - 0 1"
TRIES = 20
CASTLINGS = {"e1g1", "e1c1", "e8g8", "e8c8"}
ROOK_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
RIDERS = {"r": ROOK_STEPS, "b": BISHOP_STEPS, "q": ROOK_STEPS + BISHOP_STEPS}


def walk(fen: str | None, seed: int, steps: int) -> Iterator[tuple[State, Action, State, frozenset[str]]]:
    """Yield the steps of one round, and the squares touched before each; kings stay alive."""
    rng = random.Random(seed)
    state = start(fen, rounds="1")
    touched: frozenset[str] = frozenset()
    for _ in range(steps):
        turn = GAME.turn(state)
        choices = (random_action(turn, rng) for _ in range(TRIES))
        action = next((choice for choice in choices if not ends_the_round(state, choice)), None)
        if action is None:
            return
        after = GAME.apply(state, action)
        yield state, action, after, touched
        touched |= changed(pieces(state), pieces(after))
        state = after


def bargains(seed: int, steps: int) -> Iterator[tuple[State, Action, State]]:
    """Yield the steps of a round of two who take what they can and would rather buy, barter and ask than move."""
    rng = random.Random(seed)
    state = start(rounds="1", barter="piece")
    for _ in range(steps):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return
        tries = [random_action(turn, rng) for _ in range(TRIES)]
        choices = [choice for choice in tries if not ends_the_round(state, choice)] or tries
        action = next((choice for choice in choices if _is_bargain(state, choice)), choices[0])
        after = GAME.apply(state, action)
        yield state, action, after
        state = after


def _is_bargain(state: State, action: Action) -> bool:
    id_ = action.id if isinstance(action, Pick) else ""
    return id_.startswith(("buy-back", "ask-price", "offer-piece-")) or taken(pieces(state), id_) is not None


def ends_the_round(state: State, action: Action) -> bool:
    id_ = action.id if isinstance(action, Pick) else ""
    return id_ == "abandon" or taken(pieces(state), id_) in ("k", "K")


def changed(before: Board, after: Board) -> frozenset[str]:
    """Return the squares whose piece changed."""
    return frozenset(str(square) for square in before.keys() | after.keys() if before.get(square) != after.get(square))


def may_move(state: State) -> bool:
    """Return whether the die has fallen, the move is still to be made, and the main choice is open."""
    return isinstance(state.turn.step, LegendMain) and state.turn.die is not None and not state.turn.moved


def plain_moves(state: State) -> set[str]:
    """Return chess's pseudo-legal moves but castling, of pieces the die covers."""
    board = chess.Board(str(GAME.details(state)["fen"]))
    covered = "pnbrkq"[: GAME.dice(state)[5].face or 0]
    moves = [move for move in board.pseudo_legal_moves if not board.is_castling(move)]
    return {move.uci() for move in moves if str(board.piece_at(move.from_square)).lower() in covered}


def castlings(state: State, touched: frozenset[str]) -> set[str]:
    """Return the castlings L11 allows, from the squares that were touched this round."""
    board = {str(square): letter for square, letter in pieces(state).items()}
    white = str(GAME.details(state)["fen"]).split()[1] == "w"
    rank, king, rook = ("1", "K", "R") if white else ("8", "k", "r")
    found: set[str] = set()
    if (GAME.dice(state)[5].face or 0) < 5:
        return found
    for corner, to, between in (("a", "c", "bcd"), ("h", "g", "fg")):
        home = {"e" + rank: king, corner + rank: rook}
        unmoved = all(board.get(name) == letter and name not in touched for name, letter in home.items())
        if unmoved and not any(file + rank in board for file in between):
            found.add(f"e{rank}{to}{rank}")
    return found


def attackers(board: Board, *, of_white: bool) -> set[Square]:
    """Return the squares from which a king is attacked, walking every line by hand."""
    king = next((square for square, letter in board.items() if letter == ("K" if of_white else "k")), None)
    if king is None:
        return set()
    foes = {square: letter.lower() for square, letter in board.items() if letter.isupper() != of_white}
    found = set()
    for square, kind in foes.items():
        step = (king.file - square.file, king.rank - square.rank)
        reach = max(abs(step[0]), abs(step[1]))
        if kind == "n":
            hits = step in KNIGHT_STEPS
        elif kind == "k":
            hits = reach == 1
        elif kind == "p":
            hits = step in ((1, -1), (-1, -1)) if of_white else step in ((1, 1), (-1, 1))
        else:
            unit = (step[0] // reach, step[1] // reach)
            straight = unit in RIDERS[kind] and (unit[0] * reach, unit[1] * reach) == step
            way = [Square(square.file + unit[0] * far, square.rank + unit[1] * far) for far in range(1, reach)]
            hits = straight and not any(each in board for each in way)
        if hits:
            found.add(square)
    return found
