"""The second clients of DGT, Certabo and Chessnut boards against bytes written by hand from the boards' protocols."""

import pytest

from captains_table.games.contract import Square, parse_square
from tests.devices.other_board_clients import (
    certabo_lights,
    certabo_messages,
    certabo_rgb_lights,
    chessnut_lights,
    chessnut_messages,
    dgt_end_display,
    dgt_messages,
    dgt_set_and_run,
    dgt_text,
)

A1, A8, H1, H8, E4 = map(parse_square, ("a1", "a8", "h1", "h8", "e4"))
E2_EMPTY = bytes.fromhex("8e 00 05 34 00")
FIELD = ("field", 52, 0)

# --- DGT: what a board sends ---


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ("8e 00 05 24 01", ("field", 36, 1)),
        ("8e 00 05 3f 0f", ("field", 63, 15)),
        ("8f 00 03", ("log", 0)),
        ("8f 00 06 6a 40 01", ("log", 3)),
        ("90 00 05 0a 11", ("bus-address", 0x511)),
        ("91 00 08 31 32 33 34 35", ("serial", "12345")),
        ("91 00 08 31 0a 33 7f 35", ("serial", "1?3?5")),
        ("92 00 03", ("trademark", "")),
        ("92 00 07 4f 75 72 73", ("trademark", "Ours")),
        ("92 00 06 1f 7e 20", ("trademark", "?~ ")),
        ("93 00 05 01 12", ("version", 1, 18)),
        ("a0 00 0c 54 05 7f 00 10 00 01 02 02", ("battery", 84, False)),
        ("a0 00 0c 64 7f 7f 00 10 00 01 02 01", ("battery", 100, True)),
        ("a0 00 0c 7f 05 7f 00 10 00 01 02 01", ("battery", None, True)),
        ("a0 00 0c 65 05 7f 00 10 00 01 02 00", ("battery", None, False)),
        ("a0 00 0a 54 05 7f 00 10 00 01", ("battery", 84, True)),
        ("a2 00 0d 30 31 32 33 34 35 36 37 38 39", ("long-serial", "0123456789")),
    ],
)
def test_each_message_of_the_table_is_read(sent: str, message: tuple[object, ...]) -> None:
    assert dgt_messages(bytes.fromhex(sent)) == [message]


def test_a_board_is_read_in_the_order_of_the_wire() -> None:
    codes = bytes.fromhex("07 09 0a 0c 0b 0a 09 08") + bytes(47) + bytes(range(7, 16))
    assert dgt_messages(b"\x86\x00\x43" + codes) == [("board", tuple(codes))]


def test_a_length_from_128_uses_both_bytes_and_a_log_has_a_longest_length() -> None:
    assert dgt_messages(b"\x92\x01\x05" + b"x" * 130) == [("trademark", "x" * 130)]
    assert dgt_messages(b"\x8f\x3e\x03" + bytes(0x1F00)) == [("log", 0x1F00)]
    assert dgt_messages(b"\x8f\x3e\x04" + bytes(0x1F01) + E2_EMPTY) == [FIELD]


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("01 02 03 04 56 59 09", ("clock", 4 * 3600 + 56 * 60 + 59, 3723, True, False, False, True, False)),
        ("00 00 00 09 59 59 10", ("clock", 35999, 0, False, False, True, False, False)),
        ("71 00 00 50 00 01 06", ("clock", 1, 3600, False, True, False, False, True)),
        ("00 00 00 00 00 00 01", ("clock", 0, 0, True, False, False, False, False)),
        ("00 00 00 00 00 00 20", ("no-clock",)),
        ("01 7f 7f 01 00 00 21", ("no-clock",)),
        ("0a 10 01 00 00 00 00", ("clock-ack", 0x10, 0x01, 0, 0)),
        ("00 40 01 1a 00 00 20", ("clock-ack", 0xC0, 0x01, 0, 0)),
        ("2a 10 08 20 00 35 00", ("clock-ack", 0x10, 0x88, 0, 0xB5)),
        ("1a 10 09 00 11 00 00", ("clock-ack", 0x10, 0x09, 0x91, 0)),
        ("00 10 01 2a 00 33 00", ("clock-ack", 0x10, 0x81, 0, 0x33)),
        ("4a 10 01 4f 00 00 00", ("clock-ack", 0x10, 0x01, 0, 0)),
        ("4f 10 01 4a 00 00 00", ("clock-ack", 0x10, 0x01, 0, 0)),
    ],
)
def test_a_clock_sends_its_times_or_an_acknowledgement(time: str, message: tuple[object, ...]) -> None:
    assert dgt_messages(bytes.fromhex("8d 00 0a" + time)) == [message]


