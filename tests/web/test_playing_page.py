"""What the page one plays on shows besides board and words: the roll button, the last throw, pieces taken, boxes."""

import re
from dataclasses import replace

from captains_table.games.contract import (
    Auction,
    Bidder,
    Die,
    KeptOut,
    Option,
    Pick,
    PickAsk,
    Shape,
    Square,
    Whereabouts,
)
from captains_table.table.model.view import BoardDifference, LastThrow, Mark, RollOffer
from captains_table.web.captured import sides_of
from captains_table.web.scene import PhysicalBoard
from captains_table.web.svg.board_svg import BoardStyle, board_svg
from tests.support.dice_views import DICE_VIEWS
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post

TAKE_BACK = {"type": "pick", "id": "take-back"}


def playing() -> FakeTable:
    table = FakeTable()
    table.new_match("legend", ["Anne", "Bart"], {})
    table.calls.clear()
    return table


def fragment(html: str, name: str) -> str:
    """Return what stands in one place of the page."""
    return html.partition(f'id="{name}"')[2].partition("</section>")[0]


def test_the_roll_button_says_what_it_does_and_which_dice_would_fall() -> None:
    table = playing()
    table.show(replace(table.view(), roll=RollOffer("Throw again: 2 dice", possible=True, dice=(1, 4))))
    roll = fragment(get(table, "/table").text, "roll")
    assert "<b>Throw again: 2 dice</b>" in roll
    assert 'data-falls="1 4"' in roll
    assert 'aria-disabled="false"' in roll


def test_the_large_dice_are_the_ones_to_touch_where_they_may_be_thrown_again() -> None:
    """Those that the roll button would leave are pressed; the others would fall."""
    table = playing()
    table.answer(Pick("roll"), 1)
    offer = RollOffer("Throw again: 2 dice", possible=True, dice=(1, 4), choice=(1, 2, 4))
    table.show(replace(table.view(), roll=offer))
    dice = fragment(get(table, "/table").text, "dice")
    assert re.findall(r'data-die="(\d)" aria-pressed="(\w+)"', dice) == [("1", "false"), ("2", "true"), ("4", "false")]


def test_a_roll_button_that_does_nothing_is_grey_and_says_why() -> None:
    table = playing()
    table.show(replace(table.view(), roll=RollOffer(why="Anne is to move on the board")))
    roll = fragment(get(table, "/table").text, "roll")
    assert 'aria-disabled="true"' in roll
    assert 'title="Anne is to move on the board"' in roll
    assert "<small>Anne is to move on the board</small>" in roll


def test_a_game_without_dice_has_a_roll_button_only_while_it_does_something_or_a_clock_is_pressed() -> None:
    table = playing()
    view = replace(table.view(), has_dice=False, roll=RollOffer(why="Anne is to move on the board"))
    timed = tuple(replace(seat, seconds_left=300) for seat in view.seats)
    for shown, is_there in (
        (view, False),
        (replace(view, roll=RollOffer("End the match", possible=True)), True),
        (replace(view, seats=timed), True),
    ):
        table.show(shown)
        assert ("knob-roll" in fragment(get(table, "/table").text, "roll")) is is_there


def test_a_piece_in_the_hand_hides_no_bids_though_other_answers_wait_behind_a_line() -> None:
    table = playing()
    wrong = BoardDifference(missing=(Square(0, 0),))
    table.show(replace(table.view(), ask=Auction("Bid for it", (Bidder(0, 1, 9),)), auction_since=1, wrong=wrong))
    ask = fragment(get(table, "/table").text, "ask")
    assert "data-bell" in ask
    assert "Answer before the board is right" not in ask
    table.show(replace(table.view(), ask=PickAsk("?", (Option("a", "A"),)), auction_since=None))
    assert "Answer before the board is right" in fragment(get(table, "/table").text, "ask")


def test_the_standing_of_an_auction_says_why_somebody_may_not_bid() -> None:
    table = playing()
    kept_out = (KeptOut(0, "acted last", "T2"),)
    table.show(replace(table.view(), ask=Auction("Bid", (Bidder(1, 1, 9),), kept_out=kept_out), auction_since=1))
    ask = fragment(get(table, "/table").text, "ask")
    assert 'acted last<span class="rule"> (T2)</span>' in ask
    table.show(replace(table.view(), ask=Auction("Bid", (Bidder(1, 1, 9),))))
    assert '<span class="unseen">may not bid: </span>out</small>' in fragment(get(table, "/table").text, "ask")


