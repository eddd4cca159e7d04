"""docs/rules/legend.md L15 - L17: buying captured pieces back."""

import pytest

from captains_table.games.contract import AmountAsk, Pick
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BART,
    GAME,
    NO_CARGO,
    asked,
    cargo,
    legend,
    moves,
    offered,
    on_board,
    piece,
    play,
    refuses,
    seat,
    start,
    tallies,
    throwable,
    told,
)

RICH = "6 5 4 6 6"  # a cargo of 12
TABLE_A5 = "r3k3/8/8/{}7/8/8/6PP/4K3 w - - 0 1"


def robbed(letter: str, fen: str = TABLE_A5) -> State:
    """Return a match in which White holds 36 cargo, has lost the piece on a5, and must throw."""
    state = start(fen.format(letter))
    for mine, theirs in (("h2h3", "e8d8"), ("h3h4", "d8e8"), ("h4h5", "a8a5")):
        state = moves(moves(state, mine, cargo=RICH), theirs)
    return state


def asking(letter: str, die: int = 6) -> State:
    """Return the match with White about to name a price."""
    return play(robbed(letter.upper()), f"roll 1 1 1 1 1 {die}", "buy-back", letter)


def price_ask(state: State) -> AmountAsk:
    ask = asked(state).ask
    assert isinstance(ask, AmountAsk)
    return ask


# --- L15 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "value"), [("p", 1), ("n", 2), ("b", 3), ("r", 4), ("q", 6)])
def test_a_piece_is_for_sale_when_the_die_covers_its_value(letter: str, value: int) -> None:
    state = robbed(letter.upper())
    for die in range(1, 7):
        assert ("buy-back" in offered(play(state, f"roll 1 1 1 1 1 {die}"))) == (die >= value)
    assert offered(play(state, "roll 1 1 1 1 1 6", "buy-back")) == {letter}


def test_nothing_is_for_sale_before_the_die_fell_or_after_the_move_or_of_the_others_colour() -> None:
    assert "buy-back" not in offered(play(robbed("N"), "roll-cargo 1 1 1 1 1"))
    assert "buy-back" not in offered(play(robbed("N"), "roll 1 1 1 1 1 6", "g2g3"))
    assert "buy-back" not in offered(play(moves(robbed("N"), "e1e2"), "roll 1 1 1 1 1 6"))


@pytest.mark.parametrize(("letter", "rank"), [("B", "2N1K3"), ("Q", "3BK3")])
def test_a_piece_without_a_vacant_start_square_is_not_for_sale(letter: str, rank: str) -> None:
    state = robbed(letter, f"r3k3/8/8/{{}}7/8/8/6PP/{rank} w - - 0 1")
    assert "buy-back" not in offered(play(state, "roll 1 1 1 1 1 6"))


@pytest.mark.parametrize(
    ("letter", "squares"),
    [
        ("p", {"p@a2", "p@b2", "p@c2", "p@d2", "p@e2", "p@f2", "p@h2"}),
        ("n", {"n@b1", "n@g1"}),
        ("b", {"b@c1"}),  # a5 is dark, and so is c1
        ("r", {"r@a1", "r@h1"}),
        ("q", {"q@d1"}),
    ],
)
def test_it_enters_on_a_vacant_start_square(letter: str, squares: set[str]) -> None:
    assert offered(play(asking(letter), "offer 0", "agree")) == squares


def test_of_two_captured_bishops_the_square_tells_which_one_enters() -> None:
    state = moves(start("1r2k3/8/8/BB6/8/8/6PP/4K3 w - - 0 1"), "h2h3", "b8b5", "h3h4", "b5a5")
    state = play(state, "roll 1 1 1 1 1 6", "buy-back", "b", "offer 0", "agree")
    assert offered(state) == {"b@c1", "b@f1"}
    state = moves(play(state, "b@c1", "done"), "e8d8")
    assert offered(play(state, "roll 1 1 1 1 1 6", "buy-back", "b", "offer 0", "agree")) == {"b@f1"}


