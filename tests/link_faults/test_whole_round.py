"""A tape's whole round of Legend over a serial line, played on the real firmware under a real MicroPython.

Whatever befalls the line, the journal equals the tape's own and every press is counted once.
"""

import asyncio
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from captains_table.table.tape import MoveSwitch
from tests.link_faults.tape_at_board import Evening, Score, play_evening, timeless

TAPES = Path(__file__).parent.parent / "tapes"
LONG, QUICK = TAPES / "whole-round.tape", TAPES / "quick-round.tape"
HUNDREDS = 200
LINES_AN_UNPLUGGING = 3
LINES_A_RESET = 20
AWAY_S = 0.12


@cache
def score(tape: Path) -> Score:
    return Score.of(tape)


def is_as_on_tape(evening: Evening) -> None:
    """Check that the table understood all that was played, once."""
    score = evening.at.score
    assert evening.entries == timeless(score.entries)
    assert {name: evening.at.heard[name] for name in evening.hands.presses} == evening.hands.presses
    assert evening.hands.presses["roll"] == score.presses


def is_move(evening: Evening, number: int) -> bool:
    return isinstance(evening.at.score.steps[number].directive, MoveSwitch)


def test_a_whole_round_played_on_the_firmware_gives_the_tapes_own_journal(tmp_path: Path) -> None:
    evening = play_evening(tmp_path, score(LONG))
    is_as_on_tape(evening)
    assert not evening.line.hits


@pytest.mark.parametrize("damages", [("lost", "flipped", "doubled"), ("inserted", "cut", "flooded")], ids="-".join)
def test_a_line_that_damages_every_other_frame_changes_nothing(damages: Sequence[str], tmp_path: Path) -> None:
    rates = dict.fromkeys(damages, 0.2)
    evening = play_evening(tmp_path, score(QUICK), rates)
    print(evening.line.frames, evening.line.hits)
    is_as_on_tape(evening)
    assert min(evening.line.hits[name] for name in rates) > HUNDREDS


def test_stalls_unplugging_and_resets_in_mid_frame_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captains_table.devices.serial_board.LOOK_MS", 20)

    async def mishaps(evening: Evening, number: int) -> None:
        if number % LINES_A_RESET == LINES_A_RESET - 1:
            await reset_in_mid_frame(evening)
        elif number % LINES_AN_UNPLUGGING == 0:
            evening.line.unplug()
            path = tmp_path / f"ttyACM{number % 4}"
            asyncio.get_running_loop().call_later(AWAY_S, evening.line.plug, path)

    evening = play_evening(tmp_path, score(QUICK), {"stalled": 0.03}, mishaps)
    print(evening.line.frames, evening.line.hits)
    is_as_on_tape(evening)
    assert evening.at.heard["BoardLost"] > 80
    assert min(evening.line.hits[name] for name in ("stalled", "unplugged")) > HUNDREDS
    assert evening.line.hits["torn"] > 10


async def reset_in_mid_frame(evening: Evening) -> None:
    """Reset the board while a frame of it is on its way; what it had to tell before that has been told."""
    await evening.hands.seen()
    torn = asyncio.ensure_future(evening.line.tear())
    await torn
    await asyncio.to_thread(evening.pico.reset)


def test_killing_the_firmware_in_mid_move_and_starting_it_again_costs_but_a_moment(tmp_path: Path) -> None:
    slowest_s = 0.0

    async def kill(evening: Evening, number: int) -> None:
        nonlocal slowest_s
        in_mid_move = number > 0 and is_move(evening, number) and is_move(evening, number - 1)
        if in_mid_move and number % 4 == 0:
            await evening.hands.seen()
            loop = asyncio.get_running_loop()
            await asyncio.to_thread(evening.pico.kill)
            began_s = loop.time()
            await asyncio.to_thread(evening.pico.start)
            await asyncio.to_thread(evening.pico.ask, "started")
            started_s = loop.time()
            await evening.hands.seen()
            slowest_s = max(slowest_s, loop.time() - started_s)
            del began_s

    evening = play_evening(tmp_path, score(QUICK), None, kill)
    is_as_on_tape(evening)
    print(slowest_s)
