"""The pictures of the documentation: `python -m tests.e2e.screenshots` writes docs/*.png anew.

With the name of a folder it draws every screen there, to be looked at: at three sizes, in both themes. With the code of
a language behind it (`FOLDER de`) it draws them in that language, and the table's small display beside them.

A real table is played on by a real browser; only its dice are told, so that every picture comes out the same.
"""

import io
import os
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

from captains_table.catalog.languages import find_language
from captains_table.club.events.entries import Edition, Made, System
from captains_table.devices.display.packing import WIDE, png
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.table.model.view import view_in
from tests.club.event_club import FIRST_WINS, SECOND_WINS, EventClub
from tests.club.served_club import played, served
from tests.e2e.every_screen import THEMES, put_on, resize, screens_of_a_table
from tests.languages.tape_views import views_of_tapes
from tests.support.browser import Visitor, chromium
from tests.support.display_views import WIDE_VIEWS
from tests.support.person_at_page import Person
from tests.support.reviewed import entries_of, reviewed, serving_reviews
from tests.support.table_process import Caller, TableProcess

DOCS = Path(__file__).parents[2] / "docs"
PLUGINS = (Path(__file__).parents[1] / "plugins" / "pig", Path(__file__).parents[2] / ".venv" / "plugins")
SIZES = ((1366, 768), (390, 844), (1920, 1080))
DISPLAY = {"width": 1280, "height": 720}
ROOM = {"width": 1920, "height": 1080}
TABLE = {"width": 1680, "height": 980}
REVIEW = {"width": 1366, "height": 1180}
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1366, "height": 900}
GLASS_SCALE = 4
GLASS_BORDER = 16
STILL_S = 0.5
MOST_S = 10.0

# The throws in the order they fall; the sixth of six is the Legend die.
LEGEND = "654363546222162354645615625315463652344"
# Swashbuckle: what falls, and into which box it goes; the last throw is still to be decided about.
SWASHBUCKLE = (
    ("66622", "full-boat"),
    ("55553", "four-alike"),
    ("12346", "succession-4"),
    ("44412", "fours"),
    ("33333", "swashbuckle"),
    ("11114", "aces-high"),
    ("23456", "succession-5"),
    ("11222", "pieces-of-8"),
)
UNDECIDED = "11133"
BOXES = "".join(faces for faces, _ in SWASHBUCKLE) + UNDECIDED
EVENING = Made(
    title="Autumn cup", game="legend", system=System.SWISS, rounds=5, options={"rounds": "1"}, edition=Edition.FIDE_2026
)
MEMBERS = (
    *("Anneke Visser", "Bartholomew Roberts", "Cornelia de Wit", "Dirk Jansen", "Elif Kaya", "Ferdinand Smit"),
    *("Greet Bakker", "Hugo van Dam", "Ines Moreau", "Jan Kowalski", "Klara Nowak", "Luuk de Boer"),
)
EIGHT = (
    *("Annabelle Bonny", "Bartholomew Roberts", "Cornelius", "Dirk Chivers"),
    *("Elisabeth Shirland", "Ferdinando Gorges", "Gwendolyn", "Hugo van der Decken"),
)


def start_table(directory: Path, faces: str, *match: str) -> TableProcess:
    """Return a table whose dice fall as told, with a match on it."""
    program = (sys.executable, "-m", "tests.support.told_dice", faces)
    arguments = ("play", *match, "--state", str(directory / "state"), "--port", "0")
    return TableProcess(*arguments, logs=directory, program=program)


# --- the pictures ---------------------------------------------------------------------------------------------------


def wait_for_still_glass(caller: Caller) -> bytes:
    """Return the picture on the glass once it has not changed for a while."""
    deadline = time.monotonic() + MOST_S
    shown, since = caller.get("/glass.png").content, time.monotonic()
    while time.monotonic() - since < STILL_S and time.monotonic() < deadline:
        time.sleep(0.02)
        now = caller.get("/glass.png").content
        if now != shown:
            shown, since = now, time.monotonic()
    return shown


def take(person: Person, caller: Caller, page: Page, name: str) -> None:
    """Write what a page shows, once everything on it has come to rest."""
    person.catch_up()
    wait_for_still_glass(caller)
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)
    page.screenshot(path=DOCS / f"{name}.png")


