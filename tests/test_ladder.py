"""Small runs of the ladders, of `make ladder` and of the other games, and that they count what they play."""

import json
from pathlib import Path

import pytest

from captains_table.catalog import opponents_of
from captains_table.games.crowns.designs import ROSTER
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from tests.ladder import captains_chess, crowns_roster, dice_games, game
from tests.ladder.__main__ import exactness_line, level_lines, main, row_of
from tests.ladder.game import Played, play
from tests.ladder.pairings import PAIRINGS, QUICK_NODES, at_level, quick
from tests.ladder.results import Share, played_already, share_of
from tests.support.documents import ROOT
from tests.support.effort import effort

WON = Played(1.0, 20, 1.0, 40, (0.01, 0.02))
LOST = Played(0.0, -20, 0.0, 40, (0.01, 0.02))
LOWEST_STEP = PAIRINGS["2v1"]


@pytest.mark.slow
def test_a_small_ladder_goes_on_where_it_was_stopped_counts_no_other_code_and_is_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "MOST_TURNS", 40)
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


def test_a_player_against_itself_leads_in_half_of_every_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice that fall for White in one round fall for White in the other, so it has the luck of both sides."""
    monkeypatch.setattr(game, "MOST_TURNS", 60)
    player = at_level(AetherLevel("unerring", nodes=1000))
    for pair in range(effort(1, 5)):
        white, black = (play(player, player, pair, first_has_white=colour) for colour in (True, False))
        assert white.lead + black.lead == 1.0
        assert (white.by, white.turns) == (-black.by, black.turns)


@pytest.mark.slow
def test_the_highest_level_leads_the_lowest_far_more_often_than_luck_allows() -> None:
    first, second = at_level(quick(LEVELS[5])), at_level(LEVELS[1])
    rounds = [
        play(first, second, pair, first_has_white=colour) for pair in range(effort(2, 50)) for colour in (True, False)
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
    assert "NOT REACHED" in row.line()
    assert row_of(LOWEST_STEP, [[WON, WON]]).reached


def test_every_level_plays_the_one_below_and_none_looks_at_more_than_the_ladder_allows() -> None:
    assert {f"{level}v{level - 1}" for level in range(1, len(LEVELS))} <= PAIRINGS.keys()
    assert all(quick(level).nodes <= QUICK_NODES for level in LEVELS.values())


def test_the_levels_stand_in_the_document_as_they_are() -> None:
    text = (ROOT / "docs" / "ladder.md").read_text(encoding="utf-8")
    assert "\n".join(level_lines()) in text
    assert f"{QUICK_NODES:,} positions" in text


# --- dice games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "options"), [(dice_games.SHIP, {"target": "20"}), (dice_games.SHEETS, {})])
def test_a_player_who_plays_as_the_other_does_wins_exactly_half_of_a_pair(game: str, options: dict[str, str]) -> None:
    pairing = dice_games.Pairing("the same", game, "best", "best", 2, 0.0, options)
    assert dice_games.play_pair(pairing, ("the same", 1)) == (0.5, 0)


@pytest.mark.slow
def test_a_run_that_was_stopped_plays_what_is_left_and_comes_to_the_same(tmp_path: Path) -> None:
    pairing = dice_games.Pairing("short", dice_games.SHIP, "zephyr:4", "zephyr:1", 60, 0.5, {"target": "20"})
    whole = dice_games.pairs_of(pairing, 20, tmp_path / "whole", 1)
    dice_games.pairs_of(pairing, 5, tmp_path / "parts", 1)
    with (tmp_path / "parts").open("a", encoding="utf-8") as file:
        file.write('["short", 5, 0.')  # cut short
    assert len(played_already(tmp_path / "parts", 2)) == 5
    assert dice_games.pairs_of(pairing, 20, tmp_path / "parts", 1) == whole
    assert dice_games.share_won(whole).low > 0.5


@pytest.mark.slow
def test_the_command_prints_the_interval_and_fails_where_a_goal_is_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--only", "zephyr-2", "--matches", "10", "--results", str(tmp_path / "played")]
    code = dice_games.main(arguments)
    out = capsys.readouterr().out
    assert "zephyr:2 against zephyr:1: " in out
    assert "of 10 matches" in out
    played = [dice_games.Played(*each) for each in played_already(tmp_path / "played", 2).values()]
    assert code == (0 if dice_games.share_won(played).low > dice_games.PAIRINGS["zephyr-2"].goal else 1)


# --- Captain's Chess --------------------------------------------------------------------------------------------------


def test_both_matches_of_a_pair_begin_alike_and_other_pairs_otherwise() -> None:
    assert captains_chess.begun(1) == captains_chess.begun(1)
    assert len({captains_chess.begun(pair).position for pair in range(6)}) > 3


@pytest.mark.slow
def test_boreas_against_itself_gets_half_and_the_same_pair_is_the_same_matches() -> None:
    first, again = (captains_chess.play_pair(3, "boreas:1", "boreas:1", opponents_of("captains-chess")) for _ in "12")
    assert sum(first) == 1
    assert first == again


def test_the_command_prints_what_the_first_got_with_its_interval(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(captains_chess, "LONGEST", 6)
    assert captains_chess.main(["boreas:2", "boreas:1", "--games", "4"]) == 0
    assert "boreas:2 against boreas:1: 50.0% (" in capsys.readouterr().out


def test_offers_of_draws_are_counted_by_level_and_standing(capsys: pytest.CaptureFixture[str]) -> None:
    counted = {standing: captains_chess.agreed(1, standing, 3) for standing in captains_chess.STANDINGS}
    assert counted == {"start": 0, "after 1.e4 e5": 0, "lost": 3, "level late": 3, "won": 0}
    assert captains_chess.main(["--offers", "0"]) == 0
    header, _, *rows = capsys.readouterr().out.splitlines()
    assert header == "| Level | start | after 1.e4 e5 | lost | level late | won |"
    assert [row.count("0 of 0") for row in rows] == [5] * 7


# --- the roster of Crowns ---------------------------------------------------------------------------------------------


def played(wins: dict[int, int], count: int) -> list[crowns_roster.Played]:
    """Return matches in which all pieces sit equally often, and these win."""
    winners: list[int | None] = [piece for piece, count in wins.items() for _ in range(count)]
    winners += [None] * (count - len(winners))
    sitting = [
        tuple((first + seat) % len(ROSTER) for seat in range(crowns_roster.PLAYERS)) for first in range(len(ROSTER))
    ]
    return [crowns_roster.Played(sitting[number % len(ROSTER)], winner, 80) for number, winner in enumerate(winners)]


@pytest.mark.slow
def test_the_same_number_is_the_same_match_and_is_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowns_roster, "TURNS", 60)
    one = crowns_roster.play((0,))
    for _ in range(2):
        assert crowns_roster.matches(1, tmp_path / "played", 1) == [one]
    assert len(played_already(tmp_path / "played", 1)) == 1
    assert len(set(one.pieces)) == crowns_roster.PLAYERS
    assert one.winner is None or one.winner in one.pieces


@pytest.mark.parametrize(("wins", "code"), [(900, 0), (1300, 1)])
def test_a_piece_that_wins_more_than_its_share_is_not_fair_as_the_exit_code_says(
    wins: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = played(dict.fromkeys(range(14), 900) | {5: wins}, 14_000)
    monkeypatch.setattr(crowns_roster, "matches", lambda *_: found)
    assert crowns_roster.main(["--matches", "14000"]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("14,000 matches of 4, half of them over by turn 80")
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines[-len(ROSTER) :]] == list(ROSTER)
    fair = crowns_roster.fair_share(found)
    assert fair == pytest.approx(100 * (13 * 900 + wins) / (4 * 14_000))
    is_fair = [crowns_roster.is_fair(share, fair) for share in crowns_roster.shares_of(found)]
    assert is_fair == [number != 5 or not code for number in range(14)]


def test_matches_nobody_won_are_nobodys_win() -> None:
    found = played({0: 10}, 140)
    assert "nobody had won by turn 300 in 92.9%" in next(crowns_roster.report(found))
    assert sum(share.won for share in crowns_roster.shares_of(found)) == pytest.approx(25.0)
