from hypothesis import given, strategies as st

from captains_table.club.events.ratings import BEGINNING, RatedMatch, ratings


def test_the_winner_of_a_match_is_worth_more_afterwards_and_the_loser_less() -> None:
    rated = ratings([RatedMatch("legend", ("Anne", "Bart"), (1, 2))])["legend"]
    [anne], [bart] = rated["Anne"], rated["Bart"]
    assert anne > BEGINNING > bart


def test_of_a_group_the_order_counts_and_equals_are_worth_the_same() -> None:
    rated = ratings([RatedMatch("swashbuckle", ("A", "B", "C", "D"), (1, 2, 2, 4))])["swashbuckle"]
    a, b, c, d = (rated[name][-1] for name in "ABCD")
    assert a > b == c > d


def test_each_game_has_ratings_of_its_own_and_keeps_how_they_went() -> None:
    rated = ratings([RatedMatch(game, ("Anne", "Bart"), (1, 2)) for game in ("legend", "crowns", "legend")])
    first, second = rated["legend"]["Anne"]
    assert len(rated["crowns"]["Bart"]) == 1
    assert first < second


def test_who_plays_alone_or_against_himself_is_not_rated() -> None:
    alone = RatedMatch("swashbuckle", ("Anne",), (1,))
    both_hands = RatedMatch("legend", ("Anne", "Anne"), (1, 2))
    assert ratings([alone, both_hands]) == {}


@given(st.lists(st.permutations(["A", "B", "C", "D"]), max_size=12))
def test_the_same_matches_always_give_the_same_ratings(orders: list[list[str]]) -> None:
    matches = [RatedMatch("legend", tuple(order), (1, 2, 3, 4)) for order in orders]
    assert ratings(matches) == ratings(matches)
