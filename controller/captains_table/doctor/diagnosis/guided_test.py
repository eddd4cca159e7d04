"""The guided test: a pure state machine that asks for pieces and buttons and keeps what answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from captains_table.doctor.diagnosis.wiring_faults import Diagnosis, Observed, diagnose
from captains_table.games.contract import Shape, Square
from captains_table.table.model.events import Button
from captains_table.table.recognition.switch_health import Condition, SwitchHealth, SwitchReport

DWELL_MS = 400
"""A piece has arrived when nothing has changed for so long: it may have been slid over other squares."""

LIGHT_WRONG = "l"
STAIR = 2


class Part(StrEnum):
    """The parts of the test, in order."""

    EMPTY = "empty"
    SQUARES = "squares"
    CLEARED = "cleared"
    GHOSTS = "ghosts"
    BUTTONS = "buttons"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked now.

    Attributes:
        part: of which part of the test.
        prompt: what to do, in words.
        squares: where pieces are to stand and nowhere else; these are lit.
    """

    part: Part
    prompt: str
    squares: frozenset[Square] = frozenset()


@dataclass(frozen=True, slots=True)
class Findings:
    """What the test found out; squares are where the hand was.

    Attributes:
        switches: what is wrong with the switches.
        sticking: squares whose switch did not open again.
        ghosts: what closed though nothing stood there, in sentences.
        dark: squares whose light did not shine there.
        buttons: what is wrong with the buttons, in sentences.
        health: what each switch did, by the square it is read as.
        complete: whether all squares were asked.
    """

    switches: Diagnosis
    sticking: tuple[Square, ...]
    ghosts: tuple[str, ...]
    dark: tuple[Square, ...]
    buttons: tuple[str, ...]
    health: tuple[SwitchReport, ...]
    complete: bool

    def lines(self) -> list[str]:
        """Return everything that is wrong, a sentence each."""
        found = self.switches
        return [
            *(f"{at} is dead: its switch never closed. Look at its joints and its diode." for at in found.dead),
            *(f"{at} is stuck: closed with nothing on it. A magnet, a short, a broken reed?" for at in found.stuck),
            *(f"{at} sticks: it closed and did not open again." for at in self.sticking),
            *(f"{' and '.join(map(str, group))} close the same switch: a short?" for group in found.shared),
            *found.wiring,
            *self.ghosts,
            *(f"{row.square} chatters: a loose joint?" for row in self.health if row.condition is Condition.CHATTERS),
            *(f"The light of {at} does not shine there." for at in self.dark),
            *self.buttons,
        ]  # fmt: skip


