"""The board on the Pi's own pins: gpiozero's real driver on mock pins that behave as a switch matrix."""

import asyncio
import io
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from gpiozero import PinInvalidPin
from gpiozero.exc import GPIOPinInUse
from hypothesis import given, strategies as st

from captains_table.devices.gpio.gpio_board import RISE_S, SETTLE_S, GpioBoard, MatrixLines
from captains_table.games.contract import Square, parse_square
from captains_table.hardware.profiles.profile import Matrix, Profile
from captains_table.runtime.tape_player import replay_files
from captains_table.simulation.electrics.circuit import TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import BoardRead, SwitchChanged
from captains_table.table.tapes.final_object import action_line
from tests.devices.gpio_player import GpioPlayer
from tests.devices.reports import Reports
from tests.support.effort import LONG_RUN
from tests.support.faulty_boards import random_faults
from tests.support.measured_board import PI
from tests.support.mock_matrix import MatrixFactory

TAPES = Path(__file__).parent.parent / "tapes"
A1, E2, E4, H8 = (parse_square(name) for name in ("a1", "e2", "e4", "h8"))


PROFILE = load_profile("gpio-9x8")
assert PROFILE.matrix is not None
MATRIX = PROFILE.matrix


@pytest.fixture
def factory() -> Iterator[MatrixFactory]:
    with closing(MatrixFactory(PROFILE)) as factory:
        yield factory


def read(
    factory: MatrixFactory, standing: Iterable[Square], wait: Callable[[float], None] = lambda _: None
) -> list[Square]:
    """Return what the driver reads while pieces stand on squares."""
    profile = factory.profile
    assert profile.matrix is not None
    factory.stand(standing)
    with closing(MatrixLines(profile.matrix, factory, wait)) as lines:
        return [profile.square_of(index) for index in lines.read()]


# --- the matrix -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpio-8x8", "gpio-9x8"])
def test_every_switch_is_read_as_its_own_square(name: str) -> None:
    factory = MatrixFactory(load_profile(name))
    for square in factory.profile.shape.squares():
        assert read(factory, [square]) == [square]


@pytest.mark.slow
@given(seed=st.integers(), chance=st.randoms(use_true_random=False))
def test_any_set_of_switches_is_read_without_ghosts_and_a_faulty_board_as_its_levels_say(
    seed: int, chance: Random
) -> None:
    closed = chance.sample(PROFILE.shape.squares(), chance.randrange(73))
    assert set(read(MatrixFactory(PROFILE), closed)) == set(closed)
    board = ElectricBoard(PROFILE.shape, random_faults(Random(seed), PROFILE.shape), PI)
    standing = closed[:12]
    expected = board.read_at(TYPICAL_THRESHOLD_V, board.reeds(standing))
    assert set(read(MatrixFactory(PROFILE, board.faults), standing)) == expected


def test_one_rank_at_a_time_is_driven_low_and_no_other_is_driven_at_all(factory: MatrixFactory) -> None:
    lines = MatrixLines(MATRIX, factory)
    ranks = [factory.pin(pin) for pin in MATRIX.rank_pins]
    driven: list[dict[str, bool]] = []
    pulls_low = factory.pulls_low

    def watched(pin: int) -> bool:
        driven.append({rank.info.name: rank.driven for rank in ranks if rank.driven is not None})
        return pulls_low(pin)

    for pin in MATRIX.file_pins:
        factory.pin(pin)._pulls_low = watched
    lines.read()
    assert {tuple(levels.values()) for levels in driven} == {(False,)}
    assert len({name for levels in driven for name in levels}) == len(ranks)
    assert [rank.driven for rank in ranks] == [None] * len(ranks)


def test_a_rank_may_lie_on_a_pin_with_a_pull_up_of_its_own() -> None:
    with_glass_elsewhere = replace(PROFILE, matrix=replace(MATRIX, rank_pins=(2, 3, *MATRIX.rank_pins[2:])))
    assert read(MatrixFactory(with_glass_elsewhere), [A1, E2, H8]) == [A1, E2, H8]


def test_a_rank_settles_before_it_is_read(factory: MatrixFactory) -> None:
    waits: list[float] = []
    read(factory, [], waits.append)
    assert waits == [SETTLE_S] * PROFILE.shape.ranks


def test_the_next_rank_waits_until_the_files_have_risen_but_not_for_ever() -> None:
    """Lines rise by their pull-ups alone: the more closed switches are on a file, the longer it takes."""
    sluggish = SluggishFactory(PROFILE, rises_after_s=3 * RISE_S)
    standing = [Square(0, rank) for rank in range(PROFILE.shape.ranks - 1)]
    assert read(sluggish, standing, sluggish.wait_s) == standing
    stuck = SluggishFactory(PROFILE, rises_after_s=3600)
    assert read(stuck, [A1], stuck.wait_s)


