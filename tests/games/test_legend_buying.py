"""docs/rules/legend.md L15 - L17: buying captured pieces back; L16a: a piece for a piece, the seller's price."""

import pytest

from captains_table.games.contract import Amount, BadOption, Pick
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BART,
    GAME,
    NO_CARGO,
    amount_ask,
    asked,
    cargo,
    labels,
    legend,
    moves,
    offered,
    on_board,
    pick_ask,
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


def test_the_entry_scores_its_value_if_agreed_so_and_nothing_with_a_die_thrown_three_times() -> None:
    state = moves(moves(start(TABLE_A5.format("N"), score="piece"), "h2h3", cargo=RICH), "a8a5")
    bought = play(state, "roll 1 1 1 1 1 6", "buy-back", "n", "offer 10", "agree", "n@b1")
    assert legend(bought, ANNE) == 1 + 2
    throws = ("roll 1 1 1 1 1 6", "keep 1 2 3 4 5 -> 6", "keep 1 2 3 4 5 -> 6")
    assert legend(play(robbed("N"), *throws, "buy-back", "n", "offer 10", "agree", "n@b1"), ANNE) == 3 * 6


def test_an_entry_can_strike() -> None:
    state = moves(robbed("Q"), "e1e2", "e8d8")
    state = play(state, "roll 1 1 1 1 1 6", "buy-back", "q", "offer 30", "agree")
    assert sorted(game_event.points for game_event in told(state, "q@d1") if game_event.points) == [1, 6]


# --- L16 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "price"), [("p", 5), ("n", 10), ("b", 15), ("r", 20), ("q", 30)])
def test_the_price_starts_at_five_times_the_value(letter: str, price: int) -> None:
    ask = amount_ask(asking(letter))
    assert (ask.lo, ask.hi, ask.default) == (0, 36, price)


@pytest.mark.parametrize(("thrown", "cargo"), [(RICH, 12), (NO_CARGO, 0)])
def test_the_price_starts_at_the_whole_cargo_when_that_is_less(thrown: str, cargo: int) -> None:
    state = moves(moves(start(TABLE_A5.format("Q")), "h2h3", cargo=thrown), "a8a5")
    ask = amount_ask(play(state, "roll 1 1 1 1 1 6", "buy-back", "q"))
    assert (ask.lo, ask.hi, ask.default) == (0, cargo, cargo)


def test_the_turns_own_cargo_cannot_pay() -> None:
    state = moves(start(TABLE_A5.format("N")), "h2h3", "a8a5")
    state = play(state, f"roll {RICH} 6", "buy-back", "n")
    assert amount_ask(state).hi == 0


@pytest.mark.parametrize("price", [0, 10, 36])
def test_the_opponent_is_asked_and_an_agreed_price_goes_from_buyer_to_seller_at_once(price: int) -> None:
    state = play(asking("n"), f"offer {price}")
    assert (seat(state), offered(state)) == (BART, {"agree", "refuse"})
    state = play(state, "agree")
    assert (cargo(state, ANNE), cargo(state, BART), seat(state)) == (36 - price, price, ANNE)


def test_a_refused_price_changes_nothing_and_an_accepted_one_makes_the_legend_die_final() -> None:
    refused = play(asking("n"), "offer 10", "refuse")
    assert (cargo(refused, ANNE), cargo(refused, BART), seat(refused)) == (36, 0, ANNE)
    assert "g2g3" in offered(refused)
    assert throwable(refused) == (1, 2, 3, 4, 5, 6)
    agreed = play(asking("n"), "offer 10", "agree")
    assert refuses(agreed, Pick("throw-again"))
    assert throwable(play(agreed, "n@b1")) == (1, 2, 3, 4, 5)


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


def test_a_piece_bought_back_is_for_sale_and_counts_again_only_once_captured_again() -> None:
    state = play(asking("r"), "offer 5", "agree", "r@a1", "done")
    assert "buy-back" not in offered(play(moves(state, "e8d8"), "roll 1 1 1 1 1 6"))
    state = moves(state, "a5a1", "g2g4")
    assert cargo(moves(state, "a1e1"), BART) - cargo(state, BART) == 4 + 5
    assert "r" in offered(play(moves(state, "e8d8"), "roll 1 1 1 1 1 6", "buy-back"))


