from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import System
from captains_table.club.events.event import CannotBe
from captains_table.club.events.groups import mixed, sizes_of
from captains_table.club.events.player_rounds import player_rounds
from captains_table.reporting.messages import FinalScore
from tests.support.club_event import Running, begun
from tests.support.effort import effort


def play_round(running: Running) -> list[tuple[int, ...]]:
    """Play a round in which the lowest number of each group wins, and return its groups."""
    paired = running.pair()
    for seated in paired.matches:
        running.tell(seated, FinalScore(winner=None, scores=tuple(-seat for seat in seated.seats)))
    return [seated.seats for seated in paired.matches]


def meetings(groups: list[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    """Return how often two have met."""
    return Counter(pair for group in groups for pair in combinations(sorted(group), 2))


@given(st.integers(2, 60), st.integers(3, 8))
def test_groups_are_few_and_of_sizes_that_differ_by_one_at_most(players: int, most: int) -> None:
    sizes = sizes_of(players, most)
    assert sum(sizes) == players
    assert max(sizes) - min(sizes) <= 1
    assert 2 <= min(sizes) <= max(sizes) <= most
    assert len(sizes) - 1 < players / most <= len(sizes)


@given(st.integers(3, effort(9, 24)), st.integers(3, 6), st.integers(1, effort(4, 6)))
def test_nobody_meets_anybody_more_than_once_oftener_than_needed(players: int, most: int, rounds: int) -> None:
    running = begun(System.GROUPS, players, rounds, most, game="swashbuckle")
    groups = []
    for _ in range(rounds):
        of_round = play_round(running)
        assert sorted(seat for group in of_round for seat in group) == list(range(1, players + 1))
        groups += of_round
    met = meetings(groups)
    needed = -(-sum(met.values()) // (players * (players - 1) // 2))
    assert max(met.values()) <= needed + 1


@pytest.mark.parametrize(("players", "size", "rounds"), [(9, 3, 4), (16, 4, 3), (25, 5, 5), (12, 3, 3), (40, 4, 7)])
def test_where_it_is_possible_nobody_meets_twice(players: int, size: int, rounds: int) -> None:
    running = begun(System.GROUPS, players, rounds, size, game="swashbuckle")
    groups = [group for _ in range(rounds) for group in play_round(running)]
    assert max(meetings(groups).values()) == 1


def test_groups_are_about_as_strong_as_each_other() -> None:
    groups = mixed(list(range(1, 17)), sizes_of(16, 4), {}, 1)
    assert {sum(group) for group in groups} == {34}


def test_who_has_begun_least_sits_first() -> None:
    running = begun(System.GROUPS, 8, 4, 4, game="swashbuckle")
    for _ in range(4):
        play_round(running)
    began = [sum(bool(turnout.began) for turnout in turnouts) for turnouts in player_rounds(running.event).values()]
    assert max(began) == 1


def test_the_same_event_is_always_grouped_alike() -> None:
    one, two = (begun(System.GROUPS, 14, 3, 4, game="swashbuckle") for _ in range(2))
    assert [play_round(one) for _ in range(3)] == [play_round(two) for _ in range(3)]


def test_groups_are_of_three_at_least() -> None:
    with pytest.raises(CannotBe, match="2 players a match: expected 3 to 32"):
        begun(System.GROUPS, 8, 4, 2)


def test_one_alone_is_no_group() -> None:
    with pytest.raises(CannotPair):
        begun(System.GROUPS, 1, 4, 4).pair()
