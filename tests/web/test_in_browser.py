import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from captains_table.games.contract import Auction, Bell, Bid, Bidder, Pick, Square
from captains_table.page.app import create_app
from captains_table.table.model.events import Button
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import listen, serve_page
from tests.support.dice_views import played
from tests.support.fake_table import FakeTable

pytestmark = pytest.mark.browser
SPECTATORS_PHONE = {"width": 390, "height": 844}


class Served:
    """A table whose page is served from another thread, as a browser needs it."""

    def __init__(self) -> None:
        self.table = FakeTable()
        self.table.new_match("legend", ["Anne", "Bart"], {})
        self.table.calls.clear()
        self.address = ""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._stopping = asyncio.Event()

    def start(self, port: int = 0) -> None:
        """Serve until `stop`."""
        listener = listen("127.0.0.1", port)
        self.address = PageReach(*listener.getsockname()[:2]).own
        self._serving = serve_page(create_app(self.table), listener, stopping=self._stopping)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serving)

    def do(self, act: Callable[[], None]) -> None:
        """Do something to the table, on its own loop."""
        self._loop.call_soon_threadsafe(act)

    def stop(self) -> None:
        """Stop serving, as a table that is switched off."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(10)
        self._loop.close()


@contextmanager
def serving(port: int = 0) -> Iterator[Served]:
    """Serve a table with a match on it."""
    served = Served()
    served.start(port)
    try:
        yield served
    finally:
        served.stop()


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as table:
        yield table


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """Yield the table's page; anything the browser complains about fails the test."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(f"{served.address}table")
    page.wait_for_function("() => shown.size > 0")  # the first event has come
    yield page
    page.close()
    assert [complaint for complaint in complaints if "409" not in complaint] == []  # a stale click is no fault


def test_holding_the_button_tumbles_until_it_is_let_go(page: Page, served: Served) -> None:
    """Pointer down is press, pointer up is release, even outside the button."""
    page.locator("[data-button=roll]").hover()
    page.mouse.down()
    expect(page.locator("#dice .tumbling")).to_have_count(6)
    assert served.table.calls == [("press", Button.ROLL)]
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    assert served.table.calls == [("press", Button.ROLL), ("release", Button.ROLL)]


def test_the_keyboard_has_the_same_buttons(page: Page, served: Served) -> None:
    """Space holds without repeating; N, C, B and their friends are short."""
    page.keyboard.down(" ")
    page.keyboard.down(" ")
    expect(page.locator("#dice .tumbling")).to_have_count(6)
    page.keyboard.up(" ")
    expect(page.locator("#dice .thrown")).to_have_count(6)
    for key in ("n", "ArrowDown", "c", "b", "Escape"):
        page.keyboard.press(key)
    page.wait_for_function("() => queue.then(() => true)")
    pressed = [call[1] for call in served.table.calls if call[0] == "press"]
    assert pressed == ["roll", "next", "next", "choose", "back", "back"]
    assert len(served.table.calls) == 2 * len(pressed)


def test_a_question_mark_asks_for_advice(page: Page, served: Served) -> None:
    """So does the small button beside the answers."""
    expect(page.locator("#ask")).not_to_contain_text("Keep 6 5 4")
    page.keyboard.press("?")
    expect(page.locator("#ask .advice")).to_contain_text("Keep 6 5 4")
    assert served.table.hint is not None


def test_a_move_is_made_with_two_clicks(page: Page, served: Served) -> None:
    """Lift, see the targets glow, put down."""
    served.do(lambda: served.table.answer(Pick("roll"), 1))
    page.locator("[data-square=a2]:has(.mark-may-move)").click()
    expect(page.locator("#hand")).to_contain_text("In the hand")
    page.locator("[data-square=a4]:has(.mark-target)").click()
    expect(page.locator("[data-square=a4]")).to_have_attribute("aria-label", "white pawn on a4, last move")


def test_the_board_is_walked_with_arrows_and_touched_with_enter(page: Page, served: Served) -> None:
    """The focus stays on its square when the board is drawn anew."""
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


