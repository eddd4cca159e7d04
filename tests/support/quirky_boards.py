"""Virtual boards with quirks: badly read pieces, bad lines, other firmware, clocks that people use, lights, a log.

The boards of the program's own simulation have none of this. The classes here have the same names.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from captains_table.games.contract import Square
from captains_table.simulation.virtual_boards import certabo, chessnut, dgt, dgt_clock
from captains_table.simulation.virtual_boards.certabo import LIGHTS_KIND, NO_CHIP
from captains_table.simulation.virtual_boards.dgt import CLOCK_MODES, SECOND_MS
from captains_table.simulation.virtual_boards.dgt_clock import OK, TIME_ID, TIME_LENGTH, ClockCommand
from captains_table.simulation.virtual_boards.virtual_board import (
    NO_PIECES,
    SIDE,
    SQUARES,
    UNKNOWN_PIECE,
    Outbox,
    Sample,
    ScannedBoard,
    SquareSampler,
)

LATE_MS: Final = (200, 1500)
LONGEST_MERGE_MS: Final = 2000


def pieces_from_fen(placement: str) -> dict[Square, str]:
    """Return the pieces of the placement field of a FEN, such as `8/8/8/8/4P3/8/8/8`."""
    pieces = {}
    for row, letters in enumerate(placement.split("/")):
        file = 0
        for letter in letters:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[Square(file, SIDE - 1 - row)] = letter
                file += 1
    return pieces


START: Final[Mapping[Square, str]] = MappingProxyType(pieces_from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"))


@dataclass(frozen=True, slots=True)
class Quirks:
    """What is special about one board. A rate is a probability between 0 and 1.

    Attributes:
        turned: the board lies with its connector at the other side: its own a8 is the players' h1.
        scan_ms: the time in which all squares are sampled once; `None` is the usual time of the board.
        slide_overlap: the rate of lifted pieces that are still read for two scans, as slid pieces are.
        capture_merged: the rate of lifted pieces that are still read until another piece is put somewhere, so that a
            capture is seen as one update.
        late: the rate of frames that come 200 to 1500 ms late. Later frames wait for them.
        cut: the rate of frames whose end is missing.
        lost: the rate of frames that are not sent.
        doubled: the rate of frames with a byte twice; of HID reports, that come twice.
        weak: the rate, per scan, of RFID chips that are read as no chip.
        unknown: the rate of pieces that, once placed, are read as one that the board cannot tell.
        zero_times: the rate of a DGT board's time reports that are all zero.
        no_clock: no clock is connected.
        no_leds: the firmware has no lights.
        rgb: a Certabo or Sentio has coloured lights at the corners of squares, instead of a light in each square.
        silent: a board that talks by itself is silent until the host has sent something.
        full_log: the EEPROM log is full; sending it takes 8 s.
        command_gap_ms: a DGT board misses a command that comes sooner after the one before.
        report_bytes: HID reports are filled up with zeros to this length.
    """

    turned: bool = False
    scan_ms: int | None = None
    slide_overlap: float = 0.0
    capture_merged: float = 0.0
    late: float = 0.0
    cut: float = 0.0
    lost: float = 0.0
    doubled: float = 0.0
    weak: float = 0.0
    unknown: float = 0.0
    zero_times: float = 0.0
    no_clock: bool = False
    no_leds: bool = False
    rgb: bool = False
    silent: bool = False
    full_log: bool = False
    command_gap_ms: int = 0
    report_bytes: int = 0


NO_QUIRKS: Final = Quirks()


def happens(rate: float, rng: random.Random) -> bool:
    """Return whether something happens this time; a rate of 0 takes no random number."""
    return rate > 0 and rng.random() < rate


class LingeringSampler(SquareSampler):
    """A sampler that reads some lifted pieces for a while still; `on_sample` is told of each change that was found."""

    def __init__(self, readings: Mapping[int, str], scan_ms: int, quirks: Quirks, rng: random.Random) -> None:
        super().__init__(readings, scan_ms)
        self._quirks, self._rng = quirks, rng
        self._lingers_until_ms: dict[int, int] = {}
        self.on_sample: Callable[[Sample], None] = lambda _: None

    def change(self, number: int, reading: str, now_ms: int) -> None:
        self._lingers_until_ms.pop(number, None)
        super().change(number, reading, now_ms)
        if reading:
            self._end_lingering(now_ms + self._scan_ms)
        elif (until_ms := now_ms + self._lingering_ms()) > now_ms:
            self._lingers_until_ms[number] = until_ms
            self._due_ms[number] = self._next_sample_ms(number, until_ms)

    def sample(self, now_ms: int) -> list[Sample]:
        for number in [number for number, due_ms in self._due_ms.items() if due_ms <= now_ms]:
            self._lingers_until_ms.pop(number, None)
        samples = super().sample(now_ms)
        for each in samples:
            self.on_sample(each)
        return samples

    def _lingering_ms(self) -> int:
        if happens(self._quirks.capture_merged, self._rng):
            return LONGEST_MERGE_MS
        return 2 * self._scan_ms if happens(self._quirks.slide_overlap, self._rng) else 0

    def _end_lingering(self, at_ms: int) -> None:
        """Let lifted pieces be read no longer than this: so the square that a piece comes to is always seen before."""
        for number, until_ms in self._lingers_until_ms.items():
            self._lingers_until_ms[number] = min(at_ms, until_ms)
            self._due_ms[number] = self._next_sample_ms(number, self._lingers_until_ms[number])


class DisturbedOutbox(Outbox):
    """An outbox whose frames are lost, late, cut or doubled; reports of a HID board are filled up."""

    def __init__(self, baud: int | None, quirks: Quirks, rng: random.Random) -> None:
        super().__init__(baud)
        self._quirks, self._rng = quirks, rng

    def post(self, frame: bytes, at_ms: int) -> None:
        frame = frame.ljust(self._quirks.report_bytes, b"\0")
        if happens(self._quirks.lost, self._rng):
            return
        if happens(self._quirks.late, self._rng):
            at_ms += self._rng.randint(*LATE_MS)
        if happens(self._quirks.cut, self._rng):
            frame = frame[: self._rng.randrange(1, len(frame))]
        for chunk in self._doubled(frame) if happens(self._quirks.doubled, self._rng) else [frame]:
            super().post(chunk, at_ms)

    def _doubled(self, frame: bytes) -> Sequence[bytes]:
        if self._baud is None:  # USB checks its packets: a report comes whole or, sent again, twice
            return [frame, frame]
        last = self._rng.randrange(len(frame))
        return [frame[: last + 1] + frame[last:]]


class _QuirkyBoard(ScannedBoard):
    """What the quirks do to any board: its squares, its readings and its line.

    Args:
        rng: the source of all randomness.
        pieces: what stands on the board at first.
        quirks: what is special about this board.
    """

    _sampler: LingeringSampler

    def __init__(
        self, rng: random.Random, pieces: Mapping[Square, str] = NO_PIECES, quirks: Quirks = NO_QUIRKS
    ) -> None:
        self._quirks = quirks
        self._is_misread = False
        self.scan_ms = quirks.scan_ms or self.scan_ms
        super().__init__(rng, pieces)
        seen = dict(enumerate(self._sampler.seen))
        self._sampler = LingeringSampler(seen, self.scan_ms, quirks, rng)
        self._outbox = DisturbedOutbox(self.baud, quirks, rng)

    def change(self, square: Square, piece: str, now_ms: int) -> None:
        self._catch_up(now_ms)
        self._is_misread = bool(piece) and happens(self._quirks.unknown, self._rng)
        super().change(square, piece, now_ms)
        self._is_misread = False

    def _reading(self, square: Square, piece: str) -> str:
        return super()._reading(square, UNKNOWN_PIECE if self._is_misread else piece)

    def _number(self, square: Square) -> int:
        number = super()._number(square)
        return SQUARES - 1 - number if self._quirks.turned else number

    def _square(self, number: int) -> Square:
        return super()._square(SQUARES - 1 - number if self._quirks.turned else number)


# --- Chessnut -------------------------------------------------------------------------------------------------------


class VirtualChessnut(_QuirkyBoard, chessnut.VirtualChessnut):
    """A Chessnut Air with quirks."""

    def receive(self, data: bytes, now_ms: int) -> None:
        super().receive(data, now_ms)
        if self._quirks.no_leds:
            self._lit.clear()


# --- Certabo --------------------------------------------------------------------------------------------------------

CORNERS: Final = SIDE + 1
RGB_HEAD, RGB_TAIL = b"\xff\x55", b"\r\n"
RGB_KIND: Final = b"D\r\n"
RGB_LENGTH: Final = len(RGB_HEAD) + 3 * CORNERS * CORNERS + len(RGB_TAIL)


class _QuirkyCertabo(_QuirkyBoard, certabo._CertaboLine):
    """The line of a Certabo or Sentio with quirks."""

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self._command_length = RGB_LENGTH if self._quirks.rgb else SIDE
        if self._quirks.silent:
            self._next_ms = None

    def receive(self, data: bytes, now_ms: int) -> None:
        self._catch_up(now_ms)
        if self._next_ms is None:
            self._next_ms = now_ms + self.scan_ms
        super().receive(data, now_ms)

    def _squares_lit_by(self, command: bytes) -> set[int]:
        if self._quirks.no_leds:
            return set()
        if not self._quirks.rgb:
            return super()._squares_lit_by(command)
        if not command.startswith(RGB_HEAD) or not command.endswith(RGB_TAIL):
            return self._lit
        return _squares_with_lit_corners(command[len(RGB_HEAD) : -len(RGB_TAIL)])

    def _frames(self, now_ms: int) -> Iterable[bytes]:
        for frame in super()._frames(now_ms):
            if frame != LIGHTS_KIND:
                yield frame
            elif not self._quirks.no_leds:
                yield RGB_KIND if self._quirks.rgb else frame


def _squares_with_lit_corners(colours: bytes) -> set[int]:
    """Return the squares whose four corners are lit; corners count like squares, row by row from that of a8."""
    lit = {corner for corner in range(CORNERS * CORNERS) if any(colours[3 * corner : 3 * corner + 3])}
    first = {number: number // SIDE * CORNERS + number % SIDE for number in range(SQUARES)}
    return {
        number
        for number, corner in first.items()
        if {corner, corner + 1, corner + CORNERS, corner + CORNERS + 1} <= lit
    }


class VirtualCertabo(_QuirkyCertabo, certabo.VirtualCertabo):
    """A Certabo with quirks. A piece that it cannot tell has a chip that no piece of the start has."""

    def _position(self) -> str:
        return " ".join(
            chip if chip and not happens(self._quirks.weak, self._rng) else NO_CHIP for chip in self._sampler.seen
        )


class VirtualSentio(_QuirkyCertabo, certabo.VirtualSentio):
    """A Sentio with quirks."""


# --- DGT ------------------------------------------------------------------------------------------------------------

ClockKind = Literal["3000", "XL"]
ClockButton = Literal["back", "plus", "run", "minus", "ok"]
BUTTON_CODES: Final[dict[ClockButton, int]] = {"back": 0x31, "plus": 0x32, "run": 0x33, "minus": 0x34, "ok": 0x35}
BUTTON_PRESSED, NOT_IN_MODE_23 = 0x88, 0x90
LEVER_SWITCHES: Final = 8
BATTERY_LOW, NO_CLOCK = 4, 32


class VirtualClock(dgt_clock.VirtualClock):
    """A clock that people use, or that is not there.

    Args:
        kind: "3000", which shows texts, or "XL", which shows segments alone.
        version: main and sub version, each below 16.

    Attributes:
        present: whether the clock is connected to the board.
        battery_low: whether its battery is low.
        in_mode_23: whether the clock is in the mode in which times can be set from outside.
    """

    def __init__(self, kind: ClockKind = "3000", version: tuple[int, int] = (1, 2)) -> None:
        super().__init__()
        self.kind = kind
        self.version = version
        self.present = True
        self.battery_low = False
        self.in_mode_23 = True
        self._lever_switches = False
        self._last_button = 0

    def press(self, button: ClockButton) -> bytes:
        """Press a button; return the frame that tells of it."""
        self._last_button = BUTTON_CODES[button]
        return self._ack(OK, BUTTON_PRESSED, 0, self._last_button)

    def toggle_lever(self, now_ms: int) -> None:
        """Push down the end of the lever that is high."""
        self._run_until(now_ms)
        self.lever_high = "left" if self.lever_high == "right" else "right"
        if self.running is not None and self._lever_switches:
            self.running = self.lever_high

    def time_frame(self, now_ms: int) -> bytes:
        absent = bytes([TIME_ID, 0, TIME_LENGTH, 0, 0, 0, 0, 0, 0, NO_CLOCK])
        return super().time_frame(now_ms) if self.present else absent

    def _knows(self, code: int, length: int) -> bool:
        return super()._knows(code, length) and not (code == ClockCommand.TEXT and self.kind == "XL")

    def _carry_out(self, code: ClockCommand, data: bytes) -> bytes:
        if code is not ClockCommand.BUTTON:
            return super()._carry_out(code, data)
        last, self._last_button = self._last_button, 0
        return self._ack(OK, code, 0, last)

    def _set_and_run(self, data: bytes) -> bytes:
        if not self.in_mode_23:
            return self._ack(dgt_clock.ERROR, NOT_IN_MODE_23)
        self._lever_switches = bool(data[6] & LEVER_SWITCHES)
        return super()._set_and_run(data)

    def _status(self) -> int:
        return super()._status() | (BATTERY_LOW if self.battery_low else 0)


LOG, BATTERY = 0x8F, 0xA0
ASK_LOG, SET_LIGHTS = 0x49, 0x60
LIGHTS_LENGTH: Final = 4
ALL_OFF: Final = 0x40
LOG_POWER_UP, LOG_END, LOG_NOTHING, LOG_PIECE, LOG_SOON = 0x6A, 0x6B, 0x7F, 0x40, 0x10
LOG_SOON_MS: Final = 250
LONGEST_LOG: Final = 0x1F00
LONGEST_CHUNK: Final = 250
ON_BATTERY: Final = (0x7F, 0x7F, 0, 0, 0, 0, 0, 2)


class VirtualDgt(_QuirkyBoard, dgt.VirtualDgt):
    """A DGT board, by USB or Bluetooth, or with lights a Revelation II; with quirks, its log, and a clock in use.

    Args:
        rng: the source of all randomness.
        pieces: what stands on the board at first.
        quirks: what is special about this board.
        clock: the kind of the clock at its line.
        revelation: whether it has lights.
        battery: percent, as a Bluetooth board tells; `None` for a board without a battery, which gives no answer.
    """

    clock: VirtualClock

    def __init__(
        self,
        rng: random.Random,
        pieces: Mapping[Square, str] = NO_PIECES,
        quirks: Quirks = NO_QUIRKS,
        *,
        clock: ClockKind = "3000",
        revelation: bool = False,
        battery: int | None = None,
    ) -> None:
        self._has_lights = revelation and not quirks.no_leds
        self._with_length = self._with_length | ({SET_LIGHTS} if self._has_lights else set())
        self._battery = battery
        self._log = bytearray([LOG_NOTHING] * LONGEST_LOG if quirks.full_log else [])
        self._logged_ms = -SECOND_MS
        super().__init__(rng, pieces, quirks)
        self._sampler.on_sample = self._write_log
        self.clock = VirtualClock(clock)
        self.clock.present = not quirks.no_clock

    def power_up(self, now_ms: int) -> None:
        super().power_up(now_ms)
        self._obeyed_ms = now_ms - SECOND_MS
        self._log.append(LOG_POWER_UP)

    def press(self, button: ClockButton, now_ms: int = 0) -> None:
        """Press a button of the clock; without a time, at the last time that the board was told."""
        self._catch_up(max(self._now_ms, now_ms))
        frame = self.clock.press(button)
        if self.clock.present and self.mode in CLOCK_MODES:
            self._outbox.post(frame, self._now_ms)

    def toggle_lever(self, now_ms: int = 0) -> None:
        """Push the clock's lever to its other side; without a time, at the last time that the board was told."""
        self._catch_up(max(self._now_ms, now_ms))
        self.clock.toggle_lever(self._now_ms)
        if self.clock.present and self.mode in CLOCK_MODES:
            self._outbox.post(self._time_report(self._now_ms), self._now_ms)

    def _time_report(self, at_ms: int) -> bytes:
        told = super()._time_report(at_ms)
        return told[: dgt.HEADER_LENGTH] + bytes(7) if happens(self._quirks.zero_times, self._rng) else told

    def _write_log(self, sample: Sample) -> None:
        soon = LOG_SOON if sample.at_ms - self._logged_ms <= LOG_SOON_MS else 0
        self._logged_ms = sample.at_ms
        self._log += bytes([LOG_PIECE | soon | dgt._code(sample.reading), sample.number])

    def _obey(self, command: bytes, now_ms: int) -> None:
        if now_ms - self._obeyed_ms < self._quirks.command_gap_ms:
            return
        self._obeyed_ms = now_ms
        if command[0] == SET_LIGHTS and self._has_lights:
            self._set_lights(command[2:])
        else:
            super()._obey(command, now_ms)

    def _obey_clock_message(self, message: bytes, now_ms: int) -> None:
        if self.clock.present:
            super()._obey_clock_message(message, now_ms)

    def _obey_single_byte(self, code: int, now_ms: int) -> None:
        super()._obey_single_byte(code, now_ms)
        if code == ASK_LOG:
            frame = dgt._frame(LOG, bytes([*self._log[1 - LONGEST_LOG :], LOG_END]))
            for first in range(0, len(frame), LONGEST_CHUNK):  # the line is busy with a full log for 8 s
                self._outbox.post(frame[first : first + LONGEST_CHUNK], now_ms)

    def _answer(self, code: int) -> bytes:
        match code:
            case 0x4C if self._battery is not None:
                return dgt._frame(BATTERY, bytes([self._battery, *ON_BATTERY]))
            case 0x4D if self._has_lights:
                return dgt._frame(dgt.VERSION, bytes([3, 24]))
            case _:
                return super()._answer(code)

    def _set_lights(self, message: bytes) -> None:
        if len(message) != LIGHTS_LENGTH:
            return
        pattern, first, last, _ = message
        if first == ALL_OFF:
            self._lit.clear()
        elif pattern:
            self._lit |= {number for number in (first, last) if number < SQUARES}
        else:
            self._lit -= {first, last}
