"""A board that somebody bought, as a table's board: found, opened and found again, read, lit.

The protocol says what the board says; this driver turns the squares if the board is turned round, compares each reading
with the one before, and reports what changed. People at a bought board may have no other display, so its clock shows
the chosen answer, what is to be done, or the players' times (docs/boards.md, "DGT").
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from captains_table.devices.bought.protocol import (
    LETTERS,
    UNREAD,
    BoardFacts,
    BoardMessage,
    BoardProtocol,
    ButtonUsed,
    ClockFace,
    SeatTimes,
    SquareChanged,
    WholeBoard,
)
from captains_table.devices.ports import BoardEvent
from captains_table.devices.searching_board import OpenBoardPort, SearchingBoard
from captains_table.devices.serial_port import DevicePort
from captains_table.games.contract import Shape, Square
from captains_table.phrases import say
from captains_table.table.model.events import (
    BoardRead,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.model.view import LightMeaning, Mark, Phase, View

CHESSBOARD: Final = Shape(8, 8)
SILENT_MS: Final = 4000
"""A board that has not said anything for so long is gone, or is none."""
DOUBTED_TIMES: Final = 2
"""In so many readings a slid piece may be on both squares."""
LOW_BATTERY: Final = 10
NEAR_RANKS, FAR_RANKS = range(2), range(6, 8)
FULL_SIDE: Final = 12
"""So many pieces of one colour on its two ranks show at set-up which way round the board is."""
WRITTEN: Final = str.maketrans({"\N{HORIZONTAL ELLIPSIS}": "..", "\N{EN DASH}": "-", "\N{MULTIPLICATION SIGN}": "x"})


class FoundDevice(NamedTuple):
    """A device that may be a board: its path, the board's name, and how it is opened and spoken to."""

    path: str
    name: str
    open_port: OpenBoardPort
    protocol: Callable[[], BoardProtocol]


def is_turned(readings: Mapping[Square, str]) -> bool | None:
    """Return whether a board is turned round, by where the white and black pieces stand; `None` if that does not say.

    Only readings that are letters of pieces say it, white ones in capitals.
    """
    near = [reading for square, reading in readings.items() if square.rank in NEAR_RANKS and reading.isalpha()]
    far = [reading for square, reading in readings.items() if square.rank in FAR_RANKS and reading.isalpha()]
    if sum(map(str.isupper, near)) >= FULL_SIDE and sum(map(str.islower, far)) >= FULL_SIDE:
        return False
    if sum(map(str.islower, near)) >= FULL_SIDE and sum(map(str.isupper, far)) >= FULL_SIDE:
        return True
    return None


class BoardReader:
    """Turns what a board says into the events of a table: turns the squares, and compares each reading with the last.

    Args:
        turned: whether the board stands with its connector at the other side; `None` to learn it at set-up, from a
            board that reads the colours of pieces.

    Attributes:
        is_known: whether the whole board has been read since it was found.
    """

    def __init__(self, *, turned: bool | None = None) -> None:
        self._learns_side = turned is None
        self._is_turned = bool(turned)
        self._readings: dict[Square, str] = {}  # as the board numbers its squares
        self._has_lifted = False  # whether the last change was that a piece left
        self._doubted: dict[Square, int] = {}  # how often in a row a piece was read that may be slid
        self.is_known = False

    def turned(self, square: Square) -> Square:
        """Return the square of the match for one of the board, and the other way round."""
        return CHESSBOARD.turned(square) if self._is_turned else square

    def turn(self) -> BoardRead | None:
        """Take the board for turned the other way from now on; return it so, if it is known."""
        self._is_turned = not self._is_turned
        self._learns_side = False
        return self._board_read() if self.is_known else None

    def _board_read(self) -> BoardRead:
        turned = {self.turned(square): reading for square, reading in self._readings.items()}
        return BoardRead(frozenset(turned), {square: reading for square, reading in turned.items() if reading})

    def lose(self) -> None:
        """Forget the pieces, because the link to the board was lost."""
        self.is_known = False

    def take(self, message: BoardMessage) -> Iterator[BoardEvent]:
        """Yield the events that a message of the board means."""
        match message:
            case WholeBoard(readings):
                yield from self._take_all(readings)
            case SquareChanged(square, reading) if self.is_known:
                yield from self._take_square(square, reading)
            case ButtonUsed(button):
                yield ButtonPressed(button)
                yield ButtonReleased(button)

    def _take_all(self, readings: Mapping[Square, str]) -> Iterator[BoardEvent]:
        """Yield the whole board if it was not known; otherwise the pieces that left, then those that came."""
        side = is_turned(readings) if self._learns_side else None
        has_turned = side is not None and side != self._is_turned
        self._is_turned ^= has_turned
        if not self.is_known or has_turned:
            self._readings, self.is_known = dict(readings), True
            yield self._board_read()
            return
        doubted = self._may_slide(readings)
        for square in sorted(self._readings.keys() - readings.keys()):
            yield from self._take_square(square, None)
        for square in sorted(readings.keys() - doubted):
            yield from self._take_square(square, readings[square])

    def _may_slide(self, readings: Mapping[Square, str]) -> Collection[Square]:
        """Return the squares on which the next readings must show a piece too before it is believed.

        A board that samples one square after the other sees a slid piece on its new square before it leaves the old.
        If it reads no pieces, one that came while none was lifted may be such a piece.
        """
        came = {square for square in readings.keys() - self._readings.keys() if readings[square] == UNREAD}
        if self._has_lifted or self._readings.keys() - readings.keys():
            came = set()
        self._doubted = {square: self._doubted.get(square, 0) + 1 for square in came}
        return {square for square, times in self._doubted.items() if times <= DOUBTED_TIMES}

    def _take_square(self, square: Square, reading: str | None) -> Iterator[BoardEvent]:
        if self._readings.get(square) == reading:
            return
        was_occupied = square in self._readings
        if reading is None:
            del self._readings[square]
            self._has_lifted = True
            yield SwitchChanged(self.turned(square), closed=False)
        else:
            self._readings[square] = reading
            self._has_lifted &= was_occupied
            if reading or not was_occupied:
                yield SwitchChanged(self.turned(square), closed=True, reading=reading)


