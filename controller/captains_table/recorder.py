"""A simulated table that writes down everything a person does to it, as a tape that `replay` does again."""

from typing import TextIO

from captains_table.devices.physics.reeds import Change
from captains_table.devices.simulated import SimulatedBoard
from captains_table.games.contract import Action, Square
from captains_table.session import Session
from captains_table.simulation import SimulatedTable
from captains_table.table.events import Button
from captains_table.table.tape_writing import format_answer, format_dice, settings_lines, tape_of


class RecordingTable(SimulatedTable):
    """A simulated table with a tape; dice that fell in answer to a line are queued before it."""

    def __init__(self, session: Session, board: SimulatedBoard, out: TextIO) -> None:
        super().__init__(session, board)
        self._out = out
        self._written_ms = 0
        self._thrown: list[int] = []
        self._pressed_ms: dict[Button, int] = {}
        session.on_throw = self._thrown.extend

    def start_tape(self, now_ms: int) -> None:
        """Write how the match that was taken up came to where it stands."""
        match = self.session.referee.match
        if match is not None:
            self._thrown.clear()  # a throw that was due when the match was taken up is part of its history
            self._out.writelines(f"{line}\n" for line in settings_lines(self.session.referee.settings))
            self._out.writelines(f"{line}\n" for line in tape_of(match))
            self._written_ms = now_ms

    def set_up(self, now_ms: int) -> None:
        """Put every piece where the table wants it."""
        super().set_up(now_ms)
        self._line("set-up", now_ms)

    def unplug(self, now_ms: int) -> None:
        """Let the board's link drop."""
        super().unplug(now_ms)
        self._line("unplug", now_ms)

    def plug(self, now_ms: int) -> None:
        """Let the board's link return."""
        super().plug(now_ms)
        self._line("plug", now_ms)

    def mask(self, square: Square, now_ms: int) -> None:
        """Declare a switch dead."""
        super().mask(square, now_ms)
        self._line(f"mask {square}", now_ms)

    def press(self, button: Button, now_ms: int) -> None:
        """Press a button down; the tape tells of it when it comes up."""
        super().press(button, now_ms)
        self._pressed_ms[button] = now_ms

    def release(self, button: Button, now_ms: int) -> None:
        """Let a button go."""
        super().release(button, now_ms)
        pressed_ms = self._pressed_ms.pop(button, now_ms)
        self._line(f"hold {button} {now_ms - pressed_ms}", pressed_ms)
        self._written_ms = max(self._written_ms, now_ms)

    def answer(self, action: Action, now_ms: int) -> None:
        """Answer the ask directly."""
        super().answer(action, now_ms)
        self._line(format_answer(action), now_ms)

    def advise(self, now_ms: int) -> None:
        """Ask for advice."""
        super().advise(now_ms)
        self._line("advice", now_ms)

    def _switch(self, change: Change, now_ms: int) -> None:
        super()._switch(change, now_ms)
        self._line(f"{'place' if change.closed else 'lift'} {change.square}", now_ms)

    def _line(self, text: str, now_ms: int) -> None:
        if self._thrown:
            self._out.write(f"+0 {format_dice(self._thrown)}\n")
            self._thrown.clear()
        self._out.write(f"+{max(0, now_ms - self._written_ms)} {text}\n")
        self._out.flush()
        self._written_ms = max(self._written_ms, now_ms)
