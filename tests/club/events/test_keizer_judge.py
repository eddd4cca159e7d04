"""The judge of Keizer events against examples that were worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.club.events.keizer_judge import (
    Game,
    KeizerRules,
    PlayedRound,
    Proposal,
    order_faults,
    pairing_faults,
    settled_standings,
    standing_faults,
    standings,
    values,
)

FOUR = ["Anne", "Bart", "Carla", "Dirk"]
SIX = [*FOUR, "Eva", "Finn"]
TOP_OF_TEN = KeizerRules(top=10)
FIRST_ROUND = PlayedRound([Game("Bart", "Anne", "1-0"), Game("Dirk", "Carla", "1/2-1/2")])
SECOND_ROUND = PlayedRound([Game("Carla", "Bart", "0-1"), Game("Anne", "Dirk", "1-0")])
HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)


def table(players: list[str], rounds: list[PlayedRound], rules: KeizerRules) -> Sequence[tuple[str, Fraction | int]]:
    return standings(players, rounds, rules)


def test_forty_players_are_worth_sixty_to_twenty_one() -> None:
    worth = list(values([str(number) for number in range(40)], KeizerRules()).values())
    assert worth == list(range(60, 20, -1))


def test_a_ratio_of_two_has_a_top_of_twice_the_players_and_a_given_top_stands() -> None:
    assert list(values(FOUR, KeizerRules(ratio=2)).values()) == [8, 7, 6, 5]
    assert list(values(FOUR, TOP_OF_TEN).values()) == [10, 9, 8, 7]


def test_a_top_that_leaves_the_last_nothing_is_refused() -> None:
    assert values(FOUR, KeizerRules(top=4))["Dirk"] == 1
    with pytest.raises(ValueError, match="too low for 4 players: the last would be worth 0"):
        values(FOUR, KeizerRules(top=3))


def test_before_the_first_round_the_ratings_rank() -> None:
    assert table(FOUR, [], TOP_OF_TEN) == [("Anne", 10), ("Bart", 9), ("Carla", 8), ("Dirk", 7)]


def test_a_round_is_counted_again_by_the_values_it_leads_to() -> None:
    """By the ratings: Bart 9 + 10, Carla 8 + 7/2, Dirk 7 + 8/2, Anne 10. By that ranking they are worth 10, 9, 8, 7."""
    assert table(FOUR, [FIRST_ROUND], TOP_OF_TEN) == [
        ("Bart", 10 + 7),
        ("Carla", 9 + 4),
        ("Dirk", 8 + 4 + HALF),
        ("Anne", 7),
    ]


def test_earlier_rounds_are_counted_by_the_new_values_too() -> None:
    """By the values above: Bart 26, Anne 15, Carla 13, Dirk 12 1/2; then by Bart 10, Anne 9, Carla 8, Dirk 7."""
    assert table(FOUR, [FIRST_ROUND, SECOND_ROUND], TOP_OF_TEN) == [
        ("Bart", 10 + 9 + 8),
        ("Anne", 9 + 7),
        ("Carla", 8 + 3 + HALF),
        ("Dirk", 7 + 4),
    ]


def test_once_a_round_the_values_are_those_of_the_round_before() -> None:
    once = KeizerRules(top=10, until_stable=False)
    assert table(FOUR, [FIRST_ROUND], once) == [
        ("Bart", 19),
        ("Carla", 11 + HALF),
        ("Dirk", 11),
        ("Anne", 10),
    ]
    assert table(FOUR, [FIRST_ROUND, SECOND_ROUND], once) == [
        ("Bart", 10 + 7 + 9),
        ("Anne", 7 + 8),
        ("Carla", 9 + 4),
        ("Dirk", 8 + 4 + HALF),
    ]


def test_rounds_without_a_game_are_shares_of_the_own_value_and_equals_stand_by_rating() -> None:
    """By the ratings: Bart 5 + 10/3, Anne 6 + 2, Carla 4 + 8/3. Then Bart is worth 6, Anne 5, Carla 4."""
    absent = PlayedRound(byes=["Carla"], absences={"Anne": "excused", "Bart": "club"})
    assert table(FOUR[:3], [absent], KeizerRules(top=6)) == [
        ("Bart", 10),
        ("Anne", 6 + 2 * THIRD),
        ("Carla", 6 + 2 * THIRD),
    ]


@pytest.mark.parametrize(("paid", "score"), [(None, 12), (1, 10), (0, 9)])
def test_only_so_many_excused_absences_are_paid(paid: int | None, score: int) -> None:
    """Anne stays first with 6 or 9 of value; the one away without a word has nothing but the own value."""
    rules = KeizerRules(top=9, excused=Fraction(1, 9), paid_absences=paid)
    rounds = [PlayedRound(absences={"Anne": "excused", "Bart": "unexcused"})] * 3
    assert table(["Anne", "Bart"], rounds, rules) == [("Anne", score), ("Bart", 8)]


def test_absences_for_the_club_do_not_use_up_the_paid_ones() -> None:
    rules = KeizerRules(top=9, paid_absences=1)
    rounds = [PlayedRound(absences={"Anne": kind}) for kind in ("club", "club", "excused", "excused")]
    assert table(["Anne"], rounds, rules) == [("Anne", 9 + 6 + 6 + 3 + 0)]


def test_a_win_by_forfeit_is_a_win_and_the_loser_has_a_loss_or_an_absence() -> None:
    rounds = [PlayedRound([Game("Anne", "Bart", "1-0F")])]
    rules = KeizerRules(top=9, loss=Fraction(1, 9), unexcused=Fraction(1, 4))
    assert table(["Anne", "Bart"], rounds, rules) == [("Anne", 9 + 8), ("Bart", 8 + 1)]
    as_absence = replace(rules, forfeit_is_loss=False)
    assert table(["Anne", "Bart"], rounds, as_absence) == [("Anne", 17), ("Bart", 8 + 2)]


def test_a_running_game_is_worth_nothing_and_a_double_forfeit_is_two_losses() -> None:
    rounds = [PlayedRound([Game("Anne", "Bart", "*")]), PlayedRound([Game("Anne", "Bart", "0-0F")])]
    assert table(["Anne", "Bart"], rounds, KeizerRules(top=9)) == [("Anne", 9), ("Bart", 8)]


def test_without_the_bonus_a_draw_of_two_goes_round_in_a_cycle() -> None:
    """Each has half of the other's value, so the lower has more: 2 to 3/2 for ever."""
    rules = KeizerRules(top=4, own_value_bonus=False)
    draw = [PlayedRound([Game("Anne", "Bart", "1/2-1/2")])]
    bart_first, anne_first = [("Bart", 2), ("Anne", 1 + HALF)], [("Anne", 2), ("Bart", 1 + HALF)]
    assert settled_standings(["Anne", "Bart"], draw, rules) == [bart_first, anne_first]
    assert table(["Anne", "Bart"], draw, rules) == bart_first
    assert standing_faults([("Anne", Fraction(2)), ("Bart", 1 + HALF)], ["Anne", "Bart"], draw, rules) == []


