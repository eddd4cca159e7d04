"""Ship, Captain and Crew by rule number (docs/rules/ship-captain-crew.md)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from captains_table.games.contract import BadOption, Decide, IllegalAction, KeepAsk, Over, Result, Roll, Rolled
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.ship_captain_crew.state import State
from tests.support.dice_harness import open_ids, play, result, seat_now, totals

GAME = ShipCaptainCrew()
NOTHING = ("11111", "11111", "11111")
FULL = "65466"  # a cargo of 12 at once


def start(*names: str, **options: str) -> State:
    return GAME.start(names or ("Anne", "Bart"), options)


def said(state: State, *words: str) -> State:
    after = play(GAME, state, *words)
    assert isinstance(after, State)
    return after


def roles(state: State) -> dict[str, int]:
    found = {berth.name: berth.face for berth in GAME.slots(state) if berth.die is not None}
    dice = GAME.dice(state)
    for berth in GAME.slots(state):
        assert berth.die is None or (dice[berth.die - 1].face, dice[berth.die - 1].held) == (berth.face, True)
    return found


# --- S1: who begins -------------------------------------------------------------------------------------------------


def test_s1_the_highest_total_of_five_dice_begins_and_then_it_goes_clockwise() -> None:
    state = said(start("Anne", "Bart", "Cora"), "11111", "66666", "22222")
    seats = []
    for _ in range(4):
        seats.append(seat_now(GAME, state))
        state = said(state, *NOTHING)
    assert seats == [1, 2, 0, 1]


def test_s7_one_to_thirty_two_may_play() -> None:
    names = tuple(f"Player {number}" for number in range(1, 33))
    state = said(start(*names), *["11111"] * 31, "66666", *NOTHING, FULL, "stand")
    assert (seat_now(GAME, state), totals(GAME, state)[:2]) == (1, [12, 0])
    with pytest.raises(BadOption, match="32"):
        start(*names, "Player 33")


def test_s1_those_tied_for_the_highest_throw_one_die_until_it_is_broken() -> None:
    state = said(start("Anne", "Bart", "Cora"), "66661", "11111", "16666")
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert (turn.seat, turn.dice, turn.at_once) == (0, (1,), False)
    state = said(state, "3", "3", "2", "5")
    assert seat_now(GAME, state) == 2
    assert len(GAME.dice(state)) == 5


@pytest.mark.parametrize(("names", "options"), [(("Anne", "Bart"), {"order": "seated"}), (("Anne",), {})])
def test_s1_nothing_is_thrown_for_the_start_when_it_is_agreed_or_nobody_else_plays(
    names: tuple[str, ...], options: dict[str, str]
) -> None:
    turn = GAME.turn(GAME.start(names, options))
    assert turn == Roll(0, (1, 2, 3, 4, 5), at_once=False, prompt="Anne: throw the dice")


# --- S2: the crew in its order --------------------------------------------------------------------------------------


def test_s2_a_five_and_a_four_without_a_ship_are_thrown_again() -> None:
    state = said(start(order="seated"), "55441")
    assert roles(state) == {}
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert (turn.dice, turn.at_once) == ((1, 2, 3, 4, 5), False)


def test_s2_found_ones_stay_and_only_the_others_are_thrown() -> None:
    state = said(start(order="seated"), "64222")
    assert roles(state) == {"ship": 6}
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert turn.dice == (2, 3, 4, 5)
    state = said(state, "1554")
    assert roles(state) == {"ship": 6, "captain": 5, "crew": 4}


# --- S3: the cargo --------------------------------------------------------------------------------------------------


def test_s3_the_last_throw_of_the_cargo_counts_even_if_it_is_lower() -> None:
    state = said(start(order="seated"), "66541", "throw-again", "11")
    assert open_ids(GAME, state) == ["stand", "throw-again"]
    state = said(state, "stand")
    assert totals(GAME, state) == [2, 0]


def test_s3_the_third_throw_ends_the_turn_by_itself() -> None:
    state = said(start(order="seated"), "66541", "throw-again", "11", "throw-again", "65")
    assert (totals(GAME, state), seat_now(GAME, state)) == ([11, 0], 1)


def test_s3_both_cargo_dice_are_thrown_together() -> None:
    turn = GAME.turn(said(start(order="seated"), "65413", "throw-again"))
    assert isinstance(turn, Roll)
    assert (turn.dice, turn.at_once) == ((4, 5), True)


def test_s3_each_cargo_die_may_be_thrown_by_itself_if_agreed() -> None:
    state = said(start(order="seated", cargo_dice="each"), "65416", "throw-again")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, KeepAsk)
    assert turn.ask.dice == (4, 5)
    state = said(state, "keep 5")
    assert GAME.turn(state) == Roll(0, (4,), at_once=True, prompt="The dice fall")
    assert totals(GAME, said(state, "5", "stand")) == [11, 0]
    with pytest.raises(IllegalAction, match="at least one"):
        said(start(order="seated", cargo_dice="each"), "65416", "throw-again", "keep 4 5")


# --- S4: no crew ----------------------------------------------------------------------------------------------------


def test_s4_without_a_crew_by_the_third_throw_the_turn_scores_nothing() -> None:
    state = said(start(order="seated"), "65333", "333", "666")
    assert (totals(GAME, state), seat_now(GAME, state)) == ([0, 0], 1)


# --- S5: the end ----------------------------------------------------------------------------------------------------


def test_s5_the_round_is_finished_and_the_highest_total_wins() -> None:
    state = said(start(order="seated", target="10"), FULL, "stand")
    assert not isinstance(GAME.turn(state), Over)
    state = said(state, "65465", "stand")
    assert result(GAME, state) == Result(0, (12, 11))


def test_s5_whoever_comes_second_may_still_win_the_round() -> None:
    state = said(start(order="seated", target="10"), "65455", "stand", "65465", "stand")
    assert (result(GAME, state).winner, result(GAME, state).scores) == (1, (10, 11))


def test_s5_the_first_to_the_target_wins_at_once_if_agreed() -> None:
    state = said(start(order="seated", target="10", finish_round="false"), FULL, "stand")
    assert (result(GAME, state).winner, result(GAME, state).scores) == (0, (12, 0))


def test_s5_only_the_tied_play_on_and_what_they_score_is_added() -> None:
    state = start("Anne", "Bart", "Cora", order="seated", target="10")
    state = said(state, FULL, "stand", "65465", "stand", FULL, "stand")
    assert GAME.heading(state) == "Play-off 1"
    assert seat_now(GAME, state) == 0
    state = said(state, *NOTHING)
    assert seat_now(GAME, state) == 2
    state = said(state, *NOTHING)
    assert GAME.heading(state) == "Play-off 2"
    state = said(state, "65411", "stand", "65412", "stand")
    assert (result(GAME, state).winner, result(GAME, state).scores) == (2, (14, 11, 15))


def test_s5_a_single_round_is_won_by_the_highest_cargo_and_a_fresh_cargo_breaks_ties() -> None:
    state = start("Anne", "Bart", "Cora", order="seated", mode="single")
    state = said(state, "65444", "stand", "65444", "stand", "65411", "stand")
    state = said(state, *NOTHING, "65411", "stand")
    assert (result(GAME, state).winner, result(GAME, state).scores) == (1, (8, 8, 2))
    assert [tally["cargo"] for tally in GAME.tallies(state)] == [0, 2, 2]


def test_s5_alone_the_turns_to_the_target_are_counted() -> None:
    state = said(start("Anne", target="20", finish_round="false"), *NOTHING, FULL, "stand", FULL, "stand")
    assert result(GAME, state).winner == 0
    assert GAME.tallies(state)[0]["turns"] == 3


# --- S6: stakes -----------------------------------------------------------------------------------------------------


def test_s6_everybody_pays_the_stake_and_the_winner_takes_the_pot() -> None:
    state = start("Anne", "Bart", "Cora", order="seated", mode="single", stake="5")
    assert [tally["purse"] for tally in GAME.tallies(state)] == [-5, -5, -5]
    state = said(state, FULL, "stand", *NOTHING, *NOTHING)
    assert [tally["purse"] for tally in GAME.tallies(state)] == [10, -5, -5]


# --- options, examples and figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"mode": "double"}, {"target": "0"}, {"cargo_dice": "one"}, {"finish_round": "yes"}, {"stake": "-1"}, {"a": "b"}],
)
def test_an_option_that_cannot_be_is_refused_in_words(options: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="expected"):
        GAME.start(("Anne", "Bart"), options)


def crew_found(state: State) -> int:
    return len(state.turn.berths.dice)


def test_the_crew_is_complete_with_the_exact_chances_of_the_rules() -> None:
    after: dict[int, Counter[int]] = {}
    for found in range(3):
        aside = said(start(order="seated"), "654"[:found].ljust(5, "1"))
        dice = GAME.turn(aside)
        assert isinstance(dice, Roll)
        thrown = [GAME.apply(aside, Rolled(faces)) for faces in product(range(1, 7), repeat=5 - found)]
        after[found] = Counter(map(crew_found, thrown))

    def chance(found: int, then: int) -> Fraction:
        return Fraction(after[found][then], 6 ** (5 - found))

    first = chance(0, 3)
    second = sum(chance(0, found) * chance(found, 3) for found in range(3))
    third = sum(chance(0, a) * chance(a, b) * chance(b, 3) for a in range(3) for b in range(3))
    assert first == Fraction(205, 1296)
    assert second == Fraction(1995847, 10077696)
    assert round(float(first + second + third), 9) == 0.539975108
