"""What the page one plays on shows besides board and words: the roll button, the last throw, pieces taken, boxes."""

import re
from dataclasses import replace
from typing import Any

import pytest

from captains_table.games.contract import (
    OFFER_DRAW,
    Auction,
    Bidder,
    Die,
    EventKind,
    GameEvent,
    KeptOut,
    Option,
    Pick,
    PickAsk,
    Square,
    Whereabouts,
)
from captains_table.phrases import say
from captains_table.table.model.view import BoardDifference, Hint, LastThrow, LogLine, RollOffer, SeatView, View
from captains_table.web.captured import sides_of
from captains_table.web.render import Renderer
from captains_table.web.scene import PhysicalBoard, Scene
from tests.support.dice_views import played
from tests.support.fake_table import with_legend
from tests.support.visiting import get, post

TAKE_BACK = {"type": "pick", "id": "take-back"}


BID = Auction("Bid", (Bidder(1, 1, 9),))


def fragment(html: str, name: str) -> str:
    """Return what stands in one place of the page."""
    return html.partition(f'id="{name}"')[2].partition("</section>")[0]


def shown(place: str, **changed: Any) -> str:  # noqa: ANN401 - fields of a view
    """Return what stands in one place while Legend is played, and the view is changed so."""
    table = with_legend()
    table.show(replace(table.view(), **changed))
    return fragment(get(table, "/table").text, place)


def test_the_roll_button_says_what_it_does_and_which_dice_would_fall_or_is_grey_and_says_why() -> None:
    roll = shown("roll", roll=RollOffer("Throw again: 2 dice", possible=True, dice=(1, 4)))
    assert "<b>Throw again: 2 dice</b>" in roll
    assert 'data-falls="1 4"' in roll
    assert 'aria-disabled="false"' in roll
    roll = shown("roll", roll=RollOffer(why="Anne is to move on the board"))
    assert 'aria-disabled="true"' in roll
    assert 'title="Anne is to move on the board"' in roll
    assert "<span>Anne is to move on the board</span>" in roll


def test_the_large_dice_are_the_ones_to_touch_where_they_may_be_thrown_again() -> None:
    offer = RollOffer("Throw again: 2 dice", possible=True, dice=(1, 4), choice=(1, 2, 4))
    dice = shown("dice", dice=tuple(Die(face, held=face == 2) for face in range(1, 7)), roll=offer)
    assert re.findall(r'data-die="(\d)" aria-pressed="(\w+)"', dice) == [("1", "false"), ("2", "true"), ("4", "false")]


def test_advice_frames_the_dice_to_keep_and_no_others_and_names_them_one_by_one() -> None:
    lie = tuple(Die(face) for face in range(1, 6))
    offer = RollOffer("Throw again: 3 dice", possible=True, dice=(1, 2, 3), choice=(1, 2, 3, 4, 5))
    changed = {"dice": lie, "roll": offer, "hint": Hint("Keep 4 5", "5 cargo expected", "throw-again", (4, 5))}
    assert re.findall('class="toggle advised" data-die="(.)"', shown("dice", **changed)) == ["4", "5"]
    assert "Advice: <b>Keep 4, 5; throw the rest</b> · 5 cargo expected" in shown("prompt", **changed)


def test_legend_lists_what_the_cargo_dice_lack_leaves_them_in_the_row_and_names_the_legend_die() -> None:
    view = played("game legend Anne Bart; dice 1 6 2 3 6 4; press roll")
    dice = shown("dice", dice=view.dice, slots=view.slots)
    assert re.findall(r'<li[^>]* class="filled"><span><b>(\d)</b> (\w+)', dice) == [("6", "ship")]
    assert re.findall(r'<li data-what="slot \w+"><span><b>(\d)</b> (\w+)', dice) == [("5", "captain"), ("4", "crew")]
    assert [die for slot in view.slots if (die := slot.die)] == [2]
    assert len(re.findall("data-shown=", dice)) == len(view.dice)
    assert re.findall('class="die-name">(.*?)<', dice) == ["Legend"]
    assert view.goal == "highest total wins; a king taken ends the round"


def test_a_game_without_dice_has_a_roll_button_only_while_it_does_something_or_a_clock_is_pressed() -> None:
    why = RollOffer(why="Anne is to move on the board")
    timed = tuple(SeatView(name, {}, on_turn=False, seconds_left=300) for name in ("Anne", "Bart"))
    assert "knob-roll" not in shown("roll", has_dice=False, roll=why)
    assert "knob-roll" in shown("roll", has_dice=False, roll=RollOffer("End the match", possible=True))
    assert "knob-roll" in shown("roll", has_dice=False, roll=why, seats=timed)


