"""A tape played by hands on a real board: the firmware under MicroPython, a serial line, the table on the event loop.

After each line the hands wait until the table has done what the tape's own replay did, so that the tape's pauses shrink
to what the board needs.
"""

import asyncio
import io
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

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
from captains_table.table.model.events import (
    Answered,
    ButtonPressed,
)
from captains_table.table.model.settings import Settings
from captains_table.table.tapes.tape_reader import (
    Directive,
    Expect,
    MoveSwitch,
    Press,
    QueueDice,
    StartMatch,
    WordDirective,
    parse_line,
)
from tests.support.micropython_bridge import SimulatedPico
from tests.support.patience import PATIENCE_S

DEBOUNCE_S = 0.010  # a little more than the firmware's own
FILES = 8
SETTINGS = Settings(slide_ms=60)  # the hands wait for what the table makes of a move, so it need not wait long for them


@dataclass(frozen=True, slots=True)
class Step:
    """What a line of a tape says, and how many entries the journal has when all that follows from it has happened."""

    directive: Directive
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
        lines = [parse_line(number, text) for number, text in enumerate(tape.read_text().splitlines(), start=1)]
        first, *following = [line for line in lines if line is not None]
        assert isinstance(first.directive, StartMatch)
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

    @property
    def presses(self) -> int:
        """How often the roll button is pressed."""
        return sum(isinstance(step.directive, Press) for step in self.steps)


def timeless(entries: Sequence[Entry]) -> list[Entry]:
    """Return a journal without its times."""
    without: list[Entry] = []
    for entry in entries:
        match entry:
            case Acted() | TakenBack():
                without.append(replace(entry, at_ms=0))
            case Salted():
                without.append(replace(entry, held_ms=0))
            case _:
                without.append(entry)
    return without


class TableAtBoard:
    """The daemon's table with a serial board that looks for devices in a folder, and a journal of its own."""

    def __init__(self, folder: Path, score: Score) -> None:
        self.score = score
        self.heard: Counter[str] = Counter()
        self.dice = DictatedDice()
        self._display = Oled(noop(), lambda: None)
        self._file = JournalFile(folder / "journal.sqlite3")
        self.board = SerialBoard(lambda: sorted(str(path) for path in folder.glob("ttyACM*")), "a board")
        session = Session(SETTINGS, [self._display], [self.board])
        self.journal = self._file.start(score.started, None)
        session.load(self.journal, self.dice, 0, resumed=False)
        self.table = HardwareSource(session, self.board.missing)
        self.live = Table(session, self._file, self._display)
        on_event = self.live.listen_to(self.table)

        def count(event: BoardEvent, at_ms: float) -> None:
            self.heard[event.button if isinstance(event, ButtonPressed) else type(event).__name__] += 1
            on_event(event, at_ms)

        self.board.open(count)

    def close(self) -> None:
        """Let go of everything."""
        self.board.close()
        self.live.stop()
        self._display.close()
        self._file.close()


class Hands:
    """Plays a score on the pins of a simulated Pico.

    Args:
        at: the table that is to understand it.
        pico: the board.
        between: is awaited before each line: what befalls the board meanwhile.
    """

    def __init__(
        self, at: TableAtBoard, pico: SimulatedPico, between: Callable[["Hands", int], Awaitable[None]] | None = None
    ) -> None:
        self.at = at
        self.pico = pico
        self.presses: Counter[str] = Counter()
        self._between = between
        self._occupied: set[Square] = set()

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something the table is to come to."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not is_so():  # noqa: ASYNC110 - what is waited for happens in another process
                    await asyncio.sleep(0.002)
        except TimeoutError:
            view = self.at.live.view()
            told = f"{dict(self.at.heard)} of {dict(self.presses)}"
            raise AssertionError(f"{what}: {view.prompt} {view.faults} {view.wrong} {told}") from None

    def count(self) -> int:
        """Return how many entries the journal has."""
        return self.at.journal.count()

    async def seen(self) -> None:
        """Wait until the table knows what stands on the board and which buttons were pressed."""
        wanted = frozenset(self._occupied)

        def is_seen() -> bool:
            board = self.at.table.session.referee.board_snapshot()
            return board.linked and board.occupied == wanted

        await self.until(is_seen, "the table does not see the board")
        await self.until(
            lambda: all(self.at.heard[name] >= n for name, n in self.presses.items()), "a press is missing"
        )

    def stand(self, squares: Iterable[Square]) -> None:
        """Put pieces on the squares before the board has power."""
        for square in squares:
            self._switch(square, closed=True)

    async def play(self) -> None:
        """Play the whole score; whatever the table makes of a line is waited for before the next."""
        await self.seen()
        for number, step in enumerate(self.at.score.steps):
            if self._between is not None:
                await self._between(self, number)
            await self._do(step.directive)
            await self.until(lambda step=step: self.count() >= step.entries, f"{step} is not understood")  # type: ignore[misc]
        await self.seen()

    async def _do(self, directive: Directive) -> None:
        match directive:
            case QueueDice(faces):
                self.at.dice.queue(faces)
            case Press(button):
                await self.press(button)
            case MoveSwitch(square, closed):
                self._switch(square, closed=closed)
                await self._noticed()
            case Answered():
                await self.seen()
                self.at.live.handle(directive, self.at.live.view().revision)
            case WordDirective("set-up"):
                await self._set_up()
            case Expect():
                pass  # the replay has compared it
            case _:
                raise AssertionError(f"no hand can do {directive}")

    async def press(self, button: str) -> None:
        """Press a button and let it go."""
        self.presses[button] += 1
        self.pico.button(button, down=True)
        await self._noticed()
        self.pico.button(button, down=False)
        await self._noticed()

    def turn(self, notches: int) -> None:
        """Turn the encoder and wait for nothing."""
        self.presses["next" if notches > 0 else "previous"] += abs(notches)
        self.pico.turn(notches)

    async def _noticed(self) -> None:
        """Wait until the firmware has believed what the hand did; a busy machine may keep it from looking for long."""
        for rest_s in (DEBOUNCE_S, 0.0):
            scans = self._scans()
            while self._scans() <= scans:  # noqa: ASYNC110 - it happens in another process
                await asyncio.sleep(0.001)
            await asyncio.sleep(rest_s)

    def _scans(self) -> int:
        return int(self.pico.ask("scans"))

    async def _set_up(self) -> None:
        match = self.at.table.session.match
        assert match is not None
        for square in sorted(self._occupied ^ match.pieces().keys()):
            self._switch(square, closed=square not in self._occupied)
            await self._noticed()

    def _switch(self, square: Square, *, closed: bool) -> None:
        (self._occupied.add if closed else self._occupied.discard)(square)
        self.pico.switch(square.rank * FILES + square.file, closed=closed)
