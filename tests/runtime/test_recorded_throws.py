"""What is recorded of the roll button and of dice that are touched: the tape replays to the same match."""

import io
import json

import pytest

from captains_table.games.contract import Pick
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.tape_player import replay_lines
from captains_table.table.model.codec import plain_value
from captains_table.table.model.events import Button
from captains_table.table.model.settings import Settings
from tests.support.dice_table import DiceTable

SEATED = {"order": "seated"}


def recorded(table: DiceTable) -> io.StringIO:
    tape = io.StringIO()
    Recorder(table.table.session, tape).start_tape(table.now_ms)
    return tape


def assert_replays(tape: io.StringIO, table: DiceTable) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("recorded.tape", tape.getvalue().splitlines(), out, err) == 0, err.getvalue()
    *lines, _ = out.getvalue().splitlines()
    played = [json.loads(line)["action"] for line in lines]
    assert played == [plain_value(step.acted.action) for step in table.match.history]


def test_a_press_that_threw_again_is_written_as_what_it_answered() -> None:
    table = DiceTable("legend")
    tape = recorded(table)
    table.throw(6, 5, 4, 1, 1, 6)
    table.throw(6, 6)
    assert [line.partition(" ")[2] for line in tape.getvalue().splitlines()[-3:]] == [
        "dice 6 6",
        "pick throw-again",
        "keep 1 2 3 6",
    ]
    assert_replays(tape, table)


def test_dice_that_were_touched_stay_in_the_replay() -> None:
    table = DiceTable("swashbuckle", options=SEATED)
    tape = recorded(table)
    table.throw(1, 2, 3, 5, 5)
    table.toggle(1)
    table.throw(6, 6)
    table.toggle(2)
    table.press(Button.NEXT)
    table.dice.queue((1, 1, 1, 1, 1))
    table.press(Button.PREVIOUS)
    table.press(Button.CHOOSE)
    assert_replays(tape, table)


def test_one_button_that_throws_again_is_written_as_what_it_answered() -> None:
    table = DiceTable("legend", options={"fen": "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"}, settings=Settings(buttons="one"))
    tape = recorded(table)
    table.pick("roll-legend", dice=(6,))
    table.pick("e7e8")
    table.throw(1, 1, 1, 1, 1)
    assert_replays(tape, table)


@pytest.mark.slow
@pytest.mark.parametrize("buttons", ["encoder", "one"])
def test_a_box_given_up_at_the_knob_is_chosen_twice_and_replays_where_presses_are_chosen_once(buttons: str) -> None:
    options = {**SEATED, "voluntary_scuttle": "true"}
    table = DiceTable("swashbuckle", options=options, settings=Settings(buttons=buttons))
    tape = recorded(table)

    def choose() -> None:
        if buttons == "one":
            table.press(Button.ROLL, held_ms=700)
        else:
            table.press(Button.CHOOSE)

    table.throw(1, 1, 2, 3, 4)
    while table.view.menu.entries[table.view.menu.cursor or 0].id != "scuttle-swashbuckle":
        table.press(Button.NEXT if buttons == "encoder" else Button.ROLL)
    choose()
    assert len(table.match.history) == 1
    assert table.under_cursor() == "Scuttle Swashbuckle? Once more"
    choose()
    assert table.match.history[-1].acted.action == Pick("scuttle-swashbuckle")
    assert_replays(tape, table)


def test_presses_of_the_knob_replay_where_the_cursor_stood_on_nothing() -> None:
    table = DiceTable("captains-chess", options={})
    tape = recorded(table)
    table.pick("offer-draw")
    table.pick("refuse")
    assert [entry.id for entry in table.view.menu.entries] == ["resign"]
    assert table.view.menu.cursor is None
    for button in (Button.CHOOSE, Button.CHOOSE, Button.NEXT, Button.CHOOSE):
        table.press(button)
    assert len(table.match.history) == 2
    table.press(Button.CHOOSE)
    assert table.match.history[-1].acted.action == Pick("resign")
    assert_replays(tape, table)