def test_the_judge_tells_a_wrong_score_a_wrong_order_and_a_missing_player() -> None:
    right = standings(FOUR, [FIRST_ROUND], TOP_OF_TEN)
    assert standing_faults(right, FOUR, [FIRST_ROUND], TOP_OF_TEN) == []
    more = [("Bart", Fraction(18)), *right[1:]]
    assert standing_faults(more, FOUR, [FIRST_ROUND], TOP_OF_TEN) == ["Bart has 18, but by these places 17."]
    swapped = [("Carla", Fraction(17)), ("Bart", Fraction(13)), *right[2:]]
    assert standing_faults(swapped, FOUR, [FIRST_ROUND], TOP_OF_TEN) != []
    once = KeizerRules(top=10, until_stable=False)
    shown = standings(FOUR, [FIRST_ROUND], once)
    assert standing_faults([*shown[:2], shown[3], shown[2]], FOUR, [FIRST_ROUND], once) == [
        "Dirk with 11 stands below Anne with 10."
    ]
    assert standing_faults(right[1:], FOUR, [FIRST_ROUND], TOP_OF_TEN) == [
        "The standings do not name each player once."
    ]


SIX_STANDING = [(player, Fraction(0)) for player in SIX]
BY_RANK = [("Bart", "Anne"), ("Dirk", "Carla"), ("Finn", "Eva")]


def round_of(*games: tuple[str, str], byes: tuple[str, ...] = ()) -> PlayedRound:
    return PlayedRound([Game(white, black, "1-0") for white, black in games], byes)


def faults(
    games: list[tuple[str, str]],
    history: list[PlayedRound],
    bye: str | None = None,
    rules: KeizerRules = TOP_OF_TEN,
) -> list[str]:
    present = [player for game in games for player in game] + ([] if bye is None else [bye])
    return pairing_faults(SIX_STANDING, present, history, rules, Proposal(games, bye))


def test_a_first_round_by_rating_with_white_to_the_lower_has_no_faults() -> None:
    assert faults(BY_RANK, []) == []
    assert order_faults(SIX_STANDING, SIX, [], TOP_OF_TEN, Proposal(BY_RANK)) == []


