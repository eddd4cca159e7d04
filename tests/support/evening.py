"""An evening at the table: a faulty line, the board's firmware, the table, and hands that play a tape."""

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from captains_table.games.contract import Square
from captains_table.table.model.view import Mark
from tests.support.faulty_line import FaultyLine
from tests.support.micropython_bridge import SimulatedPico
from tests.support.tape_at_board import FILES, Hands, Score, TableAtBoard, timeless

FIDGET_S = 0.04


class Evening:
    """Everything at once: a faulty line, the board's firmware, the table, and the hands."""

    def __init__(self, folder: Path, score: Score, rates: Mapping[str, float] | None = None, seed: int = 0) -> None:
        self.line = FaultyLine(folder / "ttyACM0", rates or {}, random.Random(seed))
        self.pico = SimulatedPico(serial=self.line.board_end)
        self.at = TableAtBoard(folder, score)
        self.hands = Hands(self.at, self.pico)
        self.hands_off = False  # what hands do while the board has no power is lost, on a real one too
        self.entries = timeless([])

    def begin(self) -> None:
        """Set the pieces up and plug the board in."""
        match = self.at.table.session.match
        assert match is not None
        self.hands.stand(match.pieces())
        self.pico.start()
        self.line.plug()

    async def fidget(self, pause_s: float) -> None:
        """Keep the line busy: turn the encoder to and fro, and let the lights flicker."""
        for turn in itertools.count():
            if not self.hands_off:
                self.hands.turn(1 if turn % 2 else -1)
            self.at.board.light({Square(turn % FILES, 0): Mark.TARGET})
            await asyncio.sleep(pause_s)

    def close(self) -> None:
        """Go home."""
        self.at.close()
        self.pico.close()
        self.line.close()


def play_evening(
    folder: Path,
    score: Score,
    rates: Mapping[str, float] | None = None,
    between: Callable[[Evening, int], Awaitable[None]] | None = None,
    fidget_s: float = FIDGET_S,
    until: Callable[[Evening], bool] = lambda _: True,
) -> Evening:
    """Play a whole score over a line with these faults, and return everything as it was left.

    Args:
        folder: where the device and the journal are.
        score: what is played.
        rates: how likely a frame suffers each damage.
        between: is awaited before each line.
        fidget_s: the pause between two of the things that keep a faulty line busy.
        until: whether enough has befallen the line; hands fidget until then.
    """

    async def on_loop() -> Evening:
        evening, fidgeting = Evening(folder, score, rates), None
        if between is not None:
            evening.hands._between = lambda _, number: between(evening, number)
        try:
            evening.begin()
            await evening.hands.seen()  # what is pressed before anybody ever listened is nothing
            fidgeting = asyncio.ensure_future(evening.fidget(fidget_s)) if rates else None
            await evening.hands.play()
            if fidgeting is not None:
                await evening.hands.until(lambda: until(evening), "too little befell the line")
                fidgeting.cancel()
                await evening.hands.seen()
            evening.entries = timeless(evening.at.journal.entries())
        finally:
            if fidgeting is not None:
                fidgeting.cancel()
            evening.close()
        return evening

    return asyncio.run(on_loop())
