"""The pictures of the documentation: `python -m tests.e2e.screenshots` writes docs/*.png anew.

A real table is played on by a real browser; only its dice are dictated, so that every picture comes out the same.
"""

import io
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from unittest.mock import patch

from PIL import Image
from playwright.sync_api import Browser, Page

from captains_table.cli.main import main as captains_table
from captains_table.devices.dice_sources import HonestDice
from captains_table.devices.display.packing import WIDE, png
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.table.history.dice_stream import SEED_BYTES
from tests.support.browser import Visitor, chromium
from tests.support.display_views import WIDE_VIEWS
from tests.support.person_at_page import Person
from tests.support.reviewed import entries_of, reviewed, serving_reviews
from tests.support.table_process import Caller, TableProcess

DOCS = Path(__file__).parents[2] / "docs"
SEED = bytes(range(SEED_BYTES))
WITH_THESE_DICE = "with-these-dice"
DISPLAY = {"width": 1280, "height": 720}
ROOM = {"width": 1920, "height": 1080}
TABLE = {"width": 1680, "height": 980}
REVIEW = {"width": 1366, "height": 1180}
PHONE = {"width": 390, "height": 844}
GLASS_SCALE = 4
GLASS_BORDER = 16
STILL_S = 0.5
MOST_S = 10.0

# The throws in the order they fall; the sixth of six is the Legend die.
FACES = (
    *((6, 5, 4, 3, 6, 3), (5, 4, 6, 2, 2, 2), (1, 6, 2, 3, 5, 4), (6, 4, 5, 6, 1, 5)),
    *((6, 2, 5, 3, 1, 5), (4, 6, 3)),
    (6, 5, 2, 3, 4, 4),
)
# Swashbuckle: what falls, and into which box it goes; the last throw is still to be decided about.
SWASHBUCKLE = (
    ((6, 6, 6, 2, 2), "full-boat"),
    ((5, 5, 5, 5, 3), "four-alike"),
    ((1, 2, 3, 4, 6), "succession-4"),
    ((4, 4, 4, 1, 2), "fours"),
    ((3, 3, 3, 3, 3), "swashbuckle"),
    ((1, 1, 1, 1, 4), "aces-high"),
    ((2, 3, 4, 5, 6), "succession-5"),
    ((1, 1, 2, 2, 2), "pieces-of-8"),
)
UNDECIDED = (1, 1, 1, 3, 3)
EIGHT = (
    *("Annabelle Bonny", "Bartholomew Roberts", "Cornelius", "Dirk Chivers"),
    *("Elisabeth Shirland", "Ferdinando Gorges", "Gwendolyn", "Hugo van der Decken"),
)


# --- the table ------------------------------------------------------------------------------------------------------


def serve(arguments: list[str]) -> int:
    """Run the command with dice that fall as they are told."""
    throws = (*(faces for faces, _ in SWASHBUCKLE), UNDECIDED) if "swashbuckle" in arguments else FACES
    faces = deque(face for throw in throws for face in throw)

    def throw(_: HonestDice, count: int) -> tuple[int, ...]:
        return tuple(faces.popleft() for _ in range(count))

    with patch.object(HonestDice, "throw", throw), patch.object(HonestDice, "new_seed", lambda: SEED):
        return captains_table(arguments)


def start_table(directory: Path, *match: str) -> TableProcess:
    """Return a table whose dice are dictated, with a match on it."""
    program = (sys.executable, "-m", "tests.e2e.screenshots", WITH_THESE_DICE)
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


def take_glass(caller: Caller) -> None:
    """Write what is on the glass."""
    save_glass(Image.open(io.BytesIO(wait_for_still_glass(caller))), "glass")


def save_glass(display: Image.Image, name: str) -> None:
    """Write a glass, large enough to see its pixels, in a narrow black border."""
    large = Image.open(io.BytesIO(png(display.convert("RGB"), GLASS_SCALE)))
    frame = Image.new("RGB", (large.width + 2 * GLASS_BORDER, large.height + 2 * GLASS_BORDER), "black")
    frame.paste(large, (GLASS_BORDER, GLASS_BORDER))
    frame.save(DOCS / f"{name}.png")


