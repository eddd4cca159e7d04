"""Leads a person through the guided test at a real board, driven by events of the board and by typed lines.

Each step is shown as text, on the display and by the lights. `TypedLines` reads the typed lines in a thread.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Final, TextIO

from captains_table.devices.build import Devices
from captains_table.devices.ports import BoardDevice, BoardEvent
from captains_table.doctor.diagnosis.guided_test import LIGHT_WRONG, GuidedTest
from captains_table.doctor.diagnosis.steps import GuidedPart, GuidedStep
from captains_table.games.contract import Shape, Square
from captains_table.table.model.events import BoardLost, BoardRead, ButtonPressed, SwitchChanged
from captains_table.table.model.view import Mark, Phase, View

SayLine = Callable[[str], None]
QUIT: Final = "q"
SKIP: Final = "s"
HELP: Final = (
    f"Enter: done, or nothing happens.  {LIGHT_WRONG}: the light of the square does not shine there (lights are then "
    f"walked by themselves).  {SKIP}: leave this part out.  {QUIT}: end the test."
)
OVER_CORNERS: Final = (
    "With every square: put the piece in its middle, lead it once over its four corners, go on to the next."
)


class TypedLines:
    """Reads typed lines in a separate thread, so that a caller can wait for other events at the same time.

    Args:
        source: the stream of typed lines.
        at_end: the line that `ask` returns after the end of the stream.
    """

    def __init__(self, source: TextIO, at_end: str = "") -> None:
        self._source = source
        self._at_end = at_end
        self._has_ended = False
        self._waiting: SimpleQueue[str] = SimpleQueue()
        self._on_line: Callable[[str], None] | None = None
        self._lock = Lock()
        Thread(target=self._read, name="typed lines", daemon=True).start()

    def ask(self) -> str:
        """Wait for the next line, and return it in lower case without surrounding spaces."""
        return self._at_end if self._has_ended and self._waiting.empty() else self._waiting.get()

    def listen(self, on_line: Callable[[str], None] | None) -> None:
        """Pass the queued lines and all further ones to a listener; with `None`, queue further lines for `ask`.

        Further lines are passed in the reading thread.
        """
        with self._lock:
            self._on_line = on_line
            while on_line is not None and not self._waiting.empty():
                on_line(self._waiting.get())

    def keep(self, line: str) -> None:
        """Queue for `ask` a line that a listener received but did not use."""
        self._waiting.put(line)

    def _read(self) -> None:
        for line in self._source:
            self._on_typed(line.strip().lower())
        self._has_ended = True
        self._on_typed(self._at_end)

    def _on_typed(self, line: str) -> None:
        with self._lock:
            (self._on_line or self._waiting.put)(line)


def step_view(step: GuidedStep, lit: Iterable[Square], shape: Shape, fault: str = "") -> View:
    """Return the view that the display shows for a step: the lit squares are marked, and a fault is shown if given."""
    marks = dict.fromkeys(lit, Mark.PUT_HERE)
    faults = (fault,) if fault else ()
    return View(phase=Phase.SETUP, heading="Doctor", prompt=(step.prompt,), shape=shape, marks=marks, faults=faults)


def lead_person(test: GuidedTest, devices: Devices, board: BoardDevice, answers: TypedLines, say: SayLine) -> None:
    """Lead a person through the test at a real board, until the test is over, the person ends it, or the input ends."""
    asyncio.run(_Lead(test, devices, board, say).run(answers))


class _Lead:
    def __init__(self, test: GuidedTest, devices: Devices, board: BoardDevice, say: SayLine) -> None:
        self._test = test
        self._devices = devices
        self._board = board
        self._say = say
        self._happened: asyncio.Queue[BoardEvent | str] = asyncio.Queue()
        self._shown: tuple[GuidedStep, frozenset[Square]] | None = None
        self._fault = ""

    async def run(self, answers: TypedLines) -> None:
        loop = asyncio.get_running_loop()

        def listen(line: str) -> None:
            loop.call_soon_threadsafe(self._happened.put_nowait, line)

        self._board.open(lambda event, _: self._happened.put_nowait(event))
        self._say(HELP if self._devices.profile.board.is_bought else f"{HELP}\n{OVER_CORNERS}")
        try:
            self._on_board_event(await self._first_reading())
            self._show()
            answers.listen(listen)
            while self._test.step.part is not GuidedPart.OVER and await self._next():
                self._show()
        finally:
            answers.listen(None)
            self._keep_the_rest(answers)
            self._board.close()
            for lights in self._devices.lights:
                lights.light({})

    def _keep_the_rest(self, answers: TypedLines) -> None:
        while not self._happened.empty():
            event = self._happened.get_nowait()
            if isinstance(event, str):
                answers.keep(event)

    async def _first_reading(self) -> BoardEvent:
        """Wait for the first complete reading of the board, and say meanwhile what is missing."""
        self._say(self._board.missing)
        while True:
            event = await self._happened.get()
            if isinstance(event, BoardLost):
                self._say(event.words)
            elif isinstance(event, BoardRead):
                return event

    async def _next(self) -> bool:
        due_ms = self._test.due_ms()
        patience_s = None if due_ms is None else max(0.0, due_ms - _now_ms()) / 1000
        try:
            event = await asyncio.wait_for(self._happened.get(), patience_s)
        except TimeoutError:
            self._test.tick(_now_ms())
            return True
        if event == QUIT:
            return False
        if event == SKIP:
            self._test.skip()
        elif isinstance(event, str):
            self._test.on_word(event, _now_ms())
        else:
            self._on_board_event(event)
        return True

    def _on_board_event(self, event: BoardEvent) -> None:
        match event:
            case BoardRead(occupied):
                self._fault = ""
                self._test.read(occupied, _now_ms())
            case SwitchChanged(square, closed, flickers):
                self._test.switched(square, closed=closed, now_ms=_now_ms(), flickers=flickers)
            case ButtonPressed(button):
                self._test.pressed(button)
            case BoardLost(words):
                self._fault = words
                self._say(words)

    def _show(self) -> None:
        step, lit = self._test.step, self._test.lit
        if (step, lit) == self._shown:
            return
        if self._shown is None or step != self._shown[0]:
            self._say(f"{step.prompt}{f' ({step.details})' if step.details else ''}.")
        self._shown = step, lit
        view = step_view(step, lit, self._devices.profile.shape, self._fault)
        self._devices.display.show(view)
        for lights in self._devices.lights:
            lights.light(view.marks)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
