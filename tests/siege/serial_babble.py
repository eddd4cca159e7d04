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
from tests.siege.attack import Fault, Found, Trial
from tests.siege.malformed_requests import HOME
from tests.siege.raw_http import request, send
from tests.support.link_noise import Noise
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import PtyBoard
from tests.support.table_process import TableProcess

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


def run(trial: Trial) -> None:
    device = trial.place / "ttyACM0"
    with trial.daemon("run", trial.configured(f'board = "pico"\ndevice = "{device}"')) as table:
        asyncio.run(Babble(trial, table).run(device))


class Babble:
    """A daemon, a board on a pty, and the babble between them."""

    def __init__(self, trial: Trial, table: TableProcess) -> None:
        self._trial, self._table = trial, table

    async def run(self, device: Path) -> None:
        """Say as many frames as the case has, and look whether the board is followed then."""
        frames = self._trial.case.units
        board = PtyBoard(device, frozenset(map(parse_square, BACK_ROWS)))
        try:
            board.plug()
            await self._until_followed(board, "before anything was said")
            noise = Noise(self._trial.rng.randrange(1 << 30), NOISE_RATE)
            for _ in range(frames):
                await self._say(board, noise(near_frame(self._trial.rng)))
            await self._say(board, b"\n")
            self._trial.counts.update({f"{kind} on the way": count for kind, count in noise.done.items()})
            await self._until_followed(board, f"after {frames} frames of babble")
            self._trial.counts["followed again"] += 1
        finally:
            board.unplug()

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
