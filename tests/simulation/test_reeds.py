"""Reeds and link: what closes and opens a switch, and how its changes arrive."""

import random
from collections.abc import Sequence
from dataclasses import fields

import pytest

from captains_table.games.contract import Shape, Square, parse_square
from captains_table.simulation.noisy_switches import NoisySwitches
from captains_table.simulation.reeds import LONGEST_BOUNCE_MS, Influence, InfluenceKind, ReedChange, pulse
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.simulation.simulated_scanner import SimulatedScanner
from tests.support.faulty_reeds import FaultyReeds, settle_all
from tests.support.gestures import transmit
from tests.support.noise_mix import ALONE, KINDS, MIXES, QUIET, NoiseMix, rate_lines

BOARD = Shape(8, 8)
E2, E4 = parse_square("e2"), parse_square("e4")


def reeds(occupied: set[Square], mix: NoiseMix = QUIET, seed: int = 0) -> FaultyReeds:
    return FaultyReeds(occupied, mix, random.Random(seed), BOARD)


def magnet(at_ms: int, square: Square, change: int) -> Influence:
    return Influence(at_ms, square, InfluenceKind.MAGNET, change)


def closes(at_ms: int, square: Square) -> ReedChange:
    return ReedChange(at_ms, square, closed=True)


def opens(at_ms: int, square: Square) -> ReedChange:
    return ReedChange(at_ms, square, closed=False)


def test_a_magnet_closes_and_its_leaving_opens() -> None:
    board = reeds({E2})
    assert board.sense([magnet(500, E4, 1), magnet(0, E2, -1)]) == [opens(0, E2), closes(500, E4)]
    assert board.closed == board.standing == {E4}
    same = reeds({E4}).sense([magnet(0, E4, 1), magnet(200, E4, -1)])
    assert same == [], "a victim taken from under its capturer is not seen"


def test_a_dead_spot_opens_an_occupied_switch_and_a_neighbouring_magnet_closes_a_vacant_one_for_a_while() -> None:
    assert reeds({E4}).sense(pulse(E4, InfluenceKind.DEAD, 5, 20)) == [opens(5, E4), closes(25, E4)]
    assert reeds(set()).sense(pulse(E4, InfluenceKind.NEAR, 5, 20)) == [closes(5, E4), opens(25, E4)]


@pytest.mark.parametrize("seed", range(5))
def test_a_bounce_is_over_within_three_milliseconds_and_what_settles_is_what_was_done(seed: int) -> None:
    board = reeds({E2}, NoiseMix(bounce=1.0), seed)
    scanner = SimulatedScanner(8, board.closed)
    changes = board.sense([magnet(0, E2, -1), magnet(400, E4, 1)])
    assert len(changes) > 2
    assert all(change.at_ms <= (0 if change.square == E2 else 400) + LONGEST_BOUNCE_MS for change in changes)
    last = {change.square: change.closed for change in changes}
    assert last == {E2: False, E4: True}
    assert changes == sorted(changes, key=lambda change: change.at_ms)
    assert [change[1:3] for change in settle_all(scanner, changes)] == [(E2, False), (E4, True)]


@pytest.mark.parametrize("closed", [True, False])
def test_a_broken_switch_says_the_same_whatever_stands_there(closed: bool) -> None:  # noqa: FBT001
    board = reeds({E2})
    board.sense(board.break_switch(E2, 0, closed=closed))
    assert board.sense([magnet(10, E2, -1), magnet(20, E2, 1)]) == []
    board.arrange({E4})
    assert (E2 in board.closed) is closed
    assert board.break_switch(E2, 30, closed=closed) == []


def test_a_chattering_switch_ends_where_it_began() -> None:
    board = reeds({E2})
    changes = board.sense(board.chatter(E2, 0))
    assert len(changes) > 4
    assert changes[-1].closed
    assert board.closed == {E2}


