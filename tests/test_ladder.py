"""A small run of what `make ladder` does at length, and that it counts what it plays."""

import json
from pathlib import Path

import pytest

from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from tests.ladder.__main__ import main
from tests.ladder.exactness import exactness_line
from tests.ladder.figures import Share, share_of
from tests.ladder.game import Played, play
from tests.ladder.pairings import PAIRINGS, QUICK_NODES, at_level, quick
from tests.ladder.report import level_lines, line_of, row_of
from tests.support.documents import ROOT
from tests.support.effort import effort

WON = Played(1.0, 20, 1.0, 40, (0.01, 0.02))
LOST = Played(0.0, -20, 0.0, 40, (0.01, 0.02))
LOWEST_STEP = PAIRINGS["2v1"]


@pytest.mark.slow
def test_a_small_ladder_goes_on_where_it_was_stopped_counts_no_other_code_and_is_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, document = tmp_path / "results.jsonl", tmp_path / "ladder.md"
    document.write_text((ROOT / "docs" / "ladder.md").read_text(encoding="utf-8"), encoding="utf-8")
    words = ["--only", "2v1", "--results", str(results), "--processes", "1", "--markdown", str(document)]
    main([*words, "--games", "2"])
    (began,) = [results.read_text(encoding="utf-8")]
    assert [json.loads(line)[:3] for line in began.splitlines()] == [
        [LOWEST_STEP.key, 0, True],
        [LOWEST_STEP.key, 0, False],
    ]
    with results.open("a", encoding="utf-8") as file:
        file.write('["2v1 an-earlier-code", 1, true, 1.0, 20, 1.0, 40, [0.1, 0.2]]\n["cut sh')
    main([*words, "--games", "4"])
    written = results.read_text(encoding="utf-8")
    assert written.startswith(began)
    assert len(written.splitlines()) == 5, "rounds of other code are not counted"
    assert "level 2 v level 1: leads in " in capsys.readouterr().out
    assert "| level 2 v level 1 | 4 |" in document.read_text(encoding="utf-8")


def test_a_player_against_itself_leads_in_half_of_every_pair() -> None:
    """The dice that fall for White in one round fall for White in the other, so it has the luck of both sides."""
    player = at_level(AetherLevel("unerring", nodes=1000))
    for pair in range(2):
        white, black = (play(player, player, pair, first_has_white=colour) for colour in (True, False))
        assert white.lead + black.lead == 1.0
        assert (white.by, white.turns) == (-black.by, black.turns)


@pytest.mark.slow
def test_the_highest_level_leads_the_lowest_far_more_often_than_luck_allows() -> None:
    first, second = at_level(quick(LEVELS[5])), at_level(LEVELS[1])
    rounds = [
        play(first, second, pair, first_has_white=colour) for pair in range(effort(4, 50)) for colour in (True, False)
    ]
    assert sum(each.lead for each in rounds) > 0.6 * len(rounds)
    assert all(0 <= each.king <= 1 for each in rounds)


def test_values_are_exact_two_moves_deep() -> None:
    exact, words = exactness_line(4, depth=2, processes=1)
    assert exact, words


@pytest.mark.parametrize(
    ("by_pair", "low", "high"),
    [([[1.0, 0.0]] * 400, 0.45, 0.55), ([[1.0, 1.0], [0.0, 0.0]] * 200, 0.45, 0.55), ([[1.0, 1.0]] * 400, 0.98, 1.0)],
)
def test_an_interval_is_of_pairs(by_pair: list[list[float]], low: float, high: float) -> None:
    share = share_of(by_pair)
    assert low <= share.low <= share.value <= share.high <= high


def test_rounds_that_fall_short_are_said_to() -> None:
    row = row_of(LOWEST_STEP, [[WON, LOST], [WON, LOST]])
    assert row.leads == Share(0.5, row.leads.error)
    assert not row.reached
    assert "NOT REACHED" in line_of(row)
    assert row_of(LOWEST_STEP, [[WON, WON]]).reached


def test_every_level_plays_the_one_below_and_none_looks_at_more_than_the_ladder_allows() -> None:
    assert {f"{level}v{level - 1}" for level in range(2, len(LEVELS) + 1)} <= PAIRINGS.keys()
    assert all(quick(level).nodes <= QUICK_NODES for level in LEVELS.values())


def test_the_levels_stand_in_the_document_as_they_are() -> None:
    text = (ROOT / "docs" / "ladder.md").read_text(encoding="utf-8")
    assert "\n".join(level_lines()) in text
    assert f"{QUICK_NODES:,} positions" in text
