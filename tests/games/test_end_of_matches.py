"""Whose a match is that nobody was declared to have won: shared by those who lead together, or nobody's."""

import pytest

from captains_table.games.contract import is_nobodys
from captains_table.runtime.simulated_matches import SimulationPlan, play_match


@pytest.mark.parametrize(
    ("winner", "scores", "nobodys"),
    [
        (None, (9, 4), True),
        (None, (4, 9, 9), False),
        (None, (0, 0), False),
        (0, (4, 9), False),
        (None, (7,), False),
    ],
)
def test_a_match_without_a_winner_is_nobodys_where_one_alone_leads(
    winner: int | None, scores: tuple[int, ...], *, nobodys: bool
) -> None:
    assert is_nobodys(winner, scores) is nobodys


def test_the_richest_player_when_the_turns_are_over_has_not_won() -> None:
    plan = SimulationPlan("crowns", ("shrewd", "random"), {"turn_limit": "9"}, 1, seed=1)
    scores = play_match(plan, 0)
    assert len({score.tallies["gold"] for score in scores}) == 2
    assert [score.won for score in scores] == [0.0, 0.0]