def test_dice_are_kept_by_clicking_them(page: Page, served: Served) -> None:
    """Those pressed stay where they are."""
    page.locator("[data-pick=roll]").click()
    page.locator("[data-pick=throw-again]").click()
    expect(page.locator("[data-throw]")).to_be_visible()
    pressed = page.locator("[data-die][aria-pressed=true]")
    kept = [die.get_attribute("data-die") for die in pressed.all()]
    for die in (*kept, "2"):
        with page.expect_response("**/die/*"):
            page.locator(f"[data-die='{die}']").click()
    expect(pressed).to_have_count(1)
    page.locator("[data-throw]").click()
    expect(page.locator("#dice .held")).to_have_count(1)
    assert served.table.view().dice[1].held


def test_abandoning_needs_two_clicks(page: Page, served: Served) -> None:
    """The first only asks."""
    page.locator("[data-pick=abandon]").click()
    expect(page.locator("[data-pick=abandon]")).to_have_text("Really? Press again")
    assert served.table.view().revision == 1
    page.locator("[data-pick=abandon]").click()
    expect(page.locator("#ask")).to_contain_text("Bart decides")


def test_a_stale_click_is_explained_and_the_page_is_fresh(page: Page, served: Served) -> None:
    """Nothing is done twice."""
    page.evaluate("document.querySelector('.ask').dataset.revision = 0")
    page.locator("[data-pick=roll]").click()
    expect(page.locator("#toast")).to_contain_text("nothing was done")
    assert served.table.view().revision == 1


def test_a_lost_line_is_shown_and_found_again(browser: Browser) -> None:
    """EventSource reconnects by itself."""
    page = browser.new_page()
    with serving() as first:
        page.goto(f"{first.address}table")
        expect(page.locator("[data-square=e2]")).to_be_visible()
        port = int(first.address.rsplit(":", 1)[1].strip("/"))
    expect(page.locator("#connection")).to_be_visible()
    with serving(port) as second:
        second.do(lambda: second.table.click(second.table.view().shape.squares()[12]))  # type: ignore[union-attr]
        expect(page.locator("#connection")).to_be_hidden()
        expect(page.locator("[data-square=e2]")).to_have_attribute("aria-label", "e2, empty")
        page.close()