class BoughtBoard(SearchingBoard[FoundDevice]):
    """A `BoardDevice`, `LightsDevice` and `DisplayDevice` on a port, for any make of board.

    Args:
        find: returns the devices to try, in this order; called at each search for the board.
        sought: the name of the sought board for messages.
        turned: whether the board stands with its connector at the other side; `None` to learn it at set-up, from a
            board that reads the colours of pieces.

    Attributes:
        facts: what the board has told about itself.
    """

    def __init__(
        self,
        find: Callable[[], Sequence[FoundDevice]],
        sought: str,
        *,
        turned: bool | None = None,
    ) -> None:
        super().__init__(find, sought)
        self._protocol: BoardProtocol | None = None
        self._reader = BoardReader(turned=turned)
        self._device: FoundDevice | None = None  # the one that was tried last
        self._has_answered, self._heard_ms = False, 0
        self._marks: frozenset[Square] = frozenset()
        self._view, self._face, self._is_browsed = View(), ClockFace(), False
        self.facts = BoardFacts()

    @property
    def fault(self) -> str | None:
        """Return a warning about the board's clock or battery; `None` if there is nothing to warn of."""
        battery = self.facts.battery
        if self.facts.refuses_times:
            return say("The clock cannot be set: choose its mode for a connected board (23 on a DGT XL)")
        if battery is None or battery > LOW_BATTERY or self.facts.is_charging:
            return None
        return say("The board's battery is at {percent} %: plug it in soon", battery)

    def described(self) -> str:
        """Return in words which board is read, on which device, and its battery; empty while none is read."""
        if self._device is None or self._trouble:
            return ""
        facts = self.facts
        charging = ", charging" if facts.is_charging else ""
        parts = (
            f"{self._device.name} on {self._path}",
            f"version {facts.version}" if facts.version else "",
            "with its clock" if facts.has_clock else "",
            f"battery at {facts.battery} %{charging}" if facts.battery is not None else "",
        )
        return ", ".join(filter(None, parts))

    # --- as lights and as a display ---------------------------------------------------------------------------------

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        """Light the marked squares, all alike, because most of these boards have no colours."""
        self._marks = frozenset(marks)
        self._send_soon()

    def signal(self, kind: str, square: Square | None) -> None:
        """Do nothing: these boards show no effects."""

    def turn(self) -> None:
        """Read the board the other way round from now on, because the players say so."""
        event = self._reader.turn()
        self._send_soon()
        if event is not None:
            self._on_event(event, self._now_ms())

    def show(self, view: View) -> None:
        """Show a view on the board's clock."""
        menu, shown = view.menu, self._view.menu
        is_same = menu.entries == shown.entries and view.revision == self._view.revision
        self._is_browsed = is_same and (self._is_browsed or menu.cursor != shown.cursor)
        self._view = view
        face = face_of_clock(view, browsed=self._is_browsed)
        if face != self._face:
            self._face = face
            self._send_soon()

    def _send_soon(self) -> None:
        if self._protocol is not None:
            self._protocol.light(frozenset(map(self._reader.turned, self._marks)))
            self._protocol.show(self._face)
        self._soon()

    # --- at work ----------------------------------------------------------------------------------------------------

    def _next_device(self, devices: Sequence[FoundDevice]) -> tuple[str, OpenBoardPort]:
        """Return the device that answered last, or else the next one; after the last device, the first one again."""
        at = devices.index(self._device) if self._device in devices else -1
        device = self._device = devices[at if at >= 0 and self._has_answered else (at + 1) % len(devices)]
        return device.path, device.open_port

    def _begin(self, now_ms: int) -> None:
        self._heard_ms, self.facts = now_ms, BoardFacts()
        if self._device is not None:
            self._protocol = self._device.protocol()
            self._protocol.begin(now_ms)
        self._send_soon()

    def _last_bytes(self, now_ms: int) -> bytes:
        if self._protocol is None:
            return b""
        self._protocol.light(())
        return self._protocol.tick(now_ms)

    def _speak(self, port: DevicePort, now_ms: int) -> None:
        """Send as due, or give up a device that has been silent for SILENT_MS."""
        if now_ms - self._heard_ms >= SILENT_MS:
            self._has_answered = False
            self._give_up(say("is {board} on it, and switched on?", self._sought), now_ms)
        elif self._protocol is not None and not port.is_busy:
            port.write(self._protocol.tick(now_ms))

    def _next_ms(self) -> int:
        silent_ms, due_ms = self._heard_ms + SILENT_MS, self._protocol.due_ms() if self._protocol else None
        return silent_ms if due_ms is None else min(due_ms, silent_ms)

    def _lose_device(self, now_ms: int) -> None:  # noqa: ARG002 - nothing is on its way
        self._reader.lose()

    def _receive(self, data: bytes, now_ms: int) -> None:
        for message in self._protocol.receive(data, now_ms) if self._protocol is not None else ():
            self._heard_ms, self._has_answered = now_ms, True
            self._take(message, now_ms)

    def _take(self, message: BoardMessage, now_ms: int) -> None:
        if isinstance(message, BoardFacts):
            self.facts = message
        for event in self._reader.take(message):
            if isinstance(event, BoardRead):
                self._trouble = ""
                self._send_soon()  # the board may have been found to be turned
            self._on_event(event, now_ms)


