"""Swashbuckle by rule number: penalties, and pirate names (docs/rules/swashbuckle.md N2)."""

import pytest

from captains_table.games.contract import BadOption, Decide, IllegalAction, Over, Pick, Roll, acting_seat
from captains_table.games.swashbuckle.state import State
from tests.support.dice_harness import open_ids, seat_now, totals
from tests.support.swashbuckle_play import GAME, PLAIN, all_but, latest_events, said, start, with_sheet


def calls(state: State) -> list[str]:
    """Return the ids of what may be called now."""
    return [option.id for option in GAME.calls(state)]


def test_n2_without_the_option_no_penalty_can_be_called() -> None:
    assert calls(start()) == []
    with pytest.raises(IllegalAction):
        said(start(), "penalty-1")


@pytest.mark.parametrize(
    "words", [(), (PLAIN,), (PLAIN, "throw-again"), (PLAIN, "score-flotsam"), ("12345", "score-piracy")]
)
def test_n2_a_penalty_may_be_called_at_any_time_and_the_match_goes_on_where_it_was(words: tuple[str, ...]) -> None:
    state = said(start("Anne", "Bart", "Cora", penalty="2"), *words)
    assert calls(state) == ["penalty-0", "penalty-1", "penalty-2"]
    asked = said(state, "penalty-2")
    assert (seat_now(GAME, asked), open_ids(GAME, asked)) == (2, ["agree", "refuse"])
    after = said(asked, "agree")
    assert totals(GAME, after)[2] == -2
    assert after.seat == state.seat
    closed = "throw-again" in words  # whoever chose dice may choose otherwise
    assert GAME.turn(after) == GAME.turn(said(start("Anne", "Bart", "Cora"), *(words[:-1] if closed else words)))


def test_n2_a_penalty_may_be_called_while_they_throw_for_the_start() -> None:
    state = said(start("Anne", "Bart", order="throw", penalty="1"), "4", "penalty-0", "agree")
    assert GAME.turn(state) == Roll(1, (1,), at_once=False, prompt="Bart: throw for the start")


def test_n2_it_is_entered_only_when_the_called_player_agrees() -> None:
    state = said(start(penalty="3"), "penalty-1", "refuse")
    assert (totals(GAME, state), latest_events(state)) == ([0, 0], ["refused"])
    state = said(state, "penalty-1", "agree", "penalty-1", "agree")
    assert (totals(GAME, state), latest_events(state)) == ([0, -6], ["penalty"])
    assert state != start(penalty="3")


def offered(state: State) -> list[str]:
    """Return the ids of what displays offer to call."""
    return [option.id for option in GAME.calls(state) if not option.in_vain]


def test_n2_one_that_was_refused_may_be_called_anew_but_is_offered_only_once_something_else_was_done() -> None:
    state = said(start("Anne", "Bart", "Cora", penalty="1"), PLAIN, "penalty-1", "refuse", "penalty-2", "refuse")
    assert calls(state) == ["penalty-0", "penalty-1", "penalty-2"]
    assert offered(state) == ["penalty-0"]
    assert offered(said(state, "penalty-1", "agree")) == ["penalty-0"]
    assert offered(said(state, "score-flotsam")) == ["penalty-0", "penalty-1", "penalty-2"]
    assert offered(said(start(penalty="1"), "penalty-1", "agree")) == ["penalty-0", "penalty-1"]


def test_n2_it_stands_in_the_row_penalties() -> None:
    state = said(start(penalty="3"), "penalty-1", "agree")
    rows = {row.title: row.cells for row in GAME.sheet(state)}
    assert rows["Penalties"] == ("", "\N{MINUS SIGN}3")
    assert rows["Bilge tally"] == ("0", "\N{MINUS SIGN}3")
    sheets = GAME.details(state)["sheets"]
    assert isinstance(sheets, dict)
    assert (sheets["Anne"]["penalties"], sheets["Bart"]["penalties"], sheets["Bart"]["total"]) == (0, 3, -3)
    assert "Penalties" not in {row.title for row in GAME.sheet(start())}


