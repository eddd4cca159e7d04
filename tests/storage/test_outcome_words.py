"""How a match ended, as lists of matches say it: who won, and what everybody has, whose it is."""

import pytest

from captains_table.storage.exports import outcome_words
from captains_table.storage.journal_file import MatchRecord
from captains_table.table.model.entries import MatchEnded, MatchStarted

NAMES = ("Anne", "Bart", "Cora", "Dirk", "Ed", "Finn", "Greta")


def outcome(winner: int | None, *scores: int) -> str | None:
    """Return how a match of a game that is installed nowhere ended."""
    started = MatchStarted("toss", NAMES[: len(scores)], {})
    return outcome_words(MatchRecord(1, "2026-11-21T23:04:03+00:00", started, 8, MatchEnded(winner, scores)))


@pytest.mark.parametrize(
    ("winner", "scores", "words"),
    [
        (1, (2, 6), "Bart won 6 : 2"),
        (None, (5, 5), "shared 5 : 5"),
        (0, (300,), "Anne ended with 300"),
    ],
)
def test_the_scores_of_two_stand_beside_each_other(winner: int | None, scores: tuple[int, ...], words: str) -> None:
    assert outcome(winner, *scores) == words


def test_of_several_everybody_is_named_with_what_he_has() -> None:
    assert outcome(2, 4, 9, 25) == "Cora won with 25; Bart 9, Anne 4"


def test_who_won_with_less_than_others_is_not_taken_for_who_has_most() -> None:
    assert outcome(0, 4, 9) == "Anne won with 4; Bart 9"
    assert outcome(1, 30, 9, 12) == "Bart won with 9; Anne 30, Cora 12"


def test_several_who_share_a_match_are_named_first() -> None:
    assert outcome(None, 7, 2, 7) == "shared by Anne and Cora with 7; Bart 2"


def test_a_match_that_nobody_won_is_not_called_shared() -> None:
    assert outcome(None, 8, 5) == "nobody won; Anne 8, Bart 5"


def test_of_many_only_the_best_are_named_and_the_others_counted() -> None:
    assert outcome(0, 9, 1, 2, 3, 4, 5, 6) == "Anne won with 9; Greta 6, Finn 5, Ed 4, Dirk 3 and 2 more"


def test_a_match_that_is_not_over_ended_in_no_way() -> None:
    assert outcome_words(MatchRecord(1, "", MatchStarted("toss", NAMES, {}), 8, None)) is None
