"""Hands that play a tape on a real board: the firmware under MicroPython, a serial line, the table on the event loop.

After each line the hands wait until the table has done what the tape's own replay did, so that the tape's pauses shrink
to what the board needs.
"""

import asyncio
import io
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from luma.core.interface.serial import noop
from msgspec.structs import replace

from captains_table.devices.dice_sources import DictatedDice
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.pico.serial_board import SerialBoard
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.session import Session
from captains_table.runtime.table import Table
from captains_table.runtime.tape_player import TapePlayer
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Salted, TakenBack
from captains_table.table.model.events import Answered, ButtonPressed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Mark
from captains_table.table.tapes import tape_reader
from tests.link_faults.faulty_line import FaultyLine
from tests.support.micropython_bridge import SimulatedPico
from tests.support.patience import PATIENCE_S

DEBOUNCE_S = 0.010  # a little more than the firmware's own
FILES = 8
SETTINGS = Settings(slide_ms=60)  # the hands wait for what the table makes of a move, so it need not wait long for them
FIDGET_S = 0.02


class Step(NamedTuple):
    """What a line of a tape says, and how many entries the journal has when all that follows from it has happened."""

    directive: tape_reader.Directive
    entries: int


@dataclass(frozen=True, slots=True)
class Score:
    """A tape as it was replayed."""

    started: MatchStarted
    steps: Sequence[Step]
    entries: Sequence[Entry]

    @classmethod
    def of(cls, tape: Path) -> "Score":
        """Replay a tape that starts one match and then is played by hands and answers alone."""
        player, counts = TapePlayer(io.StringIO()), []
        parsed = (tape_reader.parse_line(number, text) for number, text in enumerate(tape.read_text().splitlines(), 1))
        first, *following = [line for line in parsed if line is not None]
        player.play(first)
        journal = player._journal
        assert journal is not None
        for line in following:
            player.wait(line.after_ms)
            counts.append(len(journal.entries()))
            assert player._do(line) is None
        player.finish()
        counts.append(len(journal.entries()))
        steps = [Step(line.directive, count) for line, count in zip(following, counts[1:], strict=True)]
        started = journal.entries()[0]
        assert isinstance(started, MatchStarted)
        return cls(started, steps, journal.entries())


def timeless(entries: Sequence[Entry]) -> list[Entry]:
    """Return a journal without its times."""
    times = {Acted: {"at_ms": 0}, TakenBack: {"at_ms": 0}, Salted: {"held_ms": 0}}
    return [replace(entry, **times.get(type(entry), {})) for entry in entries]


