"""docs/rules/legend.md L5 - L8: throwing the dice, cargo, the umbrella, forfeits; L18 - L19: the Genie."""

import pytest

from captains_table.games.contract import Keep, Pick
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BARE_KINGS,
    BART,
    GAME,
    cargo,
    due,
    legend,
    lying,
    moves,
    offered,
    on_board,
    piece,
    pieces,
    play,
    refuses,
    seat,
    start,
    tallies,
    throwable,
    told,
)

KING_IN_A_BOX = "4k3/8/8/8/8/p7/P7/K7 w - - 0 1"  # a die below the king's 5 moves nothing
ALL_KINDS = "4k3/7p/8/8/P7/2N2B2/3Q4/R3K3 w - - 0 1"
ONES = "roll 1 1 1 1 1 1"


# --- L5 -------------------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_all_six_dice_or_one_group_first() -> None:
    assert offered(start()) - {"abandon"} == {"roll", "roll-cargo", "roll-legend"}


@pytest.mark.parametrize(
    ("pick", "dice"), [("roll", (1, 2, 3, 4, 5, 6)), ("roll-cargo", (1, 2, 3, 4, 5)), ("roll-legend", (6,))]
)
def test_a_picked_throw_falls_at_once(pick: str, dice: tuple[int, ...]) -> None:
    roll = due(play(start(), pick))
    assert (roll.seat, roll.dice, roll.at_once) == (ANNE, dice, True)


def test_the_groups_may_be_thrown_one_after_the_other_in_either_order() -> None:
    once = play(start(), "roll-cargo 1 2 3 4 5")
    assert offered(once) & {"roll", "roll-cargo", "roll-legend"} == {"roll-legend"}
    state = play(start(), "roll-legend 2", "roll-cargo 1 2 3 4 5")
    assert lying(state) == lying(play(start(), "roll-cargo 1 2 3 4 5", "roll-legend 2")) == (1, 2, 3, 4, 5, 2)


@pytest.mark.parametrize(
    ("words", "dice"),
    [
        (["roll-cargo 1 1 1 1 1", "keep 1 -> 2 2 2 2", "keep 1 2 3 4 -> 3"], ()),
        (["roll-legend 1", "keep -> 2", "keep -> 3"], ()),
        ([ONES, "keep 6 -> 2 2 2 2 2", "keep 6 -> 3 3 3 3 3"], (6,)),
        ([ONES, "keep 6 -> 2 2 2 2 2", "keep 6 -> 3 3 3 3 3", "keep -> 4"], (6,)),
        ([ONES, "keep 1 2 3 4 5 -> 4", "keep 1 2 3 4 5 -> 5"], (1, 2, 3, 4, 5)),
        ([ONES, "e2e4"], (1, 2, 3, 4, 5)),
    ],
    ids=["cargo", "Legend", "cargo: Legend goes on", "and twice", "Legend: cargo goes on", "a move: Legend is final"],
)
def test_cargo_and_legend_dice_are_each_thrown_at_most_three_times(words: list[str], dice: tuple[int, ...]) -> None:
    assert throwable(play(start(), *words)) == dice


@pytest.mark.parametrize(
    ("words", "dice"),
    [
        (["roll-cargo 1 1 1 1 1", "keep 1 -> 2 2 2 2", "keep 1 2 3 4 -> 3"], (1, 2, 2, 2, 3, None)),
        (["roll 1 2 3 4 5 1", "keep 2 4 -> 6 6 6 2"], (6, 2, 6, 4, 6, 2)),
        (["roll 6 5 4 1 1 1", "keep 1 2 3 6 -> 2 2", "keep 6 -> 1 1 1 1 1"], (1, 1, 1, 1, 1, 1)),
    ],
    ids=["kept dice stay", "both kinds: the gaps fill from the left", "a kept die is thrown later"],
)
def test_dice_that_are_not_kept_fall_anew(words: list[str], dice: tuple[int | None, ...]) -> None:
    assert lying(play(start(), *words)) == dice