def test_each_who_is_present_has_one_place() -> None:
    proposal = Proposal([("Bart", "Anne"), ("Bart", "Finn")])
    assert pairing_faults(SIX_STANDING, [*FOUR, "Guest"], [], TOP_OF_TEN, proposal) == [
        "Guest is not in the standings.",
        "Bart has 2 places in this round.",
        "Finn is not present but has a place.",
        "Carla is present but has neither game nor bye.",
        "Dirk is present but has neither game nor bye.",
        "Guest is present but has neither game nor bye.",
    ]


def test_a_rematch_is_a_fault_for_k_rounds_if_it_can_be_avoided() -> None:
    again = [("Anne", "Bart"), ("Carla", "Dirk"), ("Finn", "Eva")]
    history = [round_of(("Bart", "Anne")), round_of(("Dirk", "Carla")), round_of(), round_of()]
    assert faults(again, history[:3]) == [
        "Anne and Bart have met too lately; 0 rematches would do.",
        "Carla and Dirk have met too lately; 0 rematches would do.",
    ]
    assert faults(again, history) == ["Carla and Dirk have met too lately; 0 rematches would do."]
    assert faults(again, history, rules=KeizerRules(rematch_after=0)) == []


def test_a_rematch_that_cannot_be_avoided_is_none_and_its_colours_are_reversed() -> None:
    history = [round_of(("Bart", "Anne")), round_of(("Anne", "Bart"))]
    assert faults([("Bart", "Anne")], history) == []
    assert faults([("Anne", "Bart")], history) == ["Bart is to have White against Anne: Anne had it in the last game."]


def test_a_forfeit_was_no_meeting_unless_the_club_counts_it() -> None:
    history = [PlayedRound([Game("Bart", "Anne", "1-0F")])]
    games = [("Bart", "Anne"), ("Dirk", "Carla")]
    assert faults(games, history) == []
    assert len(faults(games, history, rules=KeizerRules(forfeits_are_games=True))) == 2


def test_pairs_that_could_all_be_nearer_in_rank_are_a_fault() -> None:
    assert faults([("Carla", "Anne"), ("Dirk", "Bart"), ("Finn", "Eva")], []) == [
        "Carla and Dirk, Anne and Bart are nearer in rank than Carla and Anne, Dirk and Bart."
    ]


def test_a_pair_within_another_is_a_fault_if_the_inner_ones_lose_nothing() -> None:
    """Bart and Carla stay next to a neighbour when Anne plays Bart and Carla plays Dirk."""
    assert faults([("Dirk", "Anne"), ("Carla", "Bart")], []) == [
        "Dirk and Carla, Anne and Bart are nearer in rank than Dirk and Anne, Carla and Bart."
    ]


def test_whether_the_outer_or_the_inner_pair_is_nearer_is_left_to_the_strict_order() -> None:
    history = [round_of(("Anne", "Bart"))]
    games = [("Dirk", "Anne"), ("Carla", "Bart")]
    assert faults(games, history) == []
    assert order_faults(SIX_STANDING, FOUR, history, TOP_OF_TEN, Proposal(games)) == [
        "From the top, Anne is to play Carla, not Dirk."
    ]


def test_the_strict_order_leaves_out_the_bye_and_the_absent() -> None:
    games = [("Carla", "Anne"), ("Eva", "Dirk")]
    assert (
        order_faults(SIX_STANDING, ["Anne", "Carla", "Dirk", "Eva", "Finn"], [], TOP_OF_TEN, Proposal(games, "Finn"))
        == []
    )


def test_unavoidable_rematches_are_as_low_as_possible_in_the_strict_order() -> None:
    """Anne, Bart and Carla have all met: Anne takes Dirk, whom nobody has met."""
    history = [round_of(("Anne", "Bart"), ("Bart", "Carla"), ("Carla", "Anne"))]
    high, low = Proposal([("Anne", "Bart"), ("Dirk", "Carla")]), Proposal([("Dirk", "Anne"), ("Bart", "Carla")])
    assert order_faults(SIX_STANDING, FOUR, history, TOP_OF_TEN, low) == []
    assert order_faults(SIX_STANDING, FOUR, history, TOP_OF_TEN, high) == [
        "From the top, Anne is to play Dirk, not Bart."
    ]
    all_met_anne = [round_of(("Anne", "Bart"), ("Anne", "Carla"), ("Anne", "Dirk"))]
    near = Proposal([("Bart", "Anne"), ("Dirk", "Carla")])
    assert order_faults(SIX_STANDING, FOUR, all_met_anne, TOP_OF_TEN, near) == []
    assert [each for each in faults(list(near.games), all_met_anne) if "lately" in each] == []


