"""The page one plays on in a browser: clicks, keys, bids, what is asked twice, and what is in sight at which size."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from captains_table.catalog import ENTRIES
from captains_table.games.contract import (
    Auction,
    Bell,
    Bid,
    Bidder,
    EventKind,
    GameEvent,
    Option,
    Pick,
    PickAsk,
    Result,
    Square,
)
from captains_table.runtime.table import BidTooLate
from captains_table.table.lobby.screen import AGAINST
from captains_table.table.model.events import Button
from captains_table.table.model.view import Hint, Phase, RollOffer, SeatView, View
from tests.support.browser import Visitor
from tests.support.dice_views import DICE_VIEWS, played
from tests.support.fake_table import with_legend
from tests.support.looking import (
    DESKTOP,
    LAPTOP,
    OUT_OF_SIGHT,
    PHONE,
    SMALL_PHONE,
    TOO_SMALL,
    needless_signs,
    out_of_sight,
    touching,
)
from tests.support.room_display import crowd
from tests.support.served_page import ServedPage, serving_page
from tests.web.test_result_card import WON

pytestmark = pytest.mark.browser
Answered = list[tuple[object, int | None]]


@pytest.fixture(scope="module")
def served() -> Iterator[ServedPage]:
    with serving_page(with_legend()) as served:
        yield served


@pytest.fixture(scope="module")
def open_page(browser: Browser, served: ServedPage) -> Iterator[Page]:
    """Yield the table's page; anything the browser complains about fails a test."""
    visitor = Visitor(browser, is_plain=True)
    visitor.accept("409")  # a stale click is no fault
    yield visitor.open(f"{served.address}table")
    visitor.leave()


@pytest.fixture
def page(open_page: Page, served: ServedPage) -> Page:
    """Return the table's page as a match has just begun."""
    if not open_page.url.endswith("/table"):
        open_page.goto(f"{served.address}table")
    open_page.evaluate("() => { sayNoMore(); hastyMs = hastyUntil = 0; document.activeElement.blur(); }")
    served.change(open_page, served.table.begin_legend)
    return open_page


@pytest.fixture
def answered(served: ServedPage, monkeypatch: pytest.MonkeyPatch) -> Answered:
    """Return what the page answers from now on, and at which revision; the table only notes it."""
    answered: Answered = []
    monkeypatch.setattr(served.table, "answer", lambda action, revision: answered.append((action, revision)))
    return answered


def all_sent(page: Page) -> None:
    """Wait until the page has sent all that it was to send."""
    page.evaluate("() => queue")


def test_holding_the_button_tumbles_until_it_is_let_go(page: Page, served: ServedPage) -> None:
    page.locator("[data-button=roll]").hover()
    page.mouse.down()
    expect(page.locator("#dice .tumbling")).to_have_count(6)
    assert served.table.calls == [("press", Button.ROLL)]
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    assert served.table.calls == [("press", Button.ROLL), ("release", Button.ROLL)]


def test_the_keyboard_has_the_same_buttons_and_asks_for_advice(page: Page, served: ServedPage) -> None:
    page.keyboard.down(" ")
    page.keyboard.down(" ")
    expect(page.locator("#dice .tumbling")).to_have_count(6)
    page.keyboard.up(" ")
    expect(page.locator("#dice .thrown")).to_have_count(6)
    for key in ("n", "ArrowDown", "c", "b", "Escape"):
        page.keyboard.press(key)
    all_sent(page)
    pressed = [call[1] for call in served.table.calls if call[0] == "press"]
    assert pressed == ["roll", "next", "next", "choose", "back", "back"]
    assert len(served.table.calls) == 2 * len(pressed)
    assert served.table.hint is None
    page.keyboard.press("?")
    expect(page.locator("#prompt .advice")).to_contain_text("Keep 6 5 4")


def test_the_board_is_walked_with_arrows_and_touched_with_enter(page: Page, served: ServedPage) -> None:
    page.locator("[data-square=b1]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-square=b1]")).to_have_attribute("aria-label", "b1, empty")
    expect(page.locator("[data-square=b1]")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-square=c2]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-square=c2]")).to_have_attribute("aria-label", "white knight on c2")
    assert served.table.calls == [("click", "b1"), ("click", "c2")]


def test_what_is_shown_already_is_not_drawn_again(page: Page) -> None:
    """A page comes with what the table sends it first."""
    is_drawn_again = """(isChanged) => {
      const board = document.querySelector("#board svg");
      if (isChanged) board.lastElementChild.remove();
      restore("board");
      return !board.isConnected;
    }"""
    assert [page.evaluate(is_drawn_again, is_changed) for is_changed in (False, True)] == [False, True]


def test_a_stale_click_is_explained_and_the_page_is_fresh(page: Page, served: ServedPage) -> None:
    page.evaluate("document.querySelector('.ask').dataset.revision = 0")
    page.locator("[data-pick=roll]").click()
    expect(page.locator("#toast")).to_contain_text("nothing was done")
    assert served.table.view().revision == 1


def show_bids(served: ServedPage, page: Page, *bids: int, since: int = 1) -> None:
    """Show an auction in which Anne and Bart bid so far, of 9 each."""
    seats = tuple(SeatView(name, {}, on_turn=True, bid=bid) for name, bid in zip(("Anne", "Bart"), bids, strict=True))
    bidders = tuple(Bidder(seat, bid + 1, 9) for seat, bid in enumerate(bids) if bid < 9)
    auction = Auction("Bid for it", bidders, bids=bids)
    revision = since + sum(bids)
    served.show(page, View(Phase.PLAYING, "legend", seats=seats, ask=auction, auction_since=since, revision=revision))


def test_a_player_is_chosen_and_the_buttons_bid_for_them(page: Page, served: ServedPage, answered: Answered) -> None:
    show_bids(served, page, 0, 3)
    page.locator("[name=bidder]").select_option("1")
    expect(page.locator("[data-raise='5']")).to_have_text("+5: bid 8")
    page.locator("[data-raise='1']").click()
    all_sent(page)
    show_bids(served, page, 6, 4)
    expect(page.locator("[name=bidder]")).to_have_value("1")
    expect(page.locator("[data-raise='5']")).to_be_disabled()
    page.locator(".bidding input").fill("7")
    page.locator(".bidding [type=submit]").click()
    page.locator("[data-raise=all]").click()
    all_sent(page)
    assert answered == [(Bid(1, 4), 4), (Bid(1, 7), 11)]