@pytest.mark.parametrize(
    "path", ["", "table", "new", "matches", "rules/legend", "rules/captains-chess", "new?game=captains-chess"]
)
def test_every_page_fits_a_phone(browser: Browser, served: Served, path: str) -> None:
    """Nothing has to be scrolled sideways."""
    page = browser.new_page(viewport=SPECTATORS_PHONE)  # type: ignore[arg-type]
    page.goto(served.address + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= SPECTATORS_PHONE["width"]
    page.close()


def test_spectators_need_no_script(browser: Browser, served: Served) -> None:
    """Board, prompt and tallies are in the page itself."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served.address)
    expect(page.locator("[data-square=b1]")).to_have_attribute("aria-label", "white knight on b1")
    expect(page.locator("#prompt")).to_contain_text("Anne (White): throw the dice")
    context.close()


def auctioning(served: Served, *bids: int, since: int = 1) -> list[tuple[object, int | None]]:
    """Show an auction in which Anne and Bart bid so far, of 9 each, and return what the page answers from now on."""
    answered: list[tuple[object, int | None]] = []
    seats = tuple(SeatView(name, {}, on_turn=True, bid=bid) for name, bid in zip(("Anne", "Bart"), bids, strict=True))
    bidders = tuple(Bidder(seat, bid + 1, 9) for seat, bid in enumerate(bids) if bid < 9)
    auction = Auction("Bid for it", bidders, bids=bids)
    view = View(Phase.PLAYING, "legend", seats=seats, ask=auction, auction_since=since, revision=since + sum(bids))
    served.table.answer = lambda action, revision: answered.append((action, revision))  # type: ignore[method-assign]
    served.do(lambda: served.table.show(view))
    return answered


def test_a_player_is_chosen_and_the_buttons_bid_for_him(page: Page, served: Served) -> None:
    """They raise the highest bid, are dark beyond his purse, and all of it is asked twice."""
    answered = auctioning(served, 0, 3)
    page.locator("[name=bidder]").select_option("1")
    expect(page.locator("[data-raise='5']")).to_have_text("+5: bid 8")
    page.locator("[data-raise='1']").click()
    page.wait_for_function("() => queue.then(() => true)")
    auctioning(served, 6, 4)
    expect(page.locator("[name=bidder]")).to_have_value("1")
    expect(page.locator("[data-raise='5']")).to_be_disabled()
    page.locator(".bidding input").fill("7")
    page.locator(".bidding [type=submit]").click()
    page.locator("[data-raise=all]").click()
    page.wait_for_function("() => queue.then(() => true)")
    assert answered == [(Bid(1, 4), 4)]


def test_who_bids_and_what_is_typed_stay_when_somebody_else_bids(page: Page, served: Served) -> None:
    """What was sent is proposed no more; and a bell that was pressed once is to be pressed twice again."""
    auctioning(served, 0, 2)
    page.locator("[name=bidder]").select_option("1")
    page.locator(".bidding input").fill("8")
    page.locator("[data-bell]").click()
    answered = auctioning(served, 3, 2)
    expect(page.locator(".bids .leads")).to_contain_text("Anne")
    expect(page.locator(".bidding input")).to_have_value("8")
    expect(page.locator("[data-bell]")).to_have_text("Ring the bell")
    page.locator(".bidding [type=submit]").click()
    page.wait_for_function("() => queue.then(() => true)")
    assert answered == [(Bid(1, 8), 6)]
    auctioning(served, 3, 8)
    expect(page.locator(".bidding input")).to_have_value("9")


def test_without_a_bidder_nothing_is_bid(page: Page, served: Served) -> None:
    """The page asks who bids: at first, when the bidder has bid all, and in the next auction."""
    answered = auctioning(served, 0, 3)
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
    later = auctioning(served, 0, 9)
    expect(page.locator(".bids .leads")).to_contain_text("9")
    expect(bidder).to_have_value("")
    expect(amount).to_have_value("9")
    for way in (ways[2], ways[2], ways[3]):
        way.click()
    bidder.select_option("0")
    latest = auctioning(served, 0, 0, since=20)
    expect(page.locator("[data-auction='20']")).to_be_visible()
    expect(bidder).to_have_value("")
    ways[3].click()
    page.wait_for_function("() => queue.then(() => true)")
    assert (answered, later, latest) == ([], [], [])


def test_what_was_asked_of_one_is_not_confirmed_by_another(page: Page, served: Served) -> None:
    """A second press confirms only where nothing else was chosen, sent or shown since the first."""
    answered = auctioning(served, 0, 3)
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
    auctioning(served, 4, 3)
    expect(everything).to_have_text("All: bid 9")
    everything.click()
    page.wait_for_function("() => queue.then(() => true)")
    assert answered == []
    again = auctioning(served, 5, 3)
    expect(page.locator(".bids .leads")).to_contain_text("5")
    for _ in range(3):
        everything.click()
    page.wait_for_function("() => queue.then(() => true)")
    assert again == [(Bid(0, 9), 9)], "the third press asks anew"


def test_a_box_is_given_up_by_two_clicks(page: Page, served: Served) -> None:
    answered: list[tuple[object, int | None]] = []
    served.table.answer = lambda action, revision: answered.append((action, revision))  # type: ignore[method-assign]
    agreed = "game swashbuckle Anne Bart order=seated voluntary_scuttle=true"
    served.do(lambda: served.table.show(played([agreed, "dice 1 2 2 3 3", "press roll"])))
    box = page.locator("[data-fill=scuttle-swashbuckle]")
    box.click()
    expect(box).to_have_text("Sure?")
    page.locator("[data-fill=scuttle-piracy]").click()
    expect(box).to_have_text("0")
    box.click()
    box.click()
    page.wait_for_function("() => queue.then(() => true)")
    assert [action for action, _ in answered] == [Pick("scuttle-swashbuckle")]


def test_what_was_asked_of_one_switch_is_not_confirmed_for_another(page: Page, served: Served) -> None:
    (report,) = served.table.switch_reports()
    reports = [report, msgspec.structs.replace(report, square=Square(3, 3))]
    served.table.switch_reports = lambda: reports  # type: ignore[method-assign]
    page.goto(f"{served.address}switches?square=e4")
    ignore = page.locator("[data-mask]")
    ignore.click()
    expect(ignore).to_have_text("Really? Press again")
    page.locator("[data-switch=d4]").click()
    expect(ignore).to_have_attribute("data-mask", "d4")
    assert ignore.text_content() == "Ignore this switch"


def test_the_bell_is_pressed_twice(page: Page, served: Served) -> None:
    """It cannot be undone."""
    answered = auctioning(served, 0, 3)
    bell = page.locator("[data-bell]")
    bell.click()
    expect(bell).to_have_text("Really? Press again")
    assert answered == []
    bell.click()
    page.wait_for_function("() => queue.then(() => true)")
    assert answered == [(Bell(), 4)]
