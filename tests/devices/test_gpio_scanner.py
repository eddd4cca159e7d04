"""The scanner of a GPIO build on mock pins: what it tells of switches, buttons and encoder, and how often it looks."""

from dataclasses import replace

import pytest

from captains_table.devices.gpio.lines import ButtonLines, MatrixLines
from captains_table.devices.gpio.scanner import BUSY_FOR_MS, BUSY_MS, REST_MS, Scanner
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import parse_square
from captains_table.hardware.profiles.profile import Profile
from captains_table.link.debounce import BUTTON_MS, DEBOUNCE_MS
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import (
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from tests.support.mock_matrix import MatrixFactory

A1, E2, E4, H8 = (parse_square(name) for name in ("a1", "e2", "e4", "h8"))


@pytest.fixture(params=["gpio-8x8", "gpio-9x8"])
def profile(request: pytest.FixtureRequest) -> Profile:
    return load_profile(request.param)


class Bench(MatrixLines):
    """A scanner on mock pins with a clock that only the test moves; a scan costs some of its time."""

    def __init__(self, profile: Profile, scan_costs_ms: float = 0.0, debounce_ms: int = DEBOUNCE_MS) -> None:
        self.factory = MatrixFactory(profile)
        self.now_ms = 0.0
        self.scans: list[float] = []
        self._cost_ms = scan_costs_ms
        assert profile.matrix is not None
        super().__init__(profile.matrix, self.factory)
        buttons = ButtonLines(profile.buttons, self.factory)
        self.scanner = Scanner(self, buttons, profile.square_of, lambda: self.now_ms, debounce_ms)

    def read(self) -> list[int]:
        self.scans.append(self.now_ms)
        self.now_ms += self._cost_ms
        return super().read()

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


def test_the_whole_board_is_told_first_and_then_what_changes(profile: Profile) -> None:
    bench = Bench(profile)
    bench.factory.place(E2, H8)
    assert bench.run(100) == [(0, BoardRead(frozenset({E2, H8})))]
    bench.factory.lift(E2)
    assert [event for _, event in bench.run(100)] == [SwitchChanged(E2, closed=False)]
    bench.factory.place(E4)
    assert [event for _, event in bench.run(100)] == [SwitchChanged(E4, closed=True)]
    assert bench.run(1000) == []


def test_of_two_changes_within_one_scan_the_lift_is_told_first(profile: Profile) -> None:
    bench = Bench(profile)
    bench.factory.place(E2)
    bench.run(50)
    bench.factory.place(A1)
    bench.factory.lift(E2)
    told = [event for _, event in bench.run(50)]
    assert told == [SwitchChanged(E2, closed=False), SwitchChanged(A1, closed=True)]


def test_a_change_is_told_once_it_was_still_for_the_debounce(profile: Profile) -> None:
    for debounce_ms in (1, DEBOUNCE_MS, 40):
        bench = Bench(profile, debounce_ms=debounce_ms)
        bench.run(1)
        for closed in (True, False, True):
            (bench.factory.place if closed else bench.factory.lift)(E4)
            began_ms = bench.now_ms
            ((at_ms, event),) = bench.run(REST_MS + debounce_ms + 1)
            assert event == SwitchChanged(E4, closed)
            assert debounce_ms <= at_ms - began_ms <= REST_MS + debounce_ms
            bench.run(100)


def test_a_reed_that_bounces_is_told_once_and_its_flickers_are_counted(profile: Profile) -> None:
    bench = Bench(profile)
    bench.factory.place(A1)
    bench.run(100)
    bench.factory.lift(A1)  # now the board is looked at each five milliseconds
    bench.run(100)
    told = []
    for closed in (True, False, True, False, True):
        (bench.factory.place if closed else bench.factory.lift)(E4)
        told += bench.run(BUSY_MS)
    told += bench.run(100)
    assert [event for _, event in told] == [SwitchChanged(E4, closed=True, flickers=4)]


def test_a_flicker_that_a_scan_sees_is_nothing(profile: Profile) -> None:
    bench = Bench(profile)
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


def test_a_button_is_not_believed_sooner_than_buttons_bounce(profile: Profile) -> None:
    bench = Bench(profile, debounce_ms=1)
    bench.run(100)
    roll = profile.buttons.roll
    assert roll is not None
    bench.factory.pressed.add(roll)
    began_ms = bench.now_ms
    ((at_ms, event),) = bench.run(50)
    assert event == ButtonPressed(Button.ROLL)
    assert at_ms - began_ms >= BUTTON_MS


def test_scans_come_quickly_while_a_hand_is_at_work_and_slowly_at_rest(profile: Profile) -> None:
    bench = Bench(profile)
    bench.run(1000)
    assert 45 <= len(bench.scans) <= 55
    bench.factory.place(E4)
    bench.run(40)
    bench.scans.clear()
    bench.run(1000)
    assert 190 <= len(bench.scans) <= 205
    assert (BUSY_MS, REST_MS) == (5, 20)
    bench.run(BUSY_FOR_MS)
    bench.scans.clear()
    bench.run(1000)
    assert 45 <= len(bench.scans) <= 55


def test_a_slow_pi_never_spends_more_than_half_a_core_on_scans(profile: Profile) -> None:
    bench = Bench(profile, scan_costs_ms=7.0)  # the estimate for a Zero 2 W
    bench.factory.place(E4)
    bench.run(100)
    bench.factory.lift(E4)
    bench.run(100)
    bench.scans.clear()
    bench.run(1000)
    assert 60 <= len(bench.scans) <= 72  # of 143 that would fit in


def test_buttons_are_told_once_however_they_bounce(profile: Profile) -> None:
    bench = Bench(profile)
    bench.run(100)
    roll, encoder = profile.buttons.roll, profile.buttons.encoder
    assert roll is not None
    assert encoder is not None
    told: list[BoardEvent] = []
    for pin in (roll, encoder.push):
        for level in (1, 0, 1, 1, 1):
            (bench.factory.pressed.add if level else bench.factory.pressed.discard)(pin)
            told += [event for _, event in bench.run(3)]
        told += [event for _, event in bench.run(50)]
        bench.factory.pressed.discard(pin)
        told += [event for _, event in bench.run(50)]
    pressed = [(Button.ROLL, True), (Button.ROLL, False), (Button.CHOOSE, True), (Button.CHOOSE, False)]
    assert told == [ButtonPressed(button) if down else ButtonReleased(button) for button, down in pressed]


def test_a_quick_turn_of_the_encoder_loses_no_step(profile: Profile) -> None:
    bench = Bench(profile)
    bench.run(100)
    encoder = profile.buttons.encoder
    assert encoder is not None
    told: list[BoardEvent] = []
    for _ in range(8):
        for pins in ({encoder.b}, {encoder.a, encoder.b}, {encoder.a}, set[int]()):
            bench.factory.pressed.clear()
            bench.factory.pressed |= pins
            told += [event for _, event in bench.run(5)]  # 50 detents a second
    assert [event for event in told if isinstance(event, ButtonPressed)] == [ButtonPressed(Button.PREVIOUS)] * 8


def test_a_build_with_one_button_has_no_encoder() -> None:
    profile = load_profile("gpio-8x8")
    lines = ButtonLines(replace(profile.buttons, kind="one", encoder=None), MatrixFactory(profile))
    assert lines.turned() is None
    assert lines.pressed() == {Button.ROLL: False}
    lines.close()
