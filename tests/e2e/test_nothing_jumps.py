"""The page one plays on: nothing jumps, a turn is in sight, nothing is too small; `make long`: in all languages."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from captains_table.catalog.languages import find_language, language_codes
from captains_table.phrases import ENGLISH, Language, listed, noun, rendered, say
from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.looking import (
    LAPTOP,
    ON_ITS_SIDE,
    PHONE,
    needless_signs,
    out_of_sight,
    shifts,
    too_small,
    watch_shifts,
)
from tests.support.person_at_page import Person
from tests.support.table_process import TableProcess

pytestmark = pytest.mark.browser
PAWN_MAY_TAKE = "fen=rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"
FACES = "654363546222162354"  # the first throw has ship, captain and crew; the Legend die shows III, then II
EIGHT = (
    *("Annabelle Bonny", "Bartholomew Roberts", "Cornelius the Tall", "Dirk Chivers of Rye", "Elisabeth Shirland"),
    *("Ferdinando Gorges", "Gwendolyn Skipper", "Hugo van der Decken"),
)
TWO = EIGHT[:2]
PARTS = ("#prompt", "#roll button", "#tallies")
LEGEND = (
    *(*PARTS, "#tallies tbody tr", "svg.board", "#dice li", "[data-undo]", "[data-flip]"),
    "#ask .ask > .answers .button:not([data-pick=roll], [data-pick=throw-again], [data-throw])",
)
# Where the answers are, and the lines behind which others are folded.
PLACES = """() => [...document.querySelectorAll("#ask .answers > *, #ask summary")]
  .filter((element) => element.checkVisibility() && element.offsetHeight)
  .map((element) => [element.textContent, element.offsetLeft, element.offsetTop])"""


class Onlookers:
    """The same table in several windows: one plays, with all its motion; all are looked at after every step."""

    def __init__(
        self, visitor: Visitor, table: TableProcess, language: Language, in_sight: Sequence[str], *sizes: dict[str, Any]
    ) -> None:
        motions = ("no-preference", "reduce", "reduce")
        self.pages = [
            visitor.open(table.printed, is_drawn=True, reduced_motion=motion, locale=language.code, **size)
            for motion, size in zip(motions, sizes, strict=False)
        ]
        self._language = language
        if language is not ENGLISH:
            visitor.accept("409 (Conflict)")  # a page that follows later may give a stale answer, and gives it again
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
            assert needless_signs(person.page) == []
            assert too_small(person.page) == []

    def reads(self, words: str) -> str:
        """Return a message as the windows show it."""
        return rendered(words, self._language)

    def leave(self) -> None:
        """See that nothing moved all the time."""
        for page in self.pages:
            assert shifts(page) == []


@pytest.fixture(params=language_codes() if LONG_RUN else [ENGLISH.code])
def language(request: pytest.FixtureRequest) -> Language:
    return find_language(request.param)


def test_all_of_a_legend_turn_is_in_sight_and_nothing_jumps(
    open_table: OpenTable, visitor: Visitor, language: Language
) -> None:
    """Throw, keep, a wrong move put right, move, undo, a capture, the end of the turn; at three sizes."""
    table = open_table("play", "legend", "rounds=1", PAWN_MAY_TAKE, "--players", *TWO, dice=FACES)
    all_ = Onlookers(visitor, table, language, LEGEND, LAPTOP, PHONE, ON_ITS_SIDE)
    anne = all_.people[0]
    all_.look()
    anne.page.locator("[data-undo]").click(force=True)
    expect(anne.page.locator("#toast")).to_contain_text(
        all_.reads(say("There is no move to take back: a move stays once dice are thrown or another player moves"))
    )
    anne.hold_roll()
    anne.choose("throw-again")
    all_.look()
    anne.page.locator("#dice [data-die]").first.click()
    expect(anne.page.locator("[data-throw]")).to_be_hidden()
    anne.hold_roll()
    expect(anne.page.locator("[data-throw]")).to_have_count(0)
    places = anne.page.evaluate(PLACES)
    anne.click("a2")
    all_.look()
    assert anne.page.evaluate(PLACES) == places
    anne.page.keyboard.press("Escape")
    expect(anne.page.locator(".tray.hand")).to_have_count(0)
    expect(anne.page.locator("#board :focus")).to_have_count(0)
    anne.click("a2")
    anne.click("a5")
    refused = say("The {piece} cannot go to {square} now", noun("white pawn"), "a5")
    expect(anne.page.locator("#toast")).to_contain_text(all_.reads(refused))
    all_.look()
    anne.move("a2", "a3")
    all_.look()
    anne.page.locator("[data-undo]").click()
    pawn = say("{piece} on {square}", noun("white pawn"), "a2")
    expect(anne.square("a2")).to_have_attribute("aria-label", all_.reads(listed([pawn, say("may move")], ",")))
    anne.move("e4", "d5")
    expect(anne.page.locator(".captured")).to_have_attribute(
        "aria-label", all_.reads(say("Black pieces beside the board"))
    )
    all_.look()
    anne.end_turn()
    all_.look()
    all_.leave()


def test_nothing_jumps_in_a_turn_of_captains_chess(open_table: OpenTable, visitor: Visitor, language: Language) -> None:
    """On a phone; on a laptop a whole match against a computer is looked at."""
    table = open_table("play", "captains-chess", "--players", *TWO)
    all_ = Onlookers(visitor, table, language, PARTS, PHONE)
    all_.people[0].click("e2", "e4")
    moved = listed([say("{piece} on {square}", noun("white pawn"), "e4"), say("last move")], ",")
    expect(all_.people[0].square("e4")).to_have_attribute("aria-label", all_.reads(moved))
    all_.look()
    all_.leave()


@pytest.mark.parametrize(
    ("game", "sizes", "turn"),
    [
        ("ship-captain-crew", (LAPTOP, PHONE), ("throw-again", "stand")),
        ("swashbuckle", (LAPTOP, ON_ITS_SIDE), ("throw-again", "throw", "box", "no-curse")),
    ],
    ids=["ship-captain-crew", "swashbuckle"],
)
def test_nothing_jumps_in_a_turn_of_eight_with_long_names_at_a_game_of_dice(
    game: str,
    sizes: Sequence[dict[str, Any]],
    turn: Sequence[str],
    open_table: OpenTable,
    visitor: Visitor,
    language: Language,
) -> None:
    table = open_table("play", game, "order=seated", "--players", *EIGHT, dice=FACES)
    all_ = Onlookers(visitor, table, language, (*PARTS[:2], "#tallies tr.on-turn"), *sizes)
    anne = all_.people[0]
    anne.hold_roll()
    all_.look()
    places = [page.evaluate(PLACES) for page in all_.pages]
    anne.page.get_by_role("button", name=all_.reads(say("Advice?"))).click()
    for page in all_.pages:
        expect(page.locator("#prompt .advice")).to_contain_text(
            all_.reads(say("Advice: <b>{advice}</b>", "")).partition("<b>")[0]
        )
        assert out_of_sight(page, "#ask .answers .button:not([data-pick=throw-again])", "#prompt .advice") == []
    assert [page.evaluate(PLACES) for page in all_.pages] == places
    for step in turn:
        match step:
            case "box":
                anne.page.locator("[data-fill=score-fours]").click()
                expect(anne.button("no-curse")).to_be_visible()
            case "throw":
                anne.hold_roll()
                expect(anne.page.locator("[data-throw]")).to_have_count(0)
            case pick:
                anne.choose(pick)
    all_.look()
    for page in all_.pages:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    all_.leave()
