"""Babble on the serial line of the real daemon: noise, damaged frames, frames that only seem to be a board's.

A board's own end of the link speaks on the same line meanwhile. Once the line is quiet the daemon follows it again.
"""

import asyncio
import json
import os
import re
import time
from pathlib import Path
from typing import Final

from captains_table.games.contract import parse_square
from tests.siege.attack import Fault, Found, Trial
from tests.siege.malformed_requests import HOME, request, send
from tests.support.link_noise import TOLD, Noise, mutated
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import PtyBoard
from tests.support.table_process import TableProcess

OTHER_VERSION: Final = re.compile(rb"HELLO (?!1 )")
NOISE_RATE: Final = 0.5
BACK_ROWS: Final = [f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)]


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
                near = mutated(self._trial.rng, TOLD)
                # a board of another version is told so, and not followed until it is another
                await self._say(board, noise(b"\n" if OTHER_VERSION.search(near) else near))
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
            board.switch("e2", closed=closed)
            deadline = time.monotonic() + PATIENCE_S
            while await asyncio.to_thread(self._sees, "e2") is not closed:
                if time.monotonic() > deadline:
                    raise Found(Fault.HANG, f"{when}: a piece on e2 is {'put' if closed else 'lifted'} and not seen so")
                await asyncio.sleep(0.02)

    def _sees(self, square: str) -> bool | None:
        answer = send(self._table.port, request("GET", "/switches.json", HOME))
        switches = json.loads(answer.body or '{"switches": []}')["switches"]
        return next((bool(switch["closed"]) for switch in switches if switch["square"] == square), None)
