"""The rules of Pig on nine squares, by their numbers (see the page of rules in its package)."""

import pytest

from captains_table.catalog import entry_of
from captains_table.games.contract import BadOption, Decide, EventKind, Pick, Result, Roll, Rolled, parse_square
from captains_table.runtime.simulated_matches import SimulationPlan, play_match
from pig_game.adviser import advise
from pig_game.odds import expected
from pig_game.rules import BANK, STAY, Pig
from pig_game.state import State
from tests.support.by_words import Reader
from tests.support.random_matches import match_steps

GAME = Pig()


def start(*names: str, **options: str) -> State:
    return GAME.start(names or ("Anne", "Bart"), options)


def played(state: State, *actions: int | str) -> State:
    """Return the state after faces that fell and options that were picked."""
    for action in actions:
        state = GAME.apply(state, Pick(action) if isinstance(action, str) else Rolled((action,)))
    return state


READER = Reader(GAME)
offered, final = READER.ids, READER.final


def in_the_mud(**options: str) -> State:
    """Return a match in which Anne has 6 points and stands on b2, and it is Bart's turn."""
    return played(start(**options), 6, BANK.id, "a1b2")


def test_each_begins_at_home_and_throws_first() -> None:
    """P1, P2."""
    four = start("Anne", "Bart", "Cora", "Dirk")
    assert {str(square): piece for square, piece in GAME.pieces(four).items()} == {
        "a1": "P",
        "c3": "p",
        "c1": "N",
        "a3": "n",
    }
    assert GAME.turn(four) == Roll(0, (1,), at_once=False, prompt="Anne: throw the die")
    assert offered(played(four, 4)) == ["roll", "bank"]


def test_a_one_loses_what_the_turn_has_brought() -> None:
    """P3."""
    after = played(start(), 6, "roll", 5, "roll", 1)
    assert (after.scores, after.seat, after.points) == ((0, 0), 1, 0)
    assert [told.words for told in after.latest_events] == ["Anne throws a 1 and loses 11"]


def test_a_bank_counts_twice_in_the_mud_if_that_was_agreed() -> None:
    """P4."""
    assert played(in_the_mud(), 1, 5, BANK.id).scores == (16, 0)
    assert played(in_the_mud(mud="false"), 1, 5, BANK.id).scores == (11, 0)


def test_a_piece_goes_one_square_or_stays() -> None:
    """P5."""
    assert offered(played(start(), 2, BANK.id)) == ["a1b1", "a1a2", "a1b2", "done"]
    assert played(start(), 2, BANK.id, STAY.id).squares == start().squares


def test_who_is_caught_goes_home_and_pays_what_there_is() -> None:
    """P6."""
    caught = played(in_the_mud(), 5, BANK.id, "c3b2")
    assert GAME.pieces(caught) == {parse_square("a1"): "P", parse_square("b2"): "p"}
    assert caught.scores == (0, 11)
    (told,) = caught.latest_events
    assert (told.kind, told.seat, told.points, told.payer, str(told.square)) == (EventKind.CAPTURE, 1, 6, 0, "b2")


def test_who_is_at_home_or_whose_home_is_not_vacant_cannot_be_caught() -> None:
    """P7."""
    beside_her = played(start(), 1, 6, BANK.id, "c3b2")
    assert "b2a1" not in offered(played(beside_her, 1, 6, BANK.id))
    gone_out = played(beside_her, 6, BANK.id, "a1b1", 6, BANK.id)
    assert {"b2b1", "b2a1"} <= set(offered(gone_out))
    in_her_place = played(gone_out, "b2a1", 1, 6, BANK.id)
    assert "a1b1" not in offered(in_her_place)


def test_the_player_who_reaches_the_target_has_won_at_once() -> None:
    """P8: by a bank, or by a catch."""
    assert final(played(start(target="10"), 6, "roll", 5, BANK.id)) == Result(0, (11, 0))
    assert final(played(in_the_mud(target="11"), 5, BANK.id, "c3b2")) == Result(1, (0, 11))


@pytest.mark.parametrize("options", [{"target": "9"}, {"catch": "-1"}, {"mud": "deep"}, {"sows": "3"}])
def test_what_cannot_be_agreed_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="expected"):
        GAME.start(("Anne", "Bart"), options)


def test_the_odds_of_banking_at_twenty_are_the_known_ones() -> None:
    """A turn of such a player brings 8.14 points."""
    assert float(expected(20)) == pytest.approx(8.14179, abs=1e-5)
    assert max(range(2, 40), key=expected) in (20, 21)


def test_advice_is_always_something_that_is_offered() -> None:
    """And is given wherever there is something to decide."""
    for seed in range(6):
        for step in match_steps(GAME, seed):
            advice = advise(step.before)
            assert (advice is not None) == isinstance(step.turn, Decide)
            if advice is not None:
                assert advice.action is not None
                GAME.apply(step.before, advice.action)


def test_the_best_player_beats_the_others_more_often_than_not() -> None:
    """Its edge over chance is measured by `captains-table simulate pig`."""
    assert entry_of("pig").strategies
    plan = SimulationPlan("pig", ("best", "random"), {"target": "50"}, matches=40, seed=2)
    plan.check()
    assert sum(play_match(plan, number)[0].won for number in range(plan.matches)) > 30
