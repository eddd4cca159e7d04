"""The roll button is the next sensible throw: it says what a press does, or who is to do what first."""

import pytest

from captains_table.games.contract import Action, IllegalAction, Keep, Pick, Rolled
from captains_table.table.model.events import Answered, Button, ButtonReleased
from captains_table.table.model.settings import Settings, tape_settings
from captains_table.table.model.view import RollOffer
from captains_table.table.playing.timed_displays import SHOWN_MS
from tests.support.dice_table import DiceTable

SEATED = {"order": "seated"}
CREW = "ship-captain-crew"
BARE = {"fen": "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1"}
TREASURE = {"fen": "4k3/8/7P/8/8/8/8/4K3 w - - 0 1"}
ONE_BUTTON = Settings(buttons="one")


def offer(table: DiceTable) -> tuple[str, tuple[int, ...]]:
    """Return what the roll button says and which dice it throws, where it does anything."""
    roll = table.view.roll
    assert (roll.possible, roll.why) == (True, "")
    return roll.label, roll.dice


def refusal(table: DiceTable) -> str:
    """Return why the roll button does nothing; a press of it leaves the match as it was."""
    roll, revision = table.view.roll, table.view.revision
    assert not roll.possible
    assert roll.dice == ()
    table.press()
    assert table.view.revision == revision
    return roll.why


def actions(table: DiceTable) -> list[Action]:
    return [step.acted.action for step in table.match.history]


def crew_thrown(settings: Settings | None = None) -> DiceTable:
    """Return a table of Legend at which Anne has thrown a crew with a cargo of 2, and a VI."""
    table = DiceTable("legend", options=BARE, settings=settings)
    table.throw(6, 5, 4, 1, 1, 6)
    return table


# --- what it says where it throws -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("legend", {}, ("Throw all six", (1, 2, 3, 4, 5, 6))),
        (CREW, SEATED, ("Throw all five", (1, 2, 3, 4, 5))),
        ("swashbuckle", SEATED, ("Throw all five", (1, 2, 3, 4, 5))),
        ("swashbuckle", {}, ("Throw the die", (1,))),  # for the start
    ],
)
def test_a_turn_begins_with_all_dice(game: str, options: dict[str, str], said: tuple[str, tuple[int, ...]]) -> None:
    table = DiceTable(game, options=options)
    assert offer(table) == said
    assert not table.view.roll.aside


def test_a_throw_that_is_not_the_wisest_thing_to_do_is_offered_aside() -> None:
    """With a crew of much cargo the turn is better ended in Ship, Captain and Crew."""
    table = DiceTable(CREW, options=SEATED)
    table.throw(6, 5, 4, 6, 6)
    assert (table.view.roll.dice, table.view.roll.aside) == ((4, 5), True)


@pytest.mark.parametrize(("cargo", "aside"), [((1, 3), False), ((4, 6), False), ((5, 6), True)])
def test_in_legend_it_is_offered_aside_only_where_no_cargo_die_is_better_thrown_again(
    cargo: tuple[int, int],
    aside: bool,  # noqa: FBT001 - told by the table above
) -> None:
    """A single die brings 4.25 on average with two throws left."""
    table = DiceTable("legend", options={"fen": "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"})
    table.throw(6, 5, 4, *cargo, 1)
    table.pick("a2a3")
    assert (table.view.roll.option, table.view.roll.aside) == ("throw-again", aside)


Steps = list[tuple[int, ...] | str]


def after(game: str, options: dict[str, str], steps: Steps) -> DiceTable:
    """Return a table after some throws and picks; Anne is alone where there is a mode."""
    table = DiceTable(game, *(["Anne"] if "mode" in options else []), options=options)
    for step in steps:
        table.pick(step) if isinstance(step, str) else table.throw(*step)
    return table


