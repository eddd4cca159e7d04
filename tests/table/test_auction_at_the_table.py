"""Several seats bid at once at the table: by menu, by page, and on the clock."""

import pytest

from captains_table.games.contract import Auction, Bell, Bid, IllegalAction, Pick, Roll, Rolled
from captains_table.games.registry import GAMES
from captains_table.table.model.entries import Acted
from captains_table.table.model.events import Button
from captains_table.table.model.view import Phase
from tests.support.harbour_auction import HarbourAuction
from tests.table.auction_table import AuctionTable


@pytest.fixture(autouse=True)
def _harbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HarbourAuction.key, HarbourAuction())


# --- who may bid ----------------------------------------------------------------------------------------------------


def test_every_seat_may_bid_and_raise_until_the_bell_and_each_bid_is_journalled_with_its_seat() -> None:
    table = AuctionTable()
    table.answer(Bid(2, 3), Bid(0, 4), Bid(2, 6), Bid(1, 1))
    assert table.bids() == [4, 1, 6]
    table.answer(Bell())
    assert isinstance(table.match.turn, Roll)
    acted = [(entry.seat, entry.action) for entry in table.entries() if isinstance(entry, Acted)][1:]
    assert acted == [(2, Bid(2, 3)), (0, Bid(0, 4)), (2, Bid(2, 6)), (1, Bid(1, 1)), (None, Bell())]
    told = [line.words for line in table.view.log]
    assert told[-3:] == ["Bart: bids 1", "The bell rings", "Cora gets the chest for 6"]


@pytest.mark.parametrize(
    "answer", [Bid(0, 3), Bid(0, 2), Bid(1, 0), Bid(1, 10), Bid(3, 1), Bid(-1, 1), Pick("done"), Rolled((3,))]
)
def test_a_bid_too_low_too_high_or_foreign_and_any_other_answer_raises_and_changes_nothing(answer: Bid) -> None:
    table = AuctionTable()
    table.answer(Bid(0, 3))
    before, state = table.entries(), table.match.state
    with pytest.raises(IllegalAction, match=r"expected a bid of Anne from 4 to 9, a bid of Bart .* or the bell"):
        table.answer(answer)
    assert table.entries() == before
    assert table.match.state == state


def test_the_view_names_nobody_alone_and_marks_and_lists_everybody_who_may_bid() -> None:
    table = AuctionTable()
    table.answer(Bid(0, 2), Bid(1, 9))
    view = table.view
    assert view.seat is None
    assert [seat.on_turn for seat in view.seats] == [True, False, True]
    assert isinstance(view.ask, Auction)
    assert view.phase is Phase.PLAYING
    assert view.prompt[0].startswith("Bid for")
    assert table.labels() == ["Anne: bid 3…", "Cora: bid 1…", "Ring the bell"]


# --- by the buttons -------------------------------------------------------------------------------------------------


def test_with_an_encoder_the_seat_is_chosen_and_then_the_amount_unless_back_leaves_it() -> None:
    table = AuctionTable()
    before = table.entries()
    table.press(Button.NEXT, Button.CHOOSE)
    assert table.labels() == [f"Bart: bid {value}" for value in range(1, 10)]
    table.press(Button.BACK)
    assert (table.labels()[-1], table.entries()) == ("Ring the bell", before)
    table.press(Button.NEXT, Button.CHOOSE, Button.NEXT, Button.NEXT, Button.CHOOSE)
    assert table.bids() == [0, 3, 0]
    assert table.labels() == ["Anne: bid 1…", "Bart: bid 4…", "Cora: bid 1…", "Ring the bell"]


def test_with_one_button_all_of_it_is_walked_through_and_a_line_leads_back() -> None:
    table = AuctionTable(buttons="one")
    long = 700
    table.press(Button.ROLL, held_ms=long)
    assert table.labels() == [*(f"Anne: bid {value}" for value in range(1, 10)), "Back"]
    table.press(*[Button.ROLL] * 9)
    table.press(Button.ROLL, held_ms=long)
    assert table.labels()[0] == "Anne: bid 1…"
    table.press(Button.ROLL)
    table.press(Button.ROLL, held_ms=long)
    table.press(Button.ROLL)
    table.press(Button.ROLL, held_ms=long)
    assert table.bids() == [0, 2, 0]


