"""How a match ended, as lists of matches say it: who won, and the scores with their names."""

import pytest

from captains_table.storage.exports import outcome_words
from captains_table.storage.journal_file import MatchRecord
from captains_table.table.model.entries import MatchEnded, MatchStarted

NAMES = ("Anne", "Bart", "Cora", "Dirk", "Ed", "Finn", "Greta")


@pytest.mark.parametrize(
    ("winner", "scores", "words"),
    [
        (1, (2, 6), "Bart won 6 : 2"),
        (None, (5, 5), "shared 5 : 5"),
        (0, (300,), "Anne ended with 300"),
        (2, (4, 9, 25), "Cora won with 25; Bart 9, Anne 4"),
        (0, (4, 9), "Anne won with 4; Bart 9"),  # not by who has most
        (1, (30, 9, 12), "Bart won with 9; Anne 30, Cora 12"),
        (None, (7, 2, 7), "shared by Anne and Cora with 7; Bart 2"),
        (None, (8, 5), "nobody won; Anne 8, Bart 5"),
        (0, (9, 1, 2, 3, 4, 5, 6), "Anne won with 9; Greta 6, Finn 5, Ed 4, Dirk 3 and 2 more"),
    ],
)
def test_how_a_match_ended_names_winners_and_scores(winner: int | None, scores: tuple[int, ...], words: str) -> None:
    started = MatchStarted("toss", NAMES[: len(scores)], {})  # a game that is installed nowhere
    record = MatchRecord(1, "2026-11-21T23:04:03+00:00", started, 8, MatchEnded(winner, scores))
    assert outcome_words(record) == words


def test_a_match_that_is_not_over_ended_in_no_way() -> None:
    assert outcome_words(MatchRecord(1, "", MatchStarted("toss", NAMES, {}), 8, None)) is None
