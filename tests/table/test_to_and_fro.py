"""A history that is judged in two ways, as two positions are begun from, ends in a question and never in a loop."""

from collections.abc import Sequence

import pytest

from captains_table.table.model.settings import Settings
from captains_table.table.recognition import board_monitor
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.recognizer import Accept, BoardVerdict, Evidence
from tests.support.listening import ListeningPlayer

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
