"""Every screen of a table and of a club's server, one after the other, as people come to see them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Final

from playwright.sync_api import Page, expect

from tests.support.person_at_page import CAUGHT_UP, POLL_MS, open_drawer
from tests.support.table_process import Caller, TableProcess, soon

StartTable = Callable[..., TableProcess]
Screens = Iterator[tuple[str, Page]]

THEMES: Final = ("dark", "light")
GAMES: Final = ("legend", "chess", "captains-chess", "ship-captain-crew", "swashbuckle", "crowns")
EIGHT: Final = (
    *("Annabelle Bonny", "Bartholomew Roberts", "Cornelius the Tall", "Dirk Chivers of Rye", "Elisabeth Shirland"),
    *("Ferdinando Gorges", "Gwendolyn Skipper", "Hugo van der Decken"),
)
FACES: Final = "654363546222162354"
PAGES: Final = (
    *("/new", *(f"/new?game={game}" for game in (*GAMES, "pig")), "/seats", "/switches", "/verify", "/records"),
    *("/matches", "/matches/1", "/designs", "/designs/draw", "/designs/signs", "/nothing-here", "/rules"),
    *(f"/rules/{game}" for game in GAMES),
)


def put_on(page: Page, theme: str) -> None:
    """Show a page in a theme, as the settings do."""
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give a page's window a size, and wait until it is laid out."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


class Table:
    """A table, a page of it, and somebody who plays by requests."""

    def __init__(self, table: TableProcess, caller: Caller, page: Page) -> None:
        self.table, self.caller, self.page = table, caller, page

    def begin(self, game: str, *names: str, **options: str) -> None:
        """Begin a match, and open the page to play on."""
        seats = {f"name{number}": name for number, name in enumerate(names or EIGHT[:2], 1)}
        answer = self.caller.post("/new", {"game": game} | seats | options)
        assert answer.status_code == 204, answer.text
        self.open("/table")

    def open(self, path: str) -> Page:
        """Open a page of the table."""
        self.page.goto(self.table.origin + path)
        return self.page

    def see(self) -> Page:
        """Return the page once it shows what the table does."""
        self.page.wait_for_function(CAUGHT_UP, polling=POLL_MS)
        return self.page

    def with_drawers(self, name: str) -> Screens:
        """Open each drawer, the settings and what is folded, and close them again."""
        page = self.page
        for drawer in ("log", "more"):
            if page.locator(f"[data-drawer={drawer}-drawer]").is_visible():
                open_drawer(page, drawer)
                yield f"{name}, {drawer}", page
                page.keyboard.press("Escape")
        open_drawer(page)
        page.locator("#more-drawer details").evaluate_all("(all) => { for (const each of all) each.open = true; }")
        yield f"{name}, more unfolded", page
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.locator("[data-settings]").click()
        yield f"{name}, settings", page
        page.locator("#settings .primary").click()
        expect(page.locator("dialog[open], .drawer.open")).to_have_count(0)

    def in_the_room(self, name: str) -> Screens:
        """Show the display for a room."""
        yield f"{name}, room", self.open("/")
        self.open("/table")


def screens_of_a_table(start: StartTable, page: Page) -> Screens:
    """Show every screen of a table: its name, and the page that shows it.

    Args:
        start: starts a table with the words of a command line, and `dice`, the faces that fall.
        page: in which all of them are shown.
    """
    table = start("play", "--host", "0.0.0.0", dice=FACES)  # noqa: S104 - phones are asked to join
    table.expected_complaints = None
    page.goto(f"{table.origin}/table?token={table.token}")
    with closing(Caller(table.origin, table.token)) as caller:
        at = Table(table, caller, page)
        yield "first screen", page
        yield from at.in_the_room("first screen")
        yield from _of_legend(at)
        yield from _of_chess(at)
        yield from _of_orthodox_chess(at)
        yield from _of_dice(at)
        yield from _of_crowns(at)
        yield from _of_pig(at)
        at.open("/new")
        for path in PAGES:
            yield path, at.open(path)
        yield from _of_lessons(at)
        yield from _at_seats(at)


def _of_legend(at: Table) -> Screens:
    at.begin("legend", rounds="1")
    yield "legend begins", at.page
    at.caller.hold_roll()
    yield "legend, thrown", at.see()
    yield from at.with_drawers("legend, thrown")
    at.caller.pick("throw-again")
    yield "legend, dice to keep", at.see()
    at.caller.answer(type="keep", dice=[1, 2])
    at.caller.move("b1")
    yield "legend, a piece is lifted", at.see()
    at.caller.move("c3")
    yield "legend, moved", at.see()
    yield from at.in_the_room("legend, moved")
    at.caller.wait_for("done")
    at.caller.post("/board/noise/on")
    at.caller.move("e2", "e7")
    expect(at.page.locator("#repair button")).to_be_visible()
    yield "legend, the board is wrong", at.see()
    yield from at.in_the_room("legend, the board is wrong")
    at.caller.post("/board/set-up")
    at.caller.post("/board/noise/off")
    at.caller.pick("abandon", "agree")
    yield "legend, result", at.see()
    yield from at.in_the_room("legend, result")


def _of_chess(at: Table) -> Screens:
    at.begin("captains-chess", clock="15+10")
    yield "captains-chess begins", at.page
    at.caller.move("e2")
    yield "captains-chess, a piece is lifted", at.see()
    at.caller.move("e4")
    at.see()
    at.caller.wait_for("press-clock")
    yield "captains-chess, moved", at.see()
    at.caller.pick("press-clock")
    yield from at.in_the_room("captains-chess, moved")
    yield from at.with_drawers("captains-chess, moved")
    at.caller.pick("resign")
    yield "captains-chess, result", at.see()
    yield from at.in_the_room("captains-chess, result")


def _of_orthodox_chess(at: Table) -> Screens:
    at.begin("chess", white="dice", start="dice")
    yield "chess, who has White", at.page
    at.caller.hold_roll()
    yield "chess, the array is to be thrown", at.see()
    at.begin("chess", clock="40/90+30,30d5|3b2", fen="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    at.caller.move("a7", "a8")
    yield "chess, a promotion", at.see()
    yield from at.in_the_room("chess, a promotion")
    at.caller.pick("a7a8n")  # another match waits for the answer
    at.begin("chess", clock="2h")
    for squares in (("e2", "e4"), ("e7", "e5")):
        at.caller.move(*squares)
        at.see()
        at.caller.wait_for("press-clock")
        at.caller.pick("press-clock")
    yield "chess, moved", at.see()
    yield from at.with_drawers("chess, moved")
    at.caller.pick("resign")
    yield "chess, result", at.see()
    yield from at.in_the_room("chess, result")
    yield "chess, judged", at.open("/matches/current?judged=1")


def _of_dice(at: Table) -> Screens:
    at.begin("ship-captain-crew", mode="single", order="seated")
    yield "ship-captain-crew begins", at.page
    at.caller.hold_roll()
    yield "ship-captain-crew, thrown", at.see()
    yield from at.in_the_room("ship-captain-crew, thrown")
    _stand_until_it_is_over(at)
    yield "ship-captain-crew, result", at.see()
    yield from at.in_the_room("ship-captain-crew, result")
    at.begin("ship-captain-crew", *EIGHT, order="seated")
    at.caller.hold_roll()
    yield "ship-captain-crew of eight", at.see()
    yield from at.with_drawers("ship-captain-crew of eight")
    at.begin("swashbuckle", order="seated")
    yield "swashbuckle begins", at.page
    at.caller.hold_roll()
    yield "swashbuckle, thrown", at.see()
    at.caller.pick("throw-again")
    yield "swashbuckle, dice to keep", at.see()
    yield from at.in_the_room("swashbuckle, dice to keep")
    at.begin("swashbuckle", *EIGHT, order="seated")
    at.caller.hold_roll()
    yield "swashbuckle of eight", at.see()
    yield from at.in_the_room("swashbuckle of eight")
    at.begin("swashbuckle", *EIGHT[:3], order="seated", columns="3", penalty="2")
    at.caller.hold_roll()
    yield "swashbuckle in columns", at.see()
    yield from at.with_drawers("swashbuckle in columns")


def _of_crowns(at: Table) -> Screens:
    at.begin("crowns", *EIGHT[:3], timer="600")
    yield "crowns, auction", at.page
    yield from at.in_the_room("crowns, auction")
    page = at.page
    page.locator("[name=bidder]").select_option("0")
    page.locator("[data-raise='1']").click()
    expect(page.locator(".bids .leads")).to_have_count(1)
    yield "crowns, a bid", at.see()
    for _ in range(2):
        page.locator("#ask [data-bell]").first.click()
    expect(page.locator("#ask .bidding")).to_have_count(0)
    yield "crowns, turn", at.see()
    yield from at.in_the_room("crowns, turn")
    yield from at.with_drawers("crowns, turn")
    at.begin("crowns", *EIGHT, *(f"Sailor the {number}th" for number in range(9, 15)))
    yield "crowns of fourteen, auction", at.page


def _of_pig(at: Table) -> Screens:
    at.begin("pig")
    at.caller.hold_roll()
    yield "pig, thrown", at.see()
    yield from at.in_the_room("pig, thrown")


def _of_lessons(at: Table) -> Screens:
    at.caller.post("/leave")
    at.open("/table")
    for game, step, name in (("legend", 1, "reads"), ("legend", 4, "moves"), ("swashbuckle", 3, "keeps dice")):
        at.caller.post(f"/lessons/{game}?step={step}")
        yield f"lesson of {game}, one {name}", at.see()
    at.caller.post("/lessons/legend?step=4")
    at.caller.hold_roll()
    yield "lesson of legend, a slip", at.see()
    yield from at.in_the_room("lesson of legend, a slip")
    at.caller.post("/lessons/captains-chess?step=9")
    at.caller.pick("go-on")
    soon(lambda: at.caller.post("/lesson/show") and "lesson-play" in at.caller.offers())
    yield "lesson of captains-chess, the end", at.see()
    at.caller.post("/lessons/crowns?step=2")
    yield "lesson of crowns, auction", at.see()
    at.caller.post("/lesson/leave")


def _at_seats(at: Table) -> Screens:
    at.begin("swashbuckle", *EIGHT[:2], order="seated")
    link = at.open("/seats").locator(".address a").first.inner_text().partition("/seat")[2]
    yield "seat, to throw", at.open(f"/seat{link}")
    at.caller.hold_roll()
    yield "seat, thrown", at.see()
    at.begin("crowns", *EIGHT[:3], timer="600")
    link = at.open("/seats").locator(".address a").first.inner_text().partition("/seat")[2]
    yield "seat, auction", at.open(f"/seat{link}")
    at.page.context.clear_cookies()
    yield "a watcher's table", at.open("/table")
    yield "no seat", at.open("/seat")


def _stand_until_it_is_over(at: Table) -> None:
    while 'class="result"' not in at.caller.get("/table").text:
        if "stand" in at.caller.offers():
            at.caller.pick("stand")
        else:
            at.caller.hold_roll()
