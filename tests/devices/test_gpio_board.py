"""The board on the Pi's own pins: gpiozero's real driver on mock pins that behave as a switch matrix."""

import asyncio
import io
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from gpiozero import PinInvalidPin
from gpiozero.exc import GPIOPinInUse
from hypothesis import given
from hypothesis import strategies as st

from captains_table.devices.gpio.gpio_board import GpioBoard
from captains_table.devices.gpio.lines import ButtonLines, MatrixLines
from captains_table.devices.gpio.mock_matrix import MatrixFactory
from captains_table.devices.gpio.quadrature import Quadrature
from captains_table.devices.gpio.scanner import BUSY_FOR_MS, BUSY_MS, REST_MS, Scanner
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square, parse_square
from captains_table.hardware.profiles.profile import Matrix, Profile
from captains_table.link.debounce import BUTTON_MS, DEBOUNCE_MS
from captains_table.runtime.tape_player import replay_files
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import (
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.tapes.action_line import action_line
from tests.support.effort import LONG_RUN
from tests.support.gpio_player import GpioPlayer
from tests.support.patience import PATIENCE_S

TAPES = Path(__file__).parent.parent / "tapes"
A1, E2, E4, H8 = (parse_square(name) for name in ("a1", "e2", "e4", "h8"))


def matrix_of(profile: Profile) -> Matrix:
    assert profile.matrix is not None
    return profile.matrix


@pytest.fixture(params=["gpio-8x8", "gpio-9x8"])
def profile(request: pytest.FixtureRequest) -> Profile:
    return load_profile(request.param)


@pytest.fixture
def factory(profile: Profile) -> Iterator[MatrixFactory]:
    factory = MatrixFactory(profile)
    yield factory
    factory.close()


# --- the matrix -----------------------------------------------------------------------------------------------------


def test_every_switch_is_read_as_its_own_square(profile: Profile, factory: MatrixFactory) -> None:
    lines = MatrixLines(matrix_of(profile), factory)
    for square in profile.shape.squares():
        factory.stand([square])
        assert [profile.square_of(index) for index in lines.read()] == [square]
    lines.close()


@given(chance=st.randoms(use_true_random=False))
def test_any_set_of_switches_is_read_without_ghosts(chance: Random) -> None:
    profile = load_profile("gpio-9x8")
    factory = MatrixFactory(profile)
    lines = MatrixLines(matrix_of(profile), factory)
    closed = set(chance.sample(profile.shape.squares(), chance.randrange(73)))
    factory.stand(closed)
    assert {profile.square_of(index) for index in lines.read()} == closed
    lines.close()


def test_one_rank_at_a_time_is_driven_low_and_none_between_two_scans(profile: Profile, factory: MatrixFactory) -> None:
    lines = MatrixLines(matrix_of(profile), factory)
    ranks = [factory.pin(pin) for pin in matrix_of(profile).rank_pins]
    low: list[list[int]] = []
    pulls_low = factory.pulls_low

    def watched(pin: int) -> bool:
        low.append([rank.info.name for rank in ranks if not rank.state])
        return pulls_low(pin)

    for pin in matrix_of(profile).file_pins:
        factory.pin(pin)._pulls_low = watched
    lines.read()
    assert {len(driven) for driven in low} == {1}
    assert len({driven[0] for driven in low}) == len(ranks)
    assert all(rank.state for rank in ranks)
    lines.close()


def test_a_corrected_switch_is_read_as_the_square_it_really_is() -> None:
    swapped = replace(load_profile("gpio-8x8"), corrections={E2: E4, E4: E2})
    factory = MatrixFactory(swapped)
    lines = MatrixLines(matrix_of(swapped), factory)
    factory.place(E2)
    assert lines.read() == [28]  # where e4's switch should be
    assert swapped.square_of(28) == E2
    lines.close()


def test_closing_lets_go_of_every_pin_so_that_they_can_be_had_again(profile: Profile, factory: MatrixFactory) -> None:
    lines = MatrixLines(matrix_of(profile), factory)
    with pytest.raises(GPIOPinInUse):
        MatrixLines(matrix_of(profile), factory)
    lines.close()
    MatrixLines(matrix_of(profile), factory).close()


def test_pins_taken_before_one_failed_are_let_go(profile: Profile, factory: MatrixFactory) -> None:
    right = matrix_of(profile)
    with pytest.raises(PinInvalidPin):
        MatrixLines(Matrix(right.rank_pins, (*right.file_pins[:-1], 99)), factory)
    MatrixLines(right, factory).close()


# --- buttons and encoder --------------------------------------------------------------------------------------------


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


# --- the scanner ----------------------------------------------------------------------------------------------------


class Bench:
    """A scanner on mock pins with a clock that only the test moves; a scan costs some of its time."""

    def __init__(self, profile: Profile, scan_costs_ms: float = 0.0, debounce_ms: int = DEBOUNCE_MS) -> None:
        self.factory = MatrixFactory(profile)
        self.now_ms = 0.0
        self.scans: list[float] = []
        self._cost_ms = scan_costs_ms
        self.matrix = MatrixLines(matrix_of(profile), self.factory)
        buttons = ButtonLines(profile.buttons, self.factory)
        self.scanner = Scanner(self, buttons, profile.square_of, lambda: self.now_ms, debounce_ms)

    def read(self) -> list[int]:
        self.scans.append(self.now_ms)
        self.now_ms += self._cost_ms
        return self.matrix.read()

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


# --- whole rounds ---------------------------------------------------------------------------------------------------

ROUND = "whole-round" if LONG_RUN else "quick-round"


def journal_of(tape: Path) -> list[dict[str, object]]:
    """Return what the tape itself journals on the simulated table, without times."""
    out = io.StringIO()
    assert replay_files([tape], out, io.StringIO()) == 0
    return [line for text in out.getvalue().splitlines() if (line := _timeless(json.loads(text)))]


def _timeless(line: dict[str, object]) -> dict[str, object]:
    return {key: line[key] for key in ("seq", "seat", "action") if key in line}


@pytest.mark.long
@pytest.mark.parametrize("name", [ROUND, "castling-rook-first", "bounce", "slow-slide"])
def test_a_tape_played_through_mock_pins_ends_with_its_own_journal(name: str) -> None:
    player = GpioPlayer(load_profile("gpio-8x8"))
    player.play(TAPES / f"{name}.tape")
    player.close()
    assert player.journal is not None
    lines = [action_line(entry, ("Anne", "Bart")) for entry in player.journal.entries()]
    assert [json.loads(json.dumps(_timeless(line))) for line in lines if line] == journal_of(TAPES / f"{name}.tape")


# --- the thread -----------------------------------------------------------------------------------------------------


class Heard:
    """What a board told, and whether it did so on the event loop's own thread."""

    def __init__(self) -> None:
        self.events: list[BoardEvent] = []
        self.threads: set[int] = set()
        self.times: list[float] = []
        self._more = asyncio.Event()

    def __call__(self, event: BoardEvent, at_ms: float) -> None:
        self.events.append(event)
        self.times.append(at_ms)
        self.threads.add(threading.get_ident())
        self._more.set()

    async def until(self, count: int) -> None:
        """Wait until so much was told."""
        while len(self.events) < count:
            self._more.clear()
            await asyncio.wait_for(self._more.wait(), PATIENCE_S)


def board_on(factory: MatrixFactory, profile: Profile) -> GpioBoard:
    return GpioBoard(profile, MatrixLines(matrix_of(profile), factory), ButtonLines(profile.buttons, factory))


def test_the_thread_tells_on_the_event_loop_in_order_and_is_silent_once_closed(
    profile: Profile, factory: MatrixFactory
) -> None:
    async def play() -> Heard:
        heard = Heard()
        factory.place(E2)
        board = board_on(factory, profile)
        assert board.missing
        board.open(heard)
        await heard.until(1)
        factory.lift(E2)
        await heard.until(2)
        factory.place(E4)
        await heard.until(3)
        board.close()
        board.close()
        factory.lift(E4)
        await asyncio.sleep(0.06)
        return heard

    heard = asyncio.run(play())
    assert heard.events == [
        BoardRead(frozenset({E2})),
        SwitchChanged(E2, closed=False),
        SwitchChanged(E4, closed=True),
    ]
    assert heard.threads == {threading.get_ident()}
    assert heard.times == sorted(heard.times)
    assert not [thread for thread in threading.enumerate() if thread.name == "switches"]
    MatrixLines(matrix_of(profile), factory).close()  # the pins are free


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # as it should end up in the log
def test_a_scan_that_fails_is_said_at_the_table(profile: Profile, factory: MatrixFactory) -> None:
    def broken(_: int) -> bool:
        raise OSError("the chip is gone")

    async def play() -> Heard:
        heard = Heard()
        board = board_on(factory, profile)
        board.open(heard)
        await heard.until(1)
        factory.pin(matrix_of(profile).file_pins[0])._pulls_low = broken
        await heard.until(2)
        board.close()
        return heard

    events = asyncio.run(play()).events
    assert isinstance(events[1], BoardLost)
    assert "not read any more" in events[1].words


def test_a_factory_needs_a_profile_with_a_matrix() -> None:
    with pytest.raises(ValueError, match="simulated has no switch matrix"):
        MatrixFactory(load_profile("simulated"))
    with pytest.raises(ValueError, match="z1"):
        MatrixFactory(load_profile("gpio-8x8")).place(Square(25, 0))
