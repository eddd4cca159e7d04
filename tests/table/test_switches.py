"""What the order of touches tells, which switches chatter, and the way home: squares to empty, squares to fill."""

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Refused, Square, parse_square
from captains_table.table.model.view import BoardDifference, Mark
from captains_table.table.recognition.board_reports import OVERLAP_MS, SwitchChange, Touches
from captains_table.table.recognition.footprint import Footprint, footprint
from captains_table.table.recognition.instructions import forbidden_move, recovery_marks, recovery_steps, wrong_squares
from captains_table.table.recognition.switches import (
    CHATTER_CHANGES,
    CHATTER_WINDOW_MS,
    REST_MS,
    Condition,
    SwitchHealth,
)
from tests.table.watched_board import squares


def position(words: str) -> dict[Square, str]:
    return {parse_square(word[1:]): word[0] for word in words.split()}


def move(before: str, after: str) -> Footprint:
    return footprint(position(before), position(after))


STEP = move("Pe2", "Pe4")
SHORT_STEP = move("Pe2", "Pe3")
CASTLING = move("Ke1 Rh1", "Kg1 Rf1")
DISPLACING = move("Ra2 rc2", "Rc2 rd4")


@pytest.mark.parametrize(
    ("move", "changes", "filled"),
    [
        pytest.param(STEP, "0-e2 500+e4", "e4", id="a piece lifted, then put"),
        pytest.param(STEP, "0+e4 500-e2", "", id="a switch that closed before anything was lifted is no target"),
        pytest.param(STEP, "500+e4", "", id="nor one that closed while nothing was"),
        pytest.param(STEP, "0+e4 1-e2", "", id="no magnet closes two switches that are not neighbours"),
        pytest.param(STEP, "0-e2 500+e4 510+e2 900-e2", "e4", id="the first lift counts, whatever closes later"),
        pytest.param(CASTLING, "0-e1 300+g1", "g1", id="of castling the king"),
        pytest.param(CASTLING, "0-e1 300+g1 600-h1 900+f1", "f1 g1", id="then the rook"),
        pytest.param(SHORT_STEP, f"0+e3 {OVERLAP_MS}-e2", "e3", id="a slid piece may reach the next switch first"),
        pytest.param(SHORT_STEP, f"0+e3 {OVERLAP_MS + 1}-e2", "", id="but not so early"),
        pytest.param(DISPLACING, "0+d4 500-a2 1000-c2 1500+c2", "c2", id="a victim set elsewhere before it is lifted"),
        pytest.param(DISPLACING, "0-a2 500-c2 1000+d4 1500+c2", "c2 d4", id="a victim lifted, then set elsewhere"),
    ],
)
def test_squares_are_filled_by_pieces_that_were_seen_to_arrive(move: Footprint, changes: str, filled: str) -> None:
    """The changes are milliseconds, then a switch that opens (`-`) or closes (`+`)."""
    touches = Touches()
    for word in changes.split():
        touches.note(SwitchChange(int(word[:-3]), parse_square(word[-2:]), word[-3] == "+"))
    assert {put for put in move.filled if touches.fills(put, move)} == squares(filled)


@pytest.mark.parametrize(("again_ms", "rocks"), [(40, True), (160, True), (161, False), (900, False)])
def test_a_piece_that_touches_down_again_at_once_is_still_the_same_one(again_ms: int, rocks: bool) -> None:  # noqa: FBT001 - a table of cases
    touches = Touches()
    touches.note(SwitchChange(1000, parse_square("i4"), closed=False))
    assert not touches.is_rocking(parse_square("i4"))
    touches.note(SwitchChange(1000 + again_ms, parse_square("i4"), closed=True))
    assert touches.is_rocking(parse_square("i4")) is rocks


# --- switches that chatter -------------------------------------------------------------------------------------------

E4 = parse_square("e4")


def chattering_from(start_ms: int, step_ms: int = 50) -> tuple[SwitchHealth, int]:
    health = SwitchHealth()
    for number in range(CHATTER_CHANGES):
        health.changed(E4, start_ms + number * step_ms)
    return health, start_ms + (CHATTER_CHANGES - 1) * step_ms