@pytest.mark.parametrize(
    ("game", "options", "steps", "said"),
    [
        (CREW, SEATED, [(6, 5, 1, 1, 1)], ("Throw again: 3 dice", (3, 4, 5))),
        (CREW, SEATED, [(6, 5, 4, 1, 1)], ("Throw again: 2 dice", (4, 5))),
        ("legend", TREASURE, [(6, 5, 4, 1, 1, 6), "h6h7"], ("Throw 2 dice", (7, 8))),
    ],
)
def test_a_throw_that_is_due_with_some_of_the_dice_says_how_many(
    game: str, options: dict[str, str], steps: Steps, said: tuple[str, tuple[int, ...]]
) -> None:
    assert offer(after(game, options, steps)) == said


# --- throwing again -------------------------------------------------------------------------------------------------


def test_a_press_throws_again_what_a_sensible_player_does_not_keep() -> None:
    table = crew_thrown()
    assert offer(table) == ("Throw again: 2 cargo dice", (4, 5))
    table.hold()
    assert table.view.tumbling == (3, 4)
    table.dice.queue((6, 6))
    table.wait(30)
    table.session.handle(ButtonReleased(Button.ROLL), table.now_ms)
    assert table.faces() == [6, 5, 4, 6, 6, 6]
    assert not table.view.roll.in_vain
    assert actions(table)[-3:] == [Pick("throw-again"), Keep((1, 2, 3, 6)), Rolled((6, 6))]


def test_a_press_keeps_the_dice_that_were_chosen_and_throws_nothing_where_all_are_held() -> None:
    table = crew_thrown()
    table.toggle(4)
    table.toggle(5)
    assert refusal(table) == "Anne is to let a die go: all are held"
    table.toggle(5)
    assert offer(table) == ("Throw again: 1 cargo die", (5,))
    table.throw(2)
    assert table.faces() == [6, 5, 4, 1, 2, 6]


def test_another_throw_in_legend_says_how_many_cargo_dice_fall_and_whether_the_legend_die_does() -> None:
    table = crew_thrown()
    table.toggle(6)
    assert offer(table) == ("Throw again: 2 cargo dice + Legend", (4, 5, 6))
    table.toggle(4)
    table.toggle(5)
    assert offer(table) == ("Throw the Legend die again", (6,))


def test_touching_a_die_opens_the_choice_which_dice_stay_and_back_leaves_it() -> None:
    table = crew_thrown()
    table.toggle(3)
    held = [entry.id for entry in table.view.menu.entries if entry.held]
    loose = [entry.id for entry in table.view.menu.entries if entry.held is False]
    assert (held, loose) == (["1", "2", "6"], ["3", "4", "5"])
    table.press(Button.BACK)
    assert [option.id for option in table.view.options][-2:] == ["genie", "abandon"]


def test_a_die_that_may_not_be_thrown_again_cannot_be_touched() -> None:
    table = DiceTable(CREW, options={**SEATED, "cargo_dice": "each"})
    table.throw(6, 5, 4, 1, 1)
    revision = table.view.revision
    with pytest.raises(IllegalAction, match="die 1 is not to be chosen now"):
        table.toggle(1)
    assert table.view.revision == revision
    table.toggle(4)
    assert offer(table) == ("Throw again: 1 die", (5,))


def test_a_press_throws_again_in_swashbuckle_and_never_pays_for_it() -> None:
    table = DiceTable("swashbuckle", options=SEATED)
    table.throw(3, 3, 3, 1, 2)
    assert offer(table) == ("Throw again: 2 dice", (4, 5))
    table.throw(3, 2)
    table.throw(4)
    assert table.faces() == [3, 3, 3, 3, 4]
    assert refusal(table) == "Anne is to choose an answer"  # a hornswaggle costs points


def test_a_press_throws_first_what_was_not_thrown_yet() -> None:
    table = DiceTable("legend", options=BARE)
    table.pick("roll-cargo", dice=(6, 5, 4, 1, 1))
    assert offer(table) == ("Throw the Legend die", (6,))
    assert table.view.roll.option == "roll-legend"
    table.lift("e1")
    assert (table.view.roll.possible, table.view.roll.option) == (False, "roll-legend"), "its answer stays hidden"
    table.place("e1")
    table.throw(6)
    assert table.faces() == [6, 5, 4, 1, 1, 6]


