from hypothesis import given, strategies as st

from captains_table.club.events.ratings import BEGINNING, Played, ratings


def test_the_winner_of_a_match_is_worth_more_afterwards_and_the_loser_less() -> None:
    rated = ratings([Played("legend", ("Anne", "Bart"), (1, 2), 10.0)])["legend"]
    assert rated["Anne"][-1].likely > BEGINNING > rated["Bart"][-1].likely
    assert (rated["Anne"][-1].at_s, rated["Anne"][-1].matches) == (10.0, 1)


def test_of_a_group_the_order_counts_and_equals_are_worth_the_same() -> None:
    rated = ratings([Played("swashbuckle", ("A", "B", "C", "D"), (1, 2, 2, 4), 0.0)])["swashbuckle"]
    a, b, c, d = (rated[name][-1].likely for name in "ABCD")
    assert a > b == c > d


def test_each_game_has_ratings_of_its_own_and_keeps_how_they_went() -> None:
    matches = [Played(game, ("Anne", "Bart"), (1, 2), time) for time, game in enumerate(["legend", "crowns", "legend"])]
    rated = ratings(matches)
    assert [point.at_s for point in rated["legend"]["Anne"]] == [0, 2]
    assert [point.matches for point in rated["crowns"]["Bart"]] == [1]
    assert rated["legend"]["Anne"][0].value < rated["legend"]["Anne"][1].value


def test_who_plays_alone_or_against_himself_is_not_rated() -> None:
    alone = Played("swashbuckle", ("Anne",), (1,), 0.0)
    both_hands = Played("legend", ("Anne", "Anne"), (1, 2), 0.0)
    assert ratings([alone, both_hands]) == {}


@given(st.lists(st.permutations(["A", "B", "C", "D"]), max_size=12))
def test_the_same_matches_always_give_the_same_ratings(orders: list[list[str]]) -> None:
    matches = [Played("legend", tuple(order), (1, 2, 3, 4), float(place)) for place, order in enumerate(orders)]
    assert ratings(matches) == ratings(matches)
