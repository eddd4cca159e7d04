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
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square, parse_square
from captains_table.hardware.profiles.profile import Matrix, Profile
from captains_table.runtime.tape_player import replay_files
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import (
    BoardLost,
    BoardRead,
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
