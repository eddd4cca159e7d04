"""A tape's whole round of Legend over a serial line, played on the real firmware under a real MicroPython.

Whatever befalls the line, the journal equals the tape's own and every press is counted once.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from captains_table.table.tapes.tape_reader import MoveSwitch
from tests.support.effort import LONG_RUN, effort
from tests.support.evening import Evening, play_evening
from tests.support.tape_at_board import Score, timeless

TAPES = Path(__file__).parent.parent / "tapes"
LONG, QUICK = TAPES / "whole-round.tape", TAPES / "quick-round.tape"
DAMAGED = LONG if LONG_RUN else QUICK
OFTEN = effort(100, 1000)
LINES_AN_UNPLUGGING = 4
LINES_A_RESET = 15
AWAY_S = 0.2
MOMENT_STARTS = 4  # a moment is less than so many starts of the interpreter on the same machine


@cache
def score(tape: Path) -> Score:
    return Score.of(tape)


def is_as_on_tape(evening: Evening) -> None:
    """Check that the table understood all that was played, once."""
    score = evening.at.score
    assert evening.entries == timeless(score.entries)
    assert {name: evening.at.heard[name] for name in evening.hands.presses} == evening.hands.presses
    assert evening.hands.presses["roll"] == score.presses


def hit_often(*names: str) -> Callable[[Evening], bool]:
    """Return what tells whether each of these has befallen the line often enough."""
    return lambda evening: all(evening.line.hits[name] > OFTEN for name in names)


def is_move(evening: Evening, number: int) -> bool:
    return isinstance(evening.at.score.steps[number].directive, MoveSwitch)


def test_a_whole_round_played_on_the_firmware_gives_the_tapes_own_journal(tmp_path: Path) -> None:
    evening = play_evening(tmp_path, score(LONG))
    is_as_on_tape(evening)
    assert not evening.line.hits


@pytest.mark.long
@pytest.mark.parametrize("damages", [("lost", "flipped", "doubled"), ("inserted", "cut", "flooded")], ids="-".join)
def test_a_line_that_damages_a_third_of_all_frames_changes_nothing(damages: Sequence[str], tmp_path: Path) -> None:
    rates = dict.fromkeys(damages, 0.15)
    evening = play_evening(tmp_path, score(DAMAGED), rates, fidget_s=0.02, until=hit_often(*rates))
    is_as_on_tape(evening)


@pytest.mark.long
def test_stalls_unplugging_and_resets_in_mid_frame_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captains_table.devices.pico.serial_board.LOOK_MS", 20)

    async def mishaps(evening: Evening, number: int) -> None:
        if number % LINES_A_RESET == LINES_A_RESET - 1:
            await reset_in_mid_frame(evening)
        elif evening.line.is_plugged and number % LINES_AN_UNPLUGGING == 0:
            evening.line.unplug()
            path = tmp_path / f"ttyACM{number % 4}"
            asyncio.get_running_loop().call_later(AWAY_S, evening.line.plug, path)

    evening = play_evening(tmp_path, score(DAMAGED), {"stalled": 0.05}, mishaps, until=hit_often("stalled"))
    is_as_on_tape(evening)
    unplugged, torn, reads = effort(5, 50), effort(3, 15), effort(5, 30)
    assert evening.line.hits["unplugged"] > unplugged
    assert evening.line.hits["torn"] > torn
    assert evening.at.heard["BoardRead"] > reads


async def reset_in_mid_frame(evening: Evening) -> None:
    """Reset the board while a frame of it is on its way; what it had to tell before that has been told."""
    evening.hands_off = True
    await evening.hands.seen()
    await evening.line.tear()
    await asyncio.to_thread(evening.pico.reset)
    evening.hands_off = False


def test_killing_the_firmware_in_mid_move_and_starting_it_again_costs_but_a_moment(tmp_path: Path) -> None:
    moments_s: list[float] = []
    starts_s: list[float] = []

    async def kill(evening: Evening, number: int) -> None:
        if number % 2 == 0 and is_move(evening, number) and is_move(evening, number - 1):
            await evening.hands.seen()
            killed_s = asyncio.get_running_loop().time()
            evening.pico.kill()
            evening.pico.start()
            await asyncio.to_thread(evening.pico.ask, "running")
            began_s = asyncio.get_running_loop().time()
            starts_s.append(began_s - killed_s)
            await evening.hands.until(lambda: evening.at.heard["BoardRead"] > len(moments_s) + 1, "it was not read")
            moments_s.append(asyncio.get_running_loop().time() - began_s)

    evening = play_evening(tmp_path, score(QUICK), None, kill)
    is_as_on_tape(evening)
    assert len(moments_s) > 2
    assert max(moments_s) < MOMENT_STARTS * max(starts_s)
