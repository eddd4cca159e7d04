"""A tape's whole round of Legend over a serial line, played on the real firmware under a real MicroPython.

Whatever befalls the line, the journal equals the tape's own and every press is counted once.
"""

import asyncio
import itertools
from pathlib import Path

import pytest

from captains_table.table.tapes.tape_reader import MoveSwitch, Press
from tests.link_faults.hands import Hands, Score, play, timeless
from tests.support.effort import LONG_RUN, effort

TAPE = Path(__file__).parents[1] / "tapes" / ("whole-round.tape" if LONG_RUN else "quick-round.tape")
KINDS = 8  # of damage
OFTEN = effort(0, 200)
LINES_AN_UNPLUGGING = effort(12, 4)
LINES_A_RESET = effort(40, 15)
MOVES_A_POWER_CUT = effort(5, 2)
AWAY_S = 0.2

pytestmark = pytest.mark.long


def is_as_on_tape(hands: Hands) -> None:
    """Check that the table understood all that was played, once."""
    assert hands.played == timeless(hands.score.entries)
    assert {name: hands.heard[name] for name in hands.presses} == hands.presses
    assert hands.presses["roll"] == sum(isinstance(step.directive, Press) for step in hands.score.steps)


def test_a_line_that_damages_a_third_of_all_frames_in_every_way_changes_nothing(tmp_path: Path) -> None:
    def until(hands: Hands) -> bool:
        return all(len(noise.done) == KINDS and min(noise.done.values()) > OFTEN for noise in hands.line.noises)

    is_as_on_tape(play(tmp_path, Score.of(TAPE), until, noise=0.35))


def test_stalls_unplugging_resets_in_mid_frame_and_power_cuts_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captains_table.devices.searching_board.LOOK_MS", 20)

    moves = itertools.count(1)

    async def mishaps(hands: Hands, number: int) -> None:
        is_in_mid_move = number > 0 and all(
            isinstance(step.directive, MoveSwitch) for step in hands.score.steps[number - 1 : number + 1]
        )
        if is_in_mid_move and next(moves) % MOVES_A_POWER_CUT == 0:
            await cut_power(hands)
        elif number % LINES_A_RESET == LINES_A_RESET - 1:
            await reset_in_mid_frame(hands)
        elif hands.line.is_plugged and number % LINES_AN_UNPLUGGING == 0:
            hands.line.unplug()
            path = tmp_path / f"ttyACM{number % 4}"
            asyncio.get_running_loop().call_later(AWAY_S, hands.line.plug, path)

    hands = play(tmp_path, Score.of(TAPE), lambda hands: hands.line.hits["stalled"] > OFTEN, mishaps, stalls=0.05)
    is_as_on_tape(hands)
    unplugged, torn, reads = effort(3, 50), effort(1, 15), effort(4, 30)
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


async def cut_power(hands: Hands) -> None:
    """Take the board's power away and give it back; what it had to tell before that has been told."""
    hands.are_off = True
    await hands.seen()
    hands.pico.kill()
    hands.pico.start()
    await asyncio.to_thread(hands.pico.ask, "running")
    hands.are_off = False