def save_glass(display: Image.Image, name: str) -> None:
    """Write a glass, large enough to see its pixels, in a narrow black border."""
    large = Image.open(io.BytesIO(png(display.convert("RGB"), GLASS_SCALE)))
    frame = Image.new("RGB", (large.width + 2 * GLASS_BORDER, large.height + 2 * GLASS_BORDER), "black")
    frame.paste(large, (GLASS_BORDER, GLASS_BORDER))
    frame.save(DOCS / f"{name}.png")


def play_and_take(visitor: Visitor, anne: Person, caller: Caller) -> None:
    """Play five turns and take the pictures on the way."""
    display = visitor.open(f"{caller.origin}/", viewport=DISPLAY)
    phone = visitor.open(anne.table.printed, viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=2)
    for start, end in (("e2", "e4"), ("d7", "d5"), ("e4", "d5"), ("g8", "f6")):
        anne.hold_roll()
        anne.move(start, end)
        anne.end_turn()
    anne.hold_roll()
    caller.answer(type="keep", dice=[1, 3, 6])
    anne.catch_up()
    anne.move("f1", "b5")
    take(anne, caller, display, "display")
    save_glass(Image.open(io.BytesIO(wait_for_still_glass(caller))), "glass")
    anne.end_turn()
    anne.hold_roll()
    take(anne, caller, phone, "phone")
    anne.click("b8")
    take(anne, caller, anne.page, "table")


def fill_boxes(caller: Caller, boxes: int) -> None:
    """Fill boxes turn by turn, nobody cursed, and throw for the next."""
    for _, box in SWASHBUCKLE[:boxes]:
        caller.hold_roll()
        caller.pick(f"score-{box}", "no-curse")
    caller.hold_roll()


def play_swashbuckle_and_take(_: Visitor, anne: Person, caller: Caller) -> None:
    """Take the sheets."""
    fill_boxes(caller, len(SWASHBUCKLE))
    take(anne, caller, anne.page, "swashbuckle")


def take_eight_in_a_room(visitor: Visitor, anne: Person, caller: Caller) -> None:
    """Take what a club sees on its television."""
    fill_boxes(caller, len(EIGHT) - 1)
    take(anne, caller, visitor.open(f"{caller.origin}/", viewport=ROOM), "display-eight")


def take_clocks_in_a_room(visitor: Visitor, anne: Person, caller: Caller) -> None:
    """Play an opening of Captain's Chess on the clock, and take what a club sees of it."""
    for start, end in (("e2", "e4"), ("e7", "e5"), ("g1", "f3")):
        anne.click(start, end)
        anne.page.keyboard.press("Space")
        anne.catch_up()
    take(anne, caller, visitor.open(f"{caller.origin}/", viewport=ROOM), "display-clock")


def take_review(browser: Browser) -> None:
    """Take a finished match of Legend, looked back on at one of its moves."""
    entries = entries_of("legend", luck=11, is_sensible=True, options={"rounds": "1"})
    visitor = Visitor(browser)
    with serving_reviews(reviewed(entries)) as address:
        page = visitor.open(f"{address}matches/1?at=60", viewport=REVIEW)
        page.screenshot(path=DOCS / "review.png")
    visitor.leave()


