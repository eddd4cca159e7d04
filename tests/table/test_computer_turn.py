"""A computer's turn at a real board: when it begins, at what pace it throws, and how its moves are made by hand."""

import io

import pytest
from msgspec.structs import replace

from captains_table.games.contract import IllegalAction, Keep, Pick, Rolled, parse_square
from captains_table.runtime.tape_player import replay_lines
from captains_table.table.history.not_proven import NotProven
from captains_table.table.history.verify_replay import check_actions
from captains_table.table.model.entries import Acted, MatchStarted, Salted, SeatChanged, TakenBack
from captains_table.table.model.events import ComputerAnswered, PlayerSeated, SwitchChanged
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Mark, Phase
from captains_table.table.playing.thinking import QUIET_MS, REST_MS, TUMBLE_MS
from captains_table.table.playing.timed_displays import SHOWN_MS
from captains_table.table.recognition.board_monitor import MonitorState
from tests.support.computer_table import ComputerTable
from tests.table.watched_board import squares

ANNES_THROW = (6, 5, 4, 3, 3, 1)  # a crew, and a pawn may move
AETHERS_THROW = (6, 5, 4, 6, 6, 2)
ZEPHYRS_THROWS = (6, 1, 2, 2, 3, 4, 6, 5, 4, 2, 6, 5, 4, 3, 3)  # two for who begins, and a turn's first


def after_annes_turn(*dice: int) -> ComputerTable:
    """Return a table at which Anne has moved e2-e4, without ending her turn."""
    table = ComputerTable(dice=(*ANNES_THROW, *dice))
    table.press()
    table.wait(100)
    table.touch("-e2 +e4")
    table.wait(1000)
    return table


def at_aethers_turn(*dice: int) -> ComputerTable:
    """Return a table at which Anne has ended her turn."""
    table = after_annes_turn(*dice)
    table.pick("done")
    return table


def aether_threw(*dice: int) -> ComputerTable:
    """Return a table at which Aether has thrown, and is to decide about a move."""
    table = at_aethers_turn(*dice)
    table.wait(3000)
    table.thinks("roll")
    table.wait(5000)
    return table


def knight_played() -> ComputerTable:
    """Return a table at which Aether has decided on Ng8-f6, which a hand is to make."""
    table = aether_threw(*AETHERS_THROW)
    table.thinks("g8f6")
    table.wait(2000)
    return table


# --- when it begins -------------------------------------------------------------------------------------------------


def test_a_computer_is_asked_once_done_has_sealed_the_turn_and_again_after_a_power_cut() -> None:
    table = after_annes_turn()
    assert not table.is_asked()
    table.pick("done")
    assert table.is_asked()
    table.cut_power()
    table.wait(5000)
    assert table.is_asked()


def test_where_the_turn_passes_by_itself_the_board_must_be_quiet_first_and_stay_so() -> None:
    table = ComputerTable("captains-chess", ("Anne", "boreas:1"))
    table.touch("-e2 +e3")
    table.wait(1000)
    assert not table.is_asked()
    table.wait(QUIET_MS)
    assert table.is_asked()
    table.touch("-e3")
    assert not table.is_asked(), "the thought is moot"
    table.touch("+e4")
    table.wait(QUIET_MS + 1000)
    assert table.actions() == [Pick("e2e4")]
    assert table.is_asked()


def test_a_switch_that_settles_in_the_millisecond_in_which_a_timer_is_due_comes_first() -> None:
    """The pawn is slid on just as its shorter move would be believed."""
    table = ComputerTable("captains-chess", ("Anne", "Bart"))
    table.touch("-e2 +e3")
    table.now_ms += Settings().slide_ms
    table.session.handle(SwitchChanged(parse_square("e3"), closed=False), table.now_ms)
    table.touch("+e4")
    assert [type(entry) for entry in table.entries()] == [MatchStarted, Acted]


def test_an_answer_to_what_is_not_asked_any_more_or_that_the_game_does_not_take_changes_nothing() -> None:
    table = at_aethers_turn()
    revision = table.match.revision
    table.session.handle(ComputerAnswered(revision - 1, Pick("roll")), table.now_ms)
    table.wait(10_000)
    assert table.match.revision == revision
    with pytest.raises(IllegalAction):
        table.thinks("e7e5")
    assert table.is_asked()


def test_nobody_answers_in_a_computers_place() -> None:
    table = at_aethers_turn()
    with pytest.raises(IllegalAction, match="Aether is a computer and answers by itself"):
        table.pick("roll")
    table.press()
    table.wait(100)
    assert table.view.ask is None
    assert table.actions()[-1] == Pick("done")
    assert table.view.roll.why == "It is Aether's turn"