def test_dice_that_may_no_longer_be_thrown_stay_whether_named_or_not() -> None:
    state = play(start(), "roll 1 1 1 1 1 6", "e2e4", "throw-again")
    for kept in [(1, 2, 3), (1, 2, 3, 6)]:
        assert due(GAME.apply(state, Keep(kept))).dice == (4, 5)


def test_a_turn_cannot_end_or_be_forfeited_with_dice_never_thrown() -> None:
    state = play(start(), "roll-legend 1", "e2e4")
    assert "done" not in offered(state)
    assert "done" in offered(play(state, "roll-cargo 1 1 1 1 1"))
    assert "done" not in offered(play(start(KING_IN_A_BOX), "roll-legend 1"))
    assert "done" not in offered(play(start(KING_IN_A_BOX), "roll-cargo 6 5 4 3 2"))


# --- L6 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "worth"),
    [("65411", 2), ("65466", 12), ("43526", 5), ("65555", 0), ("66443", 0), ("55444", 0)],
)
def test_cargo_is_the_two_dice_that_are_not_ship_captain_and_crew(faces: str, worth: int) -> None:
    assert cargo(moves(start(), "e2e4", cargo=" ".join(faces)), ANNE) == worth


def test_cargo_is_credited_when_the_turn_ends_and_legend_at_once() -> None:
    state = play(start(), "roll 6 5 4 6 6 2", "e2e4")
    assert tallies(state, ANNE) == (0, 2)
    assert tallies(play(state, "done"), ANNE) == (12, 2)


@pytest.mark.parametrize(("again", "worth"), [("keep 1 2 -> 1 1 1", 0), ("keep 1 2 3 -> 6 6", 12)])
def test_throwing_after_the_crew_shows_may_lose_it_for_the_final_dice_count(again: str, worth: int) -> None:
    assert cargo(play(start(), "roll 6 5 4 1 1 1", "e2e4", again, "done"), ANNE) == worth


# --- L7 -------------------------------------------------------------------------------------------------------------


def test_cargo_dice_may_be_thrown_before_and_after_the_move_and_a_piece_moves_only_after_the_legend_die_fell() -> None:
    state = play(start(), "roll-cargo 1 1 1 1 1", "keep -> 6 1 1 1 1")
    assert on_board(state) == set()
    assert refuses(state, Pick("e2e4"))
    assert cargo(play(state, "roll-legend 3", "e2e4", "keep 1 -> 5 4 3 3"), ANNE) == 6


@pytest.mark.parametrize(
    "words",
    [
        [ONES, "keep 6 -> 1 1 1 1 1", "keep 6 -> 6 5 4 2 2", "e2e4"],
        [ONES, "e2e4", "keep -> 1 1 1 1 1", "keep -> 6 5 4 2 2"],
    ],
    ids=["after the move", "after the last cargo throw"],
)
def test_with_the_move_made_and_no_cargo_throw_left_the_turn_passes_by_itself(words: list[str]) -> None:
    assert seat(play(start(), *words[:-1])) == ANNE
    state = play(start(), *words)
    assert (seat(state), tallies(state, ANNE)) == (BART, (4, 1))


# --- L8 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "letters"), [(1, "P"), (2, "PN"), (3, "PNB"), (4, "PNBR"), (5, "PNBRK"), (6, "PNBRKQ")]
)
def test_the_die_lets_every_piece_move_whose_value_it_covers(die: int, letters: str) -> None:
    state = play(start(ALL_KINDS), f"roll 1 1 1 1 1 {die}")
    assert {piece(state, id_[:2]) for id_ in on_board(state)} == set(letters)
    assert "done" not in offered(state)
    assert refuses(state, Pick("done")), "passing is not allowed while a permitted piece can move"
    above = {refused.id for refused in GAME.refused(state)}
    assert ("d2d1" in above) == (die < 6)
    assert die == 6 or refuses(state, Pick("d2d1")), "a piece above the die does not move, and the reason is told"


def test_without_a_permitted_move_the_legend_die_may_be_thrown_again() -> None:
    state = play(start(KING_IN_A_BOX), "roll 1 1 1 1 1 4")
    assert on_board(state) == set()
    assert 6 in throwable(state)
    assert on_board(play(state, "keep 1 2 3 4 5 -> 5")) == {"a1b1", "a1b2"}


