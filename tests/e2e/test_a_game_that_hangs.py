"""A plug-in's game that holds the table up for good: the table ends in a sentence, and comes up without that match."""

from contextlib import closing
from pathlib import Path

import httpx
import pytest

from captains_table.process.hang_watch import LIMIT_S
from tests.support.plugin_distributions import TOSS, install
from tests.support.table_process import COMMAND, Caller, TableProcess

HANGS = "ctypes.PyDLL(None).sleep(600)"  # in C: it lets no other thread run, and takes no processor


@pytest.mark.waits
def test_a_game_that_hangs_ends_the_table_in_a_sentence_and_is_not_taken_up_by_itself(tmp_path: Path) -> None:
    due = "        match self.turn(state), action:\n"
    assert due in TOSS
    hanging = TOSS.replace(due, f"        if state.faces:\n            import ctypes\n            {HANGS}\n{due}")
    install(tmp_path / "site", "table-toss", {"toss_game.py": hanging}, toss="toss_game:ENTRY")
    program = ("env", f"PYTHONPATH={tmp_path / 'site'}", COMMAND)
    state = tmp_path / "state"

    def start(*words: str) -> TableProcess:
        return TableProcess("play", *words, "--state", state, "--port", "0", logs=tmp_path / "logs", program=program)

    table = start("toss", "--players", "Anne", "Bart")
    with closing(Caller(table.origin)) as caller:
        caller.hold_roll()
        with pytest.raises(httpx.HTTPError):
            caller.hold_roll()
    assert table.process.wait() != 0
    assert table.complaints == (
        f"captains-table: toss kept the table from everything else for {LIMIT_S} s in match 1: the table is ended. "
        "The match is kept as it stands, and is not taken up by itself.\n"
    )
    table = start()
    try:
        with closing(Caller(table.origin)) as caller:
            assert "the table hung in it" in caller.get("/matches").text
            assert caller.get("/health").status_code == httpx.codes.OK
            assert "Match 1 is kept as it stands: toss held the table up in it.\n" in table.complaints
            assert caller.post("/matches/1/resume").status_code == httpx.codes.NO_CONTENT
    finally:
        table.stop()
    assert (state / "hung-matches").read_text(encoding="ascii") == ""  # somebody gave it another chance
