"""Every ask as a list with a cursor, and what the buttons do with it (docs/contracts.md Contract 4)."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import (
    OFFER_DRAW,
    Amount,
    AmountAsk,
    Keep,
    KeepAsk,
    Option,
    Pick,
    PickAsk,
    parse_square,
    proposed_option,
)
from captains_table.table.model.entries import MatchStarted, Salted
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, SwitchMasked, TimePassed
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import MenuEntry
from captains_table.table.prompts.buttons import HOLD_SHOWN_MS, HOLD_STEPS, MenuHold
from captains_table.table.prompts.menu import THROW, MenuState, choose, menu_of
from tests.table.hand import Hand, Touch

FACES = ["1", "2", "3", "4", "5", "VI"]
PICK = PickAsk("?", (Option("e2e4", "e2-e4", on_board=True), Option("a", "A"), Option("b", "B")), "b")
KEEP = KeepAsk("?", (1, 3, 6), (3,))
AMOUNT = AmountAsk("?", 0, 20, 15)


def ids(menu: MenuState) -> list[str]:
    return [entry.id for entry in menu.entries]


def pressed_next(menu: MenuState, times: int) -> MenuState:
    for _ in range(times):
        menu = menu.next()
    return menu


# --- menus ---


def test_the_cursor_starts_on_the_default_goes_round_and_skips_what_is_made_on_the_board() -> None:
    menu = menu_of(PICK, FACES)
    assert ids(menu) == ["a", "b"]
    assert [choose(PICK, pressed_next(menu, times)) for times in range(3)] == [Pick("b"), Pick("a"), Pick("b")]
    assert menu.next().previous() == menu
    assert menu.previous().previous() == menu
    assert MenuState().previous() == MenuState()
    assert ids(menu_of(PICK, FACES, {"e2e4"})) == ["e2e4", "a", "b"], "it touches a masked square"


WAIT = Option("wait", "Wait", declines=True)


def test_an_answer_that_only_declines_is_proposed_where_there_is_no_other_or_several() -> None:
    """Of several others none is proposed, and the cursor stays where nothing is spent."""
    ask = PickAsk("?", (Option("a", "A"), WAIT), "wait")
    assert choose(ask, menu_of(ask, FACES)) == Pick("a")
    ask = PickAsk("?", (Option("e2e4", "e2-e4", on_board=True), Option("a", "A"), WAIT), "wait")
    assert proposed_option(ask) is None
    assert choose(ask, menu_of(ask, FACES)) == Pick("wait")
    assert proposed_option(PickAsk("?", (WAIT, Option("b", "B", in_vain=True)), "wait")) == "wait"


GRAVE = PickAsk("?", (Option("e2e4", "e2-e4", on_board=True), Option("resign", "Resign", confirm=True)))


def test_the_cursor_begins_on_the_first_answer_that_is_neither_grave_nor_rare_or_on_none() -> None:
    menu = menu_of(GRAVE, FACES)
    assert menu.shown().cursor is None
    assert ids(choose(GRAVE, menu)) == ["resign"], "nothing is chosen, nor asked once"  # type: ignore[arg-type]
    for turned in (menu.next(), menu.previous()):
        asked = choose(GRAVE, turned)
        assert isinstance(asked, MenuState)
        assert choose(GRAVE, asked) == Pick("resign")
    rare = Option("ask-back", "Ask to take back", under="Take a move back")
    assert menu_of(replace(GRAVE, options=(*GRAVE.options, rare)), FACES).chosen is None
    ask = replace(GRAVE, options=(*GRAVE.options, OFFER_DRAW, rare, Option("pass", "Pass")))
    assert menu_of(ask, FACES).chosen == MenuEntry("pass", "Pass")


def test_on_tapes_a_wasteful_answer_or_an_offer_is_chosen_once_and_a_grave_one_twice() -> None:
    waste = PickAsk("?", (Option("waste", "Waste", wasteful=True),))
    offer = PickAsk("?", (OFFER_DRAW,))
    assert choose(offer, menu_of(offer, [], guarded=False)) == Pick(OFFER_DRAW.id)
    asked = choose(offer, menu_of(offer, []).next())
    assert isinstance(asked, MenuState)
    assert choose(offer, asked) == Pick(OFFER_DRAW.id)
    assert choose(waste, menu_of(waste, FACES, guarded=False)) == Pick("waste")
    asked = choose(waste, menu_of(waste, FACES).next())
    assert isinstance(asked, MenuState)
    assert choose(waste, asked) == Pick("waste")
    asked = choose(GRAVE, menu_of(GRAVE, FACES, guarded=False))
    assert isinstance(asked, MenuState)
    assert choose(GRAVE, asked) == Pick("resign")


@pytest.mark.parametrize("ask", [PickAsk("?", (Option("e2e4", "e2-e4", on_board=True),)), KeepAsk("?", (1, 3), (1, 3))])
def test_a_menu_without_entries_and_a_throw_of_nothing_choose_nothing(ask: PickAsk | KeepAsk) -> None:
    menu = menu_of(ask, FACES)
    assert (menu.shown().cursor is None, menu.next() == menu) == (isinstance(ask, PickAsk),) * 2
    assert choose(ask, menu) == menu


def test_an_amount_starts_at_its_default_and_reaches_every_value() -> None:
    menu = menu_of(AMOUNT, FACES)
    reached = [choose(AMOUNT, pressed_next(menu, presses)) for presses in range(21)]
    assert reached == [Amount((15 + presses) % 21) for presses in range(21)]


def test_dice_are_shown_as_they_lie_with_throw_at_the_end_under_the_cursor() -> None:
    menu = menu_of(KEEP, FACES)
    assert ids(menu) == ["1", "3", "6", THROW]
    assert [entry.label for entry in menu.entries[:3]] == ["Keep 1", "Keep 3", "Keep VI"]
    assert [entry.held for entry in menu.entries] == [False, True, False, None]
    assert choose(KEEP, menu) == Keep((3,))


@given(st.sets(st.sampled_from([1, 3, 6]), max_size=2))
def test_any_dice_may_be_held_so_long_as_one_falls(wanted: set[int]) -> None:
    menu = menu_of(KEEP, FACES)
    for index, die in enumerate(KEEP.dice):
        at_die = pressed_next(menu, (index - menu.cursor) % len(menu.entries))
        toggled = choose(KEEP, at_die)
        assert isinstance(toggled, MenuState)
        menu = toggled if (die in wanted) != (die in menu.held_dice()) else at_die
    menu = pressed_next(menu, (3 - menu.cursor) % 4)
    assert choose(KEEP, menu) == Keep(tuple(sorted(wanted)))


# --- buttons at a table ---


@pytest.fixture
def hand() -> Hand:
    """A match at its first throw."""
    hand = Hand(MatchStarted("legend", ("Anne", "Bart"), {}), random.Random(0))
    hand.dice.queue([6, 5, 4, 1, 2, 6])
    return hand


@pytest.mark.parametrize("held_ms", [0, 1, 599, 600, 60_000])
def test_however_long_the_roll_button_is_held_its_release_throws_but_not_without_a_press(
    hand: Hand, held_ms: int
) -> None:
    hand.session.handle(ButtonReleased(Button.ROLL), 10)
    assert hand.match.history == []
    hand.session.handle(ButtonPressed(Button.ROLL), 1000)
    assert hand.view.tumbling == (0, 1, 2, 3, 4, 5)
    assert hand.match.history == []
    hand.session.handle(TimePassed(), 1000 + held_ms)
    hand.session.handle(ButtonReleased(Button.ROLL), 1000 + held_ms)
    assert not hand.session.view().tumbling
    assert [die.face for die in hand.view.dice] == [6, 5, 4, 1, 2, 6]
    assert hand.match.history[-1].acted.at_ms == 1000 + held_ms


def test_each_players_first_press_is_journalled_before_the_throw_and_only_that(hand: Hand) -> None:
    hand.press(Button.ROLL, held_ms=123)
    assert [type(entry).__name__ for entry in hand.entries()] == ["MatchStarted", "Salted", "Acted", "Acted"]
    hand.make("e2e4")
    hand.say(Pick("done"))
    hand.press(Button.ROLL, held_ms=45)
    salts = [entry for entry in hand.entries() if isinstance(entry, Salted)]
    assert salts == [Salted(0, 123), Salted(1, 45)]


def test_a_press_says_that_a_slide_is_finished(hand: Hand) -> None:
    hand.press(Button.ROLL)
    hand.touch(Touch(parse_square("e2"), places=False))
    hand.touch(Touch(parse_square("e3"), places=True))
    hand.wait(20)
    assert parse_square("e3") not in hand.match.pieces()
    hand.session.handle(ButtonPressed(Button.NEXT), hand.now_ms)
    assert hand.match.pieces()[parse_square("e3")] == "P"


def test_a_table_masks_a_square_and_the_menu_offers_what_touches_it(hand: Hand) -> None:
    hand.press(Button.ROLL)
    hand.session.handle(SwitchMasked(parse_square("e4")), hand.now_ms)
    view = hand.view
    assert [entry.id for entry in view.menu.entries] == ["e2e4", "throw-again", "genie", "abandon"]
    assert view.faults == ("The switch of e4 is ignored",)


# --- the long hold for the table's own menu ---------------------------------------------------------------------------

KINDS = {"encoder": Button.CHOOSE, "one": Button.ROLL}


def held(kind: str = "encoder", menu_ms: int = 5000) -> tuple[MenuHold, Button]:
    hold, button = MenuHold(Settings(buttons=kind, menu_ms=menu_ms)), KINDS[kind]
    hold.press(ButtonPressed(button), 1000)
    return hold, button


@pytest.mark.parametrize("kind", KINDS)
def test_a_hold_is_shown_after_two_seconds_fills_in_steps_and_is_over_once(kind: str) -> None:
    hold, _ = held(kind)
    shares: list[float] = []
    while (due_ms := hold.due_ms()) is not None and not hold.is_over(due_ms):
        assert hold.look(due_ms), "it is looked at only when something changes"
        assert hold.share is not None
        shares.append(hold.share)
        assert 1000 + HOLD_SHOWN_MS < due_ms < 6000
    assert shares == [step / HOLD_STEPS for step in range(HOLD_STEPS)]
    assert not hold.is_over(10_000)


@given(st.integers(0, 20_000), st.integers(0, 60_000))
def test_whatever_was_shown_takes_the_release_and_whatever_was_not_leaves_it(held_ms: int, menu_ms: int) -> None:
    hold, button = held(menu_ms=menu_ms)
    was_shown, now_ms = False, 1000
    while (due_ms := hold.due_ms()) is not None and due_ms <= 1000 + held_ms:
        now_ms = max(due_ms, now_ms)
        hold.look(now_ms)
        is_over = hold.is_over(now_ms)  # each time, as the table asks it, or a hold would be due for ever
        was_shown = was_shown or is_over or hold.share is not None
    hold.look(1000 + held_ms)
    assert hold.takes(ButtonReleased(button)) is (was_shown or hold.share is not None)
    assert hold.due_ms() is None
    assert not hold.takes(ButtonReleased(button))


def test_a_hold_that_means_something_shorter_and_other_buttons_open_nothing() -> None:
    hold, button = held()
    hold.look(1000 + HOLD_SHOWN_MS)
    assert hold.share is None
    assert not hold.takes(ButtonReleased(button))
    for other in (Button.ROLL, Button.BACK, Button.NEXT, Button.PREVIOUS):
        hold.press(ButtonPressed(other), 0)
        assert hold.due_ms() is None
