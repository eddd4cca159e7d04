"""Babble on the serial line of the real daemon: noise, damaged frames, frames that only seem to be a board's.

A board's own end of the link speaks on the same line meanwhile. Nothing of it may reach the daemon's standard error,
the page goes on, and once the line is quiet the daemon follows the board again: a piece that is lifted is seen lifted.
"""

import asyncio
import json
import os
import random
import re
import time
from pathlib import Path
from typing import Final

from captains_table.games.contract import parse_square
from captains_table.link.frames import NotAPayload, frame
from tests.siege.attack import Attack, Case, Fault, Found, Outcome, complaints_of
from tests.siege.malformed_requests import HOME
from tests.siege.raw_http import request, send
from tests.support.link_noise import Noise
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import PtyBoard
from tests.support.table_process import TableProcess

CONFIG: Final = """
[table]
board = "pico"
device = "{device}"
state_dir = "{state}"

[web]
port = 0

[match]
players = ["Anne", "Bart"]
"""
SAID: Final = (
    "HELLO 1 0.1.0 8x8 5e3a90f1 lights=65 buttons=roll,choose encoder=1 buzzer=1",
    "STATE 5e3a90f1 6 3300 ffff00001000efff 6,5 1,1,0;0,0,0 -1 0 50,8 0,0,0",
    "CHANGES 5e3a90f1 1 2100:s12- 2450:s28+ 2900:b0+ 3000:e-1 3300:b0-",
    "LIT 5e3a90f1 1",
    "PONG 5e3a90f1 2 3300",
    "HELLO 1 9.9.9 99x99 00000000 lights=0 buttons= encoder=9 buzzer=x",
)
CHARACTERS: Final = "0123456789abcdef ,;:+-=xsbe*?\x7f"
OTHER_VERSION: Final = re.compile(r"HELLO (?!1 )")
LONGEST: Final = 2000
NOISE_RATE: Final = 0.5
BACK_ROWS: Final = [f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)]


def near_frame(rng: random.Random) -> bytes:
    """Return a message with a right checksum and something else in it than it should have, or mere noise."""
    text = rng.choice(SAID)
    for _ in range(rng.randrange(5)):
        place = rng.randrange(len(text) + 1)
        text = text[:place] + "".join(rng.choices(CHARACTERS, k=rng.randrange(3))) + text[place + rng.randrange(5) :]
    if OTHER_VERSION.match(text):  # so says a board of another age: it is told so, and not followed until it is another
        return b"\n"
    try:
        return frame(text)
    except NotAPayload:
        return rng.randbytes(rng.randrange(1, LONGEST)) + rng.choice((b"\n", b""))


class Babble:
    """A daemon, a board on a pty, and whoever babbles between them."""

    def __init__(self, case: Case, place: Path) -> None:
        self._rng = case.rng()
        self._device = place / "ttyACM0"
        config = place / "table.toml"
        config.write_text(CONFIG.format(device=self._device, state=place / "state"), encoding="utf-8")
        self._table = TableProcess("run", config, logs=place / "logs")
        self.outcome = Outcome()

    async def run(self, frames: int) -> None:
        """Say so many frames, and look whether the board is followed then."""
        board = PtyBoard(self._device, frozenset(map(parse_square, BACK_ROWS)))
        try:
            board.plug()
            await self._until_followed(board, "before anything was said")
            noise = Noise(self._rng.randrange(1 << 30), NOISE_RATE)
            for _ in range(frames):
                await self._say(board, noise(near_frame(self._rng)))
            await self._say(board, b"\n")
            self.outcome.counts.update({f"{kind} on the way": count for kind, count in noise.done.items()})
            await self._until_followed(board, f"after {frames} frames of babble")
            self.outcome.counts["followed again"] += 1
        finally:
            board.unplug()
            if self._table.process.poll() is not None:
                raise Found(Fault.LOST, f"the daemon ended: {self._table.complaints[-1000:]}")
            self._table.stop()
            self.outcome.findings += complaints_of(self._table.complaints, "the daemon")

    async def _say(self, board: PtyBoard, data: bytes) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while data:
            try:
                assert board._master is not None
                data = data[os.write(board._master, data) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Found(Fault.HANG, "the daemon reads nothing from the line any more") from None
                await asyncio.sleep(0.001)

    async def _until_followed(self, board: PtyBoard, when: str) -> None:
        """Lift a piece and put it back, and wait until the daemon has seen both."""
        for closed in (False, True):
            (board.place if closed else board.lift)("e2")
            deadline = time.monotonic() + PATIENCE_S
            while await asyncio.to_thread(self._sees, "e2") is not closed:
                if time.monotonic() > deadline:
                    raise Found(Fault.HANG, f"{when}: a piece on e2 is {'put' if closed else 'lifted'} and not seen so")
                await asyncio.sleep(0.02)

    def _sees(self, square: str) -> bool | None:
        answer = send(self._table.port, request("GET", "/switches.json", HOME))
        switches = json.loads(answer.body or '{"switches": []}')["switches"]
        return next((bool(switch["closed"]) for switch in switches if switch["square"] == square), None)


def run(case: Case, place: Path) -> Outcome:
    """Babble at one daemon."""
    babble = Babble(case, place)
    try:
        asyncio.run(babble.run(case.units))
    except Found as found:
        babble.outcome.findings.append(found.finding)
    return babble.outcome


SERIAL_BABBLE: Final = Attack(
    "serial-babble", "noise and near-valid frames on the daemon's serial line", "frames", 2000, run
)