def face_of_clock(view: View, *, browsed: bool = False) -> ClockFace:
    """Return what a clock shows of a view: the times of a match with clocks, unless something must be read.

    Args:
        view: the view.
        browsed: whether the menu's cursor was just moved, so that only the answer under it is shown.
    """
    times, cursor = _times(view), view.menu.cursor
    label = "" if cursor is None else f"{view.menu.entries[cursor].label}?"
    is_play = view.phase is Phase.PLAYING and not view.wrong and Mark.PUT_HERE not in view.marks.values()
    if times is not None and is_play and not (label or view.has_dice):
        return ClockFace((), times)
    said = [_prompt(view), label]
    if browsed and label:
        said = [label]
    elif view.wrong:
        said = [_carried(view), *view.prompt[:2]]
    return ClockFace(tuple(page for words in said for page in pages_of(words)), times)


def _times(view: View) -> SeatTimes | None:
    times = [seat.seconds_left for seat in view.seats]
    if len(times) != 2 or times[0] is None or times[1] is None:  # noqa: PLR2004 - a clock has two sides
        return None
    running = [number for number, seat in enumerate(view.seats) if seat.on_turn]
    is_running = view.phase is Phase.PLAYING and not view.timers_stopped and len(running) == 1
    return SeatTimes(times[0], times[1], running[0] if is_running else None)


def _prompt(view: View) -> str:
    """Return the prompt's first line, without the name of the only person at the table, who knows that."""
    words = view.prompt[0] if view.prompt else ""
    people = [seat.called for seat in view.seats if not seat.is_absent]
    return re.sub(rf"^{re.escape(people[0])}[^,:]*[,:] ", "", words) if len(people) == 1 else words


def _carried(view: View) -> str:
    """Return the squares from and to which the only wrong piece goes, such as "g8-h6"; empty if more are wrong."""
    targets = view.wrong.missing or [square for square, mark in view.marks.items() if mark is Mark.TARGET]
    is_one = len(view.wrong.extra) == len(targets) == 1
    return f"{view.wrong.extra[0]}-{targets[0]}" if is_one else ""


def pages_of(words: str) -> Iterator[str]:
    """Yield a text in pages of whole words, as far as they fit; other letters than a clock's become question marks."""
    spelt = unicodedata.normalize("NFKD", words.translate(WRITTEN))
    plain = "".join(letter for letter in spelt if not unicodedata.combining(letter))
    page = ""
    for word in plain.encode("ascii", "replace").decode("ascii").split():
        if page and len(page) + 1 + len(word) > LETTERS:
            yield page
            page = ""
        page = f"{page} {word}" if page else word
        while len(page) > LETTERS:
            yield page[:LETTERS]
            page = page[LETTERS:]
    if page:
        yield page
