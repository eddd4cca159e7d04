"""The ladder of the dice games: pairs of matches with the same dice, and a run that goes on where it was stopped."""

from pathlib import Path

import pytest

from tests.ladder.dice_games import (
    PAIRINGS,
    SHEETS,
    SHIP,
    Pairing,
    Played,
    main,
    pairs_of,
    play_pair,
    share_won,
)
from tests.ladder.playing import played_already


@pytest.mark.parametrize(("game", "options"), [(SHIP, {"target": "20"}), (SHEETS, {})])
def test_a_player_who_plays_as_the_other_does_wins_exactly_half_of_a_pair(game: str, options: dict[str, str]) -> None:
    pairing = Pairing("the same", game, "best", "best", 2, 0.0, options)
    assert play_pair(pairing, 1) == (0.5, 0)


@pytest.mark.slow
def test_a_run_that_was_stopped_plays_what_is_left_and_comes_to_the_same(tmp_path: Path) -> None:
    pairing = Pairing("short", SHIP, "zephyr:4", "zephyr:1", 60, 0.5, {"target": "20"})
    whole = pairs_of(pairing, 30, tmp_path / "whole", 1)
    pairs_of(pairing, 10, tmp_path / "parts", 1)
    with (tmp_path / "parts").open("a", encoding="utf-8") as file:
        file.write('["short", 10, 0.')  # cut short
    assert len(played_already(tmp_path / "parts", 2)) == 10
    assert pairs_of(pairing, 30, tmp_path / "parts", 1) == whole
    assert share_won(whole).low > 0.5


@pytest.mark.slow
def test_the_command_prints_the_interval_and_fails_where_a_goal_is_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--only", "zephyr-2", "--matches", "20", "--results", str(tmp_path / "played")]
    code = main(arguments)
    out = capsys.readouterr().out
    assert "zephyr:2 against zephyr:1: " in out
    assert "of 20 matches" in out
    played = [Played(*each) for each in played_already(tmp_path / "played", 2).values()]
    assert code == (0 if share_won(played).low > PAIRINGS["zephyr-2"].goal else 1)
