"""Hands at bought boards, in a time of their own: slid pieces, and the plug pulled in the middle of a capture."""

import random
from collections.abc import Sequence
from typing import Final

import pytest

from captains_table.devices.bought.bought_board import BoardReader
from captains_table.devices.bought.protocol import UNREAD, WholeBoard
from captains_table.games.contract import Pick, parse_square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import BoardLost, SwitchChanged
from captains_table.table.model.settings import Settings
from tests.prove.bought_boards import FOUND_MS, KINDS, PersonAtBoughtBoard
from tests.support.effort import LONG_RUN
from tests.support.noise_mix import QUIET

CAPTURE: Final = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
BOARDS: Final = [*KINDS] if LONG_RUN else ["dgt", "certabo", "sentio", "chessnut"]
UNPLUGGED: Final = [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)] if LONG_RUN else [(1,), (1, 2)]
"""The steps before which the plug is out."""
STEPS: Final = (("d5", ""), ("e4", ""), ("d5", "P"))


def reports(*scans: str, reading: str = UNREAD) -> list[list[tuple[str, bool]]]:
    """Return what is reported after each scan of a board that was found empty but for a rook on h8."""
    reader = BoardReader(turned=False)
    found = []
    for scan in ("h8", *scans):
        events = list(reader.take(WholeBoard({parse_square(word): reading for word in scan.split()})))
        found.append([(str(event.square), event.closed) for event in events if isinstance(event, SwitchChanged)])
    return found[1:]


# --- a board that reads no pieces and samples one square after the other ----------------------------------------------


@pytest.mark.parametrize("both", [1, 2])
def test_a_slid_piece_is_seen_to_leave_before_it_comes(both: int) -> None:
    *_, last = reports("g7 h8", "g7 h8", "g7 h8", *["g5 g7 h8"] * both, "g5 h8")
    assert last == [("g7", False), ("g5", True)]
    assert all(not found for found in reports("g7 h8", "g7 h8", "g7 h8", *["g5 g7 h8"] * both)[3:])


def test_a_piece_that_was_lifted_is_seen_at_once_where_it_comes() -> None:
    assert reports("", "g5") == [[("h8", False)], [("g5", True)]]


def test_a_piece_that_comes_from_elsewhere_is_believed_when_it_stays() -> None:
    assert reports("g5 h8", "g5 h8", "g5 h8") == [[], [], [("g5", True)]]
    assert reports("g5 h8", "h8", "g5 h8", "g5 h8", "h8") == [[]] * 5


def test_a_board_that_reads_pieces_is_believed_at_once() -> None:
    assert reports("g5 h8", reading="P") == [[("g5", True)]]


# --- the plug ---------------------------------------------------------------------------------------------------------


def capture(name: str, unplugged: Sequence[int]) -> PersonAtBoughtBoard:
    """Return somebody who has captured a pawn at a board that was not plugged in for some steps."""
    person = PersonAtBoughtBoard(
        KINDS[name], MatchStarted("chess", ("Anne", "Bart"), {"fen": CAPTURE}), QUIET, "plug", random.Random(1)
    )
    path = person.path
    assert path is not None
    for number, (square, piece) in enumerate(STEPS):
        if number in unplugged:
            person.handle(BoardLost("unplugged"))
            path.replug(person.now_ms)  # before the board is read again, the hand has moved on
        path.board.change(parse_square(square), piece, person.now_ms)
        person.wait_until(person.now_ms + (FOUND_MS if number + 1 not in unplugged else 0))
    person.wait_until(person.now_ms + FOUND_MS + Settings().hand_ms)
    return person


@pytest.mark.long
@pytest.mark.parametrize("unplugged", UNPLUGGED, ids=str)
@pytest.mark.parametrize("name", BOARDS)
def test_a_capture_at_any_board_survives_the_plug_at_every_step(name: str, unplugged: Sequence[int]) -> None:
    person = capture(name, unplugged)
    if {1, 2} <= set(unplugged) and name.startswith("sentio"):  # the pawn of d5 may stand there, and the other be held
        assert person.board.asked
        person.answer(Pick("e4d5"))
    assert person.match.game.details(person.match.state)["fen"] == "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"
    assert not person.board.asked