SEEN = """(names) => names.map((name) => {
  const place = name.closest(".bidder, th, td");
  const seen = name.querySelector("[aria-hidden]")?.textContent ?? name.textContent;
  return [seen, place.scrollWidth > place.clientWidth + 1];
})"""


def names_seen(page: Page, where: str) -> list[str]:
    """Return the names as they are seen; none of them is cut off by the browser."""
    seen: list[tuple[str, bool]] = page.locator(f"{where} [data-forms]").evaluate_all(SEEN)
    assert not any(is_cut for _, is_cut in seen)
    return [name for name, _ in seen]


def test_what_tells_names_apart_is_seen_in_narrow_lists(page: Page, served: ServedPage) -> None:
    seats = tuple(SeatView(f"Captain {number}", {}, on_turn=True) for number in range(1, 15))
    auction = Auction("Bid for it", tuple(Bidder(seat, 1, 19) for seat in range(14)), bids=(0,) * 14)
    served.show(page, View(Phase.PLAYING, "legend", seats=seats, ask=auction, auction_since=1, revision=1))
    expect(page.locator(".bids li")).to_have_count(len(seats))
    bids = names_seen(page, ".bids")
    assert len(set(bids)) == len(seats)
    assert bids[13].endswith("14")
    assert "Captain 14" in page.locator(".bids").inner_text().replace("\n", " "), "screen readers read the whole name"
    five = ("Captain Bartholomew", "Captain Bartleby", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "Eurus", "Eurus 2")
    view = DICE_VIEWS["eight-seats"]
    party = tuple(replace(view.seats[0], name=name, on_turn=False) for name in five)
    rows = tuple(replace(row, cells=row.cells[:5], prospects=()) for row in view.sheet)
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        served.show(page, replace(view, seats=party, sheet=rows, prompt=(f"{five[2]}: 3 throws",), seat=2))
        expect(page.locator("#sheet table:first-of-type thead bdi")).to_have_count(len(five))
        heads = names_seen(page, "#sheet table:first-of-type thead")
        assert len(set(heads)) == len(five)
        assert heads[4].endswith("2")
        assert page.locator("#prompt bdi").all_inner_texts() == [five[2]], "its direction changes nothing around it"
    finally:
        page.set_viewport_size(size)


def test_who_bids_and_what_is_typed_stay_when_somebody_else_bids(
    page: Page, served: ServedPage, answered: Answered
) -> None:
    show_bids(served, page, 0, 2)
    page.locator("[name=bidder]").select_option("1")
    page.locator(".bidding input").fill("8")
    page.locator("[data-bell]").click()
    expect(page.locator("[data-bell]")).to_have_text("Really? Press again")
    show_bids(served, page, 3, 2)
    expect(page.locator(".bids .leads")).to_contain_text("Anne")
    expect(page.locator(".bidding input")).to_have_value("8")
    expect(page.locator("[data-bell]")).to_have_text("Ring the bell")
    page.locator(".bidding [type=submit]").click()
    all_sent(page)
    assert answered == [(Bid(1, 8), 6)]
    show_bids(served, page, 3, 8)
    expect(page.locator(".bidding input")).to_have_value("9")
    for _ in range(2):
        page.locator("[data-bell]").click()
    all_sent(page)
    assert answered[1:] == [(Bell(), 12)]