def test_a_rook_that_entered_does_not_castle() -> None:
    state = moves(start("4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1"), "g2h1", "a1b1", "h1g2", "b1a1", "g2a8")
    state = play(state, "roll 1 1 1 1 1 6", "buy-back", "r", "offer 0", "agree", "r@h1", "done")
    state = moves(state, "a8b7")
    assert not {"e1g1", "e1c1"} & on_board(play(state, "roll 1 1 1 1 1 6"))


PROMOTES = "1k2r3/P7/8/8/8/8/7P/4K3 w - - 0 1"


def test_a_captured_promoted_piece_settles_as_what_it_was_and_costs_and_enters_as_a_pawn() -> None:
    state = moves(start(PROMOTES), "a7a8q", cargo=RICH)
    assert tallies(moves(state, "b8a8", "h2h3", "e8e1"), BART)[0] == 6 + 5
    state = play(moves(state, "b8a8"), "roll 1 1 1 1 1 1", "buy-back")
    assert offered(state) == {"p"}
    state = play(state, "p")
    assert amount_ask(state).default == 5
    state = play(state, "offer 5", "agree")
    assert offered(state) == {f"p@{file}2" for file in "abcdefg"}
    assert piece(play(state, "p@a2"), "a2") == "P"


BOTH_ROB = "rq2k3/1p6/8/NQ6/8/8/6PP/4K3 w - - 0 1"
THROW = "roll 1 1 1 1 1 6"


def both_robbed(rich: str = RICH, **options: str) -> State:
    """Return a match in which Anne, to throw, lost a knight; she took a queen and a pawn, and Bart her queen."""
    state = start(BOTH_ROB, rounds="2", **({"barter": "piece"} | options))
    for mine, theirs in (("b5b7", "a8a5"), ("b7b8", "e8e7"), ("g2g3", "a5a8"), ("g3g4", "a8b8")):
        state = moves(moves(state, mine, cargo=rich), theirs)
    return state


def naming(letter: str = "n", **options: str) -> State:
    """Return the match with Anne about to say what she offers."""
    return play(both_robbed(**options), THROW, "buy-back", letter)


# --- a piece for a piece --------------------------------------------------------------------------------------------


def test_each_kind_the_buyer_holds_may_be_offered_once_the_dearest_first() -> None:
    state = naming()
    assert seat(state) == ANNE
    assert offered(state) == {"offer-price", "offer-piece-q", "offer-piece-p"}
    assert labels(state) == ["Offer a price", "Offer a queen", "Offer a pawn"]
    assert offered(naming("q")) == offered(state)


def test_unless_it_was_agreed_a_price_is_all_there_is() -> None:
    state = naming(barter="price")
    assert amount_ask(state).default == 10
    assert offered(play(state, "offer 5")) == {"agree", "refuse"}
    with pytest.raises(BadOption, match="barter"):
        start(barter="goats")


def test_a_buyer_who_holds_nothing_is_asked_for_a_price_at_once() -> None:
    state = moves(moves(start("r3k3/8/8/N7/8/8/7P/4K3 w - - 0 1", barter="piece"), "h2h3", cargo=RICH), "a8a5")
    assert amount_ask(play(state, THROW, "buy-back", "n")).default == 10


def test_a_poor_player_may_offer_a_piece_and_displays_propose_it() -> None:
    state = play(both_robbed("1 1 1 1 1"), THROW)
    assert [option.in_vain for option in pick_ask(state).options if option.id == "buy-back"] == [False]
    state = play(state, "buy-back", "n")
    in_vain = {option.id: option.in_vain for option in pick_ask(state).options}
    assert (in_vain["offer-price"], in_vain["offer-piece-q"]) == (True, False)
    assert pick_ask(state).default == "offer-piece-p"
    options = pick_ask(play(state, "offer-piece-p")).options
    assert [option.in_vain for option in options] == [False, False, True], "a price is asked in vain"