class GuidedTest:
    """Asks for a piece on one square after the other, then for patterns that show ghosts, then for the buttons.

    Times are monotonic milliseconds.

    Args:
        shape: the board.
        buttons: those the build has.
    """

    def __init__(self, shape: Shape, buttons: Sequence[Button] = ()) -> None:
        self._shape = shape
        self._buttons = list(buttons)
        self._part = Part.EMPTY
        self._at = 0
        self._closed: frozenset[Square] = frozenset()
        self._health = SwitchHealth()
        self._changed_ms = 0
        self._arrived: list[Square] = []  # switches that closed since the question, in order, and still are
        self._answers: dict[Square, Square] = {}
        self._silent: set[Square] = set()  # where somebody typed that nothing happens
        self._stuck: frozenset[Square] = frozenset()
        self._sticking: frozenset[Square] = frozenset()
        self._ghosts: list[str] = []
        self._dark: list[Square] = []
        self._button_words: list[str] = []
        self._rounds = ghost_rounds(shape)

    @property
    def step(self) -> Step:
        """What is asked now."""
        match self._part:
            case Part.EMPTY | Part.CLEARED:
                return Step(self._part, "Take everything off the board")
            case Part.SQUARES:
                square = self._asked
                return Step(self._part, f"Put the piece on {square}", frozenset({square}))
            case Part.GHOSTS:
                squares = self._rounds[self._at]
                return Step(self._part, f"Put a piece on each of the {len(squares)} lit squares", squares)
            case Part.BUTTONS:
                return Step(self._part, _BUTTON_PROMPTS[self._buttons[self._at]])
            case Part.OVER:
                return Step(self._part, "The test is over")

    @property
    def _asked(self) -> Square:
        return self._shape.squares()[self._at]

    # --- what happens -----------------------------------------------------------------------------------------------

    def read(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Take in the whole board."""
        before, self._closed = self._closed, occupied
        self._changed_ms = now_ms
        self._arrived = [square for square in self._arrived if square in occupied]
        self._arrived += sorted(occupied - before - set(self._arrived))

    def switched(self, square: Square, *, closed: bool, now_ms: int, flickers: int = 0) -> None:
        """Take in a switch that has settled."""
        self.tick(now_ms)
        self._health.changed(square, now_ms, flickers)
        self._changed_ms = now_ms
        self._arrived = [other for other in self._arrived if other != square]
        self._closed -= {square}
        if closed:
            self._closed |= {square}
            self._arrived.append(square)

    def tick(self, now_ms: int) -> None:
        """Let time pass: a piece that has stood long enough has arrived."""
        if self._part is Part.SQUARES and self._arrived and now_ms - self._changed_ms >= DWELL_MS:
            self._answered()

    def due_ms(self) -> int | None:
        """Return when `tick` has something to do if nothing else happens."""
        return self._changed_ms + DWELL_MS if self._part is Part.SQUARES and self._arrived else None

    def pressed(self, button: Button) -> None:
        """Take in a button; while pieces are asked for it does nothing."""
        if self._part is not Part.BUTTONS:
            return
        asked = self._buttons[self._at]
        if button is not asked:
            self._button_words.append(f"{asked.value} answers as {button.value}: are their wires exchanged?")
        self._next()

    def on_word(self, word: str, now_ms: int) -> None:
        """Take in what was typed: an empty line is done, or nothing happens; `l` its light is wrong."""
        self.tick(now_ms)
        if word == LIGHT_WRONG and self._part is Part.SQUARES:
            if self._asked not in self._dark:
                self._dark.append(self._asked)
            return
        match self._part:
            case Part.EMPTY:
                self._stuck = self._closed
            case Part.SQUARES:
                self._silent.add(self._asked)
            case Part.CLEARED:
                self._sticking = self._closed - self._stuck
            case Part.GHOSTS:
                self._look_for_ghosts()
            case Part.BUTTONS:
                asked = self._buttons[self._at].value
                self._button_words.append(f"{asked} does nothing: look at its wires to pin and ground.")
        if self._part is not Part.OVER:
            self._next()

    def skip(self) -> None:
        """Leave this part out."""
        self._at = self._count(self._part)
        self._next()

    # --- what follows -----------------------------------------------------------------------------------------------

    def _answered(self) -> None:
        asked, arrived = self._asked, self._arrived
        self._answers[asked] = asked if asked in arrived else arrived[0]
        others = [square for square in arrived if square != self._answers[asked]]
        if others:
            names = ", ".join(map(str, others))
            self._ghosts.append(f"A piece on {asked} closes {names} too: a strong magnet, a short or a ghost?")
        self._next()

    def _next(self) -> None:
        self._arrived = []
        self._at += 1
        parts = list(Part)
        while self._part is not Part.OVER and self._at >= self._count(self._part):
            self._part, self._at = parts[parts.index(self._part) + 1], 0

    def _count(self, part: Part) -> int:
        counts = {Part.SQUARES: len(self._shape.squares()), Part.GHOSTS: len(self._rounds)}
        return {**counts, Part.BUTTONS: len(self._buttons)}.get(part, 1)

    def _look_for_ghosts(self) -> None:
        places = self._diagnosis().places
        closed = {places[read] for read in self._closed - self._stuck - self._sticking if read in places}
        standing = self._rounds[self._at]
        for ghost in sorted(closed - standing):
            corners = [
                at for at in sorted(standing) if {Square(at.file, ghost.rank), Square(ghost.file, at.rank)} <= standing
            ]
            suspects = f" Look at the diode of {' or '.join(map(str, corners))}." if corners else ""
            self._ghosts.append(f"{ghost} is a ghost: it closes with nothing on it.{suspects}")

    def _diagnosis(self) -> Diagnosis:
        return diagnose(self._shape, Observed(self._answers, self._stuck))

    def findings(self) -> Findings:
        """Return what was found so far."""
        diagnosis = self._diagnosis()
        switches = replace(diagnosis, dead=tuple(at for at in diagnosis.dead if at in self._silent))
        closed = self._closed
        return Findings(
            switches,
            tuple(sorted(switches.places[read] for read in self._sticking)),
            tuple(dict.fromkeys(self._ghosts)),
            tuple(self._dark),
            tuple(self._button_words),
            tuple(
                self._health.report(square, closed=square in closed, condition=Condition.GOOD)
                for square in self._shape.squares()
            ),
            complete=self._silent | self._answers.keys() == set(self._shape.squares()),
        )


_BUTTON_PROMPTS = {
    Button.ROLL: "Press the roll button",
    Button.NEXT: "Turn the encoder one step to the right",
    Button.PREVIOUS: "Turn the encoder one step to the left",
    Button.CHOOSE: "Push the encoder",
    Button.BACK: "Press back",
}


def ghost_rounds(shape: Shape) -> list[frozenset[Square]]:
    """Return stairs of two squares a rank, shifted until every square was in one.

    There each piece is the middle corner of three whose fourth is empty: a switch without its diode closes that.
    Only on a square board do stairs close to a ring; on others they are shifted by one, as their ends have no third.
    """
    return [
        frozenset(
            Square((rank + shift + step) % shape.files, rank) for rank in range(shape.ranks) for step in range(STAIR)
        )
        for shift in range(0, shape.files, STAIR if shape.files == shape.ranks else 1)
    ]
