"""Records the matches of a table, simulated or real, as a tape that `replay` can play.

The tape begins with the table's settings. Each match on the tape begins with lines that lead to its state when the
recording began. Events that a tape cannot state are written as others: the actions of computers as actions of people,
and a press that also chooses dice as answers.
"""

import shlex
from collections.abc import Iterable
from dataclasses import replace
from typing import TextIO

from captains_table.games.contract import ROLL, Action, Pick, Reply, Roll, Rolled, Square
from captains_table.runtime.session import Session
from captains_table.table.model import events
from captains_table.table.model.events import Button, Event
from captains_table.table.tapes.tape_writer import format_answer, format_dice, format_words, settings_lines, tape_of


class Recorder:
    """Writes a session's events as lines of a tape.

    If an event throws dice, the line before the event lists the faces. Moves that a real board could not report while
    its link was down are written between `unplug` and `plug`.

    If a player chooses a move on the page, a person moves the pieces on a real board later. Playing the tape moves the
    pieces at once, so that the lines about the person's hand have no effect.

    Args:
        session: the session that is recorded.
        out: the text file to which the tape is written.
    """

    def __init__(self, session: Session, out: TextIO) -> None:
        self._session = session
        self._out = out
        self._has_begun = False
        self._written_ms = 0
        self._thrown: list[int] = []
        self._pressed_ms: dict[Button, int] = {}
        self._standing: frozenset[Square] = frozenset()
        self._linked = True
        self._is_known = False  # whether the tape has the pieces on the board
        self._seq = 0  # of the last action before the event that is being written

    def start_tape(self, now_ms: int) -> None:
        """Write lines that lead to the present state of a match that was started or resumed; then record its events.

        The first match on a tape is preceded by the table's settings. Without a match nothing is done.
        """
        match = self._session.match
        if match is None:
            return
        self._session.on_throw, self._session.on_event = self._thrown.extend, self._on_event
        self._thrown.clear()  # a throw that was due at that moment is part of the match's history
        self._seq = match.revision
        if not self._has_begun:  # a tape has the table's settings before its first match
            settled = replace(self._session.settings, debounce_ms=0)  # the reported switches are debounced already
            self._out.writelines(f"{line}\n" for line in settings_lines(settled))
        self._has_begun = True
        self._out.writelines(f"{line}\n" for line in tape_of(match))
        self._written_ms = now_ms
        self._linked, self._is_known = True, False
        self._standing = frozenset(match.pieces()) if match.game.shape is not None else frozenset()
        if not self._session.referee.board_snapshot().linked:
            self._lost(now_ms)

    def stop_tape(self) -> None:
        """Record nothing until the next match, because a tape cannot state what is done between matches."""
        self._session.on_event = lambda _event, _now_ms: None

    def _on_event(self, event: Event, now_ms: int) -> None:
        self._computers(now_ms)
        self._write(event, now_ms)
        self._seq = 0 if self._session.match is None else self._session.match.revision

    def _write(self, event: Event, now_ms: int) -> None:  # noqa: C901, PLR0912 - one table, one line each
        match event:
            case events.SwitchChanged(square, closed, _, reading):
                if self._of_game([square]):
                    self._switch(square, closed=closed, now_ms=now_ms, reading=reading)
            case events.PiecesPlaced(occupied):
                self._standing, self._is_known = self._of_game(occupied), True
                self._line("set-up", now_ms)
            case events.BoardLost():
                self._lost(now_ms)
            case events.BoardRead(occupied, readings):
                self._read(self._of_game(occupied), now_ms)
                if readings:
                    words = (f"{square}={readings[square]}" for square in sorted(self._of_game(readings)))
                    self._line(shlex.join(["reads", *words]), now_ms)
            case events.ButtonPressed(button):
                self._pressed_ms[button] = now_ms  # it is written when the button is released
            case events.ButtonReleased(button):
                pressed_ms = self._pressed_ms.pop(button, now_ms)
                if self._threw_again():
                    self._answers(now_ms)
                    return
                chooses = button is Button.CHOOSE or self._session.settings.buttons == "one"
                if chooses and self._session.referee.held_back:
                    return
                self._line(f"hold {button} {now_ms - pressed_ms}", pressed_ms)
                self._written_ms = max(self._written_ms, now_ms)
            case events.DieToggled():
                self._answers(now_ms)
            case events.SwitchMasked(square):
                self._line(f"mask {square}", now_ms)
            case events.Answered(action):
                self._line(format_answer(action, self._names()), now_ms)
            case events.WordsGiven(seat, text):
                self._line(format_words(seat, text, self._names()), now_ms)
            case events.TimersSwitched(run):
                self._line(f"timers {'start' if run else 'stop'}", now_ms)
            case events.AdviceAsked():
                self._line("advice", now_ms)

    def _computers(self, now_ms: int) -> None:
        """Write the actions of the table's own computers since the last event, as if people had done them."""
        match = self._session.match
        for step in () if match is None or not match.computers_think else match.history:
            if step.acted.seq <= self._seq or not step.is_by_absent:
                continue
            action, turn = step.acted.action, None if match is None else match.game.turn(step.before)
            if isinstance(action, Reply):
                self._line(format_answer(action, self._names()), now_ms)
            elif isinstance(turn, Roll) and not turn.at_once:
                self._line("press roll", now_ms)

    def _of_game(self, squares: Iterable[Square]) -> frozenset[Square]:
        """Return the squares that are on the game's board; the game's board may be smaller than the real board."""
        shape = None if self._session.match is None else self._session.match.game.shape
        return frozenset(square for square in squares if shape is None or square in shape)

    def _fresh(self) -> list[Action]:
        """Return the actions of the match since the last event."""
        match = self._session.match
        return [] if match is None else [step.acted.action for step in match.history if step.acted.seq > self._seq]

    def _threw_again(self) -> bool:
        """Return whether a press gave an answer, such as the dice to keep, and then threw the dice.

        The request to roll does not count as an answer. For this kind of press the recorder writes the answers instead
        of the press. A press on a tape only throws the dice that are due; it cannot say which dice to keep.
        """
        done = self._fresh()
        return bool(done) and isinstance(done[-1], Rolled) and any(answer != Pick(ROLL.id) for answer in done[:-1])

    def _answers(self, now_ms: int) -> None:
        """Write the players' answers since the last event to the tape."""
        for action in self._fresh():
            if isinstance(action, Reply):
                self._line(format_answer(action, self._names()), now_ms)

    def _names(self) -> tuple[str, ...]:
        match = self._session.match
        return () if match is None else match.names

    def _lost(self, now_ms: int) -> None:
        if self._linked:
            self._line("unplug", now_ms)
        self._linked = False

    def _read(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Write the reading of a whole board: the line `unplug`, the changes of switches, and the line `plug`.

        A match's first reading is left out if the link was not lost and the switches are as the tape states. Otherwise
        the first reading ends with `cut` instead of `plug`. The line `cut` restarts the table that replays the tape.
        """
        was_known, self._is_known = self._is_known, True
        if self._linked and not was_known and self._standing == occupied:
            return
        self._lost(now_ms)
        for square in sorted(self._standing ^ occupied):
            self._switch(square, closed=square in occupied, now_ms=now_ms)
        self._linked = True
        self._line("plug" if was_known else "cut", now_ms)

    def _switch(self, square: Square, *, closed: bool, now_ms: int, reading: str = "") -> None:
        self._standing = self._standing | {square} if closed else self._standing - {square}
        words = ["place" if closed else "lift", str(square), *([reading] if reading else [])]
        self._line(shlex.join(words), now_ms)

    def _line(self, text: str, now_ms: int) -> None:
        if self._thrown:
            self._out.write(f"+0 {format_dice(self._thrown)}\n")
            self._thrown.clear()
        self._out.write(f"+{max(0, now_ms - self._written_ms)} {text}\n")
        self._out.flush()
        self._written_ms = max(self._written_ms, now_ms)