def test_who_alone_may_bid_acts_by_one_press_and_rings_no_bell_if_the_bid_is_refused(
    page: Page, served: ServedPage, answered: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = (SeatView("Anne", {}, on_turn=True), SeatView("Notus", {}, on_turn=False, computer="Notus", level="fair"))
    auction = Auction("Bid for it", (Bidder(0, 1, 9),), bids=(0, 0))
    served.show(page, View(Phase.PLAYING, "legend", seats=seats, ask=auction, auction_since=1, revision=1))
    act = page.locator("[data-act]")
    act.click()
    expect(act).to_be_disabled()
    all_sent(page)
    assert answered == [(Bid(0, 1), 1), (Bell(), 1)]

    def refuse(action: object, revision: int | None) -> None:
        answered.append((action, revision))
        raise BidTooLate("too late")

    served.show(page, View(Phase.PLAYING, "legend", seats=seats, ask=auction, auction_since=2, revision=2))
    monkeypatch.setattr(served.table, "answer", refuse)
    act.click()
    expect(page.locator("#toast")).to_contain_text("Too late")
    expect(act).to_be_enabled()
    assert answered[2:] == [(Bid(0, 1), 2)]


def test_a_move_that_is_asked_about_is_put_back_by_a_button_or_by_escape(page: Page, served: ServedPage) -> None:
    ask = PickAsk("Which move is it?", (Option("a2a3", "Move to a3"), Option("a2a3+", "Move to a3 and level up")))
    before = served.table.view()
    ways: list[Callable[[], None]] = [page.get_by_text("Put it back").click, partial(page.keyboard.press, "Escape")]
    for revision, put_back in enumerate(ways):
        served.table.pieces[Square(0, 2)] = served.table.pieces.pop(Square(0, 1))
        served.show(page, replace(before, ask=ask, asks_about_board=True, revision=5 + revision))
        expect(page.locator("[data-square=a3]")).to_have_attribute("aria-label", re.compile("pawn"))
        put_back()
        all_sent(page)
        assert served.table.pieces == before.pieces
    served.show(page, replace(before, ask=ask, revision=9))
    expect(page.get_by_text("Put it back")).to_have_count(0)


def test_how_the_piece_moves_is_behind_a_button_on_a_phone_and_covers_nothing_there(
    page: Page, served: ServedPage
) -> None:
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        served.show(page, replace(served.table.view(), movements=(("b4 d4", "n"), ("b5", "s")), revision=7))
        drawn, how = page.locator(".movements"), page.locator("[data-how]")
        expect(drawn).to_be_hidden()
        before = page.locator("#ask").bounding_box()
        how.click()
        expect(drawn).to_be_visible()
        assert page.locator("#ask").bounding_box() == before
        page.keyboard.press("Escape")
        expect(drawn).to_be_hidden()
        how.click()
        how.click()
        expect(drawn).to_be_hidden()
        served.show(page, replace(served.table.view(), movements=(), revision=8))
        expect(how).to_be_hidden()
    finally:
        page.set_viewport_size(size)


def test_a_press_right_after_another_bid_does_nothing_but_say_so(
    page: Page, served: ServedPage, answered: Answered
) -> None:
    page.evaluate("() => { hastyMs = 60_000; }")
    show_bids(served, page, 0, 2)
    page.locator("[name=bidder]").select_option("0")
    page.locator("[data-raise='1']").click()
    all_sent(page)
    show_bids(served, page, 3, 2)  # the page's own
    page.locator("[data-raise='5']").click()
    all_sent(page)
    assert answered == [(Bid(0, 3), 3), (Bid(0, 8), 6)]
    show_bids(served, page, 3, 4)
    for press in ("[data-raise='1']", ".bidding [type=submit]", "[data-bell]"):
        page.locator(press).click()
        expect(page.locator("#toast")).to_have_text("Somebody bid meanwhile: look again")
    expect(page.locator("[data-bell]")).to_have_text("Ring the bell")
    show_bids(served, page, 0, 0, since=20)
    page.evaluate("() => { hastyMs = hastyUntil = 0; }")
    page.locator("[name=bidder]").select_option("0")
    page.locator("[data-raise='1']").click()
    all_sent(page)
    assert answered[2:] == [(Bid(0, 1), 20)]


def test_without_a_bidder_nothing_is_bid(page: Page, served: ServedPage, answered: Answered) -> None:
    show_bids(served, page, 0, 3)
    bidder, amount = page.locator("[name=bidder]"), page.locator(".bidding input")
    ways = [page.locator(f"[data-raise='{words}']") for words in ("1", "5", "all")]
    ways.append(page.locator(".bidding [type=submit]"))
    expect(bidder).to_have_value("")
    for way in ways:
        way.click()
        expect(page.locator("#toast")).to_contain_text("Who bids?")
        page.evaluate("sayNoMore()")
    amount.fill("7")
    bidder.select_option("1")
    expect(amount).to_have_value("7")
    show_bids(served, page, 0, 9)
    expect(page.locator(".bids .leads")).to_contain_text("9")
    expect(bidder).to_have_value("")
    expect(amount).to_have_value("9")
    for way in (ways[2], ways[2], ways[3]):
        way.click()
    bidder.select_option("0")
    show_bids(served, page, 0, 0, since=20)
    expect(page.locator("[data-auction='20']")).to_be_visible()
    expect(bidder).to_have_value("")
    ways[3].click()
    all_sent(page)
    assert answered == []


def test_what_was_asked_of_one_is_not_confirmed_by_another(page: Page, served: ServedPage, answered: Answered) -> None:
    """A second press confirms only where nothing else was chosen, sent or shown since the first."""
    show_bids(served, page, 0, 3)
    bidder, everything, bell = (page.locator(each) for each in ("[name=bidder]", "[data-raise=all]", "[data-bell]"))
    bidder.select_option("1")
    everything.click()
    bidder.select_option("0")
    expect(everything).to_have_text("All: bid 9")
    everything.click()
    expect(everything).to_have_text("All? Press again")
    bell.click()
    expect(everything).to_have_text("All: bid 9")
    everything.click()
    expect(bell).to_have_text("Ring the bell")
    show_bids(served, page, 4, 3)
    expect(everything).to_have_text("All: bid 9")
    everything.click()
    all_sent(page)
    assert answered == []
    show_bids(served, page, 5, 3)
    for _ in range(3):
        everything.click()
    all_sent(page)
    assert answered == [(Bid(0, 9), 9)], "the third press asks anew"


def test_abandoning_and_giving_up_a_box_need_two_clicks(page: Page, served: ServedPage, answered: Answered) -> None:
    abandon = page.locator("[data-pick=abandon]")
    expect(abandon).to_be_hidden()
    page.locator("#endings summary").click()
    abandon.click()
    expect(abandon).to_have_text("Really? Press again")
    told = page.locator(".consequence")
    expect(told).to_have_text("Bart may agree: the round then ends, and nobody wins it.")
    below, button = told.bounding_box(), abandon.bounding_box()
    assert below is not None
    assert button is not None
    assert 0 < below["y"] - button["y"] - button["height"] < 10, "it is told below the button, not over the dice"
    page.keyboard.press("Escape")
    expect(told).to_be_empty()
    abandon.click()
    assert answered == []
    abandon.click()
    all_sent(page)
    agreed = "game swashbuckle Anne Bart order=seated voluntary_scuttle=true"
    served.show(page, played(f"{agreed}; dice 1 2 2 3 3; press roll"))
    box = page.locator("[data-fill=scuttle-swashbuckle]")
    box.click()
    expect(box).to_have_text("Sure?")
    page.locator("[data-fill=scuttle-piracy]").click()
    expect(box).to_have_text("0")
    box.click()
    box.click()
    all_sent(page)
    assert [action for action, _ in answered] == [Pick("abandon"), Pick("scuttle-swashbuckle")]


# Where an answer that is scrolled half out at the bottom of its box can be pressed, and how far that was scrolled.
# Where the answers are, and the lines behind which others are folded.
ANSWERS = """() => [...document.querySelectorAll("#ask summary, .ask > .answers > .button")].map((each) => {
  const { left, top } = each.getBoundingClientRect();
  return [each.textContent, left, top];
})"""
HALF_HIDDEN = """() => {
  const box = document.querySelector("#moves .answers"), low = box.getBoundingClientRect().bottom;
  const place = () => box.querySelector(".button:last-child").getBoundingClientRect();
  box.scrollTop += place().bottom - low - place().height / 2;
  return [place().x + place().width / 2, low - place().height / 4, box.scrollTop];
}"""


def test_a_press_beside_an_opened_list_closes_it_and_a_half_hidden_answer_is_shown_first(
    page: Page, served: ServedPage, answered: Answered
) -> None:
    resized(page, LAPTOP)
    served.show(page, LEGEND)
    moves, summary = page.locator("#moves"), page.locator("#moves summary")
    expect(summary).to_have_text("Choose a move from a list (20)")
    for size in (DESKTOP, LAPTOP, PHONE, ZOOMED):  # the last makes the list scroll
        page.keyboard.press("Escape")
        resized(page, size)
        places = page.evaluate(ANSWERS)
        summary.click()
        assert page.evaluate(ANSWERS) == places, "nothing moves when a list opens"
    left, top, scrolled = page.evaluate(HALF_HIDDEN)
    page.mouse.click(left, top)
    all_sent(page)
    assert answered == []
    assert page.evaluate("() => document.querySelector('#moves .answers').scrollTop") > scrolled
    resized(page, LAPTOP)
    square = page.locator("[data-square=e2]").bounding_box()
    assert square is not None
    page.mouse.click(square["x"] + 9, square["y"] + 9)
    expect(moves).not_to_have_attribute("open", "")
    expect(page.locator("#board .lifted")).to_have_count(0)
    summary.click()
    moves.locator("[data-pick=e2e4]").click()
    all_sent(page)
    assert answered == [(Pick("e2e4"), LEGEND.revision)]


def test_what_was_asked_of_one_switch_is_not_confirmed_for_another(
    page: Page, served: ServedPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    (report,) = served.table.switch_reports()
    reports = [report, msgspec.structs.replace(report, square=Square(3, 3))]
    monkeypatch.setattr(served.table, "switch_reports", lambda: reports)
    page.goto(f"{served.address}switches?square=e4")
    ignore = page.locator("[data-mask]")
    ignore.click()
    expect(ignore).to_have_text("Really? Press again")
    page.locator("[data-switch=d4]").click()
    expect(ignore).to_have_attribute("data-mask", "d4")
    assert ignore.text_content() == "Ignore this switch"


ZOOMED = {"viewport": {"width": 683, "height": 384}}  # a laptop at 200 %
STEPS = ("This is no move now", *(f"Put the white pawn on {file}2" for file in "abc"), "and 4 more")
LEGEND = played("game legend Anne Bart; dice 6 5 4 1 1 6; press roll")
CROWNS = played(f"game crowns {' '.join(f'Captain-{number}' for number in range(1, 15))}")
BIDS = played("game crowns Anne Bart")
CLOCK = played("game captains-chess Anne Bart clock=300")
SHIPS = played("game ship-captain-crew Anne Bart order=seated; dice 6 5 2 3 1; press roll")
FREE = played("game swashbuckle Anne Bart order=seated voluntary_scuttle=true; dice 1 2 2 3 3; press roll")
FIVE = played("game swashbuckle Anne Bart Cora Dirk Elsa order=seated; dice 1 1 1 3 3; press roll")
CORAS = replace(FIVE, seats=tuple(replace(seat, on_turn=number == 2) for number, seat in enumerate(FIVE.seats)), seat=2)
IN_SIGHT = (
    (LAPTOP, replace(LEGEND, prompt=STEPS), ("#prompt p", "#tallies tbody tr", "#dice li", ".board")),
    (LAPTOP, View(prompt=("Press the button to begin",)), ()),
    (LAPTOP, CROWNS, ("#prompt p", "[data-bell]", ".bidding [type=submit]", "[data-raise]", ".bids li")),
    (PHONE, replace(LEGEND, prompt=STEPS), ("#prompt p", "#tallies tbody tr", "#dice li", ".board")),
    (PHONE, CROWNS, ("#prompt p", "[data-bell]", ".bidding [type=submit]", "[data-raise]", ".bids li")),
    (PHONE, CLOCK, ("#prompt p", "#tallies tbody tr", "#tallies .clock", "[data-flip]", ".board")),
    (PHONE, CORAS, ("#prompt p", "#tallies .on-turn", "#dice li")),
    (ZOOMED, replace(LEGEND, prompt=STEPS * 2), ("#tallies tbody tr", "#dice li", ".board")),
    (ZOOMED, CROWNS, ("#prompt p", "[data-bell]", ".bidding [type=submit]", "[data-raise]")),
    (ZOOMED, CLOCK, ("#prompt p", "#tallies tbody tr", "#tallies .clock", "[data-flip]", ".board")),
)
# What is cut off at the bottom with no sign that there is more.
CUT = """() => [...document.querySelectorAll("#prompt, #ask, #tallies")].filter((box) => box.checkVisibility()
  && getComputedStyle(box).overflowY === "auto" && box.scrollHeight > box.clientHeight + 1
  && [getComputedStyle(box, "::after")].some((sign) => sign.content === "none" || sign.opacity !== "1"))
  .map((box) => `${box.id}: ${box.scrollHeight} px`).concat(
  [...document.querySelectorAll(".bidder")].filter((name) => name.scrollWidth > name.clientWidth + 1)
    .map((name) => `${name.innerText} is cut`),
  [...document.querySelectorAll(".own-token")].filter((badge) => badge.scrollWidth > badge.clientWidth).map(
    (badge) => `the number ${badge.innerText} overflows`))"""
# Which player on turn is under the sign that there are more players.
FAINT = """() => {
  const tallies = document.querySelector("#tallies");
  const { opacity, height } = getComputedStyle(tallies, "::after");
  const clear = tallies.getBoundingClientRect().bottom - (opacity === "1" ? parseFloat(height) : 0);
  return [...tallies.querySelectorAll("tr:not(.on-turn) + .on-turn")]
    .filter((row) => row.getBoundingClientRect().bottom > clear + 1).map((row) => `${row.innerText} is faint`);
}"""
# Which letters or numbers of the rim touch a square, and which lines of the prompt touch each other.
TOUCHING = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  const meet = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  const squares = boxes("[data-square] > :first-child");
  const letters = boxes(".coordinates text, .coordinate");
  const rim = letters.filter((letter) => squares.some((square) => meet(letter, square))).length;
  const [heading, rest] = [".prompt", ".prompt-rest"].map((each) => boxes(each)[0]);
  return [rim, rest && rest.top - heading.bottom < 2];
}"""
SMALLEST_DIE = """() => Math.min(...[...document.querySelectorAll("#dice .body")].map(
  (die) => die.getBoundingClientRect().width))"""


def resized(page: Page, size: dict[str, dict[str, int]]) -> None:
    """Give the page another size, and wait until it is laid out so."""
    page.set_viewport_size({"width": size["viewport"]["width"], "height": size["viewport"]["height"]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_at_every_size_all_that_one_needs_is_in_sight_and_nothing_is_cut_without_a_sign(
    page: Page, served: ServedPage
) -> None:
    wrong = []
    for size, view, needed in IN_SIGHT:
        resized(page, size)
        served.show(page, view)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        rim, touch = page.evaluate(TOUCHING)
        found = [*out_of_sight(page, *needed), *page.evaluate(CUT), *page.evaluate(FAINT)]
        found += [f"{rim} of the rim on squares"] * bool(rim) + ["the prompt's lines touch"] * bool(touch)
        wrong += [f"{size['viewport']['width']} px, {view.title}: {each}" for each in found]
    resized(page, LAPTOP)
    assert wrong == []


# How much of the answers and the tallies lies below the edge of their boxes, or of the prompt.
BELOW = """() => [...document.querySelectorAll("#prompt, #ask, #tallies")]
  .map((box) => [box.id, box.scrollHeight - box.clientHeight]).filter(([, below]) => below > 0).map(String)"""


@pytest.mark.parametrize("kind", ["usual", "large"])
def test_two_players_see_all_and_nothing_fades(page: Page, served: ServedPage, kind: str) -> None:
    cut = []
    page.evaluate("(kind) => { document.documentElement.dataset.type = kind; }", kind)
    for size in (LAPTOP, DESKTOP, PHONE, SMALL_PHONE):
        resized(page, size)
        for view in (SHIPS, BIDS, CLOCK):
            served.show(page, view)
            found = needless_signs(page) + page.evaluate(BELOW)
            cut += [f"{size['viewport']['width']} px, {view.title}: {each}" for each in found]
    page.evaluate("delete document.documentElement.dataset.type")
    resized(page, LAPTOP)
    assert cut == []


COVERED_DICE = """() => {
  const words = document.querySelector(".outcome").getBoundingClientRect();
  const dice = [...document.querySelectorAll("#dice .body")].map((die) => die.getBoundingClientRect());
  const isCovered = (die) => die.left < words.right && words.left < die.right
    && die.top < words.bottom - 1 && words.top < die.bottom - 1;
  return dice.filter(isCovered).length;
}"""
PLACES_OF_DICE = """() => [...document.querySelectorAll("#dice .dice .die")].map((die) => {
  const box = die.getBoundingClientRect();
  return [Math.round(box.x), Math.round(box.y), Math.round(box.width)];
})"""
PINS_ON_PIPS = """() => [...document.querySelectorAll("#dice .die.held")].filter((die) => {
  const pin = die.querySelector(".pin circle").getBoundingClientRect();
  return [...die.querySelectorAll(".pip")].some((pip) => {
    const box = pip.getBoundingClientRect(), reach = (pin.width + box.width) / 2;
    const shift = (pin.width - box.width) / 2;
    return Math.hypot(pin.x - box.x + shift, pin.y - box.y + shift) < reach;
  });
}).map((die) => die.parentElement.ariaLabel)"""


# Whether a line of the log is told while dice settle; how many dice do, and how many berths are told only later.
TOLD_WHILE_DICE_SETTLE = """() => {
  const fallen = document.getElementById("dice").innerHTML;
  swapAll({ dice: fallen.replaceAll("thrown", "tumbling").replaceAll('class="filled"', "") });
  swapAll({ log: "it fell", dice: fallen });
  const told = document.getElementById("log").textContent.includes("it fell");
  return [told, document.querySelectorAll(".settling").length, document.querySelectorAll(".berths .fresh").length];
}"""


def test_the_dice_fill_the_room_and_the_target_is_told(page: Page, served: ServedPage) -> None:
    """Where the game is about dice; and the last throw of the opponent stays pale until the next one."""
    sizes = []
    last = DICE_VIEWS["last-throw-of-the-cargo"]
    for size in (LAPTOP, PHONE):
        resized(page, size)
        served.show(page, SHIPS)
        sizes.append(page.evaluate(SMALLEST_DIE))
        expect(page.locator("#tallies thead th").last).to_have_text("to go")
        button = page.locator("#roll .knob").bounding_box()
        lie = page.evaluate(PLACES_OF_DICE)
        served.show(page, DICE_VIEWS["berths-full"])
        assert page.evaluate(PINS_ON_PIPS) == []
        assert page.evaluate(PLACES_OF_DICE) == lie, "a die keeps its place"
        stand = page.get_by_role("button", name="Stand with 7").bounding_box()
        throw = page.locator("#roll .knob").bounding_box()
        assert stand
        assert throw
        assert throw == button, "and the button"
        assert stand["height"] >= throw["height"] - 1
        assert abs(stand["y"] - throw["y"]) <= throw["height"] + 24, "both are side by side"
        served.show(page, last)
        assert page.evaluate(PLACES_OF_DICE) == lie
        served.show(page, FREE)
        sizes.append(page.evaluate(SMALLEST_DIE))
    assert [size >= least for size, least in zip(sizes, (110, 60, 90, 40), strict=True)] == [True] * 4, sizes
    resized(page, LAPTOP)
    served.show(page, DICE_VIEWS["berths-full"])
    page.locator("#dice [data-shown='2']").click()
    expect(page.locator("#toast")).to_have_text("All these dice are thrown together: none can be kept")
    expect(page.locator("#dice .refused")).to_have_attribute("data-shown", "2")
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(TOLD_WHILE_DICE_SETTLE) == [False, 5, 3]
    expect(page.locator("#log")).to_have_text("it fell")
    page.emulate_media(reduced_motion="reduce")
    served.show(
        page, replace(last, last_throw=None, seats=(last.seats[0], replace(last.seats[1], tallies={"total": 7})))
    )
    expect(page.locator("#heading .round")).to_have_text("Round 1 · first to 50; then last turns", use_inner_text=True)
    expect(page.locator("#tallies tbody tr").last.locator("td").last).to_have_text("43")
    expect(page.locator("#tallies .leads")).to_have_text("9")
    expect(page.locator("#dice.past, #dice .past .die")).to_have_count(5)
    expect(page.locator("#dice .outcome")).to_have_text("Tom's throw · Cargo 9")
    expect(page.locator("#dice .berths .filled")).to_have_count(0)
    assert page.locator("#dice .cube").first.evaluate("(die) => getComputedStyle(die).opacity < 0.5")
    served.show(page, replace(last, last_throw=None, tumbling=(0, 1, 2, 3, 4)))
    expect(page.locator("#dice .past")).to_have_count(0)
    thrown = last.last_throw
    assert thrown
    for view in (last, replace(LEGEND, last_throw=replace(thrown, seat=0, slots=()))):
        served.show(page, view)
        for size in (PHONE, LAPTOP):
            resized(page, size)
            assert page.evaluate(COVERED_DICE) == 0, f"a die is covered: {view.title}, {size}"


# What of the game lies under news or under a message to the player.
# What is covered at one of its ends, or cut by its tray.
UNDER_SOMETHING = """(selectors) => selectors.filter((selector) => {
  const it = document.querySelector(selector), box = it.getBoundingClientRect(), middle = box.top + box.height / 2;
  return ![box.left + 3, box.right - 3].every((x) => it.contains(document.elementFromPoint(x, middle)));
})"""
COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((it) => it.checkVisibility())
    .map((it) => [it, it.getBoundingClientRect()]);
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const needed = boxes("#prompt, #dice li, #ask .ask, #roll button, [data-square], #sheet thead th, #tallies tr");
  const bar = boxes(innerWidth > 960 ? ".bar h1, .bar :is(a, button)" : ".bar .tools button");
  const room = document.querySelector(".news").getBoundingClientRect(); // what does not fit into it is not seen
  const news = boxes(".news li").map(([it, { left, right, top, bottom }]) =>
    [it, { left, right, top: Math.max(top, room.top), bottom: Math.min(bottom, room.bottom) }]);
  const toast = boxes("#toast").filter(([, { top, height }]) => top > 0 && height < 45);
  if (toast.length !== 1) return ["the message is cut"];
  return [...news, ...toast].flatMap(([message, box]) =>
    (message === toast[0][0] ? [...needed, ...bar] : needed).filter(([, other]) => meet(box, other))
    .map(([it]) => `${message.textContent} is over ${it.id || it.className.baseVal || it.className || it.tagName}`));
}"""


def test_captured_pieces_fit_and_news_and_messages_cover_nothing_of_the_game(page: Page, served: ServedPage) -> None:
    served.table.beside = [*"QRCBNPqrcbnp", "+R", "+B", "+r", "+b", *"PPpp"]
    for size, view in (({"viewport": {"width": 1920, "height": 1080}}, CLOCK), (LAPTOP, LEGEND)):
        resized(page, size)
        served.show(page, view)
        tray = page.locator(".tray.beside")
        assert tray.evaluate("(tray) => tray.scrollWidth <= tray.clientWidth"), size
    served.table.beside = [*"QRBNPqrbnpq"]
    resized(page, PHONE)
    served.show(page, LEGEND)
    expect(page.locator(".material")).to_have_count(0)  # next to points it would look like points
    served.show(page, CLOCK)
    expect(page.locator(".material")).to_have_text("White +9")
    boxes = page.locator(".tray.beside, .material")
    ends = boxes.evaluate_all("(boxes) => boxes.map((box) => box.getBoundingClientRect().right)")
    assert ends[1] <= ends[0], "who is ahead is not cut off"
    served.table.hand = ["N"]
    for beside in (["p"], [*"QRRBBNNPPPPPPP", *"qrrbbnnpppppppp"]):
        served.table.beside = beside
        for size in (PHONE, SMALL_PHONE, LAPTOP):
            resized(page, size)
            served.show(page, replace(CLOCK, revision=CLOCK.revision + len(beside)))
            expect(page.locator(".material")).to_have_text("White +1")
            assert page.evaluate(UNDER_SOMETHING, [".tray.hand .button", ".material"]) == [], size
    served.table.beside = served.table.hand = []
    served.show(page, replace(FREE, latest_events=(GameEvent(EventKind.ORDER, 0, 4, "Bart scores 4: Twos"),)))
    covered = []
    told = tuple(GameEvent(EventKind.ORDER, 0, points, "Bart scores: a long sentence about it") for points in (4, 5, 6))
    for size in (LAPTOP, PHONE, {"viewport": {"width": 1920, "height": 1080}}):
        resized(page, size)
        for view in (LEGEND, FREE, CROWNS, SHIPS):
            served.show(page, replace(view, latest_events=told))
            page.evaluate("() => say('Too late: the bell has rung, and the auction is over. Nothing was bid here.')")
            covered += [f"{size['viewport']['width']} px, {view.title}: {each}" for each in page.evaluate(COVERED)]
    assert covered == []
    page.mouse.click(2, 300)  # on nothing
    expect(page.locator("#toast")).to_be_hidden()
    resized(page, LAPTOP)


def test_another_players_sheet_is_turned_to_and_back_when_the_turn_passes(page: Page, served: ServedPage) -> None:
    view = DICE_VIEWS["two-columns-of-two"]
    served.show(page, view)
    seen = page.locator("#sheet .score-sheet:visible thead tr:first-child th:last-child")
    expect(seen).to_have_text(["Sunnyseas"] * 2)
    page.get_by_role("radio", name="Anne").check()
    expect(seen).to_have_text(["Anne"] * 2)
    served.show(page, replace(view, sheet=tuple(replace(row, prospects=()) for row in view.sheet)))
    expect(seen).to_have_text(["Anne"] * 2)
    expect(page.get_by_role("radio", name="Anne")).to_be_focused()
    seats = (replace(view.seats[0], on_turn=True), replace(view.seats[1], on_turn=False))
    served.show(page, replace(view, seat=0, seats=seats))
    page.get_by_role("radio", name="Sunnyseas").check()
    served.show(page, view)
    expect(seen).to_have_text(["Sunnyseas"] * 2)
    served.show(page, replace(view, seat=0, seats=seats))
    expect(seen).to_have_text(["Anne"] * 2)


def test_the_big_button_throws_and_no_other_and_advice_is_drawn_on_it_dice_and_board(
    page: Page, served: ServedPage
) -> None:
    again = page.locator("#ask [data-pick=throw-again]")
    hint = Hint("Keep 6", "3.83 cargo expected", "throw-again", (1,))
    served.show(page, replace(LEGEND, hint=hint))
    expect(again).to_be_visible()
    offer = RollOffer(
        "Throw again: 5 dice", possible=True, dice=(2, 3, 4, 5, 6), choice=(1, 2, 3, 4, 5, 6), option="throw-again"
    )
    served.show(page, replace(LEGEND, hint=hint, roll=offer))
    expect(again).to_be_hidden()
    expect(page.locator("#dice .advised")).to_have_attribute("data-die", "1")
    expect(page.locator("#prompt .advice")).to_have_text("Advice: Keep 6; throw the rest · 3.83 cargo expected")
    expect(page.locator(".deck-table:has(.by-roll.advised) #roll .knob-roll")).to_be_visible()
    for advised, bright in (("stand", "#ask .primary"), ("throw-again", "#roll .knob:not(.aside)")):
        roll = RollOffer(
            "Throw again: 2 dice", possible=True, dice=(1, 5), aside=advised != "stand", option="throw-again"
        )
        served.show(page, replace(DICE_VIEWS["berths-full"], hint=Hint("Do that", id=advised), roll=roll))
        expect(page.locator("#ask .primary:visible, #roll .knob:not(.aside)")).to_have_count(1)
        expect(page.locator(bright).last).to_be_visible()
    clock = PickAsk("Press the clock", (Option("press-clock", "Press the clock"),))
    served.show(page, replace(LEGEND, ask=clock, roll=replace(offer, label="Press the clock")))
    expect(page.locator("#ask [data-pick=press-clock]")).to_be_hidden()
    served.show(page, replace(LEGEND, hint=replace(hint, id="b1c3", dice=None)))
    expect(page.locator(".square:has(.advised-square)")).to_have_count(2)
    expect(page.locator("[data-square=c3]")).to_have_attribute("aria-label", "c3, empty, advised")


# The words with a letter that are seen before anything is clicked or scrolled; a plug-in's card has its own.
WORDS_IN_SIGHT = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    const around = walker.currentNode.parentElement;
    const isSeen = around.checkVisibility({ visibilityProperty: true }) && !around.closest(".unseen, #card-pig")
      && box.width > 1 && box.top < innerHeight && box.bottom > 0 && box.left < innerWidth && box.right > 0;
    if (isSeen) found.push(...(walker.currentNode.data.match(/\\p{L}[\\p{L}']*/gu) ?? []));
  }
  return found;
}"""


# Whether an element is seen, and all of it, and nothing lies over its middle.
UNCOVERED = """(selector) => {
  const element = document.querySelector(selector);
  const box = element.getBoundingClientRect();
  const card = element.closest(".card").getBoundingClientRect();
  const over = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2)[0];
  return element.checkVisibility({ visibilityProperty: true }) && box.bottom < card.bottom && box.left > card.left
    && (over === element || over?.closest(".pips") === element.closest(".pips"));
}"""
# How many discs of Legend's are full to some extent, and the word below them.
FULL_DISCS = """() => {
  const labels = [...document.querySelectorAll("#card-legend .pips label")];
  const full = labels.map((label) => getComputedStyle(label, "::before").backgroundColor !== "rgba(0, 0, 0, 0)");
  const words = labels.filter((label) => label.querySelector("span").checkVisibility({ visibilityProperty: true }));
  return { full: full.lastIndexOf(true) + 1, word: words.map((label) => label.textContent.trim()).join(" ") };
}"""
MOST_WORDS_OF_A_CARD = 12
HOUSE_CARDS = ", ".join(
    f"#card-{entry.game.key}{part}"
    for entry in ENTRIES
    for part in ("", " .button", " .pips", " .pips :checked + span", " .say")
)
# The cards over which the answers of the lobby's menu lie.
COVERED_CARDS = """() => {
  const ask = document.querySelector("#ask").getBoundingClientRect();
  const lies = ({ top, bottom }) => top < ask.bottom - 1 && ask.top < bottom - 1;
  const cards = [...document.querySelectorAll(".card")];
  return cards.filter((card) => lies(card.getBoundingClientRect())).map((card) => card.id);
}"""
# The pictures of cards that are cut off at the sides by more than 3 %.
SIDEWAYS_CUT = """() => [...document.querySelectorAll(".picture img")].filter((picture) => {
  const { width, height } = picture.getBoundingClientRect();
  const shown = Math.max(width, height * picture.naturalWidth / picture.naturalHeight);
  return shown > width * 1.03;
}).map((picture) => picture.src)"""


def test_the_first_screen_fits_says_little_and_begins_by_keys(page: Page, served: ServedPage) -> None:
    served.table.pieces = {}
    served.show(page, View(title="Captain's Table"))
    for width, height in ((1366, 768), (390, 844), (1920, 1080), (683, 384)):
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(WORDS_IN_SIGHT)
        assert 0 < len(seen) <= MOST_WORDS_OF_A_CARD * len(ENTRIES), seen
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        whole = HOUSE_CARDS if width > 1000 else "#card-legend .primary"
        assert page.evaluate(OUT_OF_SIGHT, [whole]) == []
        if width == 390:
            assert page.evaluate(TOO_SMALL) == []
        if width in (390, 1366):  # the level in words is seen, and under nothing
            assert page.evaluate(UNCOVERED, "#card-legend .pips :checked + span"), width
            assert page.evaluate(SIDEWAYS_CUT) == [], width
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator("#roll button, .harbour")).to_have_count(0)
    page.locator("#legend-5 + span").locator("xpath=..").hover()  # discs and word tell of the level under the pointer
    discs = page.evaluate(FULL_DISCS)
    assert (discs["full"], discs["word"]) == (5, "seasoned"), discs
    games = PickAsk("Which game?", (Option("game-legend", "Legend"), Option("back", "Back")), "game-legend")
    served.show(page, View(title=AGAINST, prompt=("Which game?",), ask=games))
    expect(page.locator("#ask [data-pick=back]")).to_be_visible()
    assert page.evaluate(COVERED_CARDS) == [], "the knob's question lies over a card"
    served.show(page, View(title="Captain's Table"))
    page.locator("#legend-1").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    served.show(page, View(title="New match", prompt=("It cannot be.", "Which game?")))
    expect(page.locator("#legend-3")).to_be_focused()
    expect(page.locator("#legend-3")).to_be_checked()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#card-legend .primary")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/table")
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator(".first")).to_have_count(0)
    assert ("new", "legend", ("Sailor", "aether:2"), {"rounds": "1"}) in served.table.calls
    page.get_by_role("link", name="Captain's Table: all games").click()
    page.locator("#card-legend .picture").click(position={"x": 30, "y": 20})  # on its title
    page.wait_for_url("**/table")
    assert served.table.calls[-1] == ("new", "legend", ("Sailor", "aether:0"), {"rounds": "1"})


def test_prints_choose_their_paper_and_a_sheet_fills_it(open_page: Page, served: ServedPage) -> None:
    papers, places = (
        {},
        """() => [...document.querySelectorAll(".bar nav a")].map((it) => it.getBoundingClientRect().x)""",
    )
    open_page.goto(f"{served.address}table")
    at_table = open_page.evaluate(places)
    for path in ("rules/swashbuckle", "designs/signs?piece=Ann:+c4+/+c4+c2", ""):
        open_page.goto(f"{served.address}{path}")
        printed = open_page.pdf(prefer_css_page_size=True)
        boxes = {tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[([^\]]*)\]", printed)}
        papers[path] = {tuple(round(length / 72 * 25.4) for length in box[2:]) for box in boxes}
    assert set(map(frozenset, papers.values())) == {frozenset({(210, 297)})}
    open_page.goto(f"{served.address}rules/swashbuckle")
    open_page.emulate_media(media="print")
    assert open_page.locator("h1").evaluate("title => title.getBoundingClientRect().width === innerWidth")
    assert open_page.locator("main :is(.button, .pips):visible").count() == 0
    open_page.emulate_media(media="null")
    assert open_page.evaluate(places) == at_table, "the bar has its entries in the same places"


def test_the_settings_choose_the_language_until_the_browser_is_to_decide_again(page: Page, served: ServedPage) -> None:
    served.show(page, FREE)
    for chosen, language in (("de", "de"), ("browser", "en")):
        page.locator("[data-settings]").click()
        page.locator(".settings [name=language]").select_option(chosen)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.wait_for_load_state()
        page.locator("[data-settings]").click()
        expect(page.locator(".settings [name=language]")).to_have_value(chosen)
        page.keyboard.press("Escape")


def test_in_the_light_theme_only_the_golden_and_the_red_button_are_heavy(page: Page, served: ServedPage) -> None:
    """All others are as light as the page, with dark letters."""
    served.show(page, FREE)
    brightest = """() => Math.max(...[...document.querySelectorAll("#ask .button, #roll .knob-roll")].map(
      (button) => Math.min(...getComputedStyle(button).color.match(/\\d+/g).slice(0, 3).map(Number))))"""
    darkest = """() => {
      document.adoptedStyleSheets = [];  // with all decoration
      const drawn = [...document.querySelectorAll("#ask .button:not(.primary)")].map((it) => getComputedStyle(it));
      return Math.min(...drawn.flatMap((it) => it.backgroundImage.match(/\\d+(?=[,)])/g) ?? []).map(Number));
    }"""
    scheme = """() => [getComputedStyle(document.documentElement).colorScheme,
      document.querySelector("meta[name=color-scheme]").content]"""
    assert page.evaluate(scheme) == ["dark", "dark"]
    discs = "getComputedStyle(document.querySelector('.settings [type=radio]')).colorScheme"
    assert page.evaluate(discs) == "light", "on paper a dark disc would look checked"
    page.locator("[data-settings]").click()
    assert out_of_sight(page, ".settings .primary") == []
    page.keyboard.press("Escape")
    assert page.evaluate(brightest) > 150
    page.evaluate("() => localStorage.setItem('captains-table.theme', 'light')")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(scheme) == ["light", "light"]
    assert page.evaluate(brightest) < 50
    assert 180 < page.evaluate(darkest) < 255
    page.evaluate("() => localStorage.clear()")
    page.reload()


# --- the end of a match -----------------------------------------------------------------------------------------------

OVERLAPS = """() => [".bar .tools, .deck-table > *", ".result > :not(.result-ways)"].flatMap((parts) => {
  const seen = [...document.querySelectorAll(parts)].filter((it) => it.offsetWidth && it.offsetHeight && it.innerHTML
    && !it.matches(".drawer, .unseen") && getComputedStyle(it).visibility !== "hidden");
  const isOver = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return seen.flatMap((it) => seen.filter((other) => it !== other
    && isOver(it.getBoundingClientRect(), other.getBoundingClientRect()))
    .map((other) => `${it.className}: ${other.className}`));
})"""
SIZES = ((1920, 1080), (1366, 768), (390, 844), (683, 384))
ENDS = (
    WON,
    replace(WON, seats=(SeatView("W" * 39, {}, on_turn=False), *WON.seats[1:])),
    replace(WON, shape=None, sheet=DICE_VIEWS["boxes-best-first"].sheet, title="Swashbuckle"),
    replace(crowd(14, board=True), phase=Phase.OVER, ask=WON.ask, result=Result(0, tuple(range(40, 26, -1)))),
)


def press_hastily(page: Page) -> None:
    """Press the button and the golden answer of a card that has just come, as one does who goes on playing."""
    golden = page.locator(".result-ways .primary").bounding_box()
    assert golden is not None
    page.mouse.click(golden["x"] + golden["width"] / 2, golden["y"] + golden["height"] / 2)
    page.keyboard.press(" ")
    all_sent(page)


def test_the_end_of_a_match_is_seen_whole_and_the_rematch_needs_no_scrolling(
    page: Page, served: ServedPage, answered: Answered
) -> None:
    """At 1366 x 768, at 1920 x 1080, on a phone upright and on its side, which is also a laptop's page at 200 %."""
    page.evaluate("calmMs = 60000")
    served.show(page, WON)
    press_hastily(page)
    served.show(page, replace(WON, title="Legend"))  # as when the line about luck comes
    press_hastily(page)
    assert (answered, served.table.calls) == ([], []), "a press that was meant for the match begins the next"
    page.evaluate("calmMs = 10")
    served.show(page, View())
    for view in ENDS:
        served.change(page, partial(served.table.show, view))
        for width, height in SIZES if view is WON else SIZES[1:]:
            page.set_viewport_size({"width": width, "height": height})
            where = f"{view.title} at {width} x {height}"
            assert page.evaluate(OUT_OF_SIGHT, [".result h2", ".result-score", ".result-ways .button"]) == [], where
            assert page.evaluate(OVERLAPS) == [], where
            assert not [it for it in page.evaluate(TOO_SMALL) if "data-square" not in it], where
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
            assert touching(page) == [], where
            assert not page.is_visible("#prompt"), where
            assert not page.is_visible("#tallies"), where
            assert not page.is_visible(".knob-roll"), where
            if view.shape is not None and width != SIZES[-1][0]:
                assert page.is_visible(".board"), f"{where}: the last position is seen"
                assert page.evaluate(OUT_OF_SIGHT, [".board"]) == [], where
            if width == 390 and view.shape is None:
                ends = page.evaluate("""() => ["h2", ".result-digest"].map((it) =>
                    document.querySelector(`.result ${it}`).getBoundingClientRect()[it === "h2" ? "top" : "bottom"])""")
                assert ends[1] - ends[0] > height * 0.75, "a phone's card is filled"
            if width == SIZES[0][0]:
                size = page.locator(".result .score-bars").evaluate(
                    "bars => parseFloat(getComputedStyle(bars).fontSize)"
                )
                assert size > 22, "a large card is read from afar"
    press_hastily(page)
    assert {action for action, _ in answered} == {Pick("rematch-level")}
    page.set_viewport_size({"width": 1280, "height": 720})