def save_small(page: Page, name: str) -> None:
    """Write a picture of a page with few colours, a quarter as large."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE, colors=128)
    picture.save(DOCS / f"{name}.png", optimize=True)


async def prepare_evening(club: EventClub) -> None:
    """Let twelve members play two rounds of a Swiss, and tell the third."""
    await club.settled()
    number = club.begin(EVENING, *MEMBERS)
    for _ in range(2):
        await club.pair(number)
        for user, pairings in list(club.published.items()):
            for place, pairing in enumerate(pairings):
                club.tell(user, pairing, (FIRST_WINS, SECOND_WINS)[place % 2])
        await club.settled()
    await club.pair(number)


def seat_everybody(club: EventClub) -> None:
    """Let every table play the match that it was given."""
    for at, (user, (pairing, *_)) in enumerate(sorted((user, each) for user, each in club.published.items() if each)):
        view = played("whole-round")[9 + 7 * at]
        seats = tuple(replace(seat, name=name) for seat, name in zip(view.seats, pairing.seats, strict=True))
        said = " ".join(view.prompt[:1]).replace("Anne", pairing.seats[0]).replace("Bart", pairing.seats[1])
        club.report(user, replace(view, seats=seats, prompt=(said,), log=()), match=f"seal {at}", pairing=pairing.id)


def take_club(browser: Browser) -> None:
    """Take an evening of a club: the arbiter's page of an event, and the wall before and while a round is played."""
    visitor = Visitor(browser)
    with tempfile.TemporaryDirectory() as folder:
        club = EventClub(Path(folder), 6)
        with served(club, prepare=prepare_evening) as place:
            for name, path, size in (("club-desk", "arbiter/events/1", DESK), ("club-told", "", ROOM)):
                page = visitor.open(f"{place.address}{path}", viewport=size)
                page.wait_for_timeout(1000 * STILL_S)
                save_small(page, name)
            place.do(seat_everybody)
            page.wait_for_timeout(3000 * STILL_S)
            save_small(page, "club-wall")
    visitor.leave()


def take_small_display(folder: Path, code: str) -> None:
    """Write what the small display shows in a language in the course of all tapes."""
    for number, view in enumerate(views_of_tapes(), 1):
        picture = draw_view(view_in(view, find_language(code), keeps_short=True))
        picture = picture.resize((picture.width * GLASS_SCALE, picture.height * GLASS_SCALE))
        picture.save(folder / f"display {number:03} {view.game or 'lobby'}.png")


def take_every_screen(browser: Browser, folder: Path, code: str = "") -> None:
    """Write every screen of a table; the game of the tests' plug-in is among its games.

    Args:
        browser: opens the pages.
        folder: where the pictures are written.
        code: the code of a language, in which they are taken in the dark theme alone; empty for English.
    """
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, PLUGINS))
    tables, visitor = list[TableProcess](), Visitor(browser)
    visitor.accept("Failed to load resource")
    with tempfile.TemporaryDirectory() as directory:

        def start(*words: str, dice: str) -> TableProcess:
            tables.append(start_table(Path(directory), dice, *words[1:]))
            return tables[-1]

        try:
            screens = screens_of_a_table(start, visitor.open("about:blank", locale=code or "en"))
            for number, (name, page) in enumerate(screens, 1):
                for size, theme in product(SIZES, THEMES[:1] if code else THEMES):
                    resize(page, size)
                    put_on(page, theme)
                    page.screenshot(path=folder / f"{number:03} {name.replace('/', '_')} {size[0]} {theme}.png")
                put_on(page, "dark")
                resize(page, SIZES[0])
        finally:
            for table in tables:
                table.kill()
            visitor.leave()


def main() -> None:
    """Write all pictures."""
    if sys.argv[1:]:
        with chromium() as browser:
            take_every_screen(browser, Path(sys.argv[1]), *sys.argv[2:3])
        for code in sys.argv[2:3]:
            take_small_display(Path(sys.argv[1]), code)
        return
    DOCS.mkdir(parents=True, exist_ok=True)
    save_glass(draw_view(WIDE_VIEWS["strike"], size=WIDE), "glass-wide")
    pictures = (
        (play_and_take, LEGEND, ("--players", "Anne", "Bart")),
        (play_swashbuckle_and_take, BOXES, ("swashbuckle", "order=seated", "--players", "Anne", "Bart", "Cora")),
        (take_eight_in_a_room, BOXES, ("swashbuckle", "order=seated", "--players", *EIGHT)),
        (take_clocks_in_a_room, LEGEND, ("captains-chess", "clock=15+10", "--players", *EIGHT[:2])),
    )
    with chromium() as browser:
        take_review(browser)
        take_club(browser)
        for play, faces, match in pictures:
            with tempfile.TemporaryDirectory() as directory:
                table = start_table(Path(directory), faces, *match)
                visitor = Visitor(browser)
                try:
                    with closing(Caller(table.origin)) as caller:
                        play(visitor, Person(visitor.open(table.printed, viewport=TABLE), table), caller)
                finally:
                    visitor.leave()
                    table.kill()


if __name__ == "__main__":
    main()
