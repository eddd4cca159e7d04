"""Aether's search against the plain one, its choice at the root, its limits and its memory.

Source: docs/rules/legend.md L5 - L20.
"""

from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from captains_table.games.legend.position import LEGEND_START
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import Situation
from captains_table.players.legend.aether.weights import WEIGHTS
from tests.support.effort import effort
from tests.support.plain_expectimax import (
    PlainExpectimax,
    error_of,
    greatest_error,
    lead_of,
    ordinary_situations,
    round_of,
)

EVALUATION = Evaluation(WEIGHTS)
EXACT = 1e-6
BARE_KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
KINGS_FACE = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"
TWO_DEEP = AetherLimits(depth=2)


@cache
def situations() -> tuple[Situation, ...]:
    """Return what is searched: played to when it is first asked for, not where every worker reads this file."""
    return tuple(ordinary_situations(effort(20, 300)))


# --- exact values ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.long
def test_values_one_two_and_three_moves_ahead_are_those_of_a_plain_expectimax() -> None:
    """Three moves ahead in positions with few moves, as the plain one takes seconds for one with all of them."""
    assert greatest_error(situations(), 1, EVALUATION) < EXACT
    assert greatest_error(situations()[: effort(7, 300)], 2, EVALUATION) < EXACT
    few_moves = list(ordinary_situations(effort(1, 40), seed=5, most_moves=16))
    assert greatest_error(few_moves, 3, EVALUATION) < EXACT


@pytest.mark.parametrize("turns_left", [1, 2, 3, 9])
def test_a_round_that_is_broken_off_ends_in_the_search_too(turns_left: int) -> None:
    limited = [replace(situation, turns_left=turns_left) for situation in situations()[: effort(1, 10)]]
    assert greatest_error(limited, 2, EVALUATION) < EXACT


def test_values_are_exact_where_moves_score_the_pieces_value() -> None:
    by_piece = [replace(situation, scores_piece=True) for situation in situations()[: effort(3, 25)]]
    assert greatest_error(by_piece, 2, EVALUATION) < EXACT


def test_a_memory_too_small_changes_no_value_and_stays_bounded() -> None:
    few = Aether(EVALUATION, table_size=8)
    assert max(abs(error_of(situation, 2, EVALUATION, few)) for situation in situations()[: effort(3, 20)]) < EXACT
    assert 8 < len(few._search._values) + len(few._search._older) <= 2 * 8


def test_the_plain_expectimax_would_notice_a_wrong_value() -> None:
    other = Evaluation(replace(WEIGHTS, turn=WEIGHTS.turn + 0.01))
    assert abs(error_of(situations()[0], 2, other, Aether(EVALUATION))) > EXACT


# --- the choice at the root -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_the_best_of_moving_and_throwing_again_is_chosen(throws: int) -> None:
    """The plain search weighs two moves ahead moving under the die as it lies, and throwing it again."""
    plain = PlainExpectimax(EVALUATION)
    for situation in situations()[: effort(1, 2)]:
        lying = replace(situation, throws=throws, genie_spent=(True, True))
        begun, moves = round_of(lying), plain.weighed_moves(round_of(lying), 2)
        for die in range(1, 7):
            weighed = [worth + (die if throws < 3 else 0) for value, worth in moves if value <= die]
            weighed += [plain.thrown(begun, moves, 2, throws)] if throws < 3 else []
            best = max(weighed, default=plain.forfeited(begun, 2)) + lead_of(lying)
            found = Aether(EVALUATION).find(replace(lying, die=die), TWO_DEEP)
            assert found.value == pytest.approx(best, abs=EXACT)
            assert (found.action == "throw") <= (throws < 3)


