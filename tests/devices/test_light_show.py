"""What the lights show: every mark by itself, without hues too, and signals for a moment."""

import itertools

import pytest

from captains_table.devices.light_show import DARK, EFFECTS, GLOWS, TONES, WHITE, Colour, LightShow, Rhythm
from captains_table.games.contract import Square, parse_square
from captains_table.table.chronicle import SIGNALS
from captains_table.table.view import Mark

E4, E5 = parse_square("e4"), parse_square("e5")
APART = 1.8


def luminance(colour: Colour) -> float:
    """Return how bright a colour is to the eye (Rec. 709)."""
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue


def test_every_mark_has_a_glow() -> None:
    assert set(GLOWS) == set(Mark)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(Mark, 2)))
def test_two_marks_differ_in_rhythm_or_in_brightness_without_any_hue(one: Mark, other: Mark) -> None:
    dim, bright = sorted((luminance(GLOWS[one].colour), luminance(GLOWS[other].colour)))
    assert GLOWS[one].rhythm is not GLOWS[other].rhythm or bright > APART * dim


@pytest.mark.parametrize("rhythm", Rhythm)
def test_a_light_turns_just_when_it_says_it_will(rhythm: Rhythm) -> None:
    for at_ms in range(0, 4000, 7):
        turns_ms = rhythm.turns_ms(at_ms)
        if turns_ms is None:
            assert all(rhythm.is_lit(later_ms) for later_ms in range(at_ms, at_ms + 50))
            continue
        assert turns_ms > at_ms
        assert all(rhythm.is_lit(ms) == rhythm.is_lit(at_ms) for ms in range(at_ms, turns_ms))
        assert rhythm.is_lit(turns_ms) != rhythm.is_lit(at_ms)


def test_every_signal_has_an_effect_and_a_sound() -> None:
    assert set(EFFECTS) == set(TONES) == SIGNALS


def test_a_strike_flashes_its_square_and_then_the_mark_shows_again() -> None:
    show, effect = LightShow(), EFFECTS["strike"]
    show.light({E4: Mark.LAST_MOVE})
    show.signal("strike", E4, 1000)
    seen, now_ms = [], 1000
    while (due_ms := show.due_ms(now_ms)) is not None:
        seen.append(show.colours([E4, E5], now_ms))
        now_ms = due_ms
    assert seen == [[WHITE, DARK], [DARK, DARK]] * effect.times
    assert now_ms == 1000 + effect.times * (effect.lit_ms + effect.dark_ms)
    assert show.colours([E4, E5], now_ms) == [GLOWS[Mark.LAST_MOVE].colour, DARK]


def test_a_king_taken_flashes_the_whole_board() -> None:
    show = LightShow()
    show.signal("king", E4, 0)
    squares = [Square(file, rank) for file in range(8) for rank in range(8)]
    assert show.colours(squares, 1) == [EFFECTS["king"].colour] * 64


def test_an_unknown_signal_or_one_without_its_square_lights_nothing() -> None:
    show = LightShow()
    show.signal("fanfare", E4, 0)
    show.signal("strike", None, 0)
    assert show.colours([E4], 1) == [DARK]
    assert show.due_ms(1) is None
