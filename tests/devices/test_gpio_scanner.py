"""The scanner of a GPIO build on mock pins: what it tells of switches, buttons and encoder, and how often it looks."""

from dataclasses import replace

import pytest

from captains_table.devices.gpio.gpio_board import (
    BUSY_FOR_MS,
    BUSY_MS,
    REST_MS,
    ButtonLines,
    MatrixLines,
    Quadrature,
    Scanner,
)
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square, parse_square
from captains_table.link.debounce import BUTTON_MS, DEBOUNCE_MS
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import BoardRead, Button, ButtonPressed, ButtonReleased, SwitchChanged
from tests.support.mock_matrix import MatrixFactory

A1, E2, E4, H8 = (parse_square(name) for name in ("a1", "e2", "e4", "h8"))


PROFILE = load_profile("gpio-9x8")
assert PROFILE.buttons.roll is not None
assert PROFILE.buttons.encoder is not None
ROLL, ENCODER = PROFILE.buttons.roll, PROFILE.buttons.encoder


class Bench(MatrixLines):
    """A scanner on mock pins with a clock that only the test moves; a scan costs some of its time."""

    def __init__(self, scan_costs_ms: float = 0.0, debounce_ms: int = DEBOUNCE_MS) -> None:
        self.factory = MatrixFactory(PROFILE)
        self.now_ms = 0.0
        self.scans: list[float] = []
        self._cost_ms = scan_costs_ms
        assert PROFILE.matrix is not None
        super().__init__(PROFILE.matrix, self.factory)
        buttons = ButtonLines(PROFILE.buttons, self.factory)
        self.scanner = Scanner(self, buttons, PROFILE.square_of, lambda: self.now_ms, debounce_ms)

    def read(self) -> list[int]:
        self.scans.append(self.now_ms)
        self.now_ms += self._cost_ms
        return super().read()

    def events(self, ms: float) -> list[BoardEvent]:
        """Let time pass and return what was told."""
        return [event for _, event in self.run(ms)]

    def scans_within(self, ms: float) -> int:
        """Let time pass and return how many scans there were."""
        self.scans.clear()
        self.run(ms)
        return len(self.scans)

    def switch(self, square: Square, *, closed: bool) -> None:
        """Let a piece close a switch, or open it."""
        (self.factory.place if closed else self.factory.lift)(square)

    def run(self, ms: float) -> list[tuple[float, BoardEvent]]:
        """Let time pass and return what was told, and when."""
        until_ms, told = self.now_ms + ms, []
        while self.scanner.due_ms <= until_ms:
            self.now_ms = max(self.now_ms, self.scanner.due_ms)
            reports = self.scanner.look()
            assert all(report.at_ms <= self.now_ms for report in reports)
            told += [(report.at_ms, report.event) for report in reports]
        self.now_ms = max(self.now_ms, until_ms)
        return told


def test_the_whole_board_is_told_first_and_then_what_changes() -> None:
    bench = Bench()
    bench.factory.place(E2, H8)
    assert bench.run(100) == [(0, BoardRead(frozenset({E2, H8})))]
    for square, closed in ((E2, False), (E4, True)):
        bench.switch(square, closed=closed)
        assert bench.events(100) == [SwitchChanged(square, closed)]
    assert bench.run(1000) == []


def test_of_two_changes_within_one_scan_the_lift_is_told_first() -> None:
    bench = Bench()
    bench.factory.place(E2)
    bench.run(50)
    bench.factory.place(A1)
    bench.factory.lift(E2)
    told = bench.events(50)
    assert told == [SwitchChanged(E2, closed=False), SwitchChanged(A1, closed=True)]


def test_a_change_is_told_once_it_was_still_for_the_debounce() -> None:
    for debounce_ms in (1, DEBOUNCE_MS, 40):
        bench = Bench(debounce_ms=debounce_ms)
        bench.run(1)
        for closed in (True, False, True):
            bench.switch(E4, closed=closed)
            began_ms = bench.now_ms
            ((at_ms, event),) = bench.run(REST_MS + debounce_ms + 1)
            assert event == SwitchChanged(E4, closed)
            assert debounce_ms <= at_ms - began_ms <= REST_MS + debounce_ms
            bench.run(100)


def test_a_reed_that_bounces_is_told_once_and_its_flickers_are_counted() -> None:
    bench = Bench()
    bench.factory.place(A1)
    bench.run(100)
    bench.factory.lift(A1)  # now the board is looked at each five milliseconds
    bench.run(100)
    told = []
    for closed in (True, False, True, False, True):
        bench.switch(E4, closed=closed)
        told += bench.events(BUSY_MS)
    assert told + bench.events(100) == [SwitchChanged(E4, closed=True, flickers=4)]