@pytest.mark.parametrize(
    "dropped",
    [
        "8d 00 0a 00 00 00 00 00 00 00",  # nothing in it
        "8d 00 0a 0b 00 00 00 00 00 01",  # hours above 9
        "8d 00 0a 00 0a 00 00 00 00 01",  # a digit above 9
        "8d 00 0a 00 00 00 00 00 1f 01",
        "8d 00 0a 00 60 00 00 00 00 01",  # minutes above 59
        "8d 00 0a 00 00 00 00 00 60 01",  # seconds above 59
        "8d 00 09 00 00 00 00 00 01",  # a length of no time
        "8e 00 05 40 01",  # a square above 63
        "8e 00 05 00 10",  # a code above 15
        "8e 00 06 34 00 00",
        "8e 00 04 34",
        "86 00 42" + " 00" * 63,
        "86 00 43" + " 00" * 63 + " 10",
        "90 00 06 00 00 00",
        "91 00 07 31 32 33 34",
        "93 00 04 01",
        "a0 00 0b 54 00 00 00 00 00 00 00",
        "a2 00 08 31 32 33 34 35",
        "8e 00 02 34 00",  # lengths below their own header
        "92 00 00",
        "94 00 35" + " 00" * 50,  # an unknown message
        "c1 00 05 34 00",
        "34 00 05",  # bytes of no message
        "8e",  # unfinished messages
        "8e 00",
        "8e 00 05 34",
        "92 00 09 4f 75",
        "92 3f",
    ],
)
def test_a_broken_message_is_dropped_and_the_next_one_is_read(dropped: str) -> None:
    assert dgt_messages(bytes.fromhex(dropped) + E2_EMPTY) == [FIELD]
    assert dgt_messages(E2_EMPTY + bytes.fromhex(dropped)) == [FIELD]


def test_bytes_after_a_message_belong_to_none() -> None:
    assert dgt_messages(E2_EMPTY + b"\x00\x05\x34" + E2_EMPTY + b"\x7f") == [FIELD, FIELD]


# --- DGT: what a clock is sent ---


def test_a_text_on_the_clock_has_eight_characters_and_a_beep() -> None:
    assert dgt_text("Your roll", 3) == bytes.fromhex("2b 0c 03 0c") + b"Your rol\x03\x00"
    assert dgt_text("é\n", 0) == bytes.fromhex("2b 0c 03 0c") + b"??      \x00\x00"


@pytest.mark.parametrize("beep", [-1, 16])
def test_a_beep_has_a_length_from_0_to_15(beep: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to 15"):
        dgt_text("Hello", beep)


def test_times_are_set_left_first_and_a_side_runs_or_the_clock_pauses() -> None:
    times = bytes.fromhex("2b 0a 03 0a 01 02 03 09 3b 3b")
    assert dgt_set_and_run(3723, 35999, left_runs=True, right_runs=False) == times + b"\x01\x00"
    assert dgt_set_and_run(3723, 35999, left_runs=False, right_runs=True) == times + b"\x02\x00"
    assert dgt_set_and_run(3723, 35999, left_runs=False, right_runs=False) == times + b"\x04\x00"
    hours = bytes.fromhex("2b 0a 03 0a 00 00 00 09 00 00 01 00")
    assert dgt_set_and_run(0, 32400, left_runs=True, right_runs=False) == hours


@pytest.mark.parametrize("time_s", [-1, 36000])
def test_a_clock_has_times_below_ten_hours(time_s: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to 35999"):
        dgt_set_and_run(0, time_s, left_runs=True, right_runs=False)


def test_the_display_ends_without_data() -> None:
    assert dgt_end_display() == bytes.fromhex("2b 03 03 03 00")


# --- Certabo ---

OCCUPIED = ("occupied", frozenset({A8, H1}))
LINE = b":128 0 0 0 0 0 0 1\r\n"
CHIPS = [number % 256 for number in range(320)]


def test_eight_numbers_are_the_occupied_squares_of_ranks_from_the_eighth_down() -> None:
    assert certabo_messages(LINE) == [OCCUPIED]
    assert certabo_messages(b":0 0 0 0 8 0 0 255\n") == [
        ("occupied", frozenset({E4, *(Square(file, 0) for file in range(8))}))
    ]


def test_320_numbers_are_chips_of_five_bytes_each() -> None:
    line = b":" + " ".join(map(str, CHIPS)).encode() + b"\r\n"
    (message,) = certabo_messages(line)
    assert message[0] == "chips"
    assert message[1] == tuple(tuple(number % 256 for number in range(at, at + 5)) for at in range(0, 320, 5))


def test_letters_between_lines_tell_the_kind_of_lights() -> None:
    plain, rgb = ("lights", "plain"), ("lights", "rgb")
    assert certabo_messages(b"xL" + LINE + b"D?\nL" + LINE + b"D") == [plain, OCCUPIED, rgb, plain, OCCUPIED, rgb]
    assert certabo_messages(b":L 1 D\r\n") == []


@pytest.mark.parametrize(
    "line", [b": 128 0 0 0 0 0 0 1 \r\n", b":  0128 0 0 0 0 0 00 1\n", b":12 3:128 0 0 0 0 0 0 1\n"]
)
def test_outer_spaces_zeros_in_front_and_a_line_begun_anew_are_allowed(line: bytes) -> None:
    assert certabo_messages(line) == [OCCUPIED]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"\r",
        b"1 2 3 4 5 6 7",
        b"1 2 3 4 5 6 7 8 9",
        b"1 2 3 4 5 6 7 256",
        b"1 2 3  4 5 6 7 8",
        b"1 2 3 4 5 6 7 -8",
        b"1 2 3 4\t5 6 7 8",
        b"1 2 3 4\r5 6 7 8",
        b"1 2 3 4 5 6 7 8\r\r",
        b"1 2 3 4 5 6 7 \xb2",
        b"1,2,3,4,5,6,7,8",
        " ".join(map(str, CHIPS[:319])).encode(),
    ],
)
def test_a_line_of_anything_else_is_dropped_and_the_next_one_is_read(line: bytes) -> None:
    assert certabo_messages(b":" + line + b"\n" + LINE) == [OCCUPIED]


