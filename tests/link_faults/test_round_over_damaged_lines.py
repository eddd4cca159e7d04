"""A tape's whole round of Legend over a serial line, played on the real firmware under a real MicroPython.

Whatever befalls the line, the journal equals the tape's own and every press is counted once.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from captains_table.table.tapes.tape_reader import MoveSwitch
from tests.link_faults.faulty_line import DAMAGES
from tests.link_faults.hands import Hands, Score, play, timeless
from tests.support.effort import LONG_RUN, effort

TAPES = Path(__file__).parent.parent / "tapes"
LONG, QUICK = TAPES / "whole-round.tape", TAPES / "quick-round.tape"
DAMAGED = LONG if LONG_RUN else QUICK
OFTEN = effort(20, 1000)
LINES_AN_UNPLUGGING = 4
LINES_A_RESET = 15
AWAY_S = 0.2
MOMENT_STARTS = 4  # a moment is less than so many starts of the interpreter on the same machine


@cache
def score(tape: Path) -> Score:
    return Score.of(tape)


def is_as_on_tape(hands: Hands) -> None:
    """Check that the table understood all that was played, once."""
    assert hands.played == timeless(hands.score.entries)
    assert {name: hands.heard[name] for name in hands.presses} == hands.presses
    assert hands.presses["roll"] == hands.score.presses


def hit_often(*names: str) -> Callable[[Hands], bool]:
    """Return what tells whether each of these faults has befallen the line often enough."""
    return lambda hands: all(hands.line.hits[name] > OFTEN for name in names)


def is_move(hands: Hands, number: int) -> bool:
    return isinstance(hands.score.steps[number].directive, MoveSwitch)


def test_a_whole_round_played_on_the_firmware_gives_the_tapes_own_journal(tmp_path: Path) -> None:
    hands = play(tmp_path, score(LONG))
    is_as_on_tape(hands)
    assert not hands.line.hits


@pytest.mark.long
def test_a_line_that_damages_a_third_of_all_frames_in_every_way_changes_nothing(tmp_path: Path) -> None:
    is_as_on_tape(play(tmp_path, score(DAMAGED), dict.fromkeys(DAMAGES, 0.07), until=hit_often(*DAMAGES)))


@pytest.mark.long
def test_stalls_unplugging_and_resets_in_mid_frame_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captains_table.devices.pico.serial_board.LOOK_MS", 20)

    async def mishaps(hands: Hands, number: int) -> None:
        if number % LINES_A_RESET == LINES_A_RESET - 1:
            await reset_in_mid_frame(hands)
        elif hands.line.is_plugged and number % LINES_AN_UNPLUGGING == 0:
            hands.line.unplug()
            path = tmp_path / f"ttyACM{number % 4}"
            asyncio.get_running_loop().call_later(AWAY_S, hands.line.plug, path)

    hands = play(tmp_path, score(DAMAGED), {"stalled": 0.05}, mishaps, until=hit_often("stalled"))
    is_as_on_tape(hands)
    unplugged, torn, reads = effort(5, 50), effort(3, 15), effort(5, 30)
    assert hands.line.hits["unplugged"] > unplugged
    assert hands.line.hits["torn"] > torn
    assert hands.heard["BoardRead"] > reads


async def reset_in_mid_frame(hands: Hands) -> None:
    """Reset the board while a frame of it is on its way; what it had to tell before that has been told."""
    hands.are_off = True
    await hands.seen()
    await hands.line.tear()
    await asyncio.to_thread(hands.pico.reset)
    hands.are_off = False


def test_killing_the_firmware_in_mid_move_and_starting_it_again_costs_but_a_moment(tmp_path: Path) -> None:
    moments_s: list[float] = []
    starts_s: list[float] = []

    async def kill(hands: Hands, number: int) -> None:
        if number % 2 == 0 and is_move(hands, number) and is_move(hands, number - 1):
            await hands.seen()
            killed_s = asyncio.get_running_loop().time()
            hands.pico.kill()
            hands.pico.start()
            await asyncio.to_thread(hands.pico.ask, "running")
            began_s = asyncio.get_running_loop().time()
            starts_s.append(began_s - killed_s)
            await hands.until(lambda: hands.heard["BoardRead"] > len(moments_s) + 1, "it was not read")
            moments_s.append(asyncio.get_running_loop().time() - began_s)

    hands = play(tmp_path, score(QUICK), None, kill)
    is_as_on_tape(hands)
    assert len(moments_s) > 2
    assert max(moments_s) < MOMENT_STARTS * max(starts_s)