def test_black_enters_on_its_own_side() -> None:
    state = moves(start("4k3/6pp/8/8/n7/8/8/R3K3 b - - 0 1"), "h7h6", cargo=RICH)
    state = play(moves(state, "a1a4"), "roll 1 1 1 1 1 2", "buy-back", "n", "offer 10", "agree")
    assert offered(state) == {"n@b8", "n@g8"}
    assert piece(play(state, "n@b8"), "b8") == "n"


def test_the_entry_is_the_turns_move_and_scores_the_die() -> None:
    state = play(asking("n", die=5), "offer 10", "agree", "n@b1")
    assert piece(state, "b1") == "N"
    assert legend(state, ANNE) == 3 * 6 + 5
    assert on_board(state) == set()
    assert "done" in offered(state)
    assert seat(play(state, "done")) == BART


def test_with_score_piece_the_entry_scores_the_entered_piece() -> None:
    state = start(TABLE_A5.format("N"), score="piece")
    state = moves(moves(state, "h2h3", cargo=RICH), "a8a5")
    state = play(state, "roll 1 1 1 1 1 6", "buy-back", "n", "offer 10", "agree", "n@b1")
    assert legend(state, ANNE) == 1 + 2


def test_an_entry_with_a_die_thrown_three_times_scores_nothing() -> None:
    throws = ("roll 1 1 1 1 1 6", "keep 1 2 3 4 5 -> 6", "keep 1 2 3 4 5 -> 6")
    state = play(robbed("N"), *throws, "buy-back", "n", "offer 10", "agree", "n@b1")
    assert legend(state, ANNE) == 3 * 6


def test_an_entry_can_strike() -> None:
    state = moves(robbed("Q"), "e1e2", "e8d8")
    state = play(state, "roll 1 1 1 1 1 6", "buy-back", "q", "offer 30", "agree")
    assert sorted(game_event.points for game_event in told(state, "q@d1") if game_event.points) == [1, 6]


# --- L16 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "price"), [("p", 5), ("n", 10), ("b", 15), ("r", 20), ("q", 30)])
def test_the_price_starts_at_five_times_the_value(letter: str, price: int) -> None:
    ask = price_ask(asking(letter))
    assert (ask.lo, ask.hi, ask.default) == (0, 36, price)


@pytest.mark.parametrize(("thrown", "cargo"), [(RICH, 12), (NO_CARGO, 0)])
def test_the_price_starts_at_the_whole_cargo_when_that_is_less(thrown: str, cargo: int) -> None:
    state = moves(moves(start(TABLE_A5.format("Q")), "h2h3", cargo=thrown), "a8a5")
    ask = price_ask(play(state, "roll 1 1 1 1 1 6", "buy-back", "q"))
    assert (ask.lo, ask.hi, ask.default) == (0, cargo, cargo)


def test_the_turns_own_cargo_cannot_pay() -> None:
    state = moves(start(TABLE_A5.format("N")), "h2h3", "a8a5")
    state = play(state, f"roll {RICH} 6", "buy-back", "n")
    assert price_ask(state).hi == 0


def test_the_opponent_is_asked_whether_he_agrees() -> None:
    state = play(asking("n"), "offer 10")
    assert seat(state) == BART
    assert offered(state) == {"agree", "refuse"}


@pytest.mark.parametrize("price", [0, 10, 36])
def test_an_agreed_price_goes_from_buyer_to_seller_at_once(price: int) -> None:
    state = play(asking("n"), f"offer {price}", "agree")
    assert (cargo(state, ANNE), cargo(state, BART)) == (36 - price, price)
    assert seat(state) == ANNE


def test_a_refused_price_changes_nothing() -> None:
    state = play(asking("n"), "offer 10", "refuse")
    assert (cargo(state, ANNE), cargo(state, BART)) == (36, 0)
    assert seat(state) == ANNE
    assert "g2g3" in offered(state)