def test_a_flicker_that_a_scan_sees_is_nothing() -> None:
    bench = Bench()
    bench.run(100)
    bench.factory.place(E4)
    told = bench.run(REST_MS)
    bench.factory.lift(E4)
    told += bench.run(200)
    assert [event.closed for _, event in told if isinstance(event, SwitchChanged)] in ([], [True, False])
    bench.factory.place(A1)
    bench.run(30)
    bench.factory.place(E4)
    told = bench.run(BUSY_MS)
    bench.factory.lift(E4)
    assert told + bench.run(200) == []


def test_a_button_is_not_believed_sooner_than_buttons_bounce() -> None:
    bench = Bench(debounce_ms=1)
    bench.run(100)
    bench.factory.pressed.add(ROLL)
    began_ms = bench.now_ms
    ((at_ms, event),) = bench.run(50)
    assert event == ButtonPressed(Button.ROLL)
    assert at_ms - began_ms >= BUTTON_MS


@pytest.mark.slow
def test_scans_come_quickly_while_a_hand_is_at_work_and_slowly_at_rest() -> None:
    bench = Bench()
    assert 18 <= bench.scans_within(400) <= 22
    bench.factory.place(E4)
    bench.run(40)
    assert 76 <= bench.scans_within(400) <= 82
    assert (BUSY_MS, REST_MS) == (5, 20)
    bench.run(BUSY_FOR_MS)
    assert 18 <= bench.scans_within(400) <= 22


def test_a_slow_pi_never_spends_more_than_half_a_core_on_scans() -> None:
    bench = Bench(scan_costs_ms=7.0)  # the estimate for a Zero 2 W
    bench.factory.place(E4)
    bench.run(100)
    bench.factory.lift(E4)
    bench.run(100)
    assert 60 <= bench.scans_within(1000) <= 72  # of 143 that would fit in


def test_buttons_are_told_once_however_they_bounce() -> None:
    bench = Bench()
    bench.run(100)
    told: list[BoardEvent] = []
    for pin in (ROLL, ENCODER.push):
        for level in (1, 0, 1, 1, 1):
            (bench.factory.pressed.add if level else bench.factory.pressed.discard)(pin)
            told += bench.events(3)
        told += bench.events(50)
        bench.factory.pressed.discard(pin)
        told += bench.events(50)
    pressed = [(Button.ROLL, True), (Button.ROLL, False), (Button.CHOOSE, True), (Button.CHOOSE, False)]
    assert told == [ButtonPressed(button) if down else ButtonReleased(button) for button, down in pressed]


def test_a_quick_turn_of_the_encoder_loses_no_step() -> None:
    bench = Bench()
    bench.run(100)
    told: list[BoardEvent] = []
    for _ in range(8):
        for pins in ({ENCODER.b}, {ENCODER.a, ENCODER.b}, {ENCODER.a}, set[int]()):
            bench.factory.pressed.clear()
            bench.factory.pressed |= pins
            told += bench.events(5)  # 50 detents a second
    assert [event for event in told if isinstance(event, ButtonPressed)] == [ButtonPressed(Button.PREVIOUS)] * 8


def test_a_build_with_one_button_has_no_encoder() -> None:
    lines = ButtonLines(replace(PROFILE.buttons, kind="one", encoder=None), MatrixFactory(PROFILE))
    assert lines.turned() is None
    assert lines.pressed() == {Button.ROLL: False}
    lines.close()


# --- the encoder's two contacts -------------------------------------------------------------------------------------

RIGHT = [(True, False), (True, True), (False, True), (False, False)]
LEFT = [(b, a) for a, b in RIGHT]


def steps(levels: list[tuple[bool, bool]]) -> list[int]:
    encoder = Quadrature()
    return [step for a, b in levels if (step := encoder.read(a=a, b=b))]


def test_a_detent_to_the_right_is_one_step_and_one_to_the_left_is_one_back() -> None:
    assert steps(RIGHT * 3) == [1, 1, 1]
    assert steps(LEFT * 2) == [-1, -1]
    assert steps(RIGHT + LEFT) == [1, -1]


@pytest.mark.parametrize("turn", [RIGHT, LEFT])
@pytest.mark.parametrize("at", range(4))
def test_a_contact_that_bounces_makes_no_further_step(turn: list[tuple[bool, bool]], at: int) -> None:
    before = [(False, False), *turn][at]
    bounced = [*turn[:at], turn[at], before, turn[at], before, turn[at], *turn[at + 1 :]]
    assert steps(bounced) == steps(turn)


@pytest.mark.parametrize("missed", range(3))
def test_a_quarter_that_was_missed_does_no_harm(missed: int) -> None:
    assert steps([level for number, level in enumerate(RIGHT) if number != missed]) == [1]


def test_an_encoder_turned_half_way_and_back_makes_no_step() -> None:
    assert steps([*RIGHT[:2], RIGHT[0], (False, False)]) == []
