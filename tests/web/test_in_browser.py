"""The page one plays on in a browser: clicks, keys, bids and what is asked twice."""

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from captains_table.games.contract import Auction, Bell, Bid, Bidder, Pick, Square
from captains_table.table.model.events import Button
from captains_table.table.model.view import Phase, SeatView, View
from tests.support.browser import Visitor
from tests.support.dice_views import played
from tests.support.fake_table import with_legend
from tests.support.served_page import ServedPage, serving_page

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
    open_page.evaluate("() => { sayNoMore(); document.activeElement.blur(); }")
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
    expect(page.locator("#ask .advice")).to_contain_text("Keep 6 5 4")


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
    abandon.click()
    expect(abandon).to_have_text("Really? Press again")
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