def test_the_opponent_agrees_refuses_or_asks_a_price() -> None:
    state = play(naming(), "offer-piece-p")
    assert seat(state) == BART
    assert offered(state) == {"agree", "refuse", "ask-price"}
    assert asked(state).ask.prompt == "Anne offers a pawn for a knight"
    assert [event.words for event in told(naming(), "offer-piece-p")] == ["Anne offers a pawn for a knight"]
    refused = play(state, "refuse")
    assert (seat(refused), cargo(refused, ANNE)) == (ANNE, 48)
    assert "g4g5" in offered(refused)


def test_agreed_the_bought_piece_enters_as_the_turns_move_and_no_cargo_changes_hands() -> None:
    state = play(naming(), "offer-piece-p", "agree")
    assert (seat(state), cargo(state, ANNE), cargo(state, BART)) == (ANNE, 48, 0)
    assert offered(state) == {"n@b1", "n@g1"}
    assert asked(state).ask.then == "Lit: b1, g1; the pawn goes back to Bart's box"
    before = legend(state, ANNE)
    state = play(state, "n@g1")
    assert (piece(state, "g1"), legend(state, ANNE), on_board(state)) == ("N", before + 6, set())
    assert refuses(state, Pick("buy-back"))


def test_an_agreed_barter_makes_the_legend_die_final() -> None:
    assert "throw-again" in offered(play(naming(), "offer-piece-p", "refuse"))
    state = play(both_robbed(), "roll-legend 6", "buy-back", "n", "offer-piece-p", "agree", "n@g1")
    assert offered(state) == {"roll-cargo", "abandon"}


def test_what_was_given_can_be_bought_no_more_and_is_settled_no_more() -> None:
    """Anne's captures are worth 6 + 1, and 5 for the king."""
    given = play(naming("q"), "offer-piece-q", "agree", "q@d1", "done")
    thrown = play(given, THROW)
    assert (seat(thrown), offered(play(thrown, "buy-back"))) == (BART, {"p"})
    plain = moves(both_robbed(), "g4g5", cargo="1 1 1 1 1")
    for state, worth in ((plain, 7), (given, 1)):
        assert sum({1: 1, 5: 6}[captured.kind] for captured in state.captures[ANNE]) == worth
    assert [captured.kind for captured in given.captures[BART]] == [2]


def test_of_two_of_a_kind_a_promoted_one_is_given_first() -> None:
    """The queen that had been a pawn: its owner could have bought it for less."""
    state = start("q3k3/3N4/8/8/8/8/p3K3/7R b - - 0 1", barter="piece")
    state = moves(state, "a2a1q", "h1a1", "e8d7", "a1a8", "d7d6")
    assert [captured.promoted for captured in state.captures[ANNE]] == [True, False]
    state = play(state, THROW, "buy-back", "n")
    assert labels(state) == ["Offer a price", "Offer a queen"]
    state = play(state, "offer-piece-q", "agree")
    assert [captured.promoted for captured in state.captures[ANNE]] == [False]


# --- the seller's price ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offer", ["offer-piece-p", "offer-price"])
def test_the_seller_names_a_price_up_to_all_the_buyer_has(offer: str) -> None:
    state = play(naming(), offer)
    state = play(state if offer == "offer-piece-p" else play(state, "offer 3"), "ask-price")
    ask = amount_ask(state)
    assert (seat(state), ask.lo, ask.hi, ask.default) == (BART, 0, 48, 10)
    assert refuses(state, Amount(49))
    state = play(state, "offer 25")
    assert (seat(state), asked(state).ask.prompt) == (ANNE, "Bart asks 25 for a knight")
    assert offered(state) == {"agree", "refuse"}
    bought = play(state, "agree")
    assert (cargo(bought, ANNE), cargo(bought, BART), offered(bought)) == (23, 25, {"n@b1", "n@g1"})
    declined = play(state, "refuse")
    assert (cargo(declined, ANNE), seat(declined), "g4g5" in offered(declined)) == (48, ANNE, True)
    assert [event.words for event in told(state, "refuse")] == ["Anne does not buy"]


def test_all_offers_of_both_count_among_the_three_of_the_turn() -> None:
    state = play(naming(), "offer-piece-p", "ask-price", "offer 40", "refuse")
    assert "buy-back" in offered(state)
    state = play(state, "buy-back", "n", "offer-price", "offer 5")
    assert offered(state) == {"agree", "refuse"}  # the seller's own price would be the fourth
    assert "buy-back" not in offered(play(state, "refuse"))