# --- its dice -------------------------------------------------------------------------------------------------------


def test_a_computers_dice_wait_for_the_last_throw_tumble_and_rest_long_enough_to_be_seen() -> None:
    table = at_aethers_turn(*AETHERS_THROW)
    assert table.view.last_throw is not None
    table.thinks("roll")
    table.wait(1700)
    assert table.view.last_throw is not None
    assert table.view.tumbling == ()
    table.wait(5000)
    table = at_aethers_turn(*AETHERS_THROW)
    table.wait(5000)
    table.thinks("roll")
    table.wait(TUMBLE_MS - 100)
    assert table.view.tumbling == (0, 1, 2, 3, 4, 5)
    assert table.actions()[-1] == Pick("done"), "nothing is done while they tumble"
    table.wait(200)
    assert table.actions()[-2:] == [Pick("roll"), Rolled(AETHERS_THROW)]
    assert not table.view.tumbling
    assert {entry.seat for entry in table.entries() if isinstance(entry, Salted)} == {0}, "a computer presses nothing"
    thrown = table.match.revision
    assert table.view.prompt == ("Aether thinks", "Ship, captain, crew; cargo 12")
    table.thinks("throw-again")
    table.wait(REST_MS + 150)
    assert table.match.revision == thrown, "the dice lie long enough to be read"
    table.wait(400)
    assert table.match.revision > thrown


@pytest.mark.parametrize(("pace", "factor"), [("quick", 0.5), ("unhurried", 2)])
def test_another_pace_shortens_or_lengthens_every_wait_from_the_moment_it_is_chosen(pace: str, factor: float) -> None:
    table = at_aethers_turn(*AETHERS_THROW)
    table.session.settings.pace = pace
    table.wait(10_000)
    table.thinks("roll")
    table.wait(round(factor * TUMBLE_MS) - 10)
    assert table.view.tumbling == (0, 1, 2, 3, 4, 5)
    table.wait(20)
    assert table.actions()[-2:] == [Pick("roll"), Rolled(AETHERS_THROW)]
    thrown = table.match.revision
    table.thinks("throw-again")
    table.wait(round(factor * REST_MS * 3 / 2) - 30)
    assert table.match.revision == thrown
    table.wait(40)
    assert table.match.revision > thrown
    chess = ComputerTable("captains-chess", ("Anne", "boreas:1"))
    chess.session.settings.pace = pace
    chess.touch("-e2 +e4")
    chess.wait(round(factor * QUIET_MS) - 10)
    assert not chess.is_asked()
    chess.wait(20)
    assert chess.is_asked()


def test_dice_that_wait_for_the_button_are_thrown_by_the_computer_itself() -> None:
    table = ComputerTable("ship-captain-crew", ("zephyr:1", "zephyr:2"), dice=ZEPHYRS_THROWS)
    told = set[tuple[str, ...]]()
    for _ in range(200):
        table.wait(100)
        told.add(table.view.prompt)
    assert ("Zephyr 2 throws", "Zephyr 2 begins") in told
    throws = [action.faces for action in table.actions() if isinstance(action, Rolled)]
    assert sum(throws, ()) == ZEPHYRS_THROWS
    assert table.is_asked()


def test_a_persons_last_throw_can_be_read_and_the_computers_turn_does_not_drag_but_says_what_is_at_stake() -> None:
    options = {"order": "seated", "target": "2"}
    table = ComputerTable(
        "ship-captain-crew", ("Anne", "zephyr:1"), options, dice=(6, 5, 1, 1, 1, 1, 1, 1, 4, 2, 2, *[1] * 15)
    )
    for _ in range(3):
        table.press()
        table.wait(100)
    table.wait(2 * SHOWN_MS - 200)
    assert table.view.last_throw is not None
    assert not table.view.tumbling
    began_ms, told = table.now_ms, set[tuple[str, ...]]()
    while table.match.revision < 6:
        told.add(table.view.prompt)
        table.wait(50)
    assert table.now_ms - began_ms < 6000
    assert told == {("Zephyr throws", "Anne has 4: Zephyr's last turn, needs cargo 5")}


# --- its moves ------------------------------------------------------------------------------------------------------