def test_a_switch_that_changes_all_the_time_chatters_until_it_rests() -> None:
    health, last_ms = chattering_from(1000)
    assert health.chattering() == {E4}
    for condition, reported in ((Condition.GOOD, Condition.CHATTERS), (Condition.MASKED, Condition.MASKED)):
        assert health.report(E4, closed=False, condition=condition).condition is reported
    assert health.rest_due_ms() == last_ms + REST_MS
    assert health.rested(last_ms + REST_MS - 1) == []
    health.changed(E4, last_ms + 1500)  # it rests longer
    assert health.rested(last_ms + REST_MS) == []
    assert health.rested(last_ms + 1500 + REST_MS) == [E4]
    assert (health.chattering(), health.rest_due_ms()) == (frozenset(), None)


@given(st.lists(st.integers(CHATTER_WINDOW_MS // (CHATTER_CHANGES - 1) + 1, 60_000), max_size=40))
def test_a_hand_is_never_taken_for_chatter(pauses_ms: list[int]) -> None:
    health, now_ms = SwitchHealth(), 0
    for pause_ms in pauses_ms:
        now_ms += pause_ms
        health.changed(E4, now_ms)
    assert health.chattering() == frozenset()


def test_bounce_is_counted_as_flickers() -> None:
    health = SwitchHealth()
    health.changed(E4, 30, flickers=4)
    report = health.report(E4, closed=True, condition=Condition.GOOD)
    assert (report.changes, report.flickers, report.changed_ms) == (1, 4, 30)


# --- the way home -----------------------------------------------------------------------------------------------------

E2, E3, E4, D1, D2 = (parse_square(name) for name in ("e2", "e3", "e4", "d1", "d2"))
SQUARES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda pair: Square(*pair)))


def test_a_piece_that_stands_elsewhere_is_missing_here_and_extra_there_unless_these_are_masked() -> None:
    assert wrong_squares({E2: "P", D2: "P"}, {E4, D2}, ()) == BoardDifference((E2,), (E4,))
    assert not wrong_squares({E2: "P", D2: "P"}, {E4, D2}, {E2, E4})


@given(SQUARES, SQUARES, SQUARES)
def test_following_the_way_home_makes_the_board_right(
    stands: set[Square], occupied: set[Square], masked: set[Square]
) -> None:
    wrong = wrong_squares(dict.fromkeys(stands, "P"), occupied, masked)
    after = occupied - set(wrong.extra) | set(wrong.missing)
    assert not wrong_squares(dict.fromkeys(stands, "P"), after, masked)
    assert not masked & {*wrong.missing, *wrong.extra}
    assert len(wrong.missing) + len(wrong.extra) == len((stands ^ occupied) - masked)


@pytest.mark.parametrize(
    ("wrong", "lines"),
    [
        (BoardDifference((E2,), (E4,)), ["Put the white pawn from e4 back on e2"]),
        (
            BoardDifference((E2, D1), (E4,)),
            ["Take the piece off e4", "Put the white pawn on e2", "Put the black queen on d1"],
        ),
    ],
)
def test_one_stray_piece_is_led_home_and_of_several_squares_some_are_emptied_first(
    wrong: BoardDifference, lines: list[str]
) -> None:
    assert recovery_steps(wrong, {E2: "P", D1: "q"}) == lines


@pytest.mark.parametrize("count", range(3, 33))
def test_the_words_fit_the_glass_and_say_how_many_are_left(count: int) -> None:
    squares = tuple(Square(index % 8, index // 8) for index in range(count))
    lines = recovery_steps(BoardDifference(squares, ()), dict.fromkeys(squares, "P"))
    assert len(lines) <= 4
    told = [line for line in lines if line.startswith("Put")]
    assert len(told) == count or lines[-1] == f"and {count - len(told)} more"


def test_a_move_that_only_the_dice_forbid_is_found_by_its_occupancy_and_marked_as_such() -> None:
    step = Refused("e2e3", "e2-e3", "why", {E3: "P", D1: "Q"})
    leap = Refused("e2e4", "e2-e4", "why not", {E4: "P", D1: "Q"})
    assert forbidden_move([step, leap], {E4, D1}, ()) is leap
    assert forbidden_move([step, leap], {E4}, {D1}) is leap
    assert forbidden_move([step, leap], {E2, D1}, ()) is None
    for by_dice, mark in ((False, Mark.TAKE_AWAY), (True, Mark.NOT_THIS_DIE)):
        marks = recovery_marks(BoardDifference((E2,), (E4,)), forbidden_by_dice=by_dice)
        assert marks == {E2: Mark.PUT_HERE, E4: mark}
