"""Crowns at the simulated table: encoder, clicks, lights and guidance, from the first bid to the crown carried off."""

import pytest

from captains_table.games.contract import Auction, Bell, Bid, Decide, Pick, parse_square
from captains_table.table.model.entries import TakenBack
from captains_table.table.model.events import Button, SwitchChanged
from captains_table.table.model.view import Phase
from captains_table.table.playing.answers import BoardUnclear
from tests.support.crowns_table import CrownsTable

WHITE_SUMMONS = {"a1", "c1", "e1", "g1"}


def test_the_encoder_says_what_would_be_bid_and_proposes_what_outbids_the_others() -> None:
    at = CrownsTable()
    at.answer(Bid(1, 4), Bid(2, 2))
    assert at.labels() == ["Anne: bid 1…", "Bart: raise to 5…", "Cora: raise to 3…", "Dirk: bid 1…", "Ring the bell"]
    at.turn_to("Cora")
    at.press(Button.CHOOSE)
    assert at.under_cursor() == "Cora: raise to 5"
    at.press(Button.NEXT, Button.CHOOSE)
    assert [seat.bid for seat in at.view.seats] == [0, 4, 6, 0]


def test_summoning_squares_are_lit_for_a_player_in_reserve_and_a_click_brings_the_token() -> None:
    """Nothing else is lit: not those that are taken; with an empty hand one click is enough."""
    at = CrownsTable()
    at.buy(0)
    assert at.lit("target") == WHITE_SUMMONS
    at.click("e4")
    assert (at.table.board.hand, at.match.revision) == ([], 2), "nothing may come there"
    at.click("e1")
    assert at.match.history[-1].acted.action == Pick("summon-e1")
    assert at.places()["Anne"] == "e1"
    assert at.table.board.beside == ["2", "3", "4"]
    at.buy(2)
    assert at.lit("target") == WHITE_SUMMONS - {"e1"}


def test_a_token_lifted_while_bids_are_made_says_whose_it_is_and_bids_go_on() -> None:
    at = CrownsTable()
    at.buy(0)
    at.click("e1")
    for bid in (Bid(2, 1), Bid(1, 2)):  # the first seals the last move, which nobody can change any more
        at.click("e1")
        assert at.view.prompt == ("That token is Anne's, and bids are made first", "Put the token 1 on e1")
        at.click("e1")
        assert at.session.view().prompt[0] == "Bid for the turn"
        at.answer(bid)
    at.click("e1")
    at.answer(Bid(3, 3))
    assert [seat.bid for seat in at.view.seats] == [0, 2, 1, 3]
    at.click("e1")
    at.buy(2)
    at.click("e1")
    assert at.view.prompt[0] == "That token is Anne's, and Cora acts"


def test_crowns_shine_in_their_colour_where_they_lie_and_under_who_wears_them() -> None:
    at = CrownsTable()
    assert (at.lit("white crown"), at.lit("black crown")) == ({"d1"}, {"d7"})
    at.buy(0)
    at.click("e1")
    at.buy(1)
    at.answer(Pick("pass"))
    at.buy(0)
    assert at.lit("may-move") >= {"e1"}
    at.move("e1", "d1")
    assert at.places()["Anne"] == "d1, white crown"
    assert at.lit("white crown") == {"d1"}
    at.buy(2)
    at.answer(Pick("pass"))
    at.buy(0)
    at.move("d1", "c1")
    assert (at.places()["Anne"], at.lit("white crown")) == ("c1, white crown", {"c1"})


def test_squares_at_half_price_are_lit_for_the_player_who_may_level_up_there() -> None:
    at = CrownsTable(piece1="Pinnace: c5 c4 / c5 c4 c2")
    at.buy(0)
    at.click("c1")
    nowhere: set[str] = set()
    for start, end, cheap in (("c1", "c3", nowhere), ("c3", "c4", {"c4"})):
        at.buy(1)
        assert at.lit("half price") == set()
        at.answer(Pick("pass"))
        at.buy(0)
        assert at.lit("half price") == cheap
        at.move(start, end)
    at.buy(1)
    at.answer(Pick("pass"))
    at.buy(0)
    assert at.labels()[0] == "Level up for 5 gold"


def after(*turns: tuple[int, str]) -> CrownsTable:
    """Return a table after some turns, each a seat's for 1 gold; the pieces stand as they should."""
    at = CrownsTable()
    for seat, id_ in turns:
        at.answer(Bid(seat, 1), Bell(), Pick(id_))
    at.table.set_up(at.now_ms)
    return at