def test_a_piece_in_the_hand_hides_no_bids_though_other_answers_wait_behind_a_line() -> None:
    wrong = BoardDifference(missing=(Square(0, 0),))
    ask = shown("ask", ask=BID, auction_since=1, wrong=wrong)
    assert "data-bell" in ask
    assert "Answer before the board is right" not in ask
    assert "Answer before the board is right" in shown("ask", ask=PickAsk("?", (Option("a", "A"),)), wrong=wrong)


def test_a_piece_in_the_hand_leaves_all_answers_where_they_are_however_long_it_is_held() -> None:
    table = with_legend()
    table.show(replace(table.view(), prompt=("Put it down",), wrong=BoardDifference(missing=(Square(0, 1),))))
    changed = ('class="ask-for"', "Answer before the board is right", "puts the pieces right for you")
    assert all(words in get(table, "/table").text for words in changed)
    table.hand.append("P")
    assert not any(words in get(table, "/table").text for words in changed)
    table.show(replace(table.view(), wrong=BoardDifference(missing=(Square(0, 1), Square(1, 1)))))
    assert all(words in get(table, "/table").text for words in changed)


def test_the_standing_of_an_auction_says_why_somebody_may_not_bid() -> None:
    kept_out = Auction("Bid", BID.bidders, kept_out=(KeptOut(0, "acted last", "T2"),))
    assert "<span>waits: </span>acted last</small>" in shown("ask", ask=kept_out, auction_since=1)
    assert "<span>waits: </span>out</small>" in shown("ask", ask=BID, auction_since=1)


def test_a_player_who_is_a_piece_has_the_number_of_the_token_before_the_name() -> None:
    assert "own-token" not in get(with_legend(), "/table").text
    seats = tuple(SeatView(name, {}, on_turn=False, at=Whereabouts("reserve")) for name in ("Anne", "Bart"))
    for place in ("tallies", "ask"):
        html = shown(place, seats=seats, ask=BID, auction_since=1)
        found = re.findall(r'own-token( dark)?" title="token (\d)"', html)
        assert found == [("", "1"), (" dark", "2")], "Black's is dark"


def test_where_only_computers_may_bid_the_owner_is_told_that_they_ring_the_bell() -> None:
    seats = tuple(SeatView(name, {}, on_turn=False, computer="Notus", level="fair") for name in ("Anne", "Bart"))
    assert "Only computers bid on: they ring the bell" in shown("ask", seats=seats, ask=BID, auction_since=1)
    nobody = shown("ask", seats=seats, ask=Auction("Bid", ()), auction_since=1)
    assert "You may not bid now: others do." in nobody


def one_person(anne: int = 0, notus: int = 0) -> dict[str, Any]:
    """Return what a view of an auction between a person and a computer has, given their bids."""
    seats = (
        SeatView("Anne", {}, on_turn=True, bid=anne),
        SeatView("Notus", {}, on_turn=True, bid=notus, computer="Notus", level="fair"),
    )
    bidders = (Bidder(0, anne + 1, 9), Bidder(1, notus + 1, 9))
    return {"seats": seats, "ask": Auction("Bid", bidders, bids=(anne, notus)), "auction_since": 1}


def test_one_person_against_computers_bids_without_a_choice_of_the_bidder_and_rings_the_bell_once() -> None:
    ask = shown("ask", **one_person())
    assert "<select" not in ask
    assert 'data-bid="0"' in ask
    assert "Your purse: <b>9</b>, your bid: <b>none</b>" in re.sub(r"\s+", " ", ask)
    two = shown("ask", ask=Auction("Bid", (Bidder(0, 1, 9), Bidder(1, 1, 9))), auction_since=1)
    assert "<select" in two
    assert 'data-bell data-confirm="Really? Press again">Ring the bell</button>' in two
    assert 'data-bell data-confirm="Really? Press again">Ring the bell</button>' in shown(
        "ask", ask=BID, auction_since=1
    )


@pytest.mark.parametrize(
    ("bids", "words"),
    [
        ((0, 0), "Pass: nobody acts"),
        ((3, 2), "Ring the bell: you act for 3"),
        ((0, 5), "Ring the bell: Notus acts for 5"),
        ((4, 4), "Ring the bell: a tie at 4"),
    ],
)
def test_the_bell_that_one_person_rings_says_what_it_does(bids: tuple[int, int], words: str) -> None:
    assert f"data-bell>{words}</button>" in shown("ask", **one_person(*bids))