@pytest.mark.parametrize("seed", range(8))
def test_a_link_loses_nothing_and_keeps_the_order(seed: int) -> None:
    sent = [ReedChange(40 * i, E4 if i % 2 else E2, i % 4 < 2) for i in range(12)]
    mix = NoiseMix(frame_lost=0.2, frame_doubled=0.2, frame_late=0.2)
    arrived = transmit(sent, mix, random.Random(seed))
    assert [change.at_ms for change in arrived] == sorted(change.at_ms for change in arrived)
    once = [change for i, change in enumerate(arrived) if i == 0 or change[1:] != arrived[i - 1][1:]]
    assert [change[1:] for change in once] == [change[1:] for change in sent]


def test_the_changes_of_a_burst_arrive_together_and_none_is_missing() -> None:
    sent = [opens(0, E2), closes(20, E2), opens(40, E2)]
    arrived = transmit(sent, NoiseMix(frame_late=1.0), random.Random(1))
    assert [change.closed for change in arrived] == [False, True, False]
    assert len({change.at_ms for change in arrived}) < len(sent)
    assert transmit(sent, QUIET, random.Random(0)) == sent, "a perfect link changes nothing"


def test_the_simulated_scanner_lets_through_what_settled_and_counts_what_did_not() -> None:
    scanner = SimulatedScanner(8, {E2})
    bounced = [opens(0, E2), closes(1, E2), opens(2, E2), closes(300, E4), opens(303, E4)]
    assert settle_all(scanner, bounced) == [ReedChange(10, E2, closed=False, flickers=2)]
    assert scanner.due_ms() is None


def test_the_simulated_scanner_believes_what_it_is_told_to_begin_with() -> None:
    scanner = SimulatedScanner(8, {E2})
    scanner.sense([opens(0, E2), closes(50, E4)])
    scanner.begin({E4})
    assert scanner.due_ms() is None
    assert settle_all(scanner, [closes(60, E4), closes(60, E2)]) == [closes(68, E2)]


def test_every_kind_has_words_and_a_mix_of_its_own() -> None:
    assert set(KINDS) == set(ALONE) == {field.name for field in fields(NoiseMix)}
    assert {"quiet", "realistic", "bounce-and-slides", "dead-spot"} <= set(MIXES)
    assert len(list(rate_lines())) == len(KINDS) + 2


def standing(before: frozenset[Square], changes: Sequence[ReedChange]) -> set[Square]:
    """Return which switches are closed in the end."""
    said = dict.fromkeys(before, True) | {change.square: change.closed for change in changes}
    return {square for square, closed in said.items() if closed}


def test_noisy_switches_end_as_the_pieces_stand_and_quiet_ones_give_each_change_once() -> None:
    board = SimulatedBoard()
    for seed in range(50):
        board.arrange({E2: "P", E4: "p"})
        noisy = NoisySwitches(random.Random(seed), NoiseMix(bounce=0.9, slide=0.9, bent=0.3, neighbour=0.3))
        for square in (E2, E4):
            before = board.occupied
            changes = noisy.sense(BOARD, before, board.click(square))
            assert [change.at_ms for change in changes] == sorted(change.at_ms for change in changes)
            assert standing(before, changes) == board.occupied
        assert board.pieces == {E4: "P"}
    quiet = NoisySwitches(random.Random(0), QUIET)
    assert quiet.sense(BOARD, board.occupied, board.lift(E4)) == [opens(0, E4)]
    assert quiet.sense(BOARD, board.occupied, board.place(E2)) == [closes(0, E2)]
    assert quiet.sense(BOARD, board.occupied, board.lift(E4)) == []


def test_a_piece_put_where_the_way_is_free_is_slid_over_the_squares_between() -> None:
    board = SimulatedBoard()
    crossed = 0
    for seed in range(50):
        board.arrange({E2: "P"})
        noisy = NoisySwitches(random.Random(seed), NoiseMix(slide=1.0))
        noisy.sense(BOARD, board.occupied, board.lift(E2))
        changes = noisy.sense(BOARD, board.occupied, board.place(E4))
        assert standing(frozenset(), changes) == {E4}
        assert {change.square for change in changes} <= {parse_square("e3"), E4}
        crossed += len(changes) == 3
    assert crossed > 30
