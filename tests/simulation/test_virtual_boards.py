"""Boards that people can buy, judged by bytes that were written out by hand from descriptions of their protocols."""

import asyncio
import os
import random
import select
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import serial

from captains_table.games.contract import Square, parse_square
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.simulation.virtual_boards.virtual_board import Forbidden, VirtualBoard
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import baud_of
from tests.support.quirky_boards import (
    NO_QUIRKS,
    START,
    Quirks,
    VirtualCertabo,
    VirtualChessnut,
    VirtualClock,
    VirtualDgt,
    VirtualSentio,
    pieces_from_fen,
)

DUMP_OF_START = (
    "86 00 43  08 09 0a 0c 0b 0a 09 08  07 07 07 07 07 07 07 07"
    + " 00" * 32
    + "01 01 01 01 01 01 01 01  02 03 04 06 05 04 03 02"
)
DUMP_OF_TURNED_START = (
    "86 00 43  02 03 04 05 06 04 03 02  01 01 01 01 01 01 01 01"
    + " 00" * 32
    + "07 07 07 07 07 07 07 07  08 09 0a 0b 0c 0a 09 08"
)
FILES = "abcdefgh"


def rng(seed: int = 0) -> random.Random:
    return random.Random(seed)


def at(name: str) -> Square:
    return parse_square(name)


def squares(names: str) -> set[Square]:
    return {at(name) for name in names.split()}


def sent(board: VirtualBoard, until_ms: int) -> list[bytes]:
    """Return everything the board sends up to a time, asked when it said that something would be due."""
    frames = []
    while (due_ms := board.due_ms()) is not None and due_ms <= until_ms:
        frames += board.send(due_ms)
    return frames + board.send(until_ms)


def told(board: VirtualBoard, command: str, now_ms: int, until_ms: int | None = None) -> list[bytes]:
    """Return what the board answers to a command, by a time."""
    board.receive(bytes.fromhex(command), now_ms)
    return sent(board, now_ms if until_ms is None else until_ms)


def frames_of(*texts: str) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def move(board: VirtualBoard, from_name: str, to_name: str, now_ms: int) -> None:
    piece = board.pieces[at(from_name)]
    board.change(at(from_name), "", now_ms)
    board.change(at(to_name), piece, now_ms)


# --- DGT: answers ----------------------------------------------------------------------------------------------------


def dgt(mode: str = "", quirks: Quirks = NO_QUIRKS, seed: int = 0) -> VirtualDgt:
    board = VirtualDgt(rng(seed), START, quirks)
    board.receive(bytes.fromhex(mode), 0)
    return board


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("41", "8d 00 0a 00 00 00 00 00 00 10"),
        ("42", DUMP_OF_START),
        ("45", "91 00 08 30 31 32 33 34"),
        ("46", "90 00 05 24 34"),
        ("4d", "93 00 05 01 08"),
        ("55", "a2 00 0d 30 30 30 30 30 30 31 32 33 34"),
        ("49", "8f 00 05 6a 6b"),
    ],
)
def test_a_dgt_board_answers_each_question_once(command: str, answer: str) -> None:
    assert told(dgt(), command, 0, 5000) == frames_of(answer)


@pytest.mark.parametrize("command", ["40", "43", "44", "4a", "4b", "4c", "00", "7f", "82 42 42 06"])
def test_a_dgt_board_answers_nothing_at_once_to_modes_unknown_bytes_and_a_battery_it_lacks(command: str) -> None:
    assert told(dgt(), command, 0, 900) == []


def test_a_dgt_board_with_a_battery_tells_its_charge() -> None:
    board = VirtualDgt(rng(), battery=80)
    assert told(board, "4c", 0) == frames_of("a0 00 0c 50 7f 7f 00 00 00 00 00 02")


def test_the_text_of_the_trademark_is_our_own() -> None:
    (answer,) = told(dgt(), "47", 0)
    assert answer[0] == 0x92
    assert answer[1] << 7 | answer[2] == len(answer)
    text = answer[3:].decode("ascii")
    assert text.startswith("Captain's Table")
    assert not {"dgt", "digital", "copyright", "registered", "trade"} & set(text.lower().replace(":", " ").split())


def test_a_dgt_board_may_never_be_put_into_its_bootloader() -> None:
    with pytest.raises(Forbidden, match="4e"):
        dgt().receive(b"\x40\x4e", 0)


def test_a_piece_that_a_dgt_board_cannot_tell_is_a_magic_piece_in_its_dump() -> None:
    board = VirtualDgt(rng(), {at("a8"): "?", at("h1"): "k"})
    assert told(board, "42", 0) == frames_of("86 00 43 0d" + "00" * 62 + "0b")


def test_a_turned_board_numbers_its_squares_from_the_other_side() -> None:
    board = dgt("44", Quirks(turned=True))
    assert told(board, "42", 0) == frames_of(DUMP_OF_TURNED_START)
    board.change(at("e2"), "", 1000)
    assert sent(board, 2000) == frames_of("8e 00 05 0b 00")


