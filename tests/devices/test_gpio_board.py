"""The board on the Pi's own pins: gpiozero's real driver on mock pins that behave as a switch matrix."""

import asyncio
import io
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from gpiozero import PinInvalidPin
from gpiozero.exc import GPIOPinInUse
from hypothesis import given, strategies as st

from captains_table.devices.gpio.gpio_board import GpioBoard
from captains_table.devices.gpio.lines import RISE_S, SETTLE_S, MatrixLines
from captains_table.games.contract import Square, parse_square
from captains_table.hardware.profiles.profile import Matrix, Profile
from captains_table.runtime.tape_player import replay_files
from captains_table.simulation.electrics.circuit import PI, TYPICAL_THRESHOLD_V
from captains_table.simulation.electrics.electric_board import ElectricBoard
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import BoardRead, SwitchChanged
from captains_table.table.tapes.final_object import action_line
from tests.devices.gpio_player import GpioPlayer
from tests.devices.reports import Reports
from tests.support.effort import LONG_RUN
from tests.support.faulty_boards import random_faults
from tests.support.mock_matrix import MatrixFactory

TAPES = Path(__file__).parent.parent / "tapes"
A1, E2, E4, H8 = (parse_square(name) for name in ("a1", "e2", "e4", "h8"))


def matrix_of(profile: Profile) -> Matrix:
    assert profile.matrix is not None
    return profile.matrix


@pytest.fixture
def profile() -> Profile:
    return load_profile("gpio-9x8")


@pytest.fixture
def factory(profile: Profile) -> Iterator[MatrixFactory]:
    factory = MatrixFactory(profile)
    yield factory
    factory.close()


# --- the matrix -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpio-8x8", "gpio-9x8"])
def test_every_switch_is_read_as_its_own_square(name: str) -> None:
    profile = load_profile(name)
    factory = MatrixFactory(profile)
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


def test_one_rank_at_a_time_is_driven_low_and_no_other_is_driven_at_all(
    profile: Profile, factory: MatrixFactory
) -> None:
    lines = MatrixLines(matrix_of(profile), factory)
    ranks = [factory.pin(pin) for pin in matrix_of(profile).rank_pins]
    driven: list[dict[str, bool]] = []
    pulls_low = factory.pulls_low

    def watched(pin: int) -> bool:
        driven.append({rank.info.name: rank.driven for rank in ranks if rank.driven is not None})
        return pulls_low(pin)

    for pin in matrix_of(profile).file_pins:
        factory.pin(pin)._pulls_low = watched
    lines.read()
    assert {tuple(levels.values()) for levels in driven} == {(False,)}
    assert len({name for levels in driven for name in levels}) == len(ranks)
    assert [rank.driven for rank in ranks] == [None] * len(ranks)
    lines.close()


def test_a_rank_may_lie_on_a_pin_with_a_pull_up_of_its_own() -> None:
    with_glass_elsewhere = load_profile("gpio-8x8")
    matrix = matrix_of(with_glass_elsewhere)
    profile = replace(with_glass_elsewhere, matrix=replace(matrix, rank_pins=(2, 3, *matrix.rank_pins[2:])))
    factory = MatrixFactory(profile)
    lines = MatrixLines(matrix_of(profile), factory)
    factory.stand([A1, E2, H8])
    assert [profile.square_of(index) for index in lines.read()] == [A1, E2, H8]
    lines.close()


def test_a_rank_settles_before_it_is_read(profile: Profile, factory: MatrixFactory) -> None:
    waits: list[float] = []
    lines = MatrixLines(matrix_of(profile), factory, waits.append)
    lines.read()
    assert waits == [SETTLE_S] * profile.shape.ranks
    lines.close()


def test_the_next_rank_waits_until_the_files_have_risen_but_not_for_ever(profile: Profile) -> None:
    """Lines rise by their pull-ups alone: the more closed switches hang on a file, the longer it takes."""
    sluggish = SluggishFactory(profile, rises_after_s=3 * RISE_S)
    lines = MatrixLines(matrix_of(profile), sluggish, sluggish.wait_s)
    standing = [Square(0, rank) for rank in range(profile.shape.ranks - 1)]
    sluggish.stand(standing)
    assert [profile.square_of(index) for index in lines.read()] == standing
    stuck = SluggishFactory(profile, rises_after_s=3600)
    lines_held_low = MatrixLines(matrix_of(profile), stuck, stuck.wait_s)
    stuck.place(A1)
    assert lines_held_low.read()
    for each in (lines, lines_held_low):
        each.close()


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


@given(seed=st.integers(), chance=st.randoms(use_true_random=False))
def test_the_driver_reads_a_faulty_board_as_its_levels_say(seed: int, chance: Random) -> None:
    profile = load_profile("gpio-9x8")
    board = ElectricBoard(profile.shape, random_faults(Random(seed), profile.shape), PI)
    standing = chance.sample(profile.shape.squares(), chance.randrange(12))
    expected = board.read_at(TYPICAL_THRESHOLD_V, board.reeds(standing))
    assert scanned(profile, MatrixFactory(profile, board.faults), standing) == expected


def scanned(profile: Profile, factory: MatrixFactory, standing: Sequence[Square]) -> set[Square]:
    factory.stand(standing)
    lines = MatrixLines(matrix_of(profile), factory, lambda _: None)
    closed = {profile.square_of(index) for index in lines.read()}
    lines.close()
    factory.close()
    return closed


def test_pins_are_let_go_when_they_are_closed_and_when_one_of_them_failed(
    profile: Profile, factory: MatrixFactory
) -> None:
    right = matrix_of(profile)
    with pytest.raises(PinInvalidPin):
        MatrixLines(Matrix(right.rank_pins, (*right.file_pins[:-1], 99)), factory)
    lines = MatrixLines(right, factory)
    with pytest.raises(GPIOPinInUse):
        MatrixLines(right, factory)
    lines.close()
    MatrixLines(right, factory).close()


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


async def test_the_thread_reports_on_the_event_loop_in_order_and_is_silent_once_closed(
    profile: Profile, factory: MatrixFactory
) -> None:
    reports = Reports()
    factory.place(E2)
    board = GpioBoard(profile, factory)
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
    MatrixLines(matrix_of(profile), factory).close()  # the pins are free


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # ours ends up in the log
@pytest.mark.parametrize(
    ("error", "words"),
    [(OSError("the chip is gone"), "The switches do not answer: the chip is gone"), (AssertionError(), "any more")],
)
async def test_pins_and_scans_that_fail_are_said_at_the_table(
    error: Exception, words: str, profile: Profile, factory: MatrixFactory
) -> None:
    def broken(_: int) -> bool:
        raise error

    reports, board = Reports(), GpioBoard(profile, factory)
    board.open(reports)
    await reports.count(1)
    factory.pin(matrix_of(profile).file_pins[0])._pulls_low = broken
    await reports.count(2)
    board.close()
    assert words in reports.troubles[0]
