"""Ranks and titles over matches (docs/rules/swashbuckle.md, "Ranks")."""

import pytest

from captains_table.games.common.records import Honours
from captains_table.games.swashbuckle.ranks import Pirate, captain_among, earned_rank, honours_of, pirates_of

Totals = tuple[int, ...]
RANKS = [
    *((-20, 129, "shark bait"), (130, 137, "knave"), (138, 146, "cabin boy"), (147, 156, "scallywag")),
    *((157, 168, "sea hag"), (169, 180, "rascalion"), (181, 228, ""), (229, 242, "buccaneer"), (243, 254, "seadog")),
    *((255, 266, "swashbuckler"), (267, 289, "coxswain"), (290, 300, "quartermaster"), (301, 340, "first mate")),
    (341, 700, "captain"),
]


def alone(*totals: int) -> Pirate:
    """Return what a player is after matches played alone."""
    return pirates_of([(("Anne",), (total,)) for total in totals])["Anne"]


def of_three(anne: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    return ("Anne", "Bart", "Cora"), (anne, 200, 200)


@pytest.mark.parametrize(("lowest", "highest", "rank"), RANKS)
def test_every_rank_begins_and_ends_where_the_rules_say(lowest: int, highest: int, rank: str) -> None:
    assert [earned_rank(lowest), earned_rank(highest)] == [rank, rank]
    assert [alone(lowest).rank, alone(highest).rank] == [rank, rank]


def test_sunnyseas_is_called_swashbuckler() -> None:
    assert pirates_of([(("Sunnyseas",), (255,))])["Sunnyseas"].title == "Swashbuckler Sunnyseas"


def test_w10_what_was_earned_stands_before_the_name_the_rank_alone_where_there_is_little_room() -> None:
    scourge = [(("Anne", "Bart"), (341, 255))] * 3
    earned = honours_of([*scourge, (("Cora",), (200,))], ("Cora", "Bart", "Dirk", "Anne"))
    captain = Honours("Scourge of the 7 Seas Captain", "Captain")
    assert earned == [Honours(), Honours("Swashbuckler", "Swashbuckler"), Honours(), captain]


def test_w10_a_kraken_without_a_rank_is_none_the_less_one() -> None:
    assert Pirate("Anne", is_kraken=True).honours == Honours("Kraken", "")


@pytest.mark.parametrize(
    ("totals", "rank"),
    [((255, 120), "swashbuckler"), ((120, 255), "swashbuckler"), ((120, 200), "shark bait"), ((230, 200), "buccaneer")],
)
def test_the_best_rank_ever_stays_and_a_total_without_a_rank_changes_nothing(totals: Totals, rank: str) -> None:
    assert alone(*totals).rank == rank
    assert alone(200).title == "Anne"


def test_there_is_one_captain_the_one_with_the_highest_score() -> None:
    pirates = pirates_of([(("Anne", "Bart"), (350, 200)), (("Anne", "Bart"), (100, 360))])
    assert [pirates[name].rank for name in ("Anne", "Bart")] == ["first mate", "captain"]
    for second in (350, 341):
        kept = pirates_of([(("Bart",), (350,)), (("Anne",), (second,))])
        assert [kept[name].rank for name in ("Anne", "Bart")] == ["first mate", "captain"], "no more leaves the captain"
    back = pirates_of([(("Anne", "Bart"), (350, 200)), (("Anne", "Bart"), (100, 360)), (("Anne",), (361,))])
    assert [back[name].rank for name in ("Anne", "Bart")] == ["captain", "first mate"]


def test_the_captain_begins_a_match_that_they_play() -> None:
    pirates = pirates_of([(("Anne", "Bart"), (350, 360))])
    assert captain_among(pirates, ("Anne", "Bart", "Cora")) == "Bart"
    assert captain_among(pirates, ("Anne", "Cora")) is None


def test_three_matches_of_a_captain_make_a_scourge() -> None:
    assert alone(341, 350, 340).title == "Captain Anne"
    assert alone(341, 350, 100, 341).title == "Scourge of the 7 Seas Captain Anne"


def test_six_matches_in_a_row_above_330_with_at_least_three_players_make_a_kraken_for_ever() -> None:
    six = [of_three(331)] * 6
    assert pirates_of(six)["Anne"].title == "First mate Kraken Anne"
    assert pirates_of([*six, of_three(10)])["Anne"].is_kraken
    others = (("Bart", "Cora", "Dirk"), (200, 200, 200))
    assert pirates_of([*six[:3], others, *six[3:]])["Anne"].is_kraken, "others' matches do not break the row"


@pytest.mark.parametrize(
    "matches",
    [
        [of_three(331)] * 5,
        [*[of_three(331)] * 3, of_three(330), *[of_three(331)] * 3],
        [*[of_three(331)] * 3, (("Anne", "Bart"), (331, 200)), *[of_three(331)] * 3],
    ],
)
def test_a_lower_score_or_fewer_players_break_the_row(matches: list[tuple[tuple[str, ...], tuple[int, ...]]]) -> None:
    assert not pirates_of(matches)["Anne"].is_kraken