# --- DGT: field updates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "reports"), [("", 0), ("40", 0), ("4a", 0), ("43", 2), ("44", 2), ("4b", 2)])
def test_fields_are_reported_in_update_modes_alone(mode: str, reports: int) -> None:
    board = dgt(mode)
    board.change(at("e2"), "", 100)
    board.change(at("e4"), "P", 500)
    updates = [frame for frame in sent(board, 900) if frame[0] == 0x8E]
    assert updates == frames_of("8e 00 05 34 00", "8e 00 05 24 01")[:reports]


def test_questions_do_not_end_updates_and_a_reset_does() -> None:
    board = dgt("44")
    told(board, "41 42 45 4d", 0, 300)
    board.change(at("e2"), "", 300)
    assert sent(board, 600) == frames_of("8e 00 05 34 00")
    told(board, "40", 600)
    board.change(at("d2"), "", 700)
    assert sent(board, 1200) == []


def test_what_changed_before_the_updates_began_is_in_the_dump_alone() -> None:
    board = dgt("40")
    board.change(at("a8"), "", 100)
    assert told(board, "44", 500, 800) == []
    assert told(board, "42", 800)[0][3:5] == b"\x00\x09"


def test_a_change_is_seen_when_its_square_is_sampled_and_not_before() -> None:
    board = dgt("44")
    board.change(at("e4"), "P", 0)  # square 36 is sampled 36/64 into each scan of 200 ms
    assert board.send(111) == []
    assert board.due_ms() == 112
    assert board.send(112) == frames_of("8e 00 05 24 01")
    assert dgt("", Quirks(scan_ms=400)).due_ms() is None
    slow = dgt("44", Quirks(scan_ms=400))
    slow.change(at("e4"), "P", 0)
    assert slow.due_ms() == 225


def test_a_lift_between_two_samples_is_never_seen() -> None:
    board = dgt("44")
    board.change(at("e2"), "", 170)
    board.change(at("e2"), "P", 350)
    assert sent(board, 1000) == []


def test_a_slid_piece_appears_before_it_vanishes_if_its_new_square_is_sampled_first() -> None:
    board = dgt("44")
    move(board, "e2", "e4", 0)
    assert sent(board, 400) == frames_of("8e 00 05 24 01", "8e 00 05 34 00")
    back = dgt("44")
    move(back, "e2", "e4", 120)  # between the samples of e4 and e2
    assert sent(back, 600) == frames_of("8e 00 05 34 00", "8e 00 05 24 01")


def test_a_slid_queen_over_a_pawn_reports_as_its_maker_warns() -> None:
    board = VirtualDgt(rng(), pieces_from_fen("8/8/8/8/2p5/8/8/2Q5"))
    board.receive(b"\x44", 0)
    for now_ms, name, piece in (
        *((100, "c4", ""), (150, "c2", "Q"), (330, "c3", "Q"), (340, "c1", "")),
        *((370, "c2", ""), (600, "c4", "Q"), (610, "c3", "")),
    ):
        board.change(at(name), piece, now_ms)
    assert [(frame[3], frame[4]) for frame in sent(board, 2000)] == [
        *((34, 0), (50, 6), (42, 6), (58, 0), (50, 0), (34, 6), (42, 0)),
    ]


def test_every_slide_may_appear_before_it_vanishes() -> None:
    board = dgt("44", Quirks(slide_overlap=1.0))
    move(board, "e2", "e4", 120)
    assert sent(board, 2000) == frames_of("8e 00 05 24 01", "8e 00 05 34 00")
    board.change(at("d2"), "", 3000)
    assert sent(board, 3399) == []
    assert sent(board, 3700) == frames_of("8e 00 05 33 00"), "a piece that is lifted vanishes after two scans"


def test_every_capture_may_be_seen_as_one_update_however_slow_the_hand() -> None:
    board = VirtualDgt(rng(), pieces_from_fen("8/8/8/8/2b5/1P6/8/8"), Quirks(capture_merged=1.0))
    board.receive(b"\x44", 0)
    board.change(at("c4"), "", 100)
    board.change(at("b3"), "", 700)
    board.change(at("c4"), "P", 1300)
    assert sent(board, 1500) == frames_of("8e 00 05 22 01")
    assert sent(board, 1800) == frames_of("8e 00 05 29 00")
    board.change(at("c4"), "", 4000)
    assert sent(board, 5999) == []
    assert sent(board, 6300) == frames_of("8e 00 05 22 00"), "a piece that is taken away is not read for ever"


# --- DGT: the clock --------------------------------------------------------------------------------------------------

SET = "2b 0a 03 0a 00 05 00 00 03 1e 09 00"  # left 0:05:00, right 0:03:30, left runs, the lever switches
TEXT = "2b 0c 03 0c 20 48 65 6c 6c 6f 20 31 04 00"