@pytest.mark.slow
def test_a_captured_token_goes_off_the_board_and_its_player_pays_to_leave_prison() -> None:
    at = after((2, "summon-c1"), (1, "summon-c7"), (2, "c1c3"), (3, "pass"), (2, "c3c5"), (3, "pass"))
    at.buy(2)
    at.move("c5", "c7")
    assert at.places() == {"Anne": "reserve", "Bart": "prison", "Cora": "c7", "Dirk": "reserve"}
    assert "2" in at.table.board.beside
    resumed = CrownsTable(at.journal)
    assert resumed.places() == at.places()
    assert resumed.view.phase is Phase.PLAYING
    resumed.buy(1)
    resumed.turn_to("Leave prison for ")
    resumed.press(Button.CHOOSE)
    assert resumed.places()["Bart"] == "reserve"


def test_a_pawn_that_is_moved_where_it_may_not_go_is_shown_its_way_back() -> None:
    at = CrownsTable()
    at.buy(0)
    at.click("a2")
    assert at.lit("target") == {"a3"}
    at.click("a4")
    assert at.view.prompt[-1] == "Put the white pawn from a4 back on a2"
    assert (at.lit("take-away"), at.lit("put-here")) == ({"a4"}, {"a2"})
    at.click("a4", "a3")
    assert at.match.history[-1].acted.action == Pick("a2a3")


@pytest.mark.slow
def test_a_crown_is_carried_off_the_far_end_by_encoder_and_clicks() -> None:
    """Two of White come to both crowns, somebody of Black acts between them."""
    at = after(
        *((2, "summon-c1"), (0, "summon-e1"), (2, "c1c3"), (0, "e1d1"), (2, "c3c5"), (1, "summon-c7")),
        *((2, "c5c7"), (3, "pass"), (2, "c7d7"), (3, "pass")),
    )
    assert at.places()["Cora"] == "d7, black crown"
    at.buy(2)
    at.off("d7")
    at.wait(120_000)
    assert at.match.history[-1].acted.action == Pick("d7-off")
    assert at.view.prompt[0] == "Cora wins the match"
    assert at.lit("black crown") == set()


# --- a move that an auction follows ---------------------------------------------------------------------------------


def summoned() -> CrownsTable:
    """Return a table at which Anne has come to e1, and bids for the next turn may be made."""
    at = CrownsTable(timer="60")
    at.buy(0)
    at.click("e1")
    assert isinstance(at.match.turn, Auction)
    return at


def test_before_anybody_bids_the_move_may_be_changed_for_another_whose_auction_has_its_whole_time() -> None:
    at = summoned()
    at.wait(40_000)
    at.click("e1", "g1")
    assert isinstance(at.entries()[-2], TakenBack)
    assert at.match.history[-1].acted.action == Pick("summon-g1")
    at.wait(20_000)
    assert isinstance(at.match.turn, Auction)


def test_before_anybody_bids_the_move_may_be_taken_back_and_with_it_the_auction() -> None:
    at = summoned()
    at.buy(1)
    at.answer(Pick("pass"))
    at.buy(0)
    at.move("e1", "d1")
    assert isinstance(at.match.turn, Auction)
    at.click("d1", "e1")
    assert isinstance(at.entries()[-1], TakenBack)
    assert isinstance(at.match.turn, Decide)


def test_the_bell_of_an_auction_that_is_taken_back_with_its_move_passes_for_nobody() -> None:
    at = summoned()
    at.buy(1)
    at.answer(Pick("pass"))
    at.buy(0)
    at.move("e1", "d1")
    for square, comes in (("d1", False), ("e1", True)):
        at.wait(300)
        at.session.handle(SwitchChanged(parse_square(square), comes), at.now_ms)
    with pytest.raises(BoardUnclear, match="taken back"):
        at.answer(Bell(), after_ms=1)
    assert at.match.seat == 0
    assert isinstance(at.match.turn, Decide)


def test_a_bid_seals_the_move_before_it_and_the_bell_rings_though_the_board_is_wrong() -> None:
    at = summoned()
    at.answer(Bid(1, 2))
    assert at.match.provisional is None
    at.off("e1")
    assert at.view.wrong
    at.wait(60_000)
    assert [step.acted.action for step in at.match.history[-2:]] == [Bid(1, 2), Bell()]
