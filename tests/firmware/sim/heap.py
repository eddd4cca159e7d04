"""Runs a whole board under MicroPython, and prints what it holds in memory. Its parts stand for what is C on a Pico."""

import gc

import wires

gc.collect()
before = gc.mem_alloc()

from captains_table.link.board import BoardEnd
from captains_table.link.frames import frame
from captains_table.link.from_board import Abilities, Hello
from firmware import settings
from firmware.board_loop import BoardLoop, Parts
from firmware.buzzer import Buzzer
from firmware.clock import Clock
from firmware.encoder import Encoder
from firmware.lights import Lights
from firmware.matrix import Matrix
from firmware.stdio import Stdio

STEPS = 60
TURNS = 30
FRAME = frame("LIGHTS 1 " + "L" * 65) + frame("BUZZ 7 440:200,880:200") + frame("SET 30 5")


class Part:
    """A pin, a strip, a tone or a stream; every pin changes each twenty milliseconds, together."""

    now_ms = 0
    arriving = b""

    def value(self, level=None):
        return Part.now_ms // 20 % 2

    def freq(self, hertz):
        pass

    def duty_u16(self, duty):
        pass

    def __setitem__(self, index, colour):
        pass

    def write(self, data=b""):
        return len(data)

    def read(self, size):
        data, Part.arriving = Part.arriving[:size], Part.arriving[size:]
        return data


part = Part()
parts = Parts(Matrix([part] * 8, [part] * 8, lambda _: None), [part, part])
parts.encoder = (Encoder(), part, part)
parts.lights = Lights(part, settings.LIGHT_CHAIN, settings.BRIGHTNESS, settings.MOST_MILLIAMPERES)
parts.buzzer = Buzzer(part)
link = BoardEnd(Hello("1", 8, 8, 1, Abilities(65, ("roll", "choose"), True, True)), 50, 5)
loop = BoardLoop(parts, link, Stdio(part, part, lambda: bool(Part.arriving), lambda: True), 5)
clock = Clock(lambda: Part.now_ms, lambda a, b: a - b)
loop.begin()
turns = 0


def go_on():
    """Print the heap in use, then run on: garbage is collected between these calls."""
    global turns
    gc.collect()
    print("heap", gc.mem_alloc() - before)
    Part.arriving = FRAME
    for _ in range(STEPS):
        Part.now_ms += 1
        loop.step(clock.now_ms())
    turns += 1
    if turns == TURNS:
        print("kept", len(link._words))
        wires.stop()
