"""What is recorded of the roll button and of dice that are touched: the tape replays to the same match."""

import io
import json

from captains_table.runtime.recorder import Recorder
from captains_table.runtime.tape_player import replay_lines
from captains_table.table.model.codec import plain
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
    assert played == [plain(step.acted.action) for step in table.match.history]


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
