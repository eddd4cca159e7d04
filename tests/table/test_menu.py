"""Every ask as a list with a cursor, and what the buttons do with it (docs/contracts.md Contract 4)."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import (
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
from captains_table.table.model.view import MenuEntry
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


def test_the_cursor_starts_on_the_default_and_skips_what_is_made_on_the_board() -> None:
    menu = menu_of(PICK, FACES)
    assert ids(menu) == ["a", "b"]
    assert choose(PICK, menu) == Pick("b")


WAIT = Option("wait", "Wait", declines=True)


def test_an_answer_that_only_declines_is_not_proposed_where_one_other_may_be_given() -> None:
    ask = PickAsk("?", (Option("a", "A"), WAIT), "wait")
    assert choose(ask, menu_of(ask, FACES)) == Pick("a")


def test_of_several_other_answers_none_is_proposed_and_the_cursor_stays_where_nothing_is_spent() -> None:
    ask = PickAsk("?", (Option("e2e4", "e2-e4", on_board=True), Option("a", "A"), WAIT), "wait")
    assert proposed_option(ask) is None
    assert choose(ask, menu_of(ask, FACES)) == Pick("wait")


def test_an_answer_that_only_declines_is_proposed_where_there_is_no_other() -> None:
    ask = PickAsk("?", (WAIT, Option("b", "B", in_vain=True)), "wait")
    assert proposed_option(ask) == "wait"


GRAVE = PickAsk("?", (Option("e2e4", "e2-e4", on_board=True), Option("resign", "Resign", confirm=True)))


def test_where_every_answer_is_asked_twice_the_cursor_stands_on_none() -> None:
    menu = menu_of(GRAVE, FACES)
    assert menu.shown().cursor is None
    assert ids(choose(GRAVE, menu)) == ["resign"], "nothing is chosen, nor asked once"  # type: ignore[arg-type]
    for turned in (menu.next(), menu.previous()):
        asked = choose(GRAVE, turned)
        assert isinstance(asked, MenuState)
        assert choose(GRAVE, asked) == Pick("resign")


def test_the_cursor_begins_on_the_first_answer_that_is_not_asked_twice() -> None:
    ask = replace(GRAVE, options=(*GRAVE.options, Option("offer", "Offer a draw")))
    assert menu_of(ask, FACES).chosen == MenuEntry("offer", "Offer a draw")


def test_on_tapes_a_wasteful_answer_is_chosen_once_and_a_grave_one_twice() -> None:
    waste = PickAsk("?", (Option("waste", "Waste", wasteful=True),))
    assert choose(waste, menu_of(waste, FACES, guarded=False)) == Pick("waste")
    asked = choose(waste, menu_of(waste, FACES).next())
    assert isinstance(asked, MenuState)
    assert choose(waste, asked) == Pick("waste")
    asked = choose(GRAVE, menu_of(GRAVE, FACES, guarded=False))
    assert isinstance(asked, MenuState)
    assert choose(GRAVE, asked) == Pick("resign")


def test_next_goes_round() -> None:
    menu = menu_of(PICK, FACES)
    assert choose(PICK, menu.next()) == Pick("a")
    assert choose(PICK, menu.next().next()) == Pick("b")


def test_previous_goes_round_the_other_way() -> None:
    menu = menu_of(PICK, FACES)
    assert menu.next().previous() == menu
    assert menu.previous().previous() == menu
    assert MenuState().previous() == MenuState()


def test_options_that_touch_a_masked_square_are_offered_too() -> None:
    assert ids(menu_of(PICK, FACES, {"e2e4"})) == ["e2e4", "a", "b"]


def test_a_menu_without_entries_has_no_cursor_and_chooses_nothing() -> None:
    ask = PickAsk("?", (Option("e2e4", "e2-e4", on_board=True),))
    menu = menu_of(ask, FACES)
    assert menu.shown().cursor is None
    assert menu.next() == menu
    assert choose(ask, menu) == menu


def test_an_amount_starts_at_its_default_and_reaches_every_value() -> None:
    menu = menu_of(AMOUNT, FACES)
    assert choose(AMOUNT, menu) == Amount(15)
    reached = {choose(AMOUNT, pressed_next(menu, presses)) for presses in range(21)}
    assert reached == {Amount(value) for value in range(21)}


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


def test_throwing_nothing_is_no_throw() -> None:
    ask = KeepAsk("?", (1, 3), (1, 3))
    menu = menu_of(ask, FACES)
    assert choose(ask, menu) == menu


# --- buttons at a table ---


@pytest.fixture
def hand() -> Hand:
    """A match at its first throw."""
    hand = Hand(MatchStarted("legend", ("Anne", "Bart"), {}), random.Random(0))
    hand.dice.queue([6, 5, 4, 1, 2, 6])
    return hand


@pytest.mark.parametrize("held_ms", [0, 1, 599, 600, 60_000])
def test_however_long_the_roll_button_is_held_its_release_throws(hand: Hand, held_ms: int) -> None:
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
    hand.make("e7e5") if "e7e5" in [option.id for option in hand.options()] else None
    salts = [entry for entry in hand.entries() if isinstance(entry, Salted)]
    assert salts == [Salted(0, 123), Salted(1, 45)]


def test_a_release_without_a_press_means_nothing(hand: Hand) -> None:
    hand.session.handle(ButtonReleased(Button.ROLL), 10)
    assert hand.match.history == []


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
