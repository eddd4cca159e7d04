"""Lights and sounds of a serial board, as the board's end of the link shows them."""

import itertools
from pathlib import Path

from captains_table.devices.lights.palette import LOOKS, quantised_colour
from captains_table.link.from_host import DARK, colour_code
from captains_table.table.model.sounds import SOUNDS
from captains_table.table.model.view import Mark
from tests.support.serial_bench import E4, SerialBench, play


def test_lights_go_out_whole_and_again_after_a_reset_and_a_reconnect(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.host.light({E4: Mark.TARGET})
        lit = colour_code(*quantised_colour(LOOKS[Mark.TARGET].colour))
        wanted = DARK * 28 + lit + DARK * 35
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][:64] == wanted)
        bench.board.frames.clear()
        bench.board.reset()
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][:64] == wanted)
        bench.board.frames.clear()
        bench.board.unplug()
        await bench.until(lambda: bench.troubles)
        bench.board.plug()
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][:64] == wanted)

    play(tmp_path, scene)


def test_marks_that_blink_go_on_and_off(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.host.light({E4: Mark.TAKE_AWAY})
        await bench.until(lambda: len(bench.board.frames) >= 7)
        codes = [colours[28] for colours in bench.board.frames[1:]]
        assert set(codes) == {DARK, colour_code(*quantised_colour(LOOKS[Mark.TAKE_AWAY].colour))}
        assert all(code != following for code, following in itertools.pairwise(codes))

    play(tmp_path, scene)


def test_a_signal_sounds_once_and_lights_up(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.host.signal("strike", E4)
        bench.host.signal("nothing known", E4)
        white = colour_code(3, 3, 3)
        await bench.until(
            lambda: any(frame[28] == white for frame in bench.board.frames)
        )  # a busy machine may skip some
        await bench.until(lambda: bench.board.frames[-1][28] == DARK)
        assert bench.board.tones == [list(SOUNDS["strike"].tones)]

    play(tmp_path, scene)


def test_closing_leaves_the_lights_dark(tmp_path: Path) -> None:
    async def scene(bench: SerialBench) -> None:
        await bench.connected()
        bench.host.light({E4: Mark.TARGET})
        await bench.until(lambda: bench.board.frames and bench.board.frames[-1][28] != DARK)
        bench.host.close()
        await bench.until(lambda: set(bench.board.frames[-1]) == {DARK})

    play(tmp_path, scene)