def test_without_a_permitted_move_and_throws_the_move_is_forfeited() -> None:
    state = play(start(KING_IN_A_BOX), "roll 6 5 4 3 2 1", "keep 1 2 3 4 5 -> 2", "keep 1 2 3 4 5 -> 3")
    assert offered(state) - {"abandon", "genie", "throw-again"} == {"done"}
    before = pieces(state)
    state = play(state, "done")
    assert (pieces(state), seat(state), tallies(state, ANNE)) == (before, BART, (5, 0))


def test_a_forfeit_does_not_pass_by_itself_while_the_genie_may_still_come() -> None:
    state = play(start(KING_IN_A_BOX), ONES, *["keep -> 1 1 1 1 1 1"] * 2)
    assert seat(state) == ANNE
    assert {"genie", "done"} <= offered(state)


def test_a_throw_again_with_one_die_left_to_throw_falls_at_once() -> None:
    roll = due(play(start(BARE_KINGS), "roll-legend 1", "throw-again"))
    assert (roll.dice, roll.at_once) == ((6,), True)


ROLL_SIX = "roll 1 1 1 1 1 6"
BLACK_TO_MOVE = "4k3/8/8/8/8/8/8/4K3 b - - 0 1"


def genie(fen: str, faces: str, die: int = 6) -> State:
    """Return a match in which the Genie has been called, and the two dice have fallen."""
    return play(start(fen), f"roll 1 1 1 1 1 {die}", f"genie {faces}")


@pytest.mark.parametrize(
    ("fen", "faces", "squares"),
    [
        *((BARE_KINGS, faces, "f4 d6") for faces in ("5 3", "3 5")),
        *((BARE_KINGS, "1 6", "b7 g2"), (BARE_KINGS, "1 2", "b3 c2"), (BARE_KINGS, "6 4", "g5 e7")),
        *((BARE_KINGS, "1 1", "b2"), (BARE_KINGS, "6 6", "g7")),
        *((BLACK_TO_MOVE, "5 3", "c5 e3"), (BLACK_TO_MOVE, "1 6", "g2 b7"), (BLACK_TO_MOVE, "1 2", "g6 f7")),
        *((BLACK_TO_MOVE, "1 1", "g7"), (BLACK_TO_MOVE, "6 6", "b2")),
    ],
)
def test_two_dice_give_two_squares_and_a_double_one_with_the_board_turned_round_for_black(
    fen: str, faces: str, squares: str
) -> None:
    assert offered(genie(fen, faces)) == {f"genie-{square}" for square in squares.split()}


def test_in_the_second_round_the_colours_decide_not_the_seats() -> None:
    state = play(start(), "abandon", "agree", ROLL_SIX)
    assert seat(state) == BART
    assert offered(play(state, "genie 3 4")) == {"genie-d5", "genie-e4"}


@pytest.mark.parametrize("die", range(1, 7))
def test_the_genie_waits_for_the_die_comes_whatever_it_shows_and_its_dice_wait_for_the_button(die: int) -> None:
    assert "genie" not in offered(play(start(BARE_KINGS), "roll-cargo 1 1 1 1 1"))
    roll = due(play(start(BARE_KINGS), f"roll 1 1 1 1 1 {die}", "genie"))
    assert (roll.seat, len(roll.dice), roll.at_once) == (ANNE, 2, False)


def test_the_king_goes_there_as_the_turns_move_and_scores_the_die_and_no_treasure() -> None:
    assert "done" in offered(play(genie(BARE_KINGS, "6 1"), "genie-b7"))
    state = play(genie(BARE_KINGS, "5 3", die=2), "genie-d6")
    assert (piece(state, "d6"), piece(state, "e1"), legend(state, ANNE)) == ("K", None, 2)
    assert (on_board(state), throwable(state)) == (set(), (1, 2, 3, 4, 5)), "the Legend die is final"
    assert "done" in offered(state)