def test_a_computers_move_waits_until_a_hand_has_made_it() -> None:
    table = knight_played()
    assert table.actions()[-1] == Pick("g8f6")
    assert table.view.prompt == ("Aether plays Ng8-f6", "Put the black knight from g8 on f6")
    marks = {str(square): mark for square, mark in table.view.marks.items()}
    assert (marks["g8"], marks["f6"]) == (Mark.MAY_MOVE, Mark.TARGET)
    asked = table.match.revision
    table.thinks("done")
    table.wait(60_000)
    assert table.match.revision == asked, "it goes on when its move stands"
    table.touch("-g8 +f6")
    table.wait(2000)
    assert table.actions()[-1] == Pick("done")
    assert table.match.seat == 0


def test_a_hand_that_makes_a_computers_move_wrongly_is_guided_and_cannot_change_it() -> None:
    table = knight_played()
    table.touch("-g8 +h6")
    table.wait(5000)
    assert table.view.prompt == ("Aether plays Ng8-f6", "Put the black knight from h6 back on f6")
    table.touch("-h6 +f6")
    table.wait(1000)
    assert table.view.wrong.missing == ()
    assert table.session.referee.board_snapshot().state is MonitorState.WATCHING
    table.touch("-f6 +h6")
    table.wait(5000)
    assert table.match.history[-1].acted.action == Pick("g8f6")
    assert set(table.view.wrong.extra) == squares("h6")


def test_a_capture_is_made_once_victim_and_taker_were_touched() -> None:
    table = captured_by_boreas()
    assert table.view.prompt == (
        "Boreas plays Ri8xi4",
        "Take the white rook off i4",
        "Put the black rook from i8 on i4",
    )
    table.touch("-i8")
    table.wait(1000)
    assert table.session.referee.board_snapshot().to_make is not None, "the rook is in a hand"
    table.touch("-i4 +i4")
    table.wait(500)
    assert table.session.referee.board_snapshot().to_make is None
    assert table.match.seat == 0
    table = captured_by_boreas()
    table.touch("-i8")
    table.wait(10_000)
    assert table.session.referee.board_snapshot().to_make is None, "a switch that says nothing is waited for so long"


def captured_by_boreas() -> ComputerTable:
    """Return a table at which Boreas has just played that a rook takes another."""
    table = ComputerTable("captains-chess", ("Anne", "boreas:1"), {"fen": "4k3r/9/9/9/8R/9/PPP6/K8 b - - 0 1"})
    table.thinks("i8i4")
    table.wait(2000)
    return table


# --- what comes between ---------------------------------------------------------------------------------------------


def test_after_a_power_cut_a_computers_move_is_still_to_be_made() -> None:
    table = knight_played()
    table.cut_power()
    table.wait(1000)
    assert table.view.phase is Phase.RESTORING
    table.touch("-g8 +f6")
    table.wait(1000)
    assert table.is_asked()


def test_a_person_takes_over_and_a_computer_plays_on_but_not_twice_or_where_there_is_no_seat() -> None:
    table = at_aethers_turn(*AETHERS_THROW)
    for seat, why in ((1, r"Aether \(casual\) plays for Aether already"), (4, "there is no seat 4")):
        with pytest.raises(IllegalAction, match=why):
            table.session.handle(PlayerSeated(seat, "aether:3"), table.now_ms)
    table.session.handle(PlayerSeated(1, ""), table.now_ms)
    assert not table.is_asked()
    assert table.view.seats[1].computer == ""
    table.press()
    table.wait(100)
    assert table.actions()[-1] == Rolled(AETHERS_THROW)
    table.session.handle(PlayerSeated(1, "aether:5"), table.now_ms)
    assert table.view.seats[1].computer_words == "Aether (strong)"
    assert table.view.log[-1].words == "Aether (strong) plays on for Aether"
    assert table.is_asked()
    seated = [entry for entry in table.entries() if isinstance(entry, SeatChanged)]
    assert seated == [SeatChanged(1, ""), SeatChanged(1, "aether:5")]


def test_taking_over_changes_nothing_about_who_owes_the_dice_a_press() -> None:
    table = ComputerTable(dice=(*ANNES_THROW, *AETHERS_THROW))
    table.session.handle(PlayerSeated(0, "aether:2"), table.now_ms)
    table.wait(3000)
    table.thinks("roll")
    table.wait(3000)
    assert [entry.seat for entry in table.entries() if isinstance(entry, Salted)] == [0]


def test_what_is_unclear_is_asked_before_a_computer_begins() -> None:
    table = ComputerTable("captains-chess", ("Anne", "boreas:1"), {"fen": "4k4/n8/1p7/9/9/9/4K4/R7b w - - 0 1"})
    table.touch("-a1 -a7 +a7 -i1 +i1")  # a rook takes one of two pieces, whichever
    table.wait(QUIET_MS + 1000)
    asked = table.session.referee.board_snapshot().asked
    assert len(asked) > 1, "two stories fit"
    assert not table.is_asked()
    table.wait(60_000)
    assert not table.is_asked(), "it waits for the answer"
    table.pick(asked[1].id)
    table.wait(QUIET_MS + 1000)
    assert table.actions() == [Pick(asked[1].id)]
    assert table.is_asked()


