"""The page one plays on: nothing jumps, all of a turn is in sight, nothing is too small, and a finger is enough."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import TellDice
from tests.support.browser import Visitor
from tests.support.looking import (
    LAPTOP,
    ON_ITS_SIDE,
    PHONE,
    SIZES,
    Finger,
    out_of_sight,
    shifts,
    too_small,
    watch_shifts,
)
from tests.support.person_at_page import Person
from tests.support.table_process import TableProcess

pytestmark = pytest.mark.browser
FACES = "654363546222162354"  # the first throw has ship, captain and crew; the Legend die shows III, then II
NAMES = ("Annabelle Bonny", "Bartholomew Roberts")
EIGHT = (
    *("Annabelle Bonny", "Bartholomew Roberts", "Cornelius the Tall", "Dirk Chivers of Rye", "Elisabeth Shirland"),
    *("Ferdinando Gorges", "Gwendolyn Skipper", "Hugo van der Decken"),
)
ALWAYS = ("#prompt", "#roll button", "#tallies", "#tallies tbody tr")
LEGEND = (
    *ALWAYS,
    "svg.board",
    "#dice li",
    "#ask .ask > .answers .button:not([data-pick=roll], [data-pick=throw-again])",
    "[data-undo]",
    "[data-flip]",
)


class Onlookers:
    """The same table in several windows: one plays, with all its motion; all are looked at after every step."""

    def __init__(
        self,
        visitor: Visitor,
        table: TableProcess,
        in_sight: tuple[str, ...],
        sizes: Sequence[dict[str, Any]] = SIZES,
    ) -> None:
        motions = ("no-preference", "reduce", "reduce")
        self.pages = [
            visitor.open(table.printed, reduced_motion=motion, **size)
            for motion, size in zip(motions, sizes, strict=False)
        ]
        self.people = [Person(page, table) for page in self.pages]
        self._in_sight = in_sight
        for page in self.pages:
            watch_shifts(page)

    def look(self) -> None:
        """See that all is in sight, large enough, and where it was."""
        for person in self.people:
            person.catch_up()
            assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert out_of_sight(person.page, *self._in_sight) == []
            assert too_small(person.page) == []

    def leave(self) -> None:
        """See that nothing moved all the time."""
        for page in self.pages:
            assert shifts(page) == []


def test_all_of_a_legend_turn_is_in_sight_and_nothing_jumps(tell_dice: TellDice, visitor: Visitor) -> None:
    """Throw, keep, move, undo, move again, a wrong move put right, a capture, the end of turns; at three sizes."""
    all_ = Onlookers(visitor, tell_dice(FACES, "legend", "rounds=1", names=NAMES), LEGEND)
    anne = all_.people[0]
    all_.look()
    anne.hold_roll()
    anne.choose("throw-again")
    all_.look()
    anne.page.locator("#dice [data-die]").first.click()
    anne.page.locator("[data-throw]").click()
    expect(anne.page.locator("[data-throw]")).to_have_count(0)
    all_.look()
    anne.click("e2")
    all_.look()
    anne.click("e5")
    for page in all_.pages:
        expect(page.locator("#repair button")).to_be_visible()
        assert out_of_sight(page, "#repair button") == []
    anne.page.locator("#repair button").click()
    expect(anne.page.locator("#repair button")).to_have_count(0)
    anne.move("e2", "e4")
    all_.look()
    anne.page.locator("[data-undo]").click()
    expect(anne.square("e2")).to_have_attribute("aria-label", "white pawn on e2, may move")
    all_.look()
    anne.move("e2", "e4")
    anne.end_turn()
    all_.look()
    anne.pawn_turn("d7", "d5")
    anne.hold_roll()
    anne.move("e4", "d5")
    expect(anne.page.locator(".captured")).to_have_attribute("aria-label", "Black pieces beside the board")
    all_.look()
    all_.leave()


@pytest.mark.parametrize(
    ("game", "sizes", "turn"),
    [
        ("captains-chess", (LAPTOP, PHONE), ("e2 e4", "e7 e5")),
        ("ship-captain-crew", (LAPTOP, PHONE), ("roll", "throw-again", "stand", "roll")),
        ("swashbuckle", (LAPTOP, ON_ITS_SIDE), ("roll", "throw-again", "throw", "box", "no-curse", "roll")),
    ],
    ids=["captains-chess", "ship-captain-crew", "swashbuckle"],
)
def test_nothing_jumps_while_a_turn_of_another_game_is_played(
    game: str, sizes: Sequence[dict[str, Any]], turn: tuple[str, ...], tell_dice: TellDice, visitor: Visitor
) -> None:
    options = ("order=seated",) if game != "captains-chess" else ()
    table = tell_dice(FACES, game, *options, names=NAMES)
    all_ = Onlookers(visitor, table, ("#prompt", "#roll button", "#tallies"), sizes)
    anne = all_.people[0]
    for step in turn:
        all_.look()
        match step.split():
            case [start, end]:
                anne.click(start, end)
                expect(anne.square(end)).to_have_attribute("aria-label", f"{anne_piece(start)} on {end}, last move")
            case ["roll"]:
                anne.hold_roll()
            case ["box"]:
                anne.page.locator("[data-fill=score-fours]").click()
                expect(anne.button("no-curse")).to_be_visible()
            case ["throw"]:
                anne.page.locator("[data-throw]").click()
                expect(anne.page.locator("[data-throw]")).to_have_count(0)
            case [pick]:
                anne.choose(pick)
    all_.look()
    all_.leave()


def anne_piece(square: str) -> str:
    return "white pawn" if square.endswith("2") else "black pawn"


@pytest.mark.parametrize(
    ("game", "sizes"),
    [("swashbuckle", (PHONE, ON_ITS_SIDE)), ("ship-captain-crew", (LAPTOP, PHONE))],
    ids=["swashbuckle", "ship-captain-crew"],
)
def test_eight_long_names_fit_everywhere(
    game: str, sizes: Sequence[dict[str, Any]], tell_dice: TellDice, visitor: Visitor
) -> None:
    table = tell_dice(FACES, game, "order=seated", names=EIGHT)
    all_ = Onlookers(visitor, table, ("#prompt", "#roll button", "#tallies tr.on-turn"), sizes)
    all_.people[0].hold_roll()
    all_.look()
    for page in all_.pages:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    all_.leave()


def test_a_whole_legend_turn_is_played_with_one_finger(tell_dice: TellDice, visitor: Visitor) -> None:
    table = tell_dice(FACES, "legend", "rounds=1", names=NAMES)
    page = visitor.open(table.printed, **PHONE)
    phone, finger = Person(page, table), Finger(page)
    finger.down(page.locator("[data-button=roll]"))
    expect(page.locator("#dice .tumbling")).to_have_count(6)
    finger.up()
    expect(page.locator("#dice .thrown")).to_have_count(6)
    phone.catch_up()
    finger.down(phone.square("e2"))
    assert page.locator(".lifted").get_attribute("data-square") == "e2"
    assert page.locator(".may-go").count() == 2
    finger.slide(phone.square("e3"))
    expect(page.locator(".carried")).to_have_count(1)
    expect(phone.square("e4").locator(".mark-target").first).to_be_attached()
    finger.slide(phone.square("e4"))
    finger.up()
    expect(page.locator(".carried")).to_have_count(0)
    expect(phone.square("e4")).to_have_attribute("aria-label", "white pawn on e4, last move")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("[data-undo]")).to_have_attribute("aria-disabled", "false")  # it is taken for a move
    phone.catch_up()
    page.wait_for_timeout(500)  # a finger that taps as soon as another gesture ended is taken for the same by Chromium
    visitor.accept("409 (Conflict)")  # a finger may be sooner than the switches have settled, and taps again
    while tapped(page, '[data-pick="done"]') == HTTPStatus.CONFLICT:
        phone.catch_up()
    expect(page.locator("#tallies tr.on-turn")).to_contain_text(NAMES[1])


def tapped(page: Page, answer: str) -> int:
    """Tap an answer and return how it was taken."""
    with page.expect_response("**/answer*") as taken:
        page.locator(answer).tap()
    return taken.value.status


def test_a_piece_dropped_off_the_board_goes_back_and_the_board_turned_round_stays_so(
    tell_dice: TellDice, visitor: Visitor
) -> None:
    table = tell_dice(FACES, "legend", "rounds=1", names=NAMES)
    anne = Person(visitor.open(table.printed, **LAPTOP), table)
    page = anne.page
    anne.hold_roll()
    anne.square("e2").hover()
    page.mouse.down()
    page.locator("#tallies").hover()
    expect(page.locator(".carried")).to_have_count(1)
    page.mouse.up()
    expect(anne.square("e2")).to_have_attribute("aria-label", "white pawn on e2, may move")
    page.locator("[data-flip]").click()
    expect(page.locator("[data-square]").first).to_have_attribute("data-square", "h1")
    assert "side=black" in page.url
    page.goto(f"{table.origin}/matches")
    page.goto(f"{table.origin}/table")
    expect(page.locator("[data-square]").first).to_have_attribute("data-square", "h1")