def test_a_text_is_shown_with_its_beep_and_acknowledged_after_a_while() -> None:
    board = dgt("4b")
    assert told(board, TEXT, 100, 350) == []
    assert sent(board, 500) == frames_of("8d 00 0a 0a 10 0c 0a 00 00 10")
    assert (board.clock.text, board.clock.beeps_ms) == (" Hello 1", [256])
    assert told(board, "2b 03 03 03 00", 500, 900) == frames_of("8d 00 0a 0a 10 03 0a 00 00 10")
    assert board.clock.text == ""


@pytest.mark.parametrize(("mode", "frames"), [("40", 0), ("44", 0), ("43", 1), ("4b", 1)])
def test_clock_commands_are_carried_out_in_every_mode_and_acknowledged_in_two(mode: str, frames: int) -> None:
    board = dgt(mode)
    assert len(told(board, TEXT, 0, 900)) == frames
    assert board.clock.text == " Hello 1"


@pytest.mark.parametrize(
    ("command", "acknowledgement"),
    [
        ("2b 03 03 09 00", "8d 00 0a 0a 10 09 0a 12 00 10"),
        ("2b 03 03 08 00", "8d 00 0a 0a 10 08 0a 00 00 10"),
        ("2b 04 03 0b 05 00", "8d 00 0a 0a 10 0b 0a 00 00 10"),
        ("2b 0b 03 01 01 02 03 04 05 06 00 03 00", "8d 00 0a 0a 10 01 0a 00 00 10"),
        ("2b 03 03 02 00", "8d 00 0a 0a 10 02 0a 00 00 10"),
        (SET, "8d 00 0a 0a 10 0a 0a 00 00 11"),
        ("2b 0a 03 0a 00 59 00 00 03 1e 09 00", "8d 00 0a 0a 40 0a 0a 00 00 10"),  # 89 minutes
        ("2b 0b 03 0c 20 48 65 6c 6c 6f 20 31 00", "8d 00 0a 0a 40 0c 0a 00 00 10"),  # too short
        ("2b 03 03 0e 00", "8d 00 0a 0a 40 0e 0a 00 00 10"),
    ],
)
def test_a_clock_acknowledges_each_command_or_tells_its_error(command: str, acknowledgement: str) -> None:
    assert told(dgt("4b"), command, 0, 900) == frames_of(acknowledgement)


def test_all_eight_bits_of_an_acknowledgement_arrive_and_so_does_a_low_battery() -> None:
    clock = VirtualClock(version=(9, 1))
    clock.battery_low = True
    assert clock.obey(bytes.fromhex("03 09 00"), 0) == bytes.fromhex("8d 00 0a 1a 10 09 0a 11 00 14")


def test_a_clock_shows_segments_and_beeps_as_long_as_it_is_told() -> None:
    board = dgt("4b")
    told(board, "2b 0b 03 01 01 02 03 04 05 06 00 03 00", 0, 900)
    told(board, "2b 04 03 0b 05 00", 2000)
    assert board.clock.segments == bytes([1, 2, 3, 4, 5, 6])
    assert board.clock.beeps_ms == [64, 320]


def test_what_a_board_reports_does_not_wait_for_its_clock() -> None:
    board = dgt("4b")
    board.receive(bytes.fromhex(TEXT), 0)
    board.change(at("e4"), "P", 100)
    assert sent(board, 112) == frames_of("8e 00 05 24 01")
    board.receive(bytes.fromhex("44"), 200)
    assert sent(board, 900) == [], "the clock is not heard in this mode"


def test_an_xl_shows_no_texts_and_sets_times_in_its_mode_23_alone() -> None:
    board = VirtualDgt(rng(), clock="XL")
    board.receive(b"\x4b", 0)
    assert told(board, TEXT, 0, 900) == frames_of("8d 00 0a 0a 40 0c 0a 00 00 10")
    board.clock.in_mode_23 = False
    told(board, "42", 900, 1500)
    assert told(board, SET, 1500, 1900) == frames_of("8d 00 0a 0a 40 10 2a 00 00 10")


def test_a_command_before_the_last_is_acknowledged_is_lost() -> None:
    board = dgt("4b")
    board.receive(bytes.fromhex(TEXT), 0)
    assert told(board, "2b 03 03 03 00", 200, 900) == frames_of("8d 00 0a 0a 10 0c 0a 00 00 10")
    assert board.clock.text == " Hello 1"


def test_times_run_are_told_each_second_and_change_sides_with_the_lever() -> None:
    board = dgt("43")
    told(board, SET, 0, 900)
    assert sent(board, 2000) == frames_of("8d 00 0a 00 03 30 00 04 59 11", "8d 00 0a 00 03 30 00 04 58 11")
    assert board.clock.times_s(2000) == (298, 210)
    board.toggle_lever(2500)
    assert sent(board, 2500) == frames_of("8d 00 0a 00 03 30 00 04 58 0b")
    assert (board.clock.lever_high, board.clock.running) == ("right", "right")
    assert sent(board, 4000) == frames_of("8d 00 0a 00 03 30 00 04 58 0b", "8d 00 0a 00 03 29 00 04 58 0b")


