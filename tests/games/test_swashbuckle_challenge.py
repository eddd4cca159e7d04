"""Swashbuckle by rule number: the challenge sheet, one player after the other (docs/rules/swashbuckle.md N1)."""

from dataclasses import replace

from captains_table.games.contract import TAKE_UP, Decide, PickAsk, Roll
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import State
from tests.support.dice_harness import open_ids, result, seat_now, totals
from tests.support.swashbuckle_play import GAME, PLAIN, all_but, said, with_sheet


def challenge(*names: str, **options: str) -> State:
    """Return a match of challenge sheets."""
    return GAME.start(names or ("Anne", "Bart"), {"challenge": "true"} | options)


def nearly_done(state: State, seat: int, *open_boxes: str) -> State:
    """Return the state with a seat on turn that has only these boxes left, no curse spent."""
    return with_sheet(state, seat, all_but(*open_boxes))


def test_n1_order_throws_fall_away_and_the_first_named_begins() -> None:
    state = challenge("Anne", "Bart", captain="Bart")
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert (turn.seat, turn.prompt) == (0, "Anne: throw the dice")


def test_n1_the_present_player_plays_all_his_turns_alone() -> None:
    state = challenge()
    for box in ("flotsam", "ones", "threes"):
        assert state.seat == 0
        state = said(state, PLAIN, f"score-{box}", "no-curse")
    assert GAME.heading(state) == "Turn 4 of 16"


def test_n1_the_match_then_rests_until_the_next_takes_it_up() -> None:
    state = said(nearly_done(challenge("Anne", "Bart", "Cora"), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    assert (turn.seat, turn.ask.prompt, GAME.heading(state)) == (1, "Bart: take up your sheet", "Waiting for Bart")
    assert open_ids(GAME, state) == [TAKE_UP.id]
    state = said(state, "take-up")
    assert isinstance(GAME.turn(state), Roll)
    assert (state.seat, GAME.heading(state)) == (1, "Turn 1 of 16")


def test_n1_the_last_one_ends_the_match() -> None:
    state = said(nearly_done(challenge(), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse", "take-up")
    state = said(nearly_done(state, 1, "ones"), PLAIN, "score-ones")
    assert result(GAME, state).winner == 0


def test_n1_a_pillage_of_whoever_has_not_played_yet_is_written_at_once() -> None:
    state = said(challenge(), "12345", "score-piracy", "66541", "stand", "raid-1")
    assert totals(GAME, state) == [22, -22]


def test_n1_a_pillage_of_whoever_is_finished_is_written_at_once() -> None:
    state = said(nearly_done(challenge(), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse", "take-up")
    before = totals(GAME, state)[0]
    state = said(state, "12345", "score-piracy", "66541", "stand", "raid-0")
    assert totals(GAME, state) == [before - 22, 22]


def test_n1_a_curse_on_whoever_has_not_begun_makes_his_first_turn_a_cursed_one() -> None:
    state = said(challenge(), PLAIN, "score-flotsam", "curse-1")
    assert (state.seat, len(GAME.dice(state))) == (0, 5)
    state = said(nearly_done(state, 0, "ones"), PLAIN, "score-ones")
    assert GAME.heading(state) == "Waiting for Bart"
    state = said(state, "take-up")
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert (turn.seat, turn.dice) == (1, (1, 2, 3, 4))
    state = said(state, "1133", "score-ones")
    assert seat_now(GAME, state) == 1
    assert len(GAME.dice(said(state, "no-curse"))) == 5


def test_n1_whoever_curses_a_finished_sheet_plays_his_own_next_turn_under_the_curse() -> None:
    state = said(nearly_done(challenge(), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse", "take-up")
    state = said(state, PLAIN, "score-flotsam")
    assert open_ids(GAME, state) == ["no-curse", "curse-0"]
    state = said(state, "curse-0")
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert (turn.seat, turn.dice, state.sheets[1].cursed) == (1, (1, 2, 3, 4), 0)
    assert len(GAME.dice(said(state, "1133", "score-ones"))) == 5


def test_n1_with_no_turn_of_his_own_left_no_curse_on_a_finished_sheet_is_offered() -> None:
    state = said(nearly_done(challenge(), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse", "take-up")
    state = said(nearly_done(state, 1, "ones"), PLAIN, "score-ones")
    assert result(GAME, state)  # the match is over, and nothing was asked


def test_n1_whoever_is_to_play_four_dice_already_cannot_take_on_more() -> None:
    state = said(nearly_done(challenge("Anne", "Bart", "Cora"), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse")
    state = replace(said(state, "take-up", PLAIN), cursed=frozenset({1}))
    assert open_ids(GAME, said(state, "score-flotsam")) == ["no-curse", "curse-2"]


def test_n1_a_finished_sheet_is_not_proposed_for_a_curse() -> None:
    state = said(nearly_done(challenge(), 0, "flotsam"), PLAIN, "score-flotsam", "no-curse", "take-up")
    turn = GAME.turn(said(state, PLAIN, "score-flotsam"))
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    assert turn.ask.default == "no-curse"
    assert turn.ask.options[1].label == "Curse Anne (done: you play four dice)"


def test_n1_whoever_plays_alone_waits_for_nobody() -> None:
    state = said(with_sheet(challenge("Anne"), 0, all_but("flotsam")), PLAIN, "score-flotsam")
    assert result(GAME, state).winner == 0


def test_n1_with_several_columns_all_of_them_are_played_before_the_next_is_waited_for() -> None:
    state = challenge("Anne", "Bart", columns="2")
    state = replace(state, sheets=(all_but(), all_but("flotsam"), Sheet(), Sheet()))
    assert GAME.heading(state) == "Turn 32 of 32"
    assert GAME.heading(said(state, PLAIN, "score-flotsam-2", "no-curse")) == "Waiting for Bart"