def test_a_line_of_more_than_2000_bytes_is_dropped_up_to_its_line_feed() -> None:
    numbers = b"128 0 0 0 0 0 0 1"
    assert certabo_messages(b":" + numbers.rjust(2000) + b"\r\n") == [OCCUPIED]
    assert certabo_messages(b":" + numbers.rjust(2001) + b"\r\n") == []
    assert certabo_messages(b":" + b"1" * 2001 + LINE + LINE) == [OCCUPIED]
    assert certabo_messages(b":" + b"1" * 2000 + LINE) == [OCCUPIED]


def test_a_line_without_its_end_is_none_yet() -> None:
    assert certabo_messages(LINE + LINE[:-2]) == [OCCUPIED]


def test_plain_lights_are_mirrored_against_what_the_board_sends() -> None:
    assert certabo_lights([A8, E4, H1]) == bytes.fromhex("01 00 00 00 10 00 00 80")
    assert certabo_lights([]) == bytes(8)


def test_coloured_lights_are_the_corners_of_their_squares() -> None:
    command = certabo_rgb_lights([A8, H1])
    assert (command[:2], command[-2:], len(command)) == (b"\xff\x55", b"\r\n", 2 + 81 * 3 + 2)
    corners = [command[2 + 3 * corner : 5 + 3 * corner] for corner in range(81)]
    lit = {0, 1, 9, 10, 70, 71, 79, 80}
    assert corners == [b"\x00\x00\x40" if corner in lit else bytes(3) for corner in range(81)]


# --- Chessnut ---

# The position after 1. e4: each rank from file h, the low nibble of a byte first.
AFTER_E4 = bytes.fromhex(
    "58 23 31 85 44 44 44 44 00 00 00 00 00 00 00 00 00 70 00 00 00 00 00 00 77 07 77 77 a6 c9 9b 6a"
)
LETTERS = "rnbqkbnrpppppppp....................P...........PPPP.PPPRNBQKBNR"
BOARD = ("board", LETTERS)


def test_a_position_is_read_from_a8_with_and_without_the_boards_uptime() -> None:
    report = b"\x01\x24" + AFTER_E4
    assert chessnut_messages([report, report + b"\x10\x27\x00\x00"]) == [BOARD, BOARD]


def test_a_battery_may_be_charging() -> None:
    reports = [bytes.fromhex("2a 02 63 00"), bytes.fromhex("2a 02 e4 00 00")]
    assert chessnut_messages(reports) == [("battery", 99, False), ("battery", 100, True)]


@pytest.mark.parametrize(
    "report",
    [
        b"",
        b"\x01",
        b"\x01\x24" + AFTER_E4[:31],
        b"\x01\x23" + AFTER_E4,
        b"\x01\x24" + AFTER_E4[:31] + b"\x0d",
        b"\x01\x24" + AFTER_E4[:31] + b"\xd0",
        bytes.fromhex("2a 02 65 00"),
        bytes.fromhex("2a 02 e5 00"),
        bytes.fromhex("2a 02 64"),
        bytes.fromhex("2a 03 64 00"),
        bytes.fromhex("37 01 be"),
    ],
)
def test_any_other_report_is_skipped(report: bytes) -> None:
    assert chessnut_messages([report, b"\x01\x24" + AFTER_E4]) == [BOARD]


def test_a_chessnut_board_is_lit_with_file_a_in_the_top_bit() -> None:
    assert chessnut_lights([A1, E4, H8]) == bytes.fromhex("0a 08 01 00 00 00 08 00 00 80")