def test_an_accepted_price_makes_the_legend_die_final() -> None:
    state = play(asking("n"), "offer 10", "agree")
    assert refuses(state, Pick("throw-again"))
    assert throwable(play(state, "n@b1")) == (1, 2, 3, 4, 5)


def test_a_refusal_does_not_make_the_legend_die_final() -> None:
    assert throwable(play(asking("n"), "offer 10", "refuse")) == (1, 2, 3, 4, 5, 6)


def test_at_most_three_offers_a_turn() -> None:
    state = play(asking("n"), "offer 10", "refuse", "buy-back", "n", "offer 11", "refuse")
    assert "buy-back" in offered(state)
    state = play(state, "buy-back", "n", "offer 12", "refuse")
    assert "buy-back" not in offered(state)
    state = moves(play(state, "g2g3", "done"), "e8d8")
    assert "buy-back" in offered(play(state, "roll 1 1 1 1 1 6"))


# --- L17 ------------------------------------------------------------------------------------------------------------


def settled_for(state: State) -> int:
    """Return what Black wins by taking White's king on e1 with the rook that stands on a5."""
    before = cargo(state, BART)
    state = moves(state, "a5a1", "g2g4", "a1e1")
    assert GAME.details(state)["round"] == 2
    return cargo(state, BART) - before


def test_a_piece_bought_back_leaves_the_captors_captures() -> None:
    assert settled_for(moves(robbed("N"), "h5h6")) == 2 + 5
    bought = play(robbed("N"), "roll 1 1 1 1 1 6", "buy-back", "n", "offer 10", "agree", "n@g1", "done")
    assert settled_for(bought) == 5


def test_a_piece_bought_back_can_be_bought_no_more() -> None:
    state = play(asking("n"), "offer 10", "agree", "n@b1", "done")
    assert "buy-back" not in offered(play(moves(state, "e8d8"), "roll 1 1 1 1 1 6"))


def test_captured_again_it_counts_and_is_for_sale_again() -> None:
    state = play(asking("r"), "offer 5", "agree", "r@a1", "done")
    state = moves(state, "a5a1", "g2g4")
    before = cargo(state, BART)
    assert cargo(moves(state, "a1e1"), BART) - before == 4 + 5
    state = moves(state, "e8d8")
    assert "r" in offered(play(state, "roll 1 1 1 1 1 6", "buy-back"))


def test_a_rook_that_entered_does_not_castle() -> None:
    state = moves(start("4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1"), "g2h1", "a1b1", "h1g2", "b1a1", "g2a8")
    state = play(state, "roll 1 1 1 1 1 6", "buy-back", "r", "offer 0", "agree", "r@h1", "done")
    state = moves(state, "a8b7")
    assert not {"e1g1", "e1c1"} & on_board(play(state, "roll 1 1 1 1 1 6"))


PROMOTES = "1k2r3/P7/8/8/8/8/7P/4K3 w - - 0 1"


def test_a_captured_promoted_piece_settles_as_what_it_was() -> None:
    state = moves(moves(start(PROMOTES), "a7a8q", cargo=RICH), "b8a8", "h2h3", "e8e1")
    assert tallies(state, BART)[0] == 6 + 5


def test_a_captured_promoted_piece_costs_and_enters_as_a_pawn() -> None:
    state = moves(moves(start(PROMOTES), "a7a8q", cargo=RICH), "b8a8")
    state = play(state, "roll 1 1 1 1 1 1", "buy-back")
    assert offered(state) == {"p"}
    state = play(state, "p")
    assert price_ask(state).default == 5
    state = play(state, "offer 5", "agree")
    assert offered(state) == {f"p@{file}2" for file in "abcdefg"}
    assert piece(play(state, "p@a2"), "a2") == "P"