# --- taking back ----------------------------------------------------------------------------------------------------


def answered_by_boreas() -> ComputerTable:
    """Return a table at which Boreas has answered e2-e4, and its move is made."""
    table = ComputerTable("captains-chess", ("Anne", "boreas:1"))
    table.touch("-e2 +e4")
    table.wait(QUIET_MS + 1000)
    table.thinks("e7e6")
    table.wait(2000)
    table.touch("-e7 +e6")
    table.wait(2000)
    assert table.match.seat == 0
    return table


def test_without_dice_a_take_back_takes_the_computers_answer_with_it() -> None:
    table = answered_by_boreas()
    table.touch("-e6 +e7 -e4 +e2")
    table.wait(2000)
    assert table.actions() == []
    [taken_back] = [entry for entry in table.entries() if isinstance(entry, TakenBack)]
    assert (taken_back.seat, taken_back.of_seq) == (0, 1)
    table.touch("-d2 +d4")
    table.wait(QUIET_MS + 1000)
    assert table.actions() == [Pick("d2d4")]
    assert table.is_asked()


def test_the_page_takes_a_computers_answer_back_a_hand_puts_the_pieces_back_and_the_match_proves_it() -> None:
    table = answered_by_boreas()
    table.pick("take-back")
    assert table.actions() == []
    assert table.view.wrong.missing
    table.wait(1000)
    started, *entries = table.entries()
    assert isinstance(started, MatchStarted)
    check_actions(started, [started, *entries], recorded=True)
    with pytest.raises(NotProven):
        check_actions(replace(started, kinds=("human", "human")), [started, *entries], recorded=True)


# --- tapes ----------------------------------------------------------------------------------------------------------


def test_a_recorded_match_against_a_computer_replays_without_thinking() -> None:
    table = knight_played()
    table.touch("-g8 +f6")
    table.wait(1000)
    table.thinks("done")
    table.wait(2000)
    out, err = io.StringIO(), io.StringIO()
    code = replay_lines("recorded", [*table.tape.getvalue().splitlines(), "expect seat Anne"], out, err)
    assert (code, err.getvalue()) == (0, "")
    assert [line for line in out.getvalue().splitlines() if '"action"' in line and "g8f6" in line]
    assert out.getvalue().count('"action"') == len(table.actions())


def test_think_lets_the_seat_answer_once() -> None:
    tape = ["game legend Anne aether:3 rounds=1", "dice seed 1", "press roll", "think"]
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("thought", tape, out, err) == 2
    assert "think: expected a computer to be asked" in err.getvalue()


def test_keeping_dice_is_an_answer_like_any_other_and_once_dice_have_fallen_nothing_is_taken_back() -> None:
    table = aether_threw(6, 5, 4, 1, 1, 2, 6, 6)
    table.thinks("throw-again")
    table.wait(3000)
    table.thinks(Keep((1, 2, 3, 6)))
    table.wait(TUMBLE_MS // 2)
    assert table.view.prompt == ("Aether throws", "Keeps 6, 5, 4, II")
    table.wait(3000)
    assert table.actions()[-1] == Rolled((6, 6))
    assert table.match.answered_move is None
    with pytest.raises(IllegalAction):
        table.pick("take-back")


# --- on a clock -----------------------------------------------------------------------------------------------------


def test_nobodys_time_runs_while_a_hand_makes_a_computers_move() -> None:
    table = ComputerTable("captains-chess", ("Anne", "boreas:1"), {"clock": "5"})
    table.touch("-e2 +e4")
    table.wait(500)
    table.press()
    table.wait(2000)
    table.thinks("e7e6")
    table.wait(1000)
    left = [seat.seconds_left or 0 for seat in table.view.seats]
    table.wait(60_000)
    assert [seat.seconds_left for seat in table.view.seats] == left
    table.touch("-e7 +e6")
    table.wait(1000)
    table.thinks("press-clock")
    table.wait(30_000)
    anne, boreas = [seat.seconds_left or 0 for seat in table.view.seats]
    assert anne < left[0] - 20, "hers runs once the clock was pressed for it"
    assert boreas >= left[1] - 1
    started, *entries = table.entries()
    assert isinstance(started, MatchStarted)
    check_actions(started, [started, *entries], recorded=True)
