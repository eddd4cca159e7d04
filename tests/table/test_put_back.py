"""Moves that are put back: in any order, two at once, more than once; a history that never settles is asked about."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from captains_table.table.model.settings import Settings
from captains_table.table.recognition import board_monitor
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.recognizer import Accept, BoardVerdict, Evidence
from tests.support.listening import ListeningPlayer
from tests.table.test_sealing import LEGEND, standing

TWO_MOVES = "game captains-chess Anne Bart\nlift e2\n+300 place e4\n+2000 lift e7\n+300 place e5\n+2000 "
PUT_BACK = ("lift e4", "place e2", "lift e5", "place e7")
ORDERS = [
    order
    for order in permutations(PUT_BACK)
    if order.index("lift e4") < order.index("place e2") and order.index("lift e5") < order.index("place e7")
]
ON_THE_FIRST_SQUARE = "lift a7\n+400 lift a1\n+400 place a7\n+400 place a1\n+900 "
OFF = "lift a1\n+900 "


@pytest.mark.parametrize(("order", "pause_ms"), list(zip(ORDERS, (40, 900) * 3, strict=True)), ids=str)
def test_a_move_and_its_answer_are_both_withdrawn_whatever_is_put_back_first(order: list[str], pause_ms: int) -> None:
    player = ListeningPlayer(TWO_MOVES + f"\n+{pause_ms} ".join(order))
    player.wait(10_000)
    assert standing(player) == []
    assert not player.view().wrong


@pytest.mark.parametrize(
    ("lines", "stands", "there"),
    [
        pytest.param(OFF, ["a1a7"], "R", id="taken off again it brings the move back"),
        pytest.param(f"{OFF}place a1\n+900 {OFF}", [], "n", id="once all was put back it is no evidence any more"),
    ],
)
def test_a_taken_piece_is_set_on_its_takers_square(lines: str, stands: list[str], there: str) -> None:
    player = ListeningPlayer(f"{LEGEND}{ON_THE_FIRST_SQUARE}{lines}expect pieces.a7 {there}")
    assert standing(player) == stands


MOVE = "e2e4"


def undecided(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings, quiet_ms: int) -> BoardVerdict:
    """Judge that nothing was played where a move was made, and that it was made where nothing was played."""
    del evidence, settings, quiet_ms
    return Accept(next(each for each in candidates if each.id in (TAKE_BACK, MOVE)))


def test_what_is_accepted_and_taken_back_with_nothing_touched_between_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_monitor, "judge", undecided)
    player = ListeningPlayer("game captains-chess Anne Bart\nlift e2")
    options = player.final()["ask"]["options"]
    assert {option["id"] for option in options} == {TAKE_BACK, MOVE}
    entries = len(player.entries())
    player.wait(60_000)
    assert len(player.entries()) == entries
