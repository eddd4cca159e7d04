"""The ladder of Captain's Chess: pairs of matches with colours exchanged, and what they came to."""

import pytest

from captains_table.catalog import opponents_of
from tests.ladder import captains_chess, draw_offers
from tests.ladder.captains_chess import begun, main, play_pair


def test_both_matches_of_a_pair_begin_alike_and_other_pairs_otherwise() -> None:
    assert begun(1) == begun(1)
    assert len({begun(pair).position for pair in range(6)}) > 3


@pytest.mark.slow
def test_a_player_against_itself_gets_half() -> None:
    results = play_pair(3, "boreas:1", "boreas:1", opponents_of("captains-chess"))
    assert sum(results) == 1
    assert play_pair(3, "boreas:1", "boreas:1", opponents_of("captains-chess")) == results


def test_it_prints_what_the_first_got_with_its_interval(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captains_chess, "LONGEST", 6)
    assert main(["boreas:2", "boreas:1", "--games", "4"]) == 0
    assert "boreas:2 against boreas:1: 50.0% (" in capsys.readouterr().out


def test_offers_of_draws_are_counted_by_level_and_standing(capsys: pytest.CaptureFixture[str]) -> None:
    counted = {standing: draw_offers.agreed(1, standing, 3) for standing in draw_offers.STANDINGS}
    assert counted == {"start": 0, "after 1.e4 e5": 0, "lost": 3, "level late": 3, "won": 0}
    assert draw_offers.main(["--offers", "0"]) == 0
    header, _, *rows = capsys.readouterr().out.splitlines()
    assert header == "| Level | start | after 1.e4 e5 | lost | level late | won |"
    assert [row.count("0 of 0") for row in rows] == [5] * 6
