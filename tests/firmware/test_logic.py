"""The firmware's logic under CPython: scanning, encoder, lights, buzzer, clock, serial line."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Shape, Square
from captains_table.link.from_host import DARK, colour_code
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from firmware.buzzer import Buzzer
from firmware.clock import Clock
from firmware.encoder import Encoder
from firmware.lights import LINKED, LOST, MISMATCH, Lights
from firmware.matrix import MOST_RISES, RISE_US, SETTLE_US, Matrix
from firmware.stdio import MOST_BYTES, Stdio
from tests.support.faulty_boards import random_faults
from tests.support.firmware_fakes import FakePwm, FakeStrip, FakeUsb, Wires

# --- scanning


@given(st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8))))
def test_a_scan_sees_exactly_the_closed_switches_of_a_nine_by_nine_board(closed: set[tuple[int, int]]) -> None:
    """Three closed corners of a rectangle included: a diode a switch, and one rank low at a time."""
    wires = Wires(files=9, ranks=9)
    wires.closed = closed
    assert scanned(wires) == closed
    assert wires.most_low == 1
    assert wires.low == set()
    assert wires.now_us == 9 * SETTLE_US


def scanned(wires: Wires) -> set[tuple[int, int]]:
    matrix = Matrix(wires.ranks, wires.files, wires.wait)
    bits = [matrix.read(rank) for rank in range(len(wires.ranks))]
    return {(rank, file) for rank, found in enumerate(bits) for file in range(len(wires.files)) if found >> file & 1}


@given(st.integers(), st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=10))
def test_a_faulty_board_is_scanned_as_its_levels_say(seed: int, closed: set[tuple[int, int]]) -> None:
    wires = Wires(8, 8, random_faults(random.Random(seed), Shape(8, 8)))
    wires.closed = closed
    board = wires.electrics
    reeds = board.reeds(Square(file, rank) for rank, file in closed)
    expected = board.read_at(TYPICAL_THRESHOLD_V, reeds)
    assert scanned(wires) == {(square.rank, square.file) for square in expected}


def test_files_that_rise_slowly_are_waited_for() -> None:
    """All ranks but the last hang on one file, and rise with it: 95 microseconds (docs/electrics.md)."""
    wires = Wires(8, 8)
    wires.rises_after_us = 95
    wires.closed = {(rank, 0) for rank in range(7)}
    assert scanned(wires) == wires.closed


def test_a_file_that_something_holds_low_does_not_stop_the_board() -> None:
    wires = Wires(8, 8)
    wires.rises_after_us = 10**9
    wires.closed = {(0, 0)}
    assert scanned(wires) == {(rank, 0) for rank in range(8)}
    assert wires.now_us == 8 * (SETTLE_US + MOST_RISES * RISE_US)


# --- encoder

RIGHT = [(0, 1), (0, 0), (1, 0), (1, 1)]  # A closes first
LEFT = [(b, a) for a, b in RIGHT]


def turned(levels: list[tuple[int, int]]) -> int:
    encoder = Encoder()
    return sum(encoder.sample(a, b) for a, b in levels)


@pytest.mark.parametrize(("edges", "notches"), [(RIGHT, 1), (LEFT, -1), (RIGHT * 5, 5), (LEFT * 3 + RIGHT, -2)])
def test_each_notch_is_counted_with_its_direction(edges: list[tuple[int, int]], notches: int) -> None:
    assert turned(edges) == notches


def test_turning_half_a_notch_and_back_is_nothing() -> None:
    assert turned([(0, 1), (0, 0), (0, 1), (1, 1)]) == 0


@given(st.sampled_from([RIGHT, LEFT]), st.lists(st.integers(0, 3), max_size=4))
def test_a_bouncing_contact_is_still_one_notch(edges: list[tuple[int, int]], bounces: list[int]) -> None:
    """A contact bounces between two neighbouring positions, as often as it likes, before it rests."""
    positions = [(1, 1), *edges]
    levels: list[tuple[int, int]] = []
    for step, (before, after) in enumerate(pairwise(positions)):
        levels += [after, before] * (bounces.count(step) if step < 3 else 0) + [after]
    assert turned(levels) == turned(edges)


def test_a_notch_of_which_one_edge_was_missed_is_counted_all_the_same() -> None:
    assert turned([(0, 1), (1, 0), (1, 1)]) == 1


# --- lights

CHAIN = [2, 1, 0, 3]
WHITE, RED, BLACK = colour_code(3, 3, 3), colour_code(3, 0, 0), DARK


def chain(brightness: int = 100, most_milliamperes: int = 10_000) -> tuple[FakeStrip, Lights]:
    strip = FakeStrip(4)
    return strip, Lights(strip, CHAIN, brightness, most_milliamperes)


def lit(colours: str, brightness: int = 100, most_milliamperes: int = 10_000) -> list[tuple[int, int, int]]:
    strip, lights = chain(brightness, most_milliamperes)
    lights.show(colours)
    lights.tick(LINKED, 0)
    return strip.shown


def test_each_light_is_shown_at_its_place_in_the_chain() -> None:
    assert lit(RED + BLACK + BLACK + WHITE) == [(0, 0, 0), (0, 0, 0), (255, 0, 0), (255, 255, 255)]


@pytest.mark.parametrize(("brightness", "most_milliamperes"), [(50, 10_000), (100, 120)])  # four draw 4 x 3 x 20 mA
def test_brightness_and_a_small_supply_dim_every_light_alike(brightness: int, most_milliamperes: int) -> None:
    assert lit(WHITE * 4, brightness, most_milliamperes) == [(127, 127, 127)] * 4


@given(st.text(alphabet=[chr(code) for code in range(48, 112)], min_size=4, max_size=4), st.integers(0, 100))
def test_no_frame_draws_more_than_the_supply_gives(colours: str, brightness: int) -> None:
    shown = lit(colours, brightness, most_milliamperes=70)
    assert sum(sum(colour) for colour in shown) * 20 / 255 <= 70


def test_without_a_link_the_squares_are_dark_and_the_button_blinks_in_another_colour_than_after_a_mismatch() -> None:
    seen: dict[int, set[tuple[int, int, int]]] = {LOST: set(), MISMATCH: set()}
    for mode, colours in seen.items():
        strip, lights = chain()
        lights.show(WHITE * 4)
        for now_ms in range(0, 4000, 10):
            lights.tick(mode, now_ms)
            assert strip.shown[:3] == [(0, 0, 0)] * 3
            colours.add(strip.shown[3])
        lights.tick(LINKED, 4020)
        assert strip.shown == [(255, 255, 255)] * 4
    assert [len(colours) for colours in seen.values()] == [2, 2]
    assert seen[LOST] & seen[MISMATCH] == {(0, 0, 0)}


def test_lights_are_sent_only_when_they_change_and_not_too_often() -> None:
    """A write keeps the board busy for 30 microseconds a light."""
    strip, lights = chain()
    for now_ms in range(1000):
        if now_ms < 100:
            lights.show((WHITE if now_ms % 2 else RED) * 4)
        lights.tick(LINKED, now_ms)
    assert strip.writes == 6
    assert strip.shown == [(255, 255, 255)] * 4


# --- buzzer


def test_tones_sound_one_after_the_other_for_as_long_as_said() -> None:
    pwm = FakePwm()
    buzzer = Buzzer(pwm)
    buzzer.play([(440, 30), (0, 20), (880, 10)], 100)
    heard = []
    for now_ms in range(100, 200):
        buzzer.tick(now_ms)
        heard.append(pwm.sounds)
    assert heard == [440] * 30 + [0] * 20 + [880] * 10 + [0] * 40


# --- clock


def test_milliseconds_go_on_where_the_counter_wraps() -> None:
    """MicroPython's counter wraps at 2**30 (its ticks_diff takes that into account)."""
    period = 1 << 30
    ticks = [period - 5]
    clock = Clock(lambda: ticks[0], lambda a, b: (a - b + period // 2) % period - period // 2)
    for passed in range(1, 20):
        ticks[0] = (period - 5 + passed) % period
        assert clock.now_ms() == passed


# --- serial line


def test_the_line_is_never_waited_for() -> None:
    """The fake fails where a read or a write would have to wait."""
    rng = random.Random(1)
    usb = FakeUsb()
    stdio = Stdio(usb, usb, usb.can_read, usb.can_write)
    read, wrote = b"", b""
    for _ in range(2000):
        usb.room = rng.choice((0, 0, 1, 5, 100))
        usb.arrived += rng.randbytes(rng.choice((0, 0, 3, 50)))
        data = stdio.read()
        assert len(data) <= MOST_BYTES
        read += data
        if stdio.is_free():
            line = rng.randbytes(rng.randrange(1, 200))
            stdio.write(line)
            wrote += line
        before = len(usb.sent)
        stdio.flush()
        assert len(usb.sent) - before <= MOST_BYTES
    assert wrote.startswith(usb.sent)
    assert len(usb.sent) > 10_000
    assert len(read) > 10_000