def test_a_flag_falls_at_zero_and_the_time_stays_there() -> None:
    board = dgt("43")
    told(board, "2b 0a 03 0a 00 00 01 00 03 1e 01 00", 0, 900)
    assert sent(board, 2000)[-1] == bytes.fromhex("8d 00 0a 00 03 30 50 00 00 11")


def test_a_paused_clock_does_not_run_and_the_lever_does_not_start_it() -> None:
    board = dgt("43")
    told(board, "2b 0a 03 0a 00 05 00 00 03 1e 0d 00", 0, 900)
    board.toggle_lever()
    assert sent(board, 2900)[-1] == bytes.fromhex("8d 00 0a 00 03 30 00 05 00 0a")


def test_in_the_nice_mode_times_are_told_when_they_change_alone() -> None:
    board = dgt("4b")
    assert sent(board, 5500) == frames_of("8d 00 0a 00 00 00 00 00 00 10")
    told(board, SET, 5500, 5900)
    assert len(sent(board, 8000)) == 3


@pytest.mark.parametrize(
    ("button", "code"), [("back", 0x31), ("plus", 0x32), ("run", 0x33), ("minus", 0x34), ("ok", 0x35)]
)
def test_a_button_of_the_clock_is_told(button: str, code: int) -> None:
    board = dgt("4b")
    board.press(button, 500)  # type: ignore[arg-type]
    assert sent(board, 500) == [bytes.fromhex("8d 00 0a 0a 10 08 2a 00") + bytes([code, 0x10])]
    assert told(board, "2b 03 03 08 00", 500, 900)[-1][8] == code
    assert told(board, "2b 03 03 08 00", 900, 1300)[-1][8] == 0, "told once"
    board.receive(b"\x44", 1300)
    board.press(button, 1350)  # type: ignore[arg-type]
    assert sent(board, 1350) == []


def test_without_a_clock_times_say_so_and_nothing_is_acknowledged() -> None:
    board = dgt("4b", Quirks(no_clock=True))
    assert told(board, "41", 0) == frames_of("8d 00 0a 00 00 00 00 00 00 20")
    assert told(board, TEXT, 100, 900) == []
    board.clock.present = True
    assert told(board, TEXT, 1000, 1900)[-1] == bytes.fromhex("8d 00 0a 0a 10 0c 0a 00 00 10")


def test_time_reports_may_be_all_zero() -> None:
    board = dgt("43", Quirks(zero_times=1.0))
    told(board, SET, 0, 900)
    assert sent(board, 1000) == frames_of("8d 00 0a 00 00 00 00 00 00 00")


# --- DGT: lights and log ---------------------------------------------------------------------------------------------


def test_a_revelation_lights_squares_and_puts_them_out() -> None:
    board = VirtualDgt(rng(), revelation=True)
    assert told(board, "4d", 0) == frames_of("93 00 05 03 18")
    board.receive(bytes.fromhex("60 04 01 34 24 00"), 100)
    assert board.lit == squares("e2 e4")
    board.receive(bytes.fromhex("60 04 00 34 34 00"), 200)
    assert board.lit == squares("e4")
    board.receive(bytes.fromhex("60 04 00 40 00 00"), 300)
    assert board.lit == set()
    board.receive(bytes.fromhex("60 04 01 34 24 00  60 02 01 00"), 400)
    assert board.lit == squares("e2 e4"), "a command of another length is none"
    board.power_up(500)
    assert board.lit == set()


def test_a_board_without_lights_takes_the_bytes_of_lights_for_commands() -> None:
    board = dgt("44")
    assert told(board, "60 04 01 34 24 00", 0) == []
    assert board.lit == set()
    board.receive(bytes.fromhex("60 04 00 40 00 00"), 100)  # 40 is a reset
    board.change(at("e2"), "", 200)
    assert sent(board, 900) == []


def test_the_log_has_every_change_and_marks_those_that_come_soon_after() -> None:
    board = dgt("40")
    board.change(at("e2"), "", 0)
    board.change(at("e4"), "P", 200)
    board.change(at("e7"), "", 3000)
    assert told(board, "49", 4000, 4200) == frames_of("8f 00 0b 6a 40 34 51 24 40 0c 6b")


def test_a_full_log_keeps_the_line_busy_for_eight_seconds() -> None:
    board = dgt("40", Quirks(full_log=True))
    board.receive(b"\x49\x45", 0)
    early = b"".join(sent(board, 8000))
    assert early[:3] == bytes.fromhex("8f 3e 03")
    assert b"\x91" not in early
    late = b"".join(sent(board, 9000))
    assert len(early + late) == 0x1F00 + 3 + 8
    assert (early + late)[-11:] == bytes.fromhex("7f 6a 6b 91 00 08 30 31 32 33 34")
    assert max((early + late)[1:-8]) < 0x80


