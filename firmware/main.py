"""The entry point on the Pico: opens pins, clock and USB, and runs the board's loop under a watchdog.

The board stays at MicroPython's prompt instead if all buttons are held while it is powered on, or after an UPDATE line.
"""

import os
import random
import select
import sys
import time

import machine
import micropython
import neopixel

from captains_table.link.board import BoardEnd
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.link.from_board import FIRMWARE, Abilities, Hello
from firmware import settings
from firmware.board_loop import BoardLoop, Parts
from firmware.buzzer import Buzzer
from firmware.clock import Clock
from firmware.encoder import Encoder
from firmware.lights import Lights
from firmware.matrix import Matrix
from firmware.stdio import Stdio

UPDATE_MARK = "update"
WATCHDOG_MS = 2000


def parts() -> Parts:
    """Open the pins that the settings name, and return the board's parts."""
    files = [machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in settings.FILE_PINS]
    ranks = [machine.Pin(pin, machine.Pin.OPEN_DRAIN, value=1) for pin in settings.RANK_PINS]
    matrix = Matrix(ranks, files, time.sleep_us)  # type: ignore[attr-defined]  # MicroPython's own
    built = Parts(matrix, [contact(pin) for pin in settings.BUTTON_PINS.values()])
    if settings.ENCODER_PINS is not None:
        a, b = settings.ENCODER_PINS
        built.encoder = (Encoder(), contact(a), contact(b))
    if settings.LIGHTS_PIN is not None:
        strip = neopixel.NeoPixel(machine.Pin(settings.LIGHTS_PIN, machine.Pin.OUT), len(settings.LIGHT_CHAIN))
        built.lights = Lights(strip, settings.LIGHT_CHAIN, settings.BRIGHTNESS, settings.MOST_MILLIAMPERES)
    if settings.BUZZER_PIN is not None:
        built.buzzer = Buzzer(machine.PWM(machine.Pin(settings.BUZZER_PIN)))
    return built


def contact(pin: int) -> machine.Pin:
    """Return a pin with pull-up, for a contact that closes to ground."""
    return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)


def board_end() -> BoardEnd:
    """Return the board's end of the link, with a random nonce for this boot."""
    lights = 0 if settings.LIGHTS_PIN is None else len(settings.LIGHT_CHAIN)
    abilities = Abilities(
        lights, tuple(settings.BUTTON_PINS), settings.ENCODER_PINS is not None, settings.BUZZER_PIN is not None
    )
    files, ranks = len(settings.FILE_PINS), len(settings.RANK_PINS)
    hello = Hello(FIRMWARE, files, ranks, random.getrandbits(32), abilities)
    return BoardEnd(hello, settings.BRIGHTNESS, DEBOUNCE_MS)


def stdio() -> Stdio:
    """Return the serial line over USB; each direction is polled separately, whether it is ready."""
    reading, writing = select.poll(), select.poll()
    reading.register(sys.stdin, select.POLLIN)
    writing.register(sys.stdout, select.POLLOUT)
    return Stdio(sys.stdin.buffer, sys.stdout.buffer, lambda: bool(reading.poll(0)), lambda: bool(writing.poll(0)))


def stays_at_prompt() -> bool:
    """Return whether to stay at MicroPython's prompt, so that new firmware can be flashed."""
    if UPDATE_MARK in os.listdir():
        os.remove(UPDATE_MARK)
        return True
    if machine.reset_cause() != machine.PWRON_RESET:  # after a watchdog reset the board must work again by itself
        return False
    levels = [contact(pin).value() for pin in settings.BUTTON_PINS.values()]
    return bool(levels) and not any(levels)


def run() -> None:
    """Run the loop until an update is ordered; the watchdog reboots the board if the loop hangs."""
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    micropython.kbd_intr(-1)  # byte 3 on the line must not act as Ctrl-C
    loop = BoardLoop(parts(), board_end(), stdio(), DEBOUNCE_MS)
    clock = Clock(time.ticks_ms, time.ticks_diff)  # type: ignore[attr-defined]  # MicroPython's own
    loop.begin()
    while not loop.update_wanted:
        loop.step(clock.now_ms())
        watchdog.feed()
        machine.idle()  # sleeps until an interrupt, at most a millisecond
    with open(UPDATE_MARK, "w"):
        pass
    machine.reset()


if not stays_at_prompt():
    run()
