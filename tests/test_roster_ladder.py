"""The ladder of the roster of Crowns: matches of four, how often each piece wins, and what counts as fair."""

from pathlib import Path

import pytest

from captains_table.games.crowns.designs import ROSTER
from tests.ladder.crowns_roster import PLAYERS, Played, fair_share, is_fair, main, matches, play, report, shares_of


def played(wins: dict[int, int], count: int) -> list[Played]:
    """Return matches in which all pieces sit equally often, and these win."""
    winners: list[int | None] = [piece for piece, count in wins.items() for _ in range(count)]
    winners += [None] * (count - len(winners))
    sitting = [tuple((first + seat) % len(ROSTER) for seat in range(PLAYERS)) for first in range(len(ROSTER))]
    return [Played(sitting[number % len(ROSTER)], winner, 80) for number, winner in enumerate(winners)]


def test_the_same_number_is_the_same_match() -> None:
    one = play((3,))
    assert one == play((3,))
    assert len(set(one.pieces)) == PLAYERS
    assert one.winner is None or one.winner in one.pieces


@pytest.mark.slow
def test_a_run_that_was_stopped_plays_what_is_left_and_comes_to_the_same(tmp_path: Path) -> None:
    whole = matches(2, tmp_path / "whole", 1)
    matches(1, tmp_path / "parts", 1)
    with (tmp_path / "parts").open("a", encoding="utf-8") as file:
        file.write("[1, [3, 4")  # cut short
    assert matches(2, tmp_path / "parts", 1) == whole


def test_a_piece_that_wins_more_than_its_share_is_not_fair() -> None:
    found = played(dict.fromkeys(range(14), 900) | {5: 1300}, 14_000)
    fair = fair_share(found)
    assert [is_fair(share, fair) for share in shares_of(found)] == [number != 5 for number in range(14)]
    assert fair == pytest.approx(100 * (13 * 900 + 1300) / (4 * 14_000))
    assert next(report(found)).startswith("14,000 matches of 4, half of them over by turn 80")


def test_matches_nobody_won_are_nobodys_win() -> None:
    found = played({0: 10}, 140)
    assert "nobody had won by turn 300 in 92.9%" in next(report(found))
    assert sum(share.won for share in shares_of(found)) == pytest.approx(25.0)


@pytest.mark.parametrize(("wins", "code"), [(900, 0), (1300, 1)])
def test_the_command_prints_each_piece_and_says_by_its_exit_code_whether_all_are_fair(
    wins: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = played(dict.fromkeys(range(14), 900) | {5: wins}, 14_000)
    monkeypatch.setattr("tests.ladder.crowns_roster.matches", lambda *_: found)
    assert main(["--matches", "14000"]) == code
    printed = capsys.readouterr().out
    assert all(piece in printed for piece in ROSTER)
