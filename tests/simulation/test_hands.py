"""Hands: whatever they do on the way, the pieces end where they should, and the switches say so."""

import itertools
import random

import chess
import pytest

from captains_table.games.contract import Shape, Square, parse_square
from captains_table.games.legend.position import LegendPosition
from captains_table.simulation.noisy_switches import slide_path
from captains_table.simulation.simulated_scanner import SimulatedScanner
from tests.support.effort import effort
from tests.support.faulty_reeds import FaultyReeds
from tests.support.gestures import HandsAtBoard, PieceMove, Pieces, PlayedGesture, moves_between
from tests.support.noise_mix import BOUNCE_AND_SLIDES, KINDS, MIXES, QUIET, REALISTIC, NoiseMix

BOARD = Shape(8, 8)
SHARP = "r3k2r/pPp2p1p/8/3Pp3/3pP3/8/PpP2P1P/R3K2R w KQkq e6 0 1"
MOVES = ["e1g1", "e1c1", "b7a8q", "b7b8n", "d5e6", "a2a4", "h1g1", "c2c3", "e1d2"]
ALL_BUT_BROKEN = NoiseMix(**{name: 0.3 for name in KINDS if not name.startswith("stuck")})


def positions(move: str) -> tuple[Pieces, Pieces]:
    position = LegendPosition.from_fen(SHARP)
    return position.pieces(), position.play(chess.Move.from_uci(move)).pieces()


def perform(before: Pieces, after: Pieces, mix: NoiseMix, seed: int) -> tuple[PlayedGesture, FaultyReeds]:
    rng = random.Random(seed)
    reeds = FaultyReeds(before, mix, rng, BOARD)
    scanner = SimulatedScanner(closed=reeds.closed)
    return HandsAtBoard(reeds, scanner, BOARD, rng).perform(before, after, mix, 1000), reeds


def performed(move: str, mix: NoiseMix, seed: int) -> tuple[PlayedGesture, FaultyReeds]:
    return perform(*positions(move), mix, seed)


@pytest.mark.parametrize("mix", [QUIET, BOUNCE_AND_SLIDES, REALISTIC, ALL_BUT_BROKEN])
@pytest.mark.parametrize("move", MOVES)
def test_a_deed_ends_in_the_truth(move: str, mix: NoiseMix) -> None:
    for seed in range(effort(4, 25)):
        performance, reeds = performed(move, mix, seed)
        changes, truth = performance.changes, performance.truth
        assert [change.at_ms for change in changes] == sorted(change.at_ms for change in changes)
        assert reeds.standing == truth.pieces.keys()
        assert all(change.at_ms >= 1000 - 20 for change in changes)
        assert truth.end_ms >= max(change.at_ms for change in changes)
        if reeds.broken:
            continue
        said = dict.fromkeys(positions(move)[0], True) | {change.square: change.closed for change in changes}
        assert {square for square, closed in said.items() if closed} == truth.pieces.keys()


def test_a_swapped_capture_leaves_its_square_unseen_and_says_so() -> None:
    performance, _ = performed("b7a8q", NoiseMix(swapped=1.0), 0)
    assert not performance.truth.missing  # the queen comes from beside the board: no capturer stands on the rook
    before, after = positions("e1d2")
    swapped, _ = perform({**before, parse_square("d2"): "p"}, after, NoiseMix(swapped=1.0), 0)
    assert swapped.truth.missing
    assert {str(change.square) for change in swapped.changes} == {"e1"}


def test_each_kind_leaves_its_name_and_every_named_mix_can_be_played_alike_each_time() -> None:
    found = set().union(*(performed("a2a4", ALL_BUT_BROKEN, seed)[0].truth.kinds for seed in range(60)))
    assert all(performed("e1g1", mix, 3)[0].changes for mix in MIXES.values())
    played = [performed("e1g1", REALISTIC, seed)[0] for seed in (7, 7, 8)]
    assert played[0] == played[1] != played[2]
    assert {"slide", "bent", "rock", "hover", "go_back", "try_other", "adjust", "knock", "two_hands", "link"} <= found


def test_carries_know_a_promotion_and_en_passant() -> None:
    b7, a8, d5, e5, e6 = map(parse_square, ("b7", "a8", "d5", "e5", "e6"))
    promotion = {PieceMove("Q", None, a8), PieceMove("P", b7, None), PieceMove("r", a8, None)}
    assert set(moves_between(*positions("b7a8q"))) == promotion
    assert set(moves_between(*positions("d5e6"))) == {PieceMove("P", d5, e6), PieceMove("p", e5, None)}


def distance(one: Square, other: Square) -> int:
    """Return the number of a king's steps between two squares."""
    return max(abs(one.file - other.file), abs(one.rank - other.rank))


@pytest.mark.parametrize("bent", [True, False])
@pytest.mark.parametrize(("start", "end"), [("a1", "a4"), ("a1", "d4"), ("b1", "c3"), ("h8", "c7"), ("e2", "e3")])
def test_a_way_goes_from_square_to_square(start: str, end: str, bent: bool) -> None:  # noqa: FBT001
    first, last = parse_square(start), parse_square(end)
    for seed in range(10):
        crossed = slide_path(first, last, BOARD, random.Random(seed), bent=bent)
        assert all(square in BOARD and square not in (first, last) for square in crossed)
        straight = slide_path(first, last, BOARD, random.Random(seed), bent=False)
        if bent:
            assert all(min(distance(square, other) for other in straight) <= 1 for square in crossed)
        else:
            assert all(distance(one, next_) == 1 for one, next_ in itertools.pairwise([first, *crossed, last]))
