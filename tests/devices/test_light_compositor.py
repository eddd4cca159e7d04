"""What the lights show: every mark in a rhythm of its own, signals over them, and nothing for ever."""

from itertools import combinations

import pytest

from captains_table.devices.lights.compositor import LOOKS, STEP_MS, Compositor, Rgb, effect_of
from captains_table.games.contract import Shape, Square, Thing, parse_square
from captains_table.table.model.events import SignalKind
from captains_table.table.model.view import LightMeaning, Mark

BOARD = Shape(8, 8)
SHOWN: list[LightMeaning] = [*Mark, Thing.WHITE_CROWN, Thing.BLACK_CROWN, Thing.HALF_PRICE]
E4, A1 = parse_square("e4"), parse_square("a1")
LONGEST_MS = 4000  # a signal that lasts longer hides what is to be done
SEEN = [kind for kind in sorted(SignalKind) if effect_of(kind, None, BOARD, 0) is not None]


def brightness(colour: Rgb) -> float:
    """Return how bright a colour looks (Rec. 601)."""
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def course(mark: LightMeaning, until_ms: int = 20_000) -> str:
    """Return when a mark's light is lit, sampled at the pace of the quickest blink."""
    picture = Compositor(BOARD)
    picture.light({E4: mark})
    return "".join("#" if E4 in picture.frame(now_ms) else "." for now_ms in range(0, until_ms, 25))


def test_every_mark_has_a_look() -> None:
    assert set(LOOKS) == set(SHOWN)


@pytest.mark.parametrize(("one", "other"), list(combinations(SHOWN, 2)))
def test_two_marks_are_told_apart_without_their_colours(one: LightMeaning, other: LightMeaning) -> None:
    assert course(one) != course(other)


@pytest.mark.parametrize(("one", "other"), list(combinations([Mark.MAY_MOVE, Mark.TARGET, Mark.LAST_MOVE], 2)))
def test_marks_seen_at_one_time_differ_in_brightness_too(one: Mark, other: Mark) -> None:
    dark, bright = sorted(brightness(LOOKS[mark].colour) for mark in (one, other))
    assert bright > 1.2 * dark


@pytest.mark.parametrize("mark", SHOWN)
def test_a_mark_is_seen_within_two_seconds(mark: LightMeaning) -> None:
    assert "#" in course(mark, 2000)


@pytest.mark.parametrize("mark", SHOWN)
def test_the_next_change_is_when_the_picture_changes(mark: LightMeaning) -> None:
    picture = Compositor(BOARD)
    picture.light({E4: mark})
    now_ms = 12_345
    for _ in range(10):
        due_ms = picture.next_change_ms(now_ms)
        if due_ms is None:
            assert mark is Mark.MAY_MOVE
            return
        before = picture.frame(now_ms)
        assert picture.frame(due_ms - 1) == before != picture.frame(due_ms)
        now_ms = due_ms


def test_without_marks_and_signals_nothing_is_lit_and_nothing_is_waited_for() -> None:
    picture = Compositor(BOARD)
    assert picture.frame(0) == {}
    assert picture.next_change_ms(0) is None


def test_what_happens_all_the_time_is_heard_and_not_seen() -> None:
    assert set(SignalKind) - set(SEEN) == {"throw", "move", "capture", "clock-low"}


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("square", [None, E4, A1])
@pytest.mark.parametrize("shape", [BOARD, Shape(9, 8)], ids=str)
def test_every_signal_of_the_table_is_seen_changes_and_ends(kind: str, square: Square | None, shape: Shape) -> None:
    picture = Compositor(shape)
    picture.signal(kind, square, 1000)
    frames = []
    now_ms: int | None = 1000
    while now_ms is not None:
        frames.append(picture.frame(now_ms))
        assert all(lit in shape for lit in frames[-1])
        assert now_ms < 1000 + LONGEST_MS
        now_ms = picture.next_change_ms(now_ms)
    assert len({tuple(sorted(frame.items())) for frame in frames}) > 1
    assert frames[-1] == {}


@pytest.mark.parametrize(("one", "other"), list(combinations(SEEN, 2)))
def test_two_signals_look_different(one: str, other: str) -> None:
    def seen(kind: str) -> list[object]:
        picture = Compositor(BOARD)
        picture.signal(kind, E4, 0)
        return [picture.frame(step * STEP_MS) for step in range(12)]

    assert seen(one) != seen(other)


def test_a_signal_runs_over_the_marks_which_are_there_again_after_it() -> None:
    picture = Compositor(BOARD)
    picture.light({E4: Mark.MAY_MOVE, A1: Mark.MAY_MOVE})
    marks = picture.frame(0)
    picture.signal("illegal", E4, 0)
    assert picture.frame(0)[E4] != marks[E4]
    assert E4 not in picture.frame(STEP_MS)  # a dark step of the flash hides the mark
    assert picture.frame(STEP_MS)[A1] == marks[A1]
    assert picture.frame(LONGEST_MS) == marks


def test_a_signal_without_a_light_is_passed_over() -> None:
    picture = Compositor(BOARD)
    picture.signal("something else", E4, 0)
    assert picture.next_change_ms(0) is None


def test_a_square_the_board_does_not_have_is_left_out() -> None:
    picture = Compositor(BOARD)
    picture.light({parse_square("i1"): Mark.MAY_MOVE})
    picture.signal("strike", parse_square("i1"), 0)
    assert all(square in BOARD for square in picture.frame(0))