def test_one_person_who_waits_is_told_why_and_who_decides_and_has_no_bell() -> None:
    view = one_person()
    waits = replace(view["ask"], bidders=(Bidder(1, 1, 9),), kept_out=(KeptOut(0, "acted last", "T2"),))
    ask = shown("ask", **{**view, "ask": waits})
    assert "You acted last, so you do not bid this time; <bdi>Notus</bdi> decides." in ask
    assert "data-bell" not in ask


def test_one_person_who_alone_may_bid_acts_by_one_button_or_lets_it_go() -> None:
    view = one_person()
    seats = tuple(replace(seat, tallies={"gold": 9}) for seat in view["seats"])
    alone = replace(view["ask"], bidders=view["ask"].bidders[:1], kept_out=(KeptOut(1, "acted last", "T2"),))
    ask = shown("ask", **{**view, "ask": alone, "seats": seats})
    assert '<button type="button" class="button primary" data-act="1" data-bidder="0">Act for 1 gold</button>' in ask
    assert 'data-bell title="Nobody acts">Let it go</button>' in ask
    assert "data-raise" not in ask
    bid = (replace(seats[0], bid=3), seats[1])
    assert "data-bell>Act for 3 gold</button>" in shown("ask", **{**view, "ask": alone, "seats": bid})
    outbid = (seats[0], replace(seats[1], bid=3))
    assert "data-raise" in shown("ask", **{**view, "ask": alone, "seats": outbid}), "another's bid stands"


GRIDS = (("b4 d4", "n"), ("b5", "s"))


def moves_shown(**changed: Any) -> list[str]:  # noqa: ANN401 - fields of a view
    """Return whose piece's moves the page shows, the label of each grid, and which of them counts now."""
    html = shown("movements", movements=GRIDS, **changed)
    found = re.findall(r"<p>How (.*?) piece moves|aria-label=\"(\w[^\"]*: [^\"]*)\"|figcaption>(.*, now)", html)
    return ["".join(each) for each in found]


def test_the_page_shows_how_the_own_piece_moves_standard_and_levelled_up() -> None:
    view = one_person()
    assert moves_shown(**view)[:1] == ["your"]
    levelled = tuple(replace(seat, tallies={"level": 1}) for seat in view["seats"])
    assert moves_shown(**{**view, "seats": levelled}) == [
        *("your", "Standard: b4 d4", "Levelled up: n", "Levelled up, now"),
    ]
    bids = Auction("Bid", (Bidder(0, 1, 9), Bidder(1, 1, 9)))
    assert moves_shown(seat=None, ask=bids, auction_since=1) == [], "several may bid"
    assert moves_shown(seat=None, ask=BID, auction_since=1)[0] == "Bart\u2019s"
    assert moves_shown(seat=1)[1:] == ["Standard: b5", "Levelled up: s"]
    assert "turned" in shown("movements", movements=GRIDS, seat=1)
    assert shown("movements").endswith('aria-label="How a piece moves">')


def test_the_golden_button_of_who_leads_alone_is_the_bell() -> None:
    leads, follows = shown("ask", **one_person(3, 2)), shown("ask", **one_person(2, 3))
    assert 'class="button primary" data-bell' in leads
    assert '<button type="submit" class="button">Bid' in leads
    assert 'class="button risky" data-bell' in follows
    assert '<button type="submit" class="button primary">Bid' in follows


def test_the_time_to_act_says_what_its_end_brings_and_the_tallies_of_crowns_what_they_are() -> None:
    tallies = shown("tallies", bell_seconds=51, bell_then="Anne passes")
    assert '<p class="bell">Anne passes in <span class="clock" role="timer">0:51</span>' in tallies
    assert '<p class="bell">The bell rings in <span' in shown("tallies", bell_seconds=51)
    seats = (SeatView("Anne", {"gold": 5, "mud": 1}, on_turn=False),)
    tallies = shown("tallies", game="crowns", seats=seats)
    assert re.search(r'title="What you may bid [^"]*">gold</th><th scope="col" data-what="tally mud">mud</th>', tallies)


def test_the_last_throw_is_shown_in_the_dices_place_with_what_counted_lit() -> None:
    last = LastThrow(1, tuple(Die(face) for face in (6, 5, 4, 3, 6)), (3, 4), "Cargo 9")
    dice = shown("dice", last_throw=last)
    assert dice.count('class="lit') == 2
    assert 'aria-label="die 4: 3, counted"' in dice
    assert "Bart · Cargo 9" in dice
    dice = shown("dice", last_throw=last, tumbling=(0, 1))
    assert "Cargo 9" not in dice
    assert dice.count("tumbling") > 0