def test_the_genies_hop_scores_nothing_with_a_die_thrown_three_times_and_can_strike() -> None:
    state = play(start(BARE_KINGS), ROLL_SIX, "keep 1 2 3 4 5 -> 6", "keep 1 2 3 4 5 -> 6", "genie 5 3", "genie-f4")
    assert legend(state, ANNE) == 0
    state = genie("8/4k3/8/8/8/8/8/4K3 w - - 0 1", "5 3", die=1)
    assert [event.points for event in told(state, "genie-d6") if event.points] == [1, 1]
    opened = play(genie("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "5 3", die=1), "genie-f4")
    assert legend(opened, ANNE) == 2


def test_the_genie_comes_once_a_round_for_each_king() -> None:
    state = play(genie(BARE_KINGS, "5 3"), "genie-f4", "done", ROLL_SIX)
    assert "genie" in offered(state)
    state = play(state, "genie 5 3", "genie-c5", "done", ROLL_SIX)
    assert "genie" not in offered(state)
    assert refuses(state, Pick("genie"))
    next_round = play(genie(BARE_KINGS, "5 3"), "genie-f4", "abandon", "agree")
    assert "genie" in offered(play(next_round, ROLL_SIX))
    assert "genie" in offered(play(moves(next_round, "e2e4"), ROLL_SIX))


@pytest.mark.parametrize(
    "fen",
    ["4k3/8/8/8/5P2/8/8/4K3 w - - 0 1", "4k3/8/8/8/5p2/8/8/4K3 w - - 0 1", "4k3/8/8/8/5K2/8/8/8 w - - 0 1"],
    ids=["an own piece", "an enemy piece", "the king himself"],
)
def test_with_something_on_one_square_the_king_must_go_to_the_other(fen: str) -> None:
    state = genie(fen, "5 3")
    assert offered(state) == {"genie-d6"}
    assert refuses(state, Pick("done"))
    assert refuses(state, Pick("genie-f4"))


def test_with_no_vacant_square_the_genie_is_spent_and_the_king_must_move_as_before() -> None:
    fen = "4k3/8/3p4/8/5p2/8/8/4K3 w - - 0 1"
    before = pieces(start(fen))
    state = genie(fen, "5 3")
    assert pieces(state) == before
    assert legend(state, ANNE) == 0
    assert on_board(state) == {"e1d1", "e1f1", "e1d2", "e1e2", "e1f2"}
    assert not {"genie", "done"} & offered(state)
    assert throwable(state) == (1, 2, 3, 4, 5)
    state = play(state, "e1e2")
    assert legend(state, ANNE) == 6
    assert "genie" not in offered(play(moves(play(state, "done"), "e8e7"), ROLL_SIX))
    own = genie("4k3/8/8/8/8/8/1K6/8 w - - 0 1", "1 1")
    assert piece(own, "b2") == "K"
    assert "genie" not in offered(own), "a double on the king's own square spends it too"


def test_with_no_vacant_square_and_no_permitted_move_the_move_is_forfeited() -> None:
    state = play(start("4k3/8/3p4/8/5p2/8/8/4K3 w - - 0 1"), "roll 6 5 4 3 2 1", "genie 5 3")
    assert (on_board(state), throwable(state)) == (set(), (1, 2, 3, 4, 5))
    state = play(state, "done")
    assert (cargo(state, ANNE), legend(state, ANNE), seat(state)) == (5, 0, BART)


def test_the_king_loses_castling() -> None:
    state = play(start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), ROLL_SIX, "genie 4 1", "genie-e2", "done")
    state = moves(state, "e8e7", "e2e1", "e7e8")
    assert not {"e1g1", "e1c1"} & on_board(play(state, ROLL_SIX))


def test_a_turn_with_no_throw_left_passes_after_the_hop() -> None:
    state = play(start(BARE_KINGS), ROLL_SIX, "keep 6 -> 1 1 1 1 1", "keep 6 -> 1 1 1 1 1", "genie 5 3")
    assert seat(state) == ANNE
    assert seat(play(state, "genie-f4")) == BART