# --- a bad line ------------------------------------------------------------------------------------------------------


def test_a_frame_may_be_cut_lost_or_have_a_byte_twice() -> None:
    (cut,) = told(dgt("", Quirks(cut=1.0)), "45", 0)
    whole = bytes.fromhex("91 00 08 30 31 32 33 34")
    assert 0 < len(cut) < 8
    assert whole.startswith(cut)
    assert told(dgt("", Quirks(lost=1.0)), "45", 0, 5000) == []
    (doubled,) = told(dgt("", Quirks(doubled=1.0)), "45", 0)
    assert doubled in {whole[: n + 1] + whole[n:] for n in range(8)}


def test_rates_are_kept_and_the_same_seed_disturbs_in_the_same_way() -> None:
    def answers(seed: int) -> list[list[bytes]]:
        board = dgt("", Quirks(lost=0.25), seed)
        return [told(board, "45", 100 * n) for n in range(400)]

    assert answers(1) == answers(1) != answers(2)
    assert 60 < answers(1).count([]) < 140


def test_an_answer_may_be_late_and_those_after_it_wait() -> None:
    board = dgt("", Quirks(late=1.0))
    board.receive(b"\x45", 0)
    due_ms = board.due_ms()
    assert due_ms is not None
    assert 200 <= due_ms <= 1500
    assert board.send(199) == []
    board.receive(b"\x4d", 199)
    assert [frame[0] for frame in sent(board, 4000)] == [0x91, 0x93]


def test_answers_wait_for_the_line() -> None:
    board = dgt()
    board.receive(b"\x42\x45", 0)
    assert [frame[0] for frame in board.send(69)] == [0x86]
    assert [frame[0] for frame in board.send(70)] == [0x91]


def test_an_old_board_misses_a_command_that_comes_too_soon() -> None:
    board = dgt("", Quirks(command_gap_ms=100))
    assert [frame[0] for frame in told(board, "45 4d", 0, 50)] == [0x91]
    assert [frame[0] for frame in told(board, "4d", 99, 99)] == []
    assert [frame[0] for frame in told(board, "4d", 100, 120)] == [0x93]


def test_power_up_forgets_mode_half_a_command_and_what_was_not_sent() -> None:
    board = dgt("44")
    board.receive(b"\x42\x45\x2b", 0)
    board.power_up(10)
    board.change(at("e2"), "", 20)
    assert sent(board, 1000) == []
    assert [frame[0] for frame in told(board, "4d", 1000)] == [0x93]


# --- Certabo ---------------------------------------------------------------------------------------------------------

EMPTY_RANK = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"


def certabo_lines(board: VirtualBoard, until_ms: int) -> list[bytes]:
    return [line for line in sent(board, until_ms) if line.startswith(b":")]


def chips(line: bytes) -> dict[str, tuple[int, ...]]:
    """Return the chips of a line by the names of their squares."""
    assert line[:1] == b":"
    assert line[-2:] == b"\r\n"
    numbers = [int(word) for word in line[1:-2].split(b" ")]
    assert len(numbers) == 320
    assert all(0 <= number <= 255 for number in numbers)
    names = [f"{file}{rank}" for rank in range(8, 0, -1) for file in FILES]
    found = {name: tuple(numbers[5 * n : 5 * n + 5]) for n, name in enumerate(names)}
    return {name: chip for name, chip in found.items() if any(chip)}


def test_an_empty_certabo_sends_zeros_by_itself_after_telling_its_kind_of_lights() -> None:
    frames = sent(VirtualCertabo(rng()), 899)
    assert frames[0] == b"L\r\n"
    assert frames[1:] == [b":" + " ".join([EMPTY_RANK] * 8).encode() + b"\r\n"] * 2


def test_each_piece_on_a_certabo_has_its_own_chip_in_the_start_and_the_spare_queens_too() -> None:
    (line, *_) = certabo_lines(VirtualCertabo(rng(), {**START, at("d3"): "Q", at("d6"): "q"}), 900)
    found = chips(line)
    assert set(found) == {f"{file}{rank}" for file in FILES for rank in (1, 2, 7, 8)} | {"d3", "d6"}
    assert len(set(found.values())) == 34


def test_a_chip_stays_with_its_piece() -> None:
    board = VirtualCertabo(rng(), START)
    before = chips(certabo_lines(board, 1000)[-1])
    move(board, "e2", "e4", 1000)
    move(board, "d7", "d5", 1010)
    board.change(at("d5"), "", 1020)
    move(board, "e4", "d5", 1030)
    move(board, "e7", "e6", 1040)
    after = chips(certabo_lines(board, 3000)[-1])
    assert (after["d5"], after["e6"]) == (before["e2"], before["e7"])
    assert {name: chip for name, chip in after.items() if name not in {"d5", "e6"}} == {
        name: chip for name, chip in before.items() if name not in {"e2", "d7", "e7"}
    }