def test_n2_while_somebody_is_asked_nothing_else_is_done_and_nobody_else_is_called() -> None:
    state = said(start(penalty="1"), PLAIN, "penalty-1")
    assert calls(state) == []
    for word in ("score-flotsam", "penalty-0", "throw-again", "11111"):
        with pytest.raises(IllegalAction):
            said(state, word)


def test_n2_a_call_is_nobodys_and_its_answer_is_of_whoever_is_called() -> None:
    state = said(start(penalty="1"), PLAIN)
    assert acting_seat(GAME.turn(state), Pick("penalty-1"), GAME.calls(state)) is None
    state = said(state, "penalty-1")
    assert acting_seat(GAME.turn(state), Pick("agree"), GAME.calls(state)) == 1


def test_n2_a_penalty_ends_no_turn() -> None:
    before = said(start(penalty="1"), PLAIN, "score-flotsam")
    asked = said(before, "penalty-1")
    assert GAME.outcome(before, asked, [1, 1, 3, 3, 6]) is None
    assert GAME.outcome(asked, said(asked, "agree"), [1, 1, 3, 3, 6]) is None


def test_n2_nothing_is_called_once_the_match_is_over() -> None:
    state = with_sheet(start("Anne", penalty="1"), 0, all_but("flotsam"))
    state = said(state, PLAIN, "score-flotsam")
    assert isinstance(GAME.turn(state), Over)
    assert calls(state) == []


def test_n2_the_extra_throw_is_not_paid_by_a_penalty_that_came_between() -> None:
    state = start("Anne", penalty="1")
    state = said(state, PLAIN, "throw-again", "keep 1 2 3 4", "6", "throw-again", "keep 1 2 3 4", "6", "hornswaggle")
    state = said(state, "penalty-0", "refuse")
    assert "hornswaggle" in open_ids(GAME, state)
    assert "score-flotsam" in open_ids(GAME, state)
    state = said(start("Anne", penalty="1"), "12345", "score-piracy", "66541", "hornswaggle", "penalty-0", "agree")
    assert open_ids(GAME, state) == ["stand", "hornswaggle"]


# --- pirate names ---------------------------------------------------------------------------------------------------


def test_n2_a_pirate_name_is_shown_everywhere_and_the_entered_name_is_kept() -> None:
    state = start(pirate1="Sunnyseas", penalty="1")
    assert GAME.titles(state) == ["Sunnyseas", ""]
    assert GAME.titles(start(pirate2="Bart")) == ["", ""], "an own name may be said"
    assert GAME.names(state) == ("Anne", "Bart")
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert turn.prompt == "Sunnyseas: throw the dice"
    assert GAME.calls(state)[0].label == "Penalty for Sunnyseas"
    turn = GAME.turn(said(state, PLAIN, "score-flotsam", "no-curse", PLAIN, "score-flotsam"))
    assert isinstance(turn, Decide)
    assert turn.ask.prompt == "Bart: curse somebody?"
    assert "Curse Sunnyseas" in [option.label for option in getattr(turn.ask, "options", ())]
    assert GAME.details(state)["sheets"].keys() == {"Anne", "Bart"}  # type: ignore[attr-defined]


def test_w6_davy_jones_takes_the_place_of_a_pirate_name() -> None:
    state = said(
        start(pirate1="Sunnyseas", pirate2="Davy Jones"),
        "12345",
        "score-piracy",
        "66541",
        "hornswaggle",
        "keep 1 2",
        "666",
    )
    assert GAME.titles(state) == ["Davy Jones", "Davy's Ghost"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pirate1": "Bart"}, "pirate1=Bart: somebody else is called so"),
        ({"pirate1": "bart"}, "somebody else is called so"),
        ({"pirate1": "Gullfoot", "pirate2": "Gullfoot"}, "pirate1=Gullfoot: somebody else"),
        ({"pirate3": "Gullfoot"}, "pirate3 is nobody's: expected pirate names of 2 players"),
        ({"pirate2": " "}, "pirate2: ' ' is no name"),
        ({"pirate2": "x" * 41}, "pirate2: 'x+' is no name"),
    ],
)
def test_n2_players_can_be_told_apart_by_their_pirate_names(options: dict[str, str], words: str) -> None:
    with pytest.raises(BadOption, match=words) as refused:
        start(**options)
    assert refused.value.option.startswith("pirate")
