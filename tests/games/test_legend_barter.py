"""docs/rules/legend.md L16a: a piece for a piece, and the seller's own price."""

import pytest

from captains_table.games.contract import Action, Amount, AmountAsk, BadOption, Pick, PickAsk
from captains_table.games.legend import Legend
from captains_table.games.legend.pgn import legend_pgn
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BART,
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
    told,
)

RICH = "6 5 4 6 6"  # a cargo of 12
FEN = "rq2k3/1p6/8/NQ6/8/8/6PP/4K3 w - - 0 1"
THROW = "roll 1 1 1 1 1 6"


def robbed(rich: str = RICH, **options: str) -> State:
    """Return a match in which Anne, to throw, lost a knight; she took a queen and a pawn, and Bart her queen."""
    state = start(FEN, rounds="2", **({"barter": "piece"} | options))
    for mine, theirs in (("b5b7", "a8a5"), ("b7b8", "e8e7"), ("g2g3", "a5a8"), ("g3g4", "a8b8")):
        state = moves(moves(state, mine, cargo=rich), theirs)
    return state


def naming(letter: str = "n", **options: str) -> State:
    """Return the match with Anne about to say what she offers."""
    return play(robbed(**options), THROW, "buy-back", letter)


def amount_ask(state: State) -> AmountAsk:
    ask = asked(state).ask
    assert isinstance(ask, AmountAsk)
    return ask


def labels(state: State) -> list[str]:
    ask = asked(state).ask
    assert isinstance(ask, PickAsk)
    return [option.label for option in ask.options]


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


def test_whoever_holds_nothing_is_asked_for_a_price_at_once() -> None:
    state = moves(moves(start("r3k3/8/8/N7/8/8/7P/4K3 w - - 0 1", barter="piece"), "h2h3", cargo=RICH), "a8a5")
    assert amount_ask(play(state, THROW, "buy-back", "n")).default == 10


def test_a_poor_player_may_offer_a_piece_and_displays_propose_it() -> None:
    state = play(robbed("1 1 1 1 1"), THROW)
    ask = asked(state).ask
    assert isinstance(ask, PickAsk)
    assert [option.in_vain for option in ask.options if option.id == "buy-back"] == [False]
    ask = asked(play(state, "buy-back", "n")).ask
    assert isinstance(ask, PickAsk)
    assert [(option.id, option.in_vain) for option in ask.options][:2] == [
        ("offer-price", True),
        ("offer-piece-q", False),
    ]
    assert ask.default == "offer-piece-p"
    ask = asked(play(state, "buy-back", "n", "offer-piece-p")).ask
    assert isinstance(ask, PickAsk)
    assert [option.in_vain for option in ask.options] == [False, False, True], "a price is asked in vain"


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
    assert (piece(state, "g1"), legend(state, ANNE)) == ("N", before + 6)
    assert on_board(state) == set()
    assert refuses(state, Pick("buy-back"))


def test_an_agreed_barter_makes_the_legend_die_final() -> None:
    assert "throw-again" in offered(play(naming(), "offer-piece-p", "refuse"))
    state = play(robbed(), "roll-legend 6", "buy-back", "n", "offer-piece-p", "agree", "n@g1")
    assert offered(state) == {"roll-cargo", "abandon"}


def test_what_was_given_can_be_bought_no_more() -> None:
    state = play(naming("q"), "offer-piece-q", "agree", "q@d1", "done", THROW)
    assert seat(state) == BART
    assert "buy-back" in offered(state)
    assert offered(play(state, "buy-back")) == {"p"}


def test_what_was_given_is_settled_no_more() -> None:
    """Anne's captures are worth 6 + 1, and 5 for the king."""
    plain = moves(robbed(), "g4g5", cargo="1 1 1 1 1")
    given = play(naming("q"), "offer-piece-q", "agree", "q@d1", "done")
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
def test_the_seller_names_his_price_up_to_all_the_buyer_has(offer: str) -> None:
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
    assert offered(state) == {"agree", "refuse"}  # a price of his own would be the fourth
    assert "buy-back" not in offered(play(state, "refuse"))


def test_the_bargain_stands_in_the_pgn(monkeypatch: pytest.MonkeyPatch) -> None:
    actions: list[Action] = []
    apply = Legend.apply

    def recording(game: Legend, state: State, action: Action) -> State:
        actions.append(action)
        return apply(game, state, action)

    with monkeypatch.context() as patched:
        patched.setattr(Legend, "apply", recording)
        play(
            naming(),
            "offer-piece-p",
            "ask-price",
            "offer 40",
            "refuse",
            "buy-back",
            "n",
            "offer-piece-q",
            "agree",
            "n@g1",
        )
    written = " ".join(legend_pgn(("Anne", "Bart"), {"barter": "piece", "rounds": "2", "fen": FEN}, actions).split())
    said = "Anne offers a pawn for a knight; Bart asks 40 for a knight; Anne does not buy"
    assert f"{said}; Anne offers a queen for a knight; Bart gives a knight for a queen" in written