def test_a_player_choosing_whose_bid_it_is_or_how_much_stays_there_while_others_bid() -> None:
    table = AuctionTable()
    table.press(Button.NEXT, Button.CHOOSE, *[Button.NEXT] * 4)
    table.answer(Bid(0, 2))
    assert table.under_cursor() == "Bart: bid 5"
    table.press(Button.CHOOSE)
    assert table.bids() == [2, 5, 0]
    table = AuctionTable()
    table.press(Button.NEXT, Button.NEXT)
    table.answer(Bid(0, 9))
    assert table.under_cursor() == "Cora: bid 1…"


RING_AGAIN = "Ring the bell? Once more"


@pytest.mark.parametrize("is_held", [False, True], ids=["chosen", "by the roll button held"])
def test_the_bell_is_rung_twice_and_asked_for_twice_again_when_somebody_bids(*, is_held: bool) -> None:
    """The cursor stays on it; the player who asked for it did not know of that bid."""
    table = AuctionTable()
    ring = (Button.ROLL if is_held else Button.CHOOSE,)
    held_ms = 700 if is_held else None
    if not is_held:
        table.press(Button.PREVIOUS)
    for bid in (Bid(0, 2), Bid(1, 3)):
        table.press(*ring, held_ms=held_ms)
        assert table.under_cursor() == RING_AGAIN
        table.answer(bid)
        assert table.under_cursor() == "Ring the bell"
    table.press(*ring, held_ms=held_ms)
    assert isinstance(table.match.turn, Auction)
    table.press(*ring, held_ms=held_ms)
    assert isinstance(table.match.turn, Roll)


# --- the bell by the roll button ------------------------------------------------------------------------------------


def test_the_roll_button_held_asks_for_the_bell_wherever_the_cursor_stands_and_a_turn_takes_that_back() -> None:
    """Also among somebody's amounts; nobody rings it by accident."""
    table = AuctionTable()
    table.press(Button.CHOOSE)
    for _ in range(2):
        table.press(Button.ROLL, held_ms=700)
        assert isinstance(table.match.turn, Auction)
        assert table.under_cursor() == RING_AGAIN
        table.press(Button.NEXT)


def test_a_short_press_of_the_roll_button_rings_nothing_and_says_how_to() -> None:
    table = AuctionTable()
    for _ in range(3):
        table.press(Button.ROLL, held_ms=300)
    assert isinstance(table.match.turn, Auction)
    assert table.under_cursor() == "Anne: bid 1…"
    assert (table.view.roll.why, table.view.roll.in_vain) == ("Bids are made: hold it to ring the bell", True)


# --- the deadline ---------------------------------------------------------------------------------------------------


def test_the_bell_rings_by_itself_when_the_time_is_over_which_is_shown_and_bids_do_not_stop_it() -> None:
    table = AuctionTable(seconds="30")
    assert table.view.bell_seconds == 30
    due_ms = table.session.due_ms()
    assert due_ms is not None
    assert due_ms - table.now_ms <= 1000
    table.wait(4_500)
    assert table.view.bell_seconds == 26
    table.answer(Bid(0, 1), after_ms=15_500)
    table.wait(9_000)
    assert isinstance(table.match.turn, Auction)
    table.wait(2_000)
    last = table.entries()[-1]
    assert isinstance(last, Acted)
    assert last.action == Bell()
    table.press()
    table.wait(29_000)
    assert isinstance(table.match.turn, Auction), "every auction has its whole time"
    table.wait(1_000)
    assert table.view.phase is Phase.OVER


def test_without_a_deadline_an_auction_waits_for_somebody_to_ring() -> None:
    table = AuctionTable()
    assert table.view.bell_seconds is None
    assert table.session.due_ms() is None
    table.wait(3_600_000)
    assert isinstance(table.match.turn, Auction)