def test_a_move_waits_for_the_press_and_is_sealed_by_the_throw() -> None:
    table = crew_thrown()
    table.lift("e1")
    table.place("e2")
    assert offer(table) == ("Throw again: 2 cargo dice", (4, 5))
    table.throw(2, 2)
    assert (table.faces(), table.match.provisional) == ([6, 5, 4, 2, 2, 6], None)


# --- where it means nothing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options", "steps", "why"),
    [
        ("legend", BARE, [(6, 5, 4, 1, 1, 6), "abandon"], "Bart is to agree or refuse"),
        (CREW, {"mode": "single"}, [(6, 5, 4, 6, 6), "stand"], "The match is over"),
    ],
)
def test_a_player_who_is_to_agree_and_a_match_that_is_over_throw_nothing(
    game: str, options: dict[str, str], steps: Steps, why: str
) -> None:
    assert refusal(after(game, options, steps)) == why


@pytest.mark.parametrize("options", [{}, {"clock": "5+2"}])
def test_a_piece_in_the_hand_is_waited_for(options: dict[str, str]) -> None:
    table = DiceTable("captains-chess", options=options)
    table.lift("e2")
    if options:  # the clock is not pressed with one either
        table.place("e4")
        table.lift("d2")
    assert refusal(table) == "The move is not finished"


def test_a_board_that_is_wrong_is_put_right_first_and_a_table_without_a_match_says_so() -> None:
    table = DiceTable("legend")
    table.throw(6, 5, 4, 1, 1, 6)
    table.lift("a1")
    table.place("d5")
    table.wait(4000)
    assert refusal(table) == "Put the board right first"
    table.session.unload(table.now_ms)
    assert table.view.roll == RollOffer(why="No match is played")


def test_a_press_in_vain_says_why_for_a_moment_or_until_something_is_done() -> None:
    table = DiceTable("captains-chess")
    assert refusal(table) == "Anne is to move on the board"
    assert table.view.roll.in_vain
    table.wait(SHOWN_MS)
    assert not table.view.roll.in_vain
    table.press()
    table.press(Button.NEXT)
    assert not table.view.roll.in_vain
    table.press()
    table.pick("e2e4")
    assert not table.view.roll.in_vain


# --- the clock ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("buttons", ["encoder", "one"])
def test_a_press_presses_the_clock(buttons: str) -> None:
    table = DiceTable("captains-chess", options={"clock": "5+2"}, settings=Settings(buttons=buttons))
    table.lift("e2")
    table.place("e4")
    assert offer(table) == ("Press the clock", ())
    table.press()
    assert table.view.seat == 1


# --- one button -----------------------------------------------------------------------------------------------------


def test_one_button_walks_where_several_things_can_be_chosen_such_as_a_draw_while_a_move_is_due() -> None:
    table = crew_thrown(ONE_BUTTON)
    assert offer(table) == ("Next; hold to choose", ())
    cursor = table.view.menu.cursor
    table.press()
    assert table.view.menu.cursor != cursor
    chess = DiceTable("captains-chess", options={"clock": "5+2"}, settings=ONE_BUTTON)
    assert offer(chess) == ("Next; hold to choose", ())


def test_one_button_throws_where_nothing_else_can_be_chosen() -> None:
    table = DiceTable("legend", options={"fen": "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"}, settings=ONE_BUTTON)
    table.pick("roll-legend", dice=(6,))
    table.pick("e7e8")
    assert offer(table) == ("Throw the cargo dice", (1, 2, 3, 4, 5))
    table.throw(1, 1, 1, 1, 1)
    assert table.faces() == [1, 1, 1, 1, 1, 6]


# --- tapes ----------------------------------------------------------------------------------------------------------


def test_a_press_that_meant_nothing_when_a_tape_was_made_still_means_nothing() -> None:
    table = crew_thrown(tape_settings())
    assert refusal(table) == "Anne is to move on the board"
    table.session.handle(Answered(Pick("throw-again")), table.now_ms)
    assert offer(table) == ("Throw again: 2 cargo dice", (4, 5))