def test_who_has_met_the_next_two_plays_the_third_and_the_rest_stay_near() -> None:
    history = [round_of(("Anne", "Bart")), round_of(("Carla", "Anne"))]
    near = Proposal([("Dirk", "Anne"), ("Bart", "Carla"), ("Finn", "Eva")])
    far = Proposal([("Dirk", "Anne"), ("Eva", "Bart"), ("Finn", "Carla")])
    assert faults(list(near.games), history) == []
    assert order_faults(SIX_STANDING, SIX, history, TOP_OF_TEN, near) == []
    assert order_faults(SIX_STANDING, SIX, history, TOP_OF_TEN, far) == [
        "From the top, Bart is to play Carla, not Eva."
    ]


def test_the_strict_order_leaves_the_last_two_a_game_without_a_rematch() -> None:
    """Eva and Finn have met: Carla and Dirk take them, though they could play each other."""
    history = [round_of(("Finn", "Eva"))]
    games = [("Bart", "Anne"), ("Eva", "Carla"), ("Dirk", "Finn")]
    assert order_faults(SIX_STANDING, SIX, history, TOP_OF_TEN, Proposal(games)) == []
    assert faults(games, history) == []


@pytest.mark.parametrize(
    ("history", "bye", "found"),
    [
        ([], "Eva", []),
        ([], "Dirk", ["Dirk has the bye; the lowest who may have it is Eva."]),
        ([round_of(byes=("Eva",))], "Dirk", []),
        ([round_of(byes=("Eva",))], "Eva", ["Eva has the bye for the 2. time; Dirk has had 0."]),
        ([round_of(byes=(player,)) for player in SIX[:5]], "Eva", []),
    ],
)
def test_the_lowest_of_those_with_the_fewest_byes_has_it(
    history: list[PlayedRound], bye: str, found: list[str]
) -> None:
    first, second, third, fourth = (player for player in SIX[:5] if player != bye)
    assert faults([(second, first), (fourth, third)], history, bye) == found


def test_if_the_club_wants_it_so_the_lowest_has_each_bye() -> None:
    rules = KeizerRules(bye_once_before_all=False)
    history = [round_of(byes=("Carla",))]
    assert faults([("Bart", "Anne")], history, "Carla", rules) == []
    assert faults([("Carla", "Anne")], history, "Bart", rules) == [
        "Bart has the bye; the lowest who may have it is Carla."
    ]


def test_a_bye_may_go_higher_up_to_save_a_rematch() -> None:
    history = [round_of(("Bart", "Anne"))]
    assert faults([("Carla", "Anne")], history, "Bart") == []
    assert faults([("Anne", "Bart")], history, "Carla") == []
    assert faults([("Carla", "Bart")], history, "Anne") == ["Anne has the bye; the lowest who may have it is Carla."]


def test_fewer_whites_then_their_last_game_then_the_lower_rank_give_the_colours() -> None:
    rules = KeizerRules(rematch_after=0)
    assert faults([("Carla", "Anne")], [round_of(("Carla", "Dirk"))], rules=rules) == [
        "Anne is to have White against Carla: Whites so far: Anne 0, Carla 1."
    ]
    equal = [round_of(("Anne", "Bart")), round_of(("Bart", "Anne"))]
    assert faults([("Anne", "Bart")], equal, rules=rules) == []
    assert faults([("Bart", "Anne")], equal, rules=rules) == [
        "Anne is to have White against Bart: Bart had it in the last game."
    ]
    assert faults([("Anne", "Bart")], [], rules=rules) == ["Bart is to have White against Anne: the lower ranked."]


def test_a_club_may_look_at_the_last_game_of_each() -> None:
    history = [round_of(("Anne", "Carla"), ("Bart", "Dirk")), round_of(("Carla", "Anne"), ("Bart", "Eva"))]
    history.append(round_of(("Anne", "Eva")))
    mutual, own = (KeizerRules(reverse_own_last_game=each) for each in (False, True))
    assert faults([("Bart", "Anne")], history, rules=mutual) == []
    assert faults([("Bart", "Anne")], [*history, round_of(("Dirk", "Anne"))], rules=own) == [
        "Anne is to have White against Bart: Bart had it in the last game."
    ]
    both_white = [round_of(("Anne", "Carla"), ("Bart", "Dirk"))]
    assert faults([("Bart", "Anne")], both_white, rules=own) == []