class SluggishFactory(MatrixFactory):
    """Pins of a matrix whose files rise some time after nothing pulls them low any more."""

    def __init__(self, profile: Profile, rises_after_s: float) -> None:
        super().__init__(profile)
        self._rises_after_s = rises_after_s
        self._now_s = 0.0
        self._low_until_s: dict[int, float] = {}

    def wait_s(self, seconds: float) -> None:
        self._now_s += seconds

    def pulls_low(self, pin: int) -> bool:
        if super().pulls_low(pin):
            self._low_until_s[pin] = self._now_s + self._rises_after_s
        return self._now_s < self._low_until_s.get(pin, 0.0)


def test_pins_are_let_go_when_they_are_closed_and_when_one_of_them_failed(factory: MatrixFactory) -> None:
    with pytest.raises(PinInvalidPin):
        MatrixLines(Matrix(MATRIX.rank_pins, (*MATRIX.file_pins[:-1], 99)), factory)
    lines = MatrixLines(MATRIX, factory)
    with pytest.raises(GPIOPinInUse):
        MatrixLines(MATRIX, factory)
    lines.close()
    MatrixLines(MATRIX, factory).close()


# --- whole rounds ---------------------------------------------------------------------------------------------------

EVERYDAY = ("quick-round", "castling-rook-first", "bounce")
FIRST_LINES = 24  # of a tape: throws, menus and moves by both players


def journal_of(tape: Path) -> list[dict[str, object]]:
    """Return what the tape itself journals on the simulated table, without times."""
    out = io.StringIO()
    assert replay_files([tape], out, io.StringIO()) == 0
    return [line for text in out.getvalue().splitlines() if (line := _timeless(json.loads(text)))]


def _timeless(line: dict[str, object]) -> dict[str, object]:
    return {key: line[key] for key in ("seq", "seat", "action") if key in line}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", (*EVERYDAY, "whole-round", "slow-slide") if LONG_RUN else EVERYDAY)
def test_a_tape_played_through_mock_pins_ends_with_its_own_journal(name: str, tmp_path: Path) -> None:
    lines = (TAPES / f"{name}.tape").read_text(encoding="utf-8").splitlines()
    tape = tmp_path / "beginning.tape"
    tape.write_text("\n".join(lines if LONG_RUN else lines[:FIRST_LINES]), encoding="utf-8")
    player = GpioPlayer(load_profile("gpio-8x8"))
    player.play(tape)
    player.close()
    assert player.journal is not None
    entries = [action_line(entry, ("Anne", "Bart")) for entry in player.journal.entries()]
    assert [json.loads(json.dumps(_timeless(line))) for line in entries if line] == journal_of(tape)


# --- the thread -----------------------------------------------------------------------------------------------------


async def test_the_thread_reports_on_the_event_loop_in_order_and_is_silent_once_closed(factory: MatrixFactory) -> None:
    reports = Reports()
    factory.place(E2)
    board = GpioBoard(PROFILE, factory)
    assert board.missing
    board.open(reports)
    await reports.count(1)
    factory.lift(E2)
    await reports.count(2)
    factory.place(E4)
    await reports.count(3)
    board.close()
    board.close()
    factory.lift(E4)
    await asyncio.sleep(0.06)
    assert reports.events == [
        BoardRead(frozenset({E2})),
        SwitchChanged(E2, closed=False),
        SwitchChanged(E4, closed=True),
    ]
    assert reports.threads == {threading.get_ident()}
    times = [at_ms for _, at_ms in reports.told]
    assert times == sorted(times)
    assert not [thread for thread in threading.enumerate() if thread.name == "switches"]
    MatrixLines(MATRIX, factory).close()  # the pins are free


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # ours ends up in the log
@pytest.mark.parametrize(
    ("error", "words"),
    [(OSError("the chip is gone"), "The switches do not answer: the chip is gone"), (AssertionError(), "any more")],
)
async def test_pins_and_scans_that_fail_are_said_at_the_table(
    error: Exception, words: str, factory: MatrixFactory
) -> None:
    def broken(_: int) -> bool:
        raise error

    reports, board = Reports(), GpioBoard(PROFILE, factory)
    board.open(reports)
    await reports.count(1)
    factory.pin(MATRIX.file_pins[0])._pulls_low = broken
    await reports.count(2)
    board.close()
    assert words in reports.troubles[0]