def test_a_piece_that_a_certabo_cannot_tell_has_a_chip_that_nobody_has_seen() -> None:
    board = VirtualCertabo(rng(), START, Quirks(unknown=1.0))
    before = chips(certabo_lines(board, 1000)[-1])
    move(board, "e2", "e4", 1000)
    board.change(at("e5"), "?", 1000)
    after = chips(certabo_lines(board, 3000)[-1])
    assert not {after["e4"], after["e5"]} & set(before.values())
    assert board.pieces[at("e4")] == "P"


def test_a_weak_chip_is_read_in_some_scans_alone() -> None:
    lines = certabo_lines(VirtualCertabo(rng(), START, Quirks(weak=0.1)), 20_000)
    read = [len(chips(line)) for line in lines]
    assert min(read) < 32
    assert max(chips(line).get("a1", ()) for line in lines)
    assert 0.85 < sum(read) / (32 * len(read)) < 0.95


def test_a_certabo_may_be_turned() -> None:
    (line, *_) = certabo_lines(VirtualCertabo(rng(), {at("a1"): "R"}, Quirks(turned=True)), 900)
    assert set(chips(line)) == {"h8"}


def test_a_certabo_may_be_silent_until_it_hears_something() -> None:
    board = VirtualCertabo(rng(), START, Quirks(silent=True))
    assert (board.due_ms(), sent(board, 5000)) == (None, [])
    board.receive(bytes(8), 5000)
    assert certabo_lines(board, 6000)


def test_a_line_of_a_certabo_passes_before_the_next_begins() -> None:
    board = VirtualCertabo(rng(), START, Quirks(scan_ms=1))
    lines = certabo_lines(board, 5000)
    assert sum(map(len, lines)) <= 5000 * 3.84 + 1000
    board.change(at("e4"), "P", 5000)
    assert "e4" in chips(certabo_lines(board, 5600)[-1]), "a line is no older than the one before was long"


def test_sentio_sends_a_number_a_rank_and_tells_no_pieces_apart() -> None:
    board = VirtualSentio(rng(), START)
    board.change(at("e2"), "", 10)
    board.change(at("a4"), "?", 10)
    board.change(at("h5"), "q", 10)
    assert certabo_lines(board, 320)[-1] == b":255 255 0 1 128 0 247 255\r\n"


def test_lights_of_a_certabo_count_files_the_other_way_round() -> None:
    board = VirtualSentio(rng(), START)
    board.receive(bytes.fromhex("01 00 00 00 10 00 10 80"), 100)
    assert board.lit == squares("a8 e4 e2 h1")
    board.receive(bytes.fromhex("ff ff ff ff ff ff ff ff"), 600)
    assert board.lit == squares("a8 e4 e2 h1"), "not more than once in 0.6 s"
    board.receive(bytes(3), 700)
    board.receive(bytes(5), 740)
    assert board.lit == set()


def test_half_a_command_is_dropped_after_a_pause() -> None:
    board = VirtualSentio(rng(), START)
    board.receive(b"\xff\xff\xff", 100)
    board.receive(bytes.fromhex("00 00 00 00 10 00 10 00"), 200)
    assert board.lit == squares("e4 e2")


def test_a_turned_certabo_lights_the_squares_that_its_players_see() -> None:
    board = VirtualSentio(rng(), START, Quirks(turned=True))
    board.receive(bytes.fromhex("01 00 00 00 00 00 00 00"), 100)
    assert board.lit == squares("h1")


def test_a_board_with_coloured_lights_says_so_and_lights_squares_by_their_corners() -> None:
    board = VirtualCertabo(rng(), quirks=Quirks(rgb=True))
    assert sent(board, 400)[0] == b"D\r\n"
    corners = [bytes(3)] * 81
    for corner in (58, 59, 67, 68):  # row 6 below that of a8's corner, files e and f: the corners of e2
        corners[corner] = bytes([0, 0, 0x40])
    board.receive(b"\xff\x55" + b"".join(corners) + b"\r\n", 500)
    assert board.lit == squares("e2")
    board.receive(b"\xff\x55" + bytes(243) + b"\r\n", 1200)
    assert board.lit == set()


def test_firmware_without_lights_neither_offers_nor_obeys() -> None:
    board = VirtualSentio(rng(), START, Quirks(no_leds=True))
    assert b"L\r\n" not in sent(board, 3000)
    board.receive(b"\xff" * 8, 3000)
    air = VirtualChessnut(rng(), START, Quirks(no_leds=True))
    air.receive(b"\x0a\x08" + b"\xff" * 8, 0)
    assert board.lit == air.lit == set()


# --- Chessnut --------------------------------------------------------------------------------------------------------

START_NIBBLES = "58 23 31 85  44 44 44 44" + "00" * 16 + "77 77 77 77  a6 c9 9b 6a"