def test_the_throw_of_another_is_pale_as_soon_as_one_is_to_act_oneself() -> None:
    last = LastThrow(1, tuple(Die(face) for face in (6, 5, 4, 3, 6)), (3, 4), "Cargo 9")
    seats = SeatView("Anne", {}, on_turn=True), SeatView("Bart", {}, on_turn=False, computer="Zephyr")
    told = {"seats": seats, "dice": (Die(None),) * 5, "last_throw": last, "past_throw": last}
    own = shown("dice", **told, seat=0)
    assert ("last-throw past" in own, "Bart&#39;s throw · Cargo 9" in own) == (True, True)
    assert "last-throw past" not in shown("dice", **told, seat=1)
    assert "last-throw past" not in shown("dice", **told | {"past_throw": replace(last, seat=0)}, seat=1)


def test_news_of_points_name_whose_they_are_and_the_log_goes_back_to_the_beginning() -> None:
    events = tuple(
        GameEvent(EventKind.CARGO, 1, 8, words) for words in ("the crew's cargo", "Bart: 6 5 4 4 4, cargo 8")
    )
    news = shown("news", latest_events=events)
    assert ">Bart: the crew&#39;s cargo<" in news
    assert ">Bart: 6 5 4 4 4, cargo 8<" in news
    log = shown("log", log=(LogLine(0, "the last"),), earlier_log=(LogLine(0, "the first"), LogLine(1, "the second")))
    assert re.findall(r">(the \w+)<", log) == ["the last", "the second", "the first"]
    assert '<details class="seal"' in log, "what strangers do not need is folded away"


def test_pieces_next_to_the_board_are_sorted_by_side_with_the_material_ahead() -> None:
    white, black = sides_of(["p", "P", "q", "p", "R"])
    assert list(white.pieces.items()) == [("R", 1), ("P", 1)]
    assert list(black.pieces.items()) == [("q", 1), ("p", 2)]
    assert (white.ahead, black.ahead) == (0, 5)
    assert sides_of([]) == []


def test_pieces_of_a_kind_lie_in_one_pile_with_their_number() -> None:
    table = with_legend()
    table.beside += ["p", "p", "N"]
    hand = fragment(get(table, "/table").text, "hand")
    assert hand.count("data-take=") == 2
    assert 'aria-label="Take the black pawn, one of 2"' in hand
    assert '<b class="count">2</b>' in hand
    assert hand.index('data-take="N"') < hand.index('data-take="p"')


def test_a_move_that_may_be_taken_back_can_be_undone_by_a_button() -> None:
    table = with_legend()
    undo = {"revision": table.view().revision, "action": TAKE_BACK}
    assert re.search(r'data-undo [^>]*aria-disabled="true"', get(table, "/table").text)
    assert post(table, "/answer", undo).status_code == 400
    table.undoes = 0
    assert re.search(r'data-undo [^>]*aria-disabled="false"', get(table, "/table").text)
    assert post(table, "/answer", undo).status_code == 204
    assert table.calls == [("take back",)]


def test_the_page_says_what_wins_who_is_you_and_puts_what_ends_the_match_last() -> None:
    table = with_legend()
    for goal in (say("most wins; or all¦most wins"), "most wins; or all"):
        table.show(replace(table.view(), goal=goal))
        assert '· <span>most wins; or all</span><span class="short-goal">most wins</span>' in get(table, "/table").text
    seats = (
        SeatView("Sailor", {}, on_turn=True),
        SeatView("Boreas", {}, on_turn=False, computer="Boreas", level="fair"),
    )
    assert re.findall(r">(\(\w+\))<", shown("tallies", seats=seats)) == ["(you)", "(fair)"]
    assert "(you)" not in shown("tallies"), "two people share the page"
    ask = shown("ask", ask=PickAsk("Move", (OFFER_DRAW, Option("pass", "Pass"))))
    assert re.findall(r'data-pick="(\w[^"]*)"', ask) == ["pass", "offer-draw"]
    assert ask.index('id="endings"') < ask.index('data-pick="offer-draw"')


def test_a_square_knows_where_its_piece_may_go_before_the_table_is_asked() -> None:
    table = with_legend()
    table.answer(Pick("roll"), 1)
    html = get(table, "/table").text
    assert re.search(r'data-square="a2"[^>]*data-to="a3 a4"', html)
    assert "data-to" not in get(table, "/").text


def test_captured_pieces_are_shown_while_no_match_is_played() -> None:
    hand = Renderer().fragments("table", Scene(View(), PhysicalBoard({}, (), ("q", "P"))))["hand"]
    assert 'data-take="q"' in hand
    assert 'class="material"' not in hand