def test_a_player_who_is_a_piece_himself_has_the_number_of_his_token_before_his_name() -> None:
    table = playing()
    assert "own-token" not in get(table, "/table").text
    seats = tuple(replace(seat, at=Whereabouts("reserve")) for seat in table.view().seats)
    table.show(replace(table.view(), seats=seats, ask=Auction("Bid", (Bidder(1, 1, 9),)), auction_since=1))
    for place in ("tallies", "ask"):
        tokens = re.findall(r'own-token( dark)?" title="token (\d)"', fragment(get(table, "/table").text, place))
        assert tokens == [("", "1"), (" dark", "2")], "Black's is dark"


def test_where_only_computers_may_bid_the_owner_is_told_that_they_ring_the_bell() -> None:
    table = playing()
    seats = tuple(replace(seat, computer="Notus (level 2)") for seat in table.view().seats)
    table.show(replace(table.view(), seats=seats, ask=Auction("Bid", (Bidder(1, 1, 9),)), auction_since=1))
    assert "Only computers may bid now" in fragment(get(table, "/table").text, "ask")
    table.show(replace(table.view(), ask=Auction("Bid", ())))
    assert "You may not bid now: others do." in fragment(get(table, "/table").text, "ask")


def test_the_last_throw_is_shown_in_the_dices_place_with_what_counted_lit() -> None:
    """The next player's dice come after it, or as soon as they tumble."""
    table = playing()
    lain = tuple(Die(face) for face in (6, 5, 4, 3, 6))
    view = replace(table.view(), last_throw=LastThrow(1, lain, (3, 4), "Cargo 9"))
    table.show(view)
    dice = fragment(get(table, "/table").text, "dice")
    assert dice.count('class="lit') == 2
    assert 'aria-label="die 4: 3, counted"' in dice
    assert "Bart: Cargo 9" in dice
    table.show(replace(view, tumbling=(0, 1)))
    dice = fragment(get(table, "/table").text, "dice")
    assert "Cargo 9" not in dice
    assert dice.count("tumbling") > 0


def test_pieces_beside_the_board_are_sorted_by_side_with_the_material_ahead() -> None:
    """Most valuable first; Black lost five points more here."""
    white, black = sides_of(["p", "P", "q", "p", "R"])
    assert list(white.pieces.items()) == [("R", 1), ("P", 1)]
    assert list(black.pieces.items()) == [("q", 1), ("p", 2)]
    assert (white.ahead, black.ahead) == (0, 5)
    assert sides_of([]) == []


def test_pieces_of_a_kind_lie_in_one_pile_with_their_number() -> None:
    table = playing()
    table.beside += ["p", "p", "N"]
    hand = fragment(get(table, "/table").text, "hand")
    assert hand.count("data-take=") == 2
    assert 'aria-label="Take the black pawn, one of 2"' in hand
    assert '<b class="count">2</b>' in hand
    assert hand.index('data-take="N"') < hand.index('data-take="p"')


def test_a_move_that_may_be_taken_back_can_be_undone_by_a_button() -> None:
    table = playing()
    undo = {"revision": table.view().revision, "action": TAKE_BACK}
    assert re.search(r'data-undo [^>]*aria-disabled="true"', get(table, "/table").text)
    assert post(table, "/answer", undo).status_code == 400
    table.undoes = 0
    assert re.search(r'data-undo [^>]*aria-disabled="false"', get(table, "/table").text)
    assert post(table, "/answer", undo).status_code == 204
    assert table.calls == [("take back",)]


def test_boxes_of_the_sheet_are_answers_and_the_answers_are_in_its_order() -> None:
    html = get(showing("boxes-best-first"), "/table").text
    boxes = re.findall(r'class="box[^"]*" data-fill="([^"]+)"', fragment(html, "sheet"))
    answers = re.findall(r'data-pick="(score-[^"]+)"', fragment(html, "ask"))
    assert boxes == answers
    assert "score-full-boat" in boxes


def showing(view: str) -> FakeTable:
    table = FakeTable()
    table.show(DICE_VIEWS[view])
    return table


def test_the_board_is_a_grid_of_rows_for_those_who_listen() -> None:
    svg = board_svg(Shape(9, 8), {Square(4, 1): "P"}, {Square(4, 1): Mark.MAY_MOVE}, BoardStyle(touchable=True))
    assert svg.count('role="grid"') == 1
    assert svg.count('role="row"') == 8
    assert svg.count('role="gridcell"') == 72


def test_a_square_knows_where_its_piece_may_go_before_the_table_is_asked() -> None:
    """So that the one who lifts it sees that at once."""
    table = playing()
    table.answer(Pick("roll"), 1)
    html = get(table, "/table").text
    assert re.search(r'data-square="a2"[^>]*data-to="a3 a4"', html)
    assert "data-to" not in get(table, "/").text


def test_no_move_may_be_taken_back_where_nobody_says_so() -> None:
    assert PhysicalBoard({}, (), ()).undoes is None