def play_and_take(browser: Browser, table: TableProcess, caller: Caller) -> None:
    """Play five turns and take the pictures on the way."""
    visitor = Visitor(browser)
    still = {"reduced_motion": "reduce"}  # nothing blinks or breathes while its picture is taken
    anne = Person(visitor.open(table.printed, viewport=TABLE, **still), table)
    display = visitor.open(f"{table.origin}/", viewport=DISPLAY, **still)
    phone = visitor.open(table.printed, viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=2, **still)
    for start, end in (("e2", "e4"), ("d7", "d5"), ("e4", "d5"), ("g8", "f6")):
        anne.hold_roll()
        anne.move(start, end)
        anne.end_turn()
    anne.hold_roll()
    caller.answer(type="keep", dice=[1, 3, 6])
    anne.catch_up()
    anne.move("f1", "b5")
    take(anne, caller, display, "display")
    take_glass(caller)
    anne.end_turn()
    anne.hold_roll()
    take(anne, caller, phone, "phone")
    anne.click("b8")
    take(anne, caller, anne.page, "table")
    visitor.leave()


def play_swashbuckle_and_take(browser: Browser, table: TableProcess, caller: Caller) -> None:
    """Fill boxes turn by turn, nobody cursed, and take the sheets."""
    visitor = Visitor(browser)
    anne = Person(visitor.open(table.printed, viewport=TABLE, reduced_motion="reduce"), table)
    for _, box in SWASHBUCKLE:
        caller.hold_roll()
        caller.pick(f"score-{box}", "no-curse")
    caller.hold_roll()
    take(anne, caller, anne.page, "swashbuckle")
    visitor.leave()


def take_eight_in_a_room(browser: Browser, table: TableProcess, caller: Caller) -> None:
    """Fill a box each, and take what a club sees on its television."""
    visitor = Visitor(browser)
    anne = Person(visitor.open(table.printed, viewport=TABLE, reduced_motion="reduce"), table)
    for _, box in SWASHBUCKLE[: len(EIGHT) - 1]:
        caller.hold_roll()
        caller.pick(f"score-{box}", "no-curse")
    caller.hold_roll()
    take(anne, caller, visitor.open(f"{table.origin}/", viewport=ROOM, reduced_motion="reduce"), "display-eight")
    visitor.leave()


def take_clocks_in_a_room(browser: Browser, table: TableProcess, caller: Caller) -> None:
    """Play an opening of Captain's Chess on the clock, and take what a club sees of it."""
    visitor = Visitor(browser)
    anne = Person(visitor.open(table.printed, viewport=TABLE, reduced_motion="reduce"), table)
    for start, end in (("e2", "e4"), ("e7", "e5"), ("g1", "f3")):
        anne.click(start, end)
        anne.page.keyboard.press("Space")
        anne.catch_up()
    take(anne, caller, visitor.open(f"{table.origin}/", viewport=ROOM, reduced_motion="reduce"), "display-clock")
    visitor.leave()


def take_review(browser: Browser) -> None:
    """Take a finished match of Legend, looked back on at one of its moves."""
    entries = entries_of("legend", luck=11, is_sensible=True, options={"rounds": "1"})
    visitor = Visitor(browser)
    with serving_reviews(reviewed(entries)) as address:
        page = visitor.open(f"{address}matches/1?at=60", viewport=REVIEW, reduced_motion="reduce")
        page.screenshot(path=DOCS / "review.png")
    visitor.leave()


def main() -> None:
    """Write all pictures."""
    save_glass(draw_view(WIDE_VIEWS["strike"], size=WIDE), "glass-wide")
    DOCS.mkdir(exist_ok=True)
    pictures = (
        (play_and_take, ("--players", "Anne", "Bart")),
        (play_swashbuckle_and_take, ("swashbuckle", "order=seated", "--players", "Anne", "Bart", "Cora")),
        (take_eight_in_a_room, ("swashbuckle", "order=seated", "--players", *EIGHT)),
        (take_clocks_in_a_room, ("captains-chess", "clock=15+10", "--players", *EIGHT[:2])),
    )
    with chromium() as browser:
        take_review(browser)
        for play, match in pictures:
            with tempfile.TemporaryDirectory() as directory:
                table = start_table(Path(directory), *match)
                caller = Caller(table.origin)
                try:
                    play(browser, table, caller)
                finally:
                    caller.close()
                    table.kill()


if __name__ == "__main__":
    if WITH_THESE_DICE in sys.argv[1:]:
        sys.exit(serve(sys.argv[2:]))
    main()
