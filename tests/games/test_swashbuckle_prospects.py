"""What each open box would take of the dice as they lie, as the sheets show it (docs/rules/swashbuckle.md)."""

from captains_table.games.contract import Prospect
from captains_table.games.swashbuckle.game import Swashbuckle
from captains_table.games.swashbuckle.sheet import BOXES, box_title
from captains_table.games.swashbuckle.state import State
from captains_table.table.model.view import View
from tests.support.dice_harness import open_ids
from tests.support.swashbuckle_play import said, start, with_filled

GAME = Swashbuckle()


def prospects(state: State) -> dict[str, Prospect]:
    """Return what stands in the sheet for the player on turn, by the rows' titles."""
    return {row.title: prospect for row in GAME.sheet(state) for prospect in row.prospects}


def test_nothing_is_in_prospect_before_the_dice_lie() -> None:
    assert prospects(start(order="throw")) == {}
    assert prospects(start()) == {}


def test_every_open_box_says_what_it_would_take_and_by_which_answer() -> None:
    state = said(start(), "11333")
    found = prospects(state)
    assert list(found) == [box_title(box) for box in BOXES]
    assert found["Ones"] == Prospect(0, "2", "score-ones")
    assert found["Full boat"] == Prospect(0, "25", "score-full-boat")
    assert found["Sixes"] == Prospect(0, "0")
    ids = {prospect.id for prospect in found.values()} - {""}
    assert ids == set(open_ids(GAME, state)) - {"throw-again"}


def test_a_box_that_is_filled_has_no_prospect() -> None:
    state = with_filled(said(start(), "11333"), ones=3)
    assert "Ones" not in prospects(state)
    assert "Full boat" in prospects(state)


def test_a_box_that_may_be_given_up_is_chosen_by_that() -> None:
    state = said(start(voluntary_scuttle="true"), "11333")
    assert prospects(state)["Sixes"] == Prospect(0, "0", "scuttle-sixes")
    assert prospects(state)["Ones"] == Prospect(0, "2", "score-ones")


def test_piracy_is_thrown_for_and_its_throw_is_what_it_takes() -> None:
    state = said(start(), "23456")
    assert prospects(state)["Piracy"] == Prospect(0, "throw for it", "score-piracy")
    state = said(state, "score-piracy")
    assert prospects(state) == {}
    state = said(state, "66665")
    assert prospects(state) == {"Piracy": Prospect(0, "29", "stand")}


def test_while_dice_are_chosen_the_prospects_stay_and_none_can_be_taken() -> None:
    state = said(start(), "11333", "throw-again")
    assert prospects(state)["Full boat"] == Prospect(0, "25")


def test_a_view_lists_the_answers_in_the_order_of_the_sheet() -> None:
    state = said(start(), "11333")
    turn = GAME.turn(state)
    view = View(ask=getattr(turn, "ask", None), sheet=tuple(GAME.sheet(state)))
    best_first = ["score-full-boat", "score-three-alike", "score-flotsam", "score-threes", "score-ones"]
    assert open_ids(GAME, state) == ["throw-again", *best_first]
    in_order = ["score-ones", "score-threes", "score-three-alike", "score-full-boat", "score-flotsam"]
    assert [option.id for option in view.options] == ["throw-again", *in_order]


def test_a_view_without_a_sheet_lists_the_answers_as_they_are_offered() -> None:
    ask = getattr(GAME.turn(said(start(), "11333")), "ask", None)
    assert [option.id for option in View(ask=ask).options][:2] == ["throw-again", "score-full-boat"]
    assert View().options == ()
