"""A match analysed: what each decision cost against the best one, by search and by what dice promise."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from captains_table.catalog import entry_of
from captains_table.games.contract import Action, Keep, Pick, Rolled
from captains_table.players.boreas import advising
from captains_table.players.boreas.player import ADVISER
from captains_table.process.worker import WorkerLimits
from captains_table.runtime import reviews
from captains_table.runtime.analysis import MatchJudge
from captains_table.runtime.engines import find_stockfish
from captains_table.runtime.reviews import CannotAnalyse, opening_name
from captains_table.runtime.table import Table
from captains_table.runtime.uci_engine import EngineProgram
from captains_table.table.history.review import (
    CostTotal,
    Grade,
    JudgedDecision,
    MatchReview,
    accuracy,
    cost_total,
    costliest,
    error_grade,
)
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from tests.support.journals import journal_with
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import OpenTable, answer
from tests.support.table_process import run_here

KING_TO_TAKE = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
MATE_IN_ONE = "3k5/8p/3K5/9/9/9/8r/R8 w - - 0 1"
LAST_TURN = {"fen": KING_TO_TAKE, "rounds": "1", "turn_limit": "1"}


def decisions(game: str, options: dict[str, str], *actions: Action) -> Sequence[JudgedDecision]:
    """Return what is found of a match of Anne and Bart."""
    match = Match(MatchStarted(game, ("Anne", "Bart"), options))
    for number, action in enumerate(actions):
        match.act(action, number)
    return list(MatchJudge(entry_of(game), MatchReview(match)).decisions())


def test_a_king_that_is_not_taken_costs_the_player() -> None:
    thrown = Rolled((1, 1, 1, 1, 1, 6))
    [_, taken] = decisions("legend", LAST_TURN, Pick("roll"), thrown, Pick("e2e8"))
    [_, left] = decisions("legend", LAST_TURN, Pick("roll"), thrown, Pick("e1d1"))
    assert (taken.cost, taken.words) == (0.0, "Anne: Re2xe8")
    assert left.cost > 1
    assert left.best == "Re2xe8"
    assert left.moment > 0


def test_a_mate_that_is_missed_costs_so_many_pawns_and_no_more() -> None:
    [missed] = decisions("captains-chess", {"fen": MATE_IN_ONE}, Pick("a1b1"))
    assert 1 < missed.cost <= 20
    assert missed.best.startswith("Ra1-a8")


def test_dice_that_were_better_kept_cost_what_they_promised_and_those_that_are_kept_are_named() -> None:
    crew = (Rolled((6, 5, 4, 6, 6)), Pick("throw-again"), Rolled((1, 1)))
    found = decisions("ship-captain-crew", {"order": "seated"}, *crew)
    assert [each.words for each in found] == ["Anne: Throw the cargo again"]
    assert (found[0].cost > 3, found[0].best, found[0].moment) == (True, "Stand with 12", 2)
    stood = decisions(
        "ship-captain-crew", {"order": "seated"}, crew[0], Pick("stand"), Rolled((6, 5, 4, 1, 1)), Pick("stand")
    )
    assert [(each.words, each.cost > 0, each.best) for each in stood] == [
        ("Anne: Stand with 12", False, ""),
        ("Bart: Stand with 2", True, "Throw both cargo dice"),
    ]
    four = (Rolled((6, 6, 6, 6, 1)), Pick("throw-again"), Keep((5,)), Rolled((2, 3, 4, 2)))
    assert any("keeps 1" in each.words for each in decisions("swashbuckle", {"order": "seated"}, *four))


def test_what_decisions_cost_adds_up() -> None:
    cheap, dear, others = JudgedDecision(1, 0, "", 0.5), JudgedDecision(2, 0, "", 2.0), JudgedDecision(3, 1, "", 1.0)
    assert cost_total([cheap, dear, others], 0) == CostTotal(2, 2.5, 2.0)
    assert cost_total([], 0) == CostTotal(0, 0.0, 0.0)
    assert costliest([cheap, dear, others], 0, 1) == [dear]


def test_the_command_prints_the_costliest_and_each_player_and_says_what_cannot_be_reviewed(tmp_path: Path) -> None:
    journal_with(tmp_path / "journal.sqlite3", "Anne", "Bart")
    for option in ("--costliest", "--dearest"):
        ended = run_here("review", "1", "--state", tmp_path, option, "1")
        assert ended.returncode == 0, ended.stderr
        assert "Anne: " in ended.stdout
        assert "decisions judged" in ended.stdout
    for arguments, words in ((("review", "7"), "no match"), (("review", "1", "--think", "0"), "expected seconds")):
        refused = run_here(*arguments, "--state", tmp_path)
        assert (refused.returncode != 0, words in (refused.stdout + refused.stderr).lower()) == (True, True)


@pytest.mark.slow
async def test_a_table_analyses_a_finished_match_while_others_play(table: Table) -> None:
    table.matches.new_match("captains-chess", ["Anne", "Bart"], {"fen": MATE_IN_ONE})
    with pytest.raises(CannotAnalyse, match="is not over"):
        await table.reviews.analyse(1)
    answer(table, "a1b1", "resign")
    found = await table.reviews.analyse(1)
    assert found[0].words == "Anne: Ra1-b1"
    assert found[0].cost > 1
    assert await table.reviews.analyse(1) is found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "starting_s", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGSTOP)", 0.3, "its process gave no sign of life for 0 seconds"),
        ("os._exit(5)", PATIENCE_S, "its process ended with status 5"),
    ],
)
async def test_an_analysis_that_hangs_or_fails_ends_in_a_sentence(
    open_table: OpenTable, does: str, starting_s: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "COMMAND", (sys.executable, "-u", "-c", f"import os, signal; input(); {does}"))
    monkeypatch.setattr(reviews, "LIMITS", WorkerLimits(starting_s=starting_s))
    with open_table() as table:
        table.matches.new_match("captains-chess", ["Anne", "Bart"], {"fen": MATE_IN_ONE})
        answer(table, "resign")
        with pytest.raises(CannotAnalyse, match=f"Match 1 could not be analysed: .*{words}"):
            await table.reviews.analyse(1)


# --- games like chess -------------------------------------------------------------------------------------------------

HANGS_THE_QUEEN: list[Action] = [Pick(id_) for id_ in ("e2e4", "e7e5", "d1h5", "b8c6", "h5e5", "c6e5")]


def test_boreas_charges_a_hung_queen_and_nothing_for_book_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "ADVISER", replace(ADVISER, nodes=4_000))
    found = decisions("chess", {}, *HANGS_THE_QUEEN)
    assert [each.cost for each in found[:2]] == [0, 0]
    dear = found[4]
    assert (dear.words, error_grade(dear), dear.chance) == ("Anne: Qh5xe5", Grade.BLUNDER, None)
    assert dear.cost > 5
    assert dear.line[0] == dear.move != "h5e5"
    assert [each.place for each in found] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("lost", "cost", "grade"),
    [
        (None, 0.4, None),
        (None, 0.5, Grade.INACCURACY),
        (None, 1.0, Grade.MISTAKE),
        (None, 2.5, Grade.BLUNDER),
        (3.9, 9.0, None),
        (4.0, 0.0, Grade.INACCURACY),
        (8.0, 0.0, Grade.MISTAKE),
        (15.0, 0.0, Grade.BLUNDER),
    ],
)
def test_errors_are_graded_by_lost_chances_where_these_are_known_and_else_by_pawns(
    lost: float | None, cost: float, grade: Grade | None
) -> None:
    decision = JudgedDecision(1, 0, "", cost, worth=0.0, lost_chance=lost)
    assert error_grade(decision) is grade
    assert error_grade(JudgedDecision(1, 0, "", cost)) is None, "points of other games have no such names"


@pytest.mark.parametrize(
    ("worth", "cost", "grade"),
    [(300.0, 4.0, None), (9.0, 3.0, None), (9.0, 6.5, Grade.BLUNDER), (-6.0, 4.0, None), (-4.0, 6.0, Grade.MISTAKE)],
)
def test_by_pawns_nothing_counts_beyond_what_wins_or_loses_anyhow(
    worth: float, cost: float, grade: Grade | None
) -> None:
    assert error_grade(JudgedDecision(1, 0, "", cost, worth=worth)) is grade


def test_accuracy_is_whole_without_errors_and_sinks_with_the_chances_lost() -> None:
    def seat(*lost: float) -> list[JudgedDecision]:
        return [JudgedDecision(1, 0, "", 0.0, worth=0.0, lost_chance=each) for each in lost]

    assert accuracy(seat(0, 0, 0), 0) == 100
    found = [accuracy(seat(0, each), 0) or 0 for each in (1, 5, 20, 60)]
    assert found == sorted(found, reverse=True)
    assert found[-1] > 50
    assert accuracy(seat(), 0) is None


@pytest.mark.slow
async def test_an_engine_that_fails_leaves_the_review_to_our_own_search(table: Table, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    table.reviews.engines = (EngineProgram("Broken", str(broken)),)
    table.matches.new_match("chess", ["Anne", "Bart"], {})
    answer(table, "e2e4", "e7e5", "resign")
    found = await table.reviews.analyse(1)
    assert [(each.words, each.lost_chance) for each in found] == [("Anne: e2-e4", None), ("Bart: e7-e5", None)]
    assert table.reviews.progress(1) is None


@pytest.mark.slow
async def test_stockfish_judges_chess_by_the_chance_to_win(table: Table) -> None:
    stockfish = find_stockfish()
    assert stockfish is not None, "make test installs it"
    table.reviews.engines = (stockfish,)
    table.matches.new_match("chess", ["Anne", "Bart"], {})
    answer(table, *(action.id for action in HANGS_THE_QUEEN if isinstance(action, Pick)), "resign")
    found = await table.reviews.analyse(1)
    assert [error_grade(each) for each in found[:2]] == [None, None]
    assert error_grade(found[4]) is Grade.BLUNDER
    assert (found[4].lost_chance or 0) > 30
    assert len(found[4].line) > 1


def test_the_name_of_an_opening_is_that_of_its_longest_named_line(tmp_path: Path) -> None:
    book = tmp_path / "book.eco"
    book.write_text(
        '# a comment\nC20 "King\'s Pawn"  1.e4 e5 *\nC44a "Open"\n  1.e4 e5 2.Nf3 Nc6 *\n', encoding="latin-1"
    )
    assert opening_name(["e4", "e5", "Nf3"], book) == "C20 King's Pawn"
    assert opening_name(["e4", "e5", "Nf3", "Nc6", "Bb5"], book) == "C44 Open"
    assert opening_name(["d4"], book) == opening_name([], book) == opening_name(["e4", "e5"], tmp_path / "none") == ""