@pytest.mark.parametrize(
    ("situation", "action", "move"),
    [
        (Situation(LEGEND_START.fen(), None, 0), "throw", None),
        (Situation(KINGS_FACE, 6, 1, cargo=(0, 30)), "move", "e2e8"),
        (Situation(KINGS_FACE, 4, 3, genie_spent=(True, True)), "move", None),
        (Situation(KINGS_FACE, 4, 2, genie_spent=(True, True)), "throw", None),
        (Situation(BARE_KINGS, 1, 1, is_final=True, genie_spent=(True, True)), "move", None),
    ],
    ids=["before the first throw", "a king stands open", "forfeited after the third", "before the third", "final die"],
)
def test_die_and_throws_decide_what_may_be_found(situation: Situation, action: str, move: str | None) -> None:
    found = Aether().find(situation, TWO_DEEP)
    assert (found.action, found.move, found.depth) == (action, move, 2)


def test_the_genie_is_summoned_where_nothing_else_saves_the_king_and_only_once() -> None:
    """White may not move under this die, a knight is about to take his king, and it would cost him sixty twice."""
    situation = Situation("7k/8/8/8/8/3n4/8/4K3 w - - 0 1", 2, 3, cargo=(60, 0), captures=("", "qrrbbnnpppppppp"))
    found = Aether().find(situation, TWO_DEEP)
    assert (found.action, found.move) == ("genie", None)
    assert Aether().find(replace(situation, genie_spent=(True, False)), TWO_DEEP).action != "genie"


def test_every_open_action_is_weighed_and_the_best_is_the_one_found() -> None:
    for situation in situations()[: effort(3, 6)]:
        lying = replace(situation, die=4, throws=1)
        weighed, found = Aether().weigh(lying, TWO_DEEP), Aether().find(lying, TWO_DEEP)
        values = [*weighed.moves.values(), weighed.throw, weighed.genie, weighed.forfeit]
        assert max(value for value in values if value is not None) == pytest.approx(found.value, abs=EXACT)
        assert found.move is None or weighed.moves[found.move] == pytest.approx(found.value, abs=EXACT)


def test_a_settlement_that_cannot_be_paid_is_worth_less() -> None:
    rich, poor = (Situation(KINGS_FACE, 6, 1, cargo=(0, cargo), captures=("qrr", "")) for cargo in (40, 2))
    gained = [Aether().weigh(each, TWO_DEEP).moves["e2e8"] + each.cargo[1] for each in (rich, poor)]
    assert gained[0] - gained[1] == pytest.approx(2 * (19 - 2))


# --- limits ---------------------------------------------------------------------------------------------------------


def test_a_search_stops_within_nodes_and_gives_back_the_last_whole_depth() -> None:
    situation = replace(situations()[7], die=6, throws=1, genie_spent=(True, True))
    stopped = Aether().find(situation, AetherLimits(nodes=3000))
    whole = Aether().find(situation, AetherLimits(depth=stopped.depth))
    assert 1 <= stopped.depth < 8
    assert stopped.nodes < 3000 + 200
    assert (stopped.action, stopped.move, stopped.value) == (whole.action, whole.move, whole.value)


def test_the_genie_adds_little_however_far_a_search_looks() -> None:
    bare = Situation(BARE_KINGS, 5, 1)
    with_him, without = (
        Aether().find(replace(bare, genie_spent=(spent, spent)), AetherLimits(depth=effort(6, 7)))
        for spent in (False, True)
    )
    assert without.nodes < with_him.nodes < without.nodes + 2000


@pytest.mark.parametrize("readings", [1, 3, 50, 700])
def test_a_deadline_is_kept_at_the_next_position(readings: int) -> None:
    """The clock is read before each position that is looked into, so it is never read again once time is up."""
    clock = count(1.0).__next__
    Aether().find(replace(situations()[7], die=6, throws=1), AetherLimits(until=float(readings), seconds=clock))
    assert clock() == readings + 1


def test_the_same_question_is_answered_the_same_whatever_was_asked_before() -> None:
    used = Aether()
    for situation in situations()[: effort(3, 10)]:
        lying = replace(situation, die=5, throws=1)
        assert used.find(lying, AetherLimits(depth=3)).value == Aether().find(lying, AetherLimits(depth=3)).value
