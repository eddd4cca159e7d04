"""Ship, Captain and Crew by rule number (docs/rules/ship-captain-crew.md)."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from captains_table.games.contract import BadOption, IllegalAction, Over, Roll, Rolled
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.ship_captain_crew.state import State
from tests.support.by_words import DiceGame

GAME = ShipCaptainCrew()
BY_WORDS = DiceGame(GAME)
said, totals, result, seat_now, due = BY_WORDS.said, BY_WORDS.totals, BY_WORDS.final, BY_WORDS.seat, BY_WORDS.due
NOTHING = ("11111", "11111", "11111")
FULL = ("65466", "stand")  # a cargo of 12 at once


def start(*names: str, **options: str) -> State:
    return GAME.start(names or ("Anne", "Bart"), options)


def seated(*names: str, **options: str) -> State:
    """Return a match that the first one named begins."""
    return start(*names, order="seated", **options)


def roles(state: State) -> dict[str, int]:
    found = {berth.name: berth.face for berth in GAME.slots(state) if berth.die is not None}
    dice = GAME.dice(state)
    for berth in GAME.slots(state):
        assert berth.die is None or (dice[berth.die - 1].face, dice[berth.die - 1].held) == (berth.face, True)
    return found


# --- S1, S7: who begins ---------------------------------------------------------------------------------------------


def test_s1_the_highest_total_of_five_dice_begins_and_then_it_goes_clockwise() -> None:
    state = said(start("Anne", "Bart", "Cora"), "11111", "66666", "22222")
    seats = []
    for _ in range(4):
        seats.append(seat_now(state))
        state = said(state, *NOTHING)
    assert seats == [1, 2, 0, 1]


def test_s7_one_to_thirty_two_may_play() -> None:
    names = tuple(f"Player {number}" for number in range(1, 33))
    state = said(start(*names), *["11111"] * 31, "66666", *NOTHING, *FULL)
    assert (seat_now(state), totals(state)[:2]) == (1, [12, 0])
    with pytest.raises(BadOption, match="32"):
        start(*names, "Player 33")


def test_s1_those_tied_for_the_highest_throw_one_die_until_it_is_broken() -> None:
    state = said(start("Anne", "Bart", "Cora"), "66661", "11111", "16666")
    assert (due(state).seat, due(state).dice, due(state).at_once) == (0, (1,), False)
    state = said(state, "3", "3", "2", "5")
    assert (seat_now(state), len(GAME.dice(state))) == (2, 5)


@pytest.mark.parametrize("state", [seated(), start("Anne")], ids=["it is agreed", "nobody else plays"])
def test_s1_nothing_is_thrown_for_the_start_when_it_is_agreed_or_nobody_else_plays(state: State) -> None:
    assert GAME.turn(state) == Roll(0, (1, 2, 3, 4, 5), at_once=False, prompt="Anne: throw the dice")


# --- S2: the crew in its order --------------------------------------------------------------------------------------


def test_s2_a_five_and_a_four_without_a_ship_are_thrown_again_and_what_is_found_stays() -> None:
    state = said(seated(), "55441")
    assert roles(state) == {}
    assert (due(state).dice, due(state).at_once) == ((1, 2, 3, 4, 5), False)
    state = said(seated(), "64222")
    assert (roles(state), due(state).dice) == ({"ship": 6}, (2, 3, 4, 5))
    assert roles(said(state, "1554")) == {"ship": 6, "captain": 5, "crew": 4}


# --- S3, S4: the cargo, and no crew ---------------------------------------------------------------------------------


def test_s3_both_cargo_dice_are_thrown_together_and_the_last_throw_counts_even_if_it_is_lower() -> None:
    state = said(seated(), "66541", "throw-again")
    assert (due(state).dice, due(state).at_once) == ((2, 5), True)
    state = said(state, "11")
    assert BY_WORDS.ids(state) == ["stand", "throw-again"]
    assert totals(said(state, "stand")) == [2, 0]
    third = said(state, "throw-again", "65")
    assert (totals(third), seat_now(third)) == ([11, 0], 1), "the third throw ends the turn by itself"


def test_s3_each_cargo_die_may_be_thrown_by_itself_if_agreed() -> None:
    asked = said(seated(cargo_dice="each"), "65416", "throw-again")
    assert BY_WORDS.keep_ask(asked).dice == (4, 5)
    state = said(asked, "keep 5")
    assert GAME.turn(state) == Roll(0, (4,), at_once=True, prompt="The dice fall")
    assert totals(said(state, "5", "stand")) == [11, 0]
    with pytest.raises(IllegalAction, match="at least one"):
        said(asked, "keep 4 5")


def test_s4_without_a_crew_by_the_third_throw_the_turn_scores_nothing() -> None:
    state = said(seated(), "65333", "333", "666")
    assert (totals(state), seat_now(state)) == ([0, 0], 1)


# --- S5: the end ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words", "winner", "scores"),
    [
        ({"target": "10"}, (*FULL, "65465", "stand"), 0, (12, 11)),
        ({"target": "10"}, ("65455", "stand", "65465", "stand"), 1, (10, 11)),
        ({"target": "10", "finish_round": "false"}, FULL, 0, (12, 0)),
    ],
    ids=["the highest total", "the second of the round", "the first to the target if agreed"],
)
def test_s5_the_round_is_finished_and_the_highest_total_wins(
    options: dict[str, str], words: tuple[str, ...], winner: int, scores: tuple[int, ...]
) -> None:
    before, state = said(seated(**options), *words[:-1]), said(seated(**options), *words)
    assert not isinstance(GAME.turn(before), Over)
    assert (result(state).winner, result(state).scores) == (winner, scores)


def test_s5_only_the_tied_play_on_and_what_they_score_is_added() -> None:
    state = said(seated("Anne", "Bart", "Cora", target="10"), *FULL, "65465", "stand", *FULL)
    assert (GAME.heading(state), seat_now(state)) == ("Play-off 1", 0)
    state = said(state, *NOTHING)
    assert seat_now(state) == 2
    state = said(state, *NOTHING)
    assert GAME.heading(state) == "Play-off 2"
    state = said(state, "65411", "stand", "65412", "stand")
    assert (result(state).winner, result(state).scores) == (2, (14, 11, 15))


def test_s5_a_single_round_is_won_by_the_highest_cargo_and_a_fresh_cargo_breaks_ties() -> None:
    state = seated("Anne", "Bart", "Cora", mode="single")
    state = said(state, "65444", "stand", "65444", "stand", "65411", "stand", *NOTHING, "65411", "stand")
    assert (result(state).winner, result(state).scores) == (1, (8, 8, 2))
    assert [tally["cargo"] for tally in GAME.tallies(state)] == [0, 2, 2]


@pytest.mark.parametrize(
    ("options", "words", "then", "stands"),
    [
        ({}, ("65465",), "Stand, or throw the cargo again: the last throw counts", True),
        ({"target": "10"}, ("65455", "stand", "65445"), "Anne has 10: Bart's last turn, needs cargo 11", False),
        ({"target": "10"}, ("65455", "stand", "65455"), "Anne has 10: Bart's last turn, needs cargo 11", True),
        ({"target": "10"}, (*FULL, "65465"), "Anne has 12: Bart's last turn, cannot pass", False),
        ({"mode": "single"}, ("65411", "stand", "65412"), "Anne has 2: Bart's last turn, needs cargo 3", True),
        ({"target": "4"}, ("65413",), "Standing makes 4: the target is 4", True),
    ],
)
def test_s5_who_throws_last_is_told_what_wins_and_does_not_stand_with_less(
    options: dict[str, str], words: tuple[str, ...], then: str, *, stands: bool
) -> None:
    ask = BY_WORDS.pick_ask(said(seated(**options), *words))
    cargo = sum(map(int, words[-1])) - 15
    assert (ask.options[0].label, ask.default == "stand") == (f"Stand with {cargo}", stands)
    assert ask.then == then
    state = said(seated(**options), *words)
    assert GAME.stakes(state) == (then if "last turn" in then else "")
    assert GAME.goal(state) == (
        f"first to {options.get('target', 50)}; then last turns" if "mode" not in options else ""
    )


def test_s5_alone_the_turns_to_the_target_are_counted() -> None:
    state = said(start("Anne", target="20", finish_round="false"), *NOTHING, *FULL, *FULL)
    assert (result(state).winner, GAME.tallies(state)[0]["turns"]) == (0, 3)


# --- S6: stakes -----------------------------------------------------------------------------------------------------


def test_s6_everybody_pays_the_stake_and_the_winner_takes_the_pot() -> None:
    state = seated("Anne", "Bart", "Cora", mode="single", stake="5")
    assert [tally["purse"] for tally in GAME.tallies(state)] == [-5, -5, -5]
    state = said(state, *FULL, *NOTHING, *NOTHING)
    assert [tally["purse"] for tally in GAME.tallies(state)] == [10, -5, -5]


# --- options and figures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"mode": "double"}, {"target": "0"}, {"cargo_dice": "one"}, {"finish_round": "yes"}, {"stake": "-1"}, {"a": "b"}],
)
def test_an_option_that_cannot_be_is_refused_in_words(options: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="expected"):
        GAME.start(("Anne", "Bart"), options)


@pytest.mark.slow
def test_the_crew_is_complete_with_the_exact_chances_of_the_rules() -> None:
    after: dict[int, Counter[int]] = {}
    for found in range(3):
        aside = said(seated(), "654"[:found].ljust(5, "1"))
        thrown = [GAME.apply(aside, Rolled(faces)) for faces in product(range(1, 7), repeat=5 - found)]
        after[found] = Counter(len(state.turn.berths.dice) for state in thrown)

    def chance(found: int, then: int) -> Fraction:
        return Fraction(after[found][then], 6 ** (5 - found))

    first = chance(0, 3)
    second = sum(chance(0, found) * chance(found, 3) for found in range(3))
    third = sum(chance(0, a) * chance(a, b) * chance(b, 3) for a in range(3) for b in range(3))
    assert first == Fraction(205, 1296)
    assert second == Fraction(1995847, 10077696)
    assert round(float(first + second + third), 9) == 0.539975108
