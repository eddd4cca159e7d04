"""A tape played at the Pi's own pins: gpiozero's driver on mock pins, buttons by their pins, a virtual clock."""

from collections.abc import Collection
from pathlib import Path

from captains_table.devices.dice_sources import DictatedDice
from captains_table.devices.gpio.gpio_board import ButtonLines, MatrixLines, Scanner
from captains_table.games.contract import Keep, Pick
from captains_table.games.registry import game_by_key
from captains_table.hardware.profiles.profile import Profile
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Answered, Button, TimePassed
from captains_table.table.model.settings import Settings
from captains_table.table.tapes.tape_reader import MoveSwitch, Press, QueueDice, StartMatch, WordDirective, parse_line
from tests.support.mock_matrix import MatrixFactory

QUARTER_MS = 6
PRESS_MS = 40
LONGEST_PAUSE_MS = 400  # longer ones than the recogniser's patience say no more


def _no_wait(_: float) -> None:
    """Let no time pass: mock pins settle at once."""


class GpioPlayer:
    """Hands at a table whose switches and buttons hang on the Pi's pins."""

    def __init__(self, profile: Profile) -> None:
        assert profile.matrix is not None
        self.now_ms = 0.0
        self.factory = MatrixFactory(profile)
        self.journal: MemoryJournal | None = None
        self._buttons = profile.buttons
        self._session = Session(Settings())
        self._table = HardwareSource(self._session, "nothing read yet")
        self._dice = DictatedDice()
        self._lines = MatrixLines(profile.matrix, self.factory, _no_wait), ButtonLines(profile.buttons, self.factory)
        self._scanner = Scanner(*self._lines, profile.square_of, lambda: self.now_ms)

    def play(self, tape: Path) -> None:
        """Play a whole tape; its `expect` lines are for the simulated table."""
        for number, text in enumerate(tape.read_text(encoding="utf-8").splitlines(), start=1):
            line = parse_line(number, text)
            if line is not None:
                self.wait(min(line.after_ms, LONGEST_PAUSE_MS))
                self._do(line.directive)
        self.wait(1000)

    def close(self) -> None:
        """Let go of the pins."""
        for lines in self._lines:
            lines.close()

    def wait(self, ms: float) -> None:
        """Let time pass: the scanner looks when it is due, the table's timers fire."""
        until_ms = self.now_ms + ms
        while True:
            table_ms = self._table.session.due_ms()
            due_ms = min(self._scanner.due_ms, until_ms if table_ms is None else table_ms)
            if due_ms > until_ms:
                break
            self.now_ms = max(self.now_ms, due_ms)
            for event, _ in self._scanner.look():
                self._table.report(event, int(self.now_ms))
                self._table.session.handle(TimePassed(), int(self.now_ms))
            if table_ms is not None and table_ms <= self.now_ms:
                self._table.session.handle(TimePassed(), int(self.now_ms))
            if self.now_ms >= until_ms:
                break
        self.now_ms = until_ms
        self._table.session.handle(TimePassed(), int(until_ms))

    def _do(self, directive: object) -> None:
        match directive:
            case StartMatch(key, names, options):
                started = MatchStarted(key, names, options)
                game = game_by_key(key)
                self.factory.stand(game.pieces(game.start(names, options)))
                self.wait(50)
                self.journal = MemoryJournal(started)
                self._session.load(self.journal, self._dice, int(self.now_ms), resumed=False)
                self._table.begun(int(self.now_ms))
            case QueueDice(faces):
                self._dice.queue(faces)
            case MoveSwitch(square, closed):
                (self.factory.place if closed else self.factory.lift)(square)
            case Press(button, held_ms):
                self._press(button, held_ms)
            case Answered(Pick(id_)):
                self._choose(id_)
            case Answered(Keep(dice)):
                self._keep(dice)
            case WordDirective("set-up"):
                match = self._session.match
                assert match is not None
                self.factory.stand(match.pieces())

    def _press(self, button: Button, held_ms: int) -> None:
        encoder = self._buttons.encoder
        assert encoder is not None
        if button is Button.NEXT:
            self.turn(1)
            return
        pin = encoder.push if button is Button.CHOOSE else self._buttons.roll
        assert pin is not None
        for _ in range(3):  # it bounces
            self.factory.pressed.add(pin)
            self.wait(1)
            self.factory.pressed.discard(pin)
            self.wait(1)
        self.factory.pressed.add(pin)
        self.wait(max(held_ms, PRESS_MS))
        self.factory.pressed.discard(pin)
        self.wait(20)

    def turn(self, steps: int) -> None:
        """Turn the encoder by detents."""
        encoder = self._buttons.encoder
        assert encoder is not None
        first, second = (encoder.a, encoder.b) if steps > 0 else (encoder.b, encoder.a)
        for _ in range(abs(steps)):
            for pins in ({first}, {first, second}, {second}, set[int]()):
                self.factory.pressed -= {first, second}
                self.factory.pressed |= pins
                self.wait(QUARTER_MS)

    def _choose(self, id_: str) -> None:
        """Move the cursor to a line of the menu and push."""
        if self._session.view().menu.cursor is None:  # on no line that cannot be taken back
            self.turn(1)
        menu = self._session.view().menu
        wanted = [entry.id for entry in menu.entries].index(id_)
        self.turn(wanted - (menu.cursor or 0))
        self._press(Button.CHOOSE, 0)
        if any(entry.id == id_ and entry.label.endswith("Once more") for entry in self._session.view().menu.entries):
            self._press(Button.CHOOSE, 0)

    def _keep(self, dice: Collection[int]) -> None:
        """Hold exactly these dice, one after the other, and throw the rest."""
        for entry in self._session.view().menu.entries:
            if entry.held is not None and entry.held != (int(entry.id) in dice):
                self._choose(entry.id)
        self._choose("throw")