def test_a_chessnut_sends_positions_once_it_is_asked_and_until_files_are_wanted() -> None:
    board = VirtualChessnut(rng(), START)
    assert (board.due_ms(), sent(board, 1000)) == (None, [])
    assert told(board, "21 01 00", 1000) == frames_of("01 24" + START_NIBBLES + "01 00 00 00")
    assert len(sent(board, 3000)) == 10
    assert told(board, "21 01 01", 3000, 5000) == []


def test_a_chessnut_sees_pieces_at_its_next_scan_and_those_it_cannot_tell_as_an_unknown_code() -> None:
    board = VirtualChessnut(rng(), {at("h8"): "q"})
    board.receive(b"\x21\x01\x00", 0)
    board.change(at("h8"), "", 0)
    board.change(at("g8"), "K", 0)
    board.change(at("a1"), "?", 0)
    assert sent(board, 200)[-1] == bytes.fromhex("01 24 c0" + "00" * 30 + "d0 00 00 00 00")


def test_a_turned_chessnut_begins_with_the_players_a1() -> None:
    board = VirtualChessnut(rng(), {at("a1"): "q", at("b1"): "k"}, Quirks(turned=True))
    assert told(board, "21 01 00", 0) == frames_of("01 24 21" + "00" * 35)
    board.receive(bytes.fromhex("0a 08 01 00 00 00 00 00 00 00"), 0)
    assert board.lit == squares("a1")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("29 01 00", ["2a 02 64 00"]),
        ("31 01 00", ["32 01 00"]),
        ("34 01 01", ["37 01 be", "37 01 ed"]),
        ("27 01 00", ["28 07 43 54 56 5f 31 30 30"]),
        ("27 01 01", ["28 07 43 54 56 5f 31 30 30"]),
        ("33 01 00", []),
        ("39 01 00", []),
        ("0a 08 01", []),
        ("", []),
    ],
)
def test_a_chessnut_answers_its_questions(question: str, answers: Iterable[str]) -> None:
    assert told(VirtualChessnut(rng(), START), question, 0, 3000) == frames_of(*answers)


def test_a_chessnut_that_is_charged_says_so() -> None:
    board = VirtualChessnut(rng())
    board.battery, board.charging = 55, True
    assert told(board, "29 01 00", 0) == frames_of("2a 02 b7 00")


def test_a_chessnut_lights_squares_and_beeps_also_if_its_host_fills_reports_up() -> None:
    board = VirtualChessnut(rng())
    board.receive(bytes.fromhex("0a 08 80 00 00 00 08 00 08 01") + bytes(54), 0)
    assert board.lit == squares("a8 e4 e2 h1")
    board.receive(bytes.fromhex("0b 04 03 e8 00 c8"), 0)
    assert board.beeps == [(1000, 200)]


def test_pieces_may_never_be_driven() -> None:
    with pytest.raises(Forbidden, match="42 21"):
        VirtualChessnut(rng()).receive(b"\x42\x21" + bytes(33), 0)


def test_reports_may_be_filled_up_and_may_come_twice() -> None:
    board = VirtualChessnut(rng(), quirks=Quirks(report_bytes=64, doubled=1.0))
    assert told(board, "29 01 00", 0) == [bytes.fromhex("2a 02 64 00") + bytes(60)] * 2


# --- the line --------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def line_of(board: VirtualBoard, path: Path | None = None) -> AsyncIterator[VirtualLine]:
    loop = asyncio.get_running_loop()
    line = VirtualLine(board, lambda: int(loop.time() * 1000), path)
    try:
        yield line
    finally:
        line.close()


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not happened():  # noqa: ASYNC110  # what happens is at the other end of a file
            await asyncio.sleep(0.001)


async def report(fd: int, longest: int) -> bytes:
    await until(lambda: bool(select.select([fd], [], [], 0)[0]))
    return os.read(fd, longest)


async def read(port: serial.Serial, count: int) -> bytes:
    await until(lambda: port.in_waiting >= count)
    return bytes(port.read(count))


def port_at(line: VirtualLine, baud: int = 9600) -> serial.Serial:
    return serial.Serial(str(line.path), baud, timeout=0)


def test_a_dump_takes_seventy_milliseconds_at_the_speed_of_the_line() -> None:
    async def play() -> None:
        async with line_of(dgt()) as line:
            assert baud_of(line.path) is None
            with port_at(line) as port:
                assert baud_of(line.path) == 9600
                began_s = asyncio.get_running_loop().time()
                port.write(b"\x42")
                first = await read(port, 16)
                rest = await read(port, 51)
                assert asyncio.get_running_loop().time() - began_s > 0.067
                assert first + rest == bytes.fromhex(DUMP_OF_START)

    asyncio.run(play())


