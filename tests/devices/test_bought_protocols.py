"""The languages of bought boards: two clients, written by two people from docs/boards.md alone, read the same."""

import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from captains_table.devices.bought.certabo import (
    CHIP_NUMBERS,
    LineReader,
    chips_of,
    colour_lights,
    plain_lights,
    scanned_of,
)
from captains_table.devices.bought.chessnut import ChessnutProtocol, lights_of
from captains_table.devices.bought.dgt import (
    DgtMessage,
    DgtReader,
    MessageId,
    clock_answer,
    clock_time,
)
from captains_table.devices.bought.protocol import BoardFacts, WholeBoard
from captains_table.games.contract import Square
from tests.devices.other_board_clients import (
    certabo_lights,
    certabo_messages,
    certabo_rgb_lights,
    chessnut_lights,
    chessnut_messages,
    dgt_messages,
)
from tests.support.effort import effort

STREAMS = effort(600, 10_000)
Rng = random.Random


def spoilt(rng: Rng, stream: bytes) -> bytes:
    """Return a stream as a bad line brings it: bytes are lost, doubled, changed or put in."""
    found = bytearray()
    for byte in stream:
        what = rng.random()
        if what < 0.002:
            continue
        found.append(rng.randrange(256) if what < 0.004 else byte)
        if what > 0.997:
            found.append(rng.choice((byte, rng.randrange(256))))
    return bytes(found)


# --- DGT ------------------------------------------------------------------------------------------------------------


def dgt_stream(rng: Rng) -> bytes:
    lengths = {0x86: 67, 0x8D: 10, 0x8E: 5, 0x90: 5, 0x91: 8, 0x93: 5, 0xA0: rng.choice((10, 12)), 0xA2: 13}
    stream = b""
    for _ in range(rng.randint(1, 8)):
        id_ = rng.choice((*lengths, 0x86, 0x8E, 0x8D, 0x8D, 0x92, 0x8F, 0x95, 0xF0))
        length = lengths.get(id_, rng.randint(3, 40))
        most = rng.choice((16, 64, 128)) if id_ != 0x8D else rng.choice((10, 0x60, 128))
        data = bytes(rng.randrange(most) for _ in range(length - 3))
        if id_ == 0x8D and rng.random() < 0.2:
            data = bytes((data[0] & 0xF0 | 0x0A, *data[1:]))
        length += rng.random() < 0.03
        stream += bytes((id_, length >> 7, length & 0x7F)) + data
    return stream


def dgt_told(message: DgtMessage) -> tuple[object, ...] | None:
    """Return a message in the second client's words; `None` for what the table does not read."""
    data = message.data
    match message.id:
        case MessageId.BOARD if max(data) < 16:
            return "board", tuple(data)
        case MessageId.FIELD if data[0] < 64 and data[1] < 16:
            return "field", data[0], data[1]
        case MessageId.VERSION:
            return "version", data[0], data[1]
        case MessageId.TIME if any(data) and (answer := clock_answer(data)) is not None:
            return "clock-ack", *answer
        case MessageId.TIME if (time := clock_time(data)) is not None:
            return "clock", time.left_s, time.right_s, time.is_running, time.right_is_high
    return None


READ = ("board", "field", "version", "clock-ack", "clock")


def test_both_clients_read_the_same_of_a_dgt_board() -> None:
    for seed in range(STREAMS):
        rng = Rng(f"dgt {seed}")
        stream = spoilt(rng, dgt_stream(rng))
        ours, reader, at = list[tuple[object, ...]](), DgtReader(), 0
        while at < len(stream):  # it comes in pieces
            piece = stream[at : at + rng.randint(1, 30)]
            at += len(piece)
            ours += [told for message in reader.feed(piece) if (told := dgt_told(message)) is not None]
        theirs = [each[:5] for each in dgt_messages(stream) if each[0] in READ]
        assert ours == theirs, stream.hex(" ")


# --- Certabo --------------------------------------------------------------------------------------------------------


def certabo_stream(rng: Rng) -> bytes:
    stream = b""
    for _ in range(rng.randint(1, 4)):
        count = rng.choice((8, CHIP_NUMBERS, CHIP_NUMBERS, 7, 81))
        chips = [rng.choice((0, rng.randrange(260 if rng.random() < 0.01 else 256))) for _ in range(count)]
        stream += rng.choice((b"", b"L", b"D", b"?")) + b":" + " ".join(map(str, chips)).encode()
        stream += rng.choice((b"\r\n", b"\r\n", b"\n"))
    return stream


def test_both_clients_read_the_same_of_a_certabo_board() -> None:
    for seed in range(STREAMS // 4):
        rng = Rng(f"certabo {seed}")
        stream = spoilt(rng, certabo_stream(rng)) if seed % 3 else certabo_stream(rng)
        reader = LineReader()
        ours = [
            scanned_of(numbers) if len(numbers) == 8 else chips_of(numbers)
            for at in range(0, len(stream), 40)
            for numbers in reader.feed(stream[at : at + 40])
        ]
        theirs = [
            each[1] if each[0] == "occupied" else chips_in_words(each[1])  # type: ignore[arg-type]
            for each in certabo_messages(stream)
            if each[0] in ("occupied", "chips")
        ]
        assert ours == theirs, stream


def chips_in_words(chips: Sequence[Sequence[int]]) -> dict[Square, str]:
    return {Square(at % 8, 7 - at // 8): bytes(chip).hex() for at, chip in enumerate(chips) if any(chip)}


def test_the_letter_before_a_line_says_which_lights_a_board_has() -> None:
    reader = LineReader()
    assert [list(reader.feed(part)) or reader.has_colours for part in (b"L\r\n", b"D", b"L")] == [False, True, False]


# --- Chessnut -------------------------------------------------------------------------------------------------------


def reports(rng: Rng) -> Iterator[bytes]:
    for _ in range(rng.randint(1, 6)):
        head = rng.choice((b"\x01\x24", b"\x01\x24", b"\x2a\x02", b"\x41\x03", b""))
        most = rng.choice((13, 13, 16))
        body = bytes(rng.randrange(most) | rng.randrange(most) << 4 for _ in range(rng.choice((36, 36, 2, 31))))
        yield head + (bytes((rng.randrange(256), 0)) if head == b"\x2a\x02" else body)


def test_both_clients_read_the_same_of_a_chessnut_board() -> None:
    for seed in range(STREAMS):
        rng = Rng(f"chessnut {seed}")
        sent = list(reports(rng))
        protocol = ChessnutProtocol()
        ours = [chessnut_told(report) for each in sent for report in protocol.receive(each, 0)]
        assert ours == chessnut_messages(sent), [each.hex(" ") for each in sent]


def chessnut_told(report: object) -> tuple[object, ...]:
    match report:
        case WholeBoard(readings):
            return "board", "".join(readings.get(Square(at % 8, 7 - at // 8), ".") for at in range(64))
        case BoardFacts(battery=battery, is_charging=is_charging):
            return "battery", battery, is_charging
    raise AssertionError(report)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(plain_lights, certabo_lights), (colour_lights, certabo_rgb_lights), (lights_of, chessnut_lights)],
)
def test_both_clients_light_the_same_squares(
    ours: Callable[[frozenset[Square]], bytes], theirs: Callable[[frozenset[Square]], bytes]
) -> None:
    for seed in range(100):
        rng = Rng(seed)
        lit = frozenset(Square(rng.randrange(8), rng.randrange(8)) for _ in range(rng.randrange(6)))
        assert ours(lit) == theirs(lit)