class Hands:
    """Hands that play a score: a line with faults, the board's firmware, and the daemon's table with its own journal.

    Attributes:
        are_off: whether hands do nothing, since it is lost on a board without power.
        heard: how often the table heard of what, presses by button.
        presses: how often each button was pressed.
        played: the journal without its times, once all is played.
    """

    def __init__(self, folder: Path, score: Score, noise: float, stalls: float) -> None:
        self.score = score
        self.line = FaultyLine(folder / "ttyACM0", noise, stalls)
        self.pico = SimulatedPico(serial=self.line.board_end)
        self.are_off = False
        self.heard: Counter[str] = Counter()
        self.presses: Counter[str] = Counter()
        self.played: list[Entry] = []
        self._occupied: set[Square] = set()
        self._dice = DictatedDice()
        self._display = Oled(noop(), lambda: None)
        self._file = JournalFile(folder / "journal.sqlite3")
        self._board = SerialBoard(lambda: sorted(str(path) for path in folder.glob("ttyACM*")), "a board")
        self._session = Session(SETTINGS, [self._display], [self._board])
        self._journal = self._file.start(score.started, None)
        self._session.load(self._journal, self._dice, 0, resumed=False)
        source = HardwareSource(self._session, self._board.missing)
        self._table = Table(self._session, self._file, self._display)
        on_event = self._table.listen_to(source)

        def count(event: BoardEvent, at_ms: float) -> None:
            self.heard[event.button if isinstance(event, ButtonPressed) else type(event).__name__] += 1
            on_event(event, at_ms)

        self._board.open(count)

    def close(self) -> None:
        self._board.close()
        self._table.stop()
        self._display.close()
        self._file.close()
        self.pico.close()
        self.line.close()

    @property
    def _match(self) -> Match:
        match = self._session.match
        assert match is not None
        return match

    def begin(self) -> None:
        for square in self._match.pieces():
            self._switch(square, closed=True)
        self.pico.start()
        self.line.plug()

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something the table is to come to."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not is_so():  # noqa: ASYNC110 - what is waited for happens in another process
                    await asyncio.sleep(0.002)
        except TimeoutError:
            view = self._table.view()
            told = f"{dict(self.heard)} of {dict(self.presses)}"
            raise AssertionError(f"{what}: {view.prompt} {view.faults} {view.wrong} {told}") from None

    async def seen(self) -> None:
        """Wait until the table knows what stands on the board and which buttons were pressed."""
        wanted = frozenset(self._occupied)

        def is_seen() -> bool:
            board = self._session.referee.board_snapshot()
            return board.linked and board.occupied == wanted

        await self.until(is_seen, "the table does not see the board")
        await self.until(lambda: all(self.heard[name] >= n for name, n in self.presses.items()), "a press is missing")

    async def _noticed(self) -> None:
        """Wait until the firmware has believed what the hand did; a busy machine may keep it from looking for long."""
        for rest_s in (DEBOUNCE_S, 0.0):
            scans = self.pico.ask("scans")
            while self.pico.ask("scans") == scans:  # noqa: ASYNC110 - it happens in another process
                await asyncio.sleep(0.001)
            await asyncio.sleep(rest_s)

    async def play(self, between: "Between | None") -> None:
        """Play the whole score; whatever the table makes of a line is waited for before the next."""
        await self.seen()
        for number, step in enumerate(self.score.steps):
            if between is not None:
                await between(self, number)
            await self._do(step.directive)
            await self.until(lambda step=step: self._journal.count() >= step.entries, f"{step} is not understood")  # type: ignore[misc]
        await self.seen()

    async def _do(self, directive: tape_reader.Directive) -> None:
        match directive:
            case tape_reader.QueueDice(faces):
                self._dice.queue(faces)
            case tape_reader.Press(button):
                self.presses[button] += 1
                for down in (True, False):
                    self.pico.button(button, down=down)
                    await self._noticed()
            case tape_reader.MoveSwitch(square, closed):
                self._switch(square, closed=closed)
                await self._noticed()
            case Answered():
                await self.seen()
                self._table.handle(directive, self._table.view().revision)
            case tape_reader.WordDirective("set-up"):
                for square in sorted(self._occupied ^ self._match.pieces().keys()):
                    self._switch(square, closed=square not in self._occupied)
                    await self._noticed()
            case tape_reader.Expect():
                pass  # the replay has compared it
            case _:
                raise AssertionError(f"no hand can do {directive}")

    def _switch(self, square: Square, *, closed: bool) -> None:
        (self._occupied.add if closed else self._occupied.discard)(square)
        self.pico.switch(square.rank * FILES + square.file, closed=closed)

    async def fidget(self) -> None:
        """Keep the line busy: turn the encoder to and fro, and let the lights flicker."""
        for turn in itertools.count():
            if not self.are_off:
                self.presses["previous" if turn % 2 else "next"] += 1
                self.pico.turn(-1 if turn % 2 else 1)
            self._board.light({Square(turn % FILES, 0): Mark.TARGET})
            await asyncio.sleep(FIDGET_S)


Between = Callable[[Hands, int], Awaitable[None]]
"""What befalls the board before a line of the score."""


def play(
    folder: Path,
    score: Score,
    until: Callable[[Hands], bool],
    between: Between | None = None,
    *,
    noise: float = 0.0,
    stalls: float = 0.0,
) -> Hands:
    """Play a whole score over a line with these faults, and return the hands as they were left.

    Args:
        folder: where the device and the journal are.
        score: what is played.
        until: whether enough has befallen the line; hands fidget until then.
        between: is awaited before each line.
        noise: how likely a frame is damaged.
        stalls: how likely the line pauses at a frame.
    """

    async def on_loop() -> Hands:
        hands, fidgeting = Hands(folder, score, noise, stalls), None
        try:
            hands.begin()
            await hands.seen()  # what is pressed before anybody ever listened is nothing
            fidgeting = asyncio.ensure_future(hands.fidget())
            await hands.play(between)
            await hands.until(lambda: until(hands), "too little befell the line")
            fidgeting.cancel()
            await hands.seen()
            hands.played = timeless(hands._journal.entries())
        finally:
            if fidgeting is not None:
                fidgeting.cancel()
            hands.close()
        return hands

    return asyncio.run(on_loop())