def test_a_change_arrives_after_a_poke_and_a_second_one_without_any_more() -> None:
    async def play() -> None:
        board = dgt("", Quirks(scan_ms=20))
        async with line_of(board) as line:
            with port_at(line) as port:
                port.write(b"\x44\x4d")
                assert await read(port, 5) == bytes.fromhex("93 00 05 01 08")
                move(board, "e2", "e4", int(asyncio.get_running_loop().time() * 1000))
                line.poke()
                assert sorted((await read(port, 10)).split(b"\x8e")) == sorted(
                    [b"", bytes.fromhex("00 05 34 00"), bytes.fromhex("00 05 24 01")]
                )

    asyncio.run(play())


def test_a_board_that_is_pulled_out_ends_the_file_and_is_found_again_by_its_name_with_everything_forgotten(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        board = dgt()
        async with line_of(board, tmp_path / "dgt") as line:
            assert line.path == tmp_path / "dgt"
            with port_at(line) as port:
                port.write(b"\x44")
                await until(lambda: board.mode.name == "FIELDS")
                port.write(b"\x42")
                await read(port, 16)
                port.timeout = PATIENCE_S
                line.unplug()
                with pytest.raises((serial.SerialException, OSError)):
                    port.read(1)
            assert not line.path.exists()
            with pytest.raises(serial.SerialException):
                port_at(line)
            line.plug()
            with port_at(line) as port:
                assert board.mode.name == "BUS"
                port.write(b"\x45")
                assert await read(port, 8) == bytes.fromhex("91 00 08 30 31 32 33 34")
            line.plug()
            assert baud_of(line.path) == 9600, "it was plugged in"
            line.unplug()
            line.unplug()
            line.poke()
        assert not line.path.is_symlink()

    asyncio.run(play())


def test_a_board_that_talks_by_itself_is_heard_by_a_client_that_opens_it_later() -> None:
    async def play() -> None:
        async with line_of(VirtualSentio(rng(), START, Quirks(scan_ms=10))) as line:
            with port_at(line, 38400) as port:
                assert baud_of(line.path) == 38400
                assert b":255 255 0 0 0 0 255 255\r\n" in await read(port, 90)
            folder = line.path.parent
        assert not folder.exists()

    asyncio.run(play())


def test_a_forbidden_command_unplugs_the_board_and_is_raised_at_the_end() -> None:
    async def play() -> None:
        async with line_of(dgt()) as line:
            with port_at(line) as port:
                port.write(b"\x4e")
                await until(lambda: line.forbidden is not None)
            assert not line.path.exists()

    with pytest.raises(Forbidden):
        asyncio.run(play())


def test_a_hid_board_sends_a_report_a_datagram_and_a_short_read_cuts_it() -> None:
    async def play() -> None:
        board = VirtualChessnut(rng(), START, Quirks(scan_ms=10))
        async with line_of(board) as line:
            fd = line.client_fd
            assert fd == line.client_fd
            os.set_blocking(fd, False)
            os.write(fd, b"\x29\x01\x00")
            os.write(fd, b"\x21\x01\x00")
            assert await report(fd, 64) == bytes.fromhex("2a 02 64 00")
            assert (await report(fd, 64))[:34] == bytes.fromhex("01 24" + START_NIBBLES)
            assert await report(fd, 6) == bytes.fromhex("01 24 58 23 31 85")
            assert len(await report(fd, 64)) == 38, "the rest of the report that was cut is lost"
            os.close(fd)

    asyncio.run(play())


def test_a_hid_board_that_is_pulled_out_ends_the_file_and_has_a_new_one_when_it_is_back() -> None:
    async def play() -> None:
        async with line_of(VirtualChessnut(rng(), START)) as line:
            fd = line.client_fd
            line.unplug()
            assert os.read(fd, 64) == b""
            os.close(fd)
            with pytest.raises(FileNotFoundError):
                _ = line.client_fd
            line.plug()
            await answered(line.client_fd)
            await asyncio.sleep(0.01)  # the line hears that the client has closed its end
            await answered(line.client_fd)

    async def answered(fd: int) -> None:
        os.write(fd, b"\x29\x01\x00")
        assert await report(fd, 64) == bytes.fromhex("2a 02 64 00")
        os.close(fd)

    asyncio.run(play())


def test_reports_that_nobody_reads_are_lost_and_the_board_goes_on() -> None:
    async def play() -> None:
        now_ms = 0
        line = VirtualLine(VirtualChessnut(rng(), START), lambda: now_ms)
        fd = line.client_fd
        os.set_blocking(fd, False)
        os.write(fd, b"\x21\x01\x00")
        await report(fd, 64)
        now_ms = 1_000_000
        line.poke()
        with pytest.raises(BlockingIOError):  # noqa: PT012  # the last of many
            for _ in range(5000):
                os.read(fd, 64)
        now_ms += 200
        line.poke()
        assert (await report(fd, 64))[-4:] == bytes.fromhex("e8 03 00 00")
        os.close(fd)
        line.close()

    asyncio.run(play())
