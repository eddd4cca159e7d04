"""The ladder of Captain's Chess: pairs of matches with colours exchanged, and what they came to."""

import pytest

from captains_table.catalog import opponents_of
from tests.ladder import captains_chess
from tests.ladder.captains_chess import begun, main, play_pair


def test_both_matches_of_a_pair_begin_alike_and_other_pairs_otherwise() -> None:
    assert begun(1) == begun(1)
    assert len({begun(pair).position for pair in range(6)}) > 3


def test_whoever_plays_himself_gets_half() -> None:
    results = play_pair(3, "boreas:1", "boreas:1", opponents_of("captains-chess"))
    assert sum(results) == 1
    assert play_pair(3, "boreas:1", "boreas:1", opponents_of("captains-chess")) == results


def test_it_prints_what_the_first_got_with_its_interval(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captains_chess, "LONGEST", 6)
    assert main(["boreas:2", "boreas:1", "--games", "4"]) == 0
    assert "boreas:2 against boreas:1: 50.0% (" in capsys.readouterr().out
