"""Recording a tape: everything a person does to a table, written so that `replay` does it again."""

from collections.abc import Sequence
from typing import TextIO

from captains_table.games.contract import Action, Square
from captains_table.table.events import Button
from captains_table.table.journal import MatchStarted
from captains_table.table.tape import format_answer, format_start


class Recorder:
    """Writes a tape line by line; dice that fell in answer to a line are queued before it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._written_ms = 0
        self._thrown: list[int] = []
        self._pressed_ms: dict[Button, int] = {}

    def start(self, started: MatchStarted, now_ms: int) -> None:
        """Write that a match began."""
        self._line(format_start(started.game, started.seats, started.options), now_ms)

    def threw(self, faces: Sequence[int]) -> None:
        """Know that these faces fell in answer to what is recorded next."""
        self._thrown.extend(faces)

    def switch(self, square: Square, *, closed: bool, now_ms: int) -> None:
        """Write a switch change."""
        self._line(f"{'place' if closed else 'lift'} {square}", now_ms)

    def pressed(self, button: Button, now_ms: int) -> None:
        """Know that a button went down; a tape tells of it when it comes up."""
        self._pressed_ms[button] = now_ms

    def released(self, button: Button, now_ms: int) -> None:
        """Write how long a button was held."""
        pressed_ms = self._pressed_ms.pop(button, now_ms)
        self._line(f"hold {button} {now_ms - pressed_ms}", pressed_ms)
        self._written_ms = max(self._written_ms, now_ms)

    def answered(self, action: Action, now_ms: int) -> None:
        """Write an answer to the ask."""
        self._line(format_answer(action), now_ms)

    def set_up(self, now_ms: int) -> None:
        """Write that every piece was put where it belongs."""
        self._line("set-up", now_ms)

    def _line(self, text: str, now_ms: int) -> None:
        after_ms = max(0, now_ms - self._written_ms)
        if self._thrown:
            self._out.write(f"+0 dice {' '.join(str(face) for face in self._thrown)}\n")
            self._thrown.clear()
        self._out.write(f"+{after_ms} {text}\n")
        self._out.flush()
        self._written_ms = max(self._written_ms, now_ms)
