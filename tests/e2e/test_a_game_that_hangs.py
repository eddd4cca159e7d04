"""A plug-in's game that holds the table up for good: the table ends in a sentence, and comes up without that match."""

from pathlib import Path

import httpx
import pytest

from captains_table.process.hang_watch import LIMIT_S
from tests.support.effort import effort
from tests.support.patience import PATIENCE_S
from tests.support.plugin_distributions import TOSS, install
from tests.support.table_process import COMMAND, TableProcess

pytestmark = [pytest.mark.slow, pytest.mark.waits]
# The second is the harder one: every day it stands for both.
HANGS = {
    "a loop that swallows every exception": """
            while True:
                try:
                    while True:
                        pass
                except BaseException:
                    continue""",
    "C that hears of no signal and lets no thread run": """
            import itertools
            max(itertools.count())""",
}


@pytest.mark.long
@pytest.mark.parametrize("how", list(HANGS)[effort(1, 0) :])
def test_a_game_that_hangs_ends_the_table_in_a_sentence_and_is_not_taken_up_by_itself(how: str, tmp_path: Path) -> None:
    due = "        match self.turn(state), action:\n"
    assert due in TOSS
    hanging = TOSS.replace(due, f"        if state.faces:{HANGS[how]}\n{due}")
    install(tmp_path / "site", "table-toss", {"toss_game.py": hanging}, toss="toss_game:ENTRY")
    program = ("env", f"PYTHONPATH={tmp_path / 'site'}", COMMAND)
    state = tmp_path / "state"

    def start(*words: str) -> TableProcess:
        return TableProcess("play", *words, "--state", state, "--port", "0", logs=tmp_path / "logs", program=program)

    table = start("toss", "--players", "Anne", "Bart")
    with httpx.Client(base_url=table.origin, timeout=PATIENCE_S) as client:
        throw(client)
        with pytest.raises(httpx.HTTPError):
            throw(client)
    assert table.process.wait(PATIENCE_S) != 0
    assert table.complaints == (
        f"captains-table: toss kept the table from everything else for {LIMIT_S} s in match 1: the table is ended. "
        "The match is kept as it stands, and is not taken up by itself.\n"
    )
    table = start()
    try:
        with httpx.Client(base_url=table.origin, timeout=PATIENCE_S) as client:
            assert "the table hung in it" in client.get("/matches").text
            assert client.get("/health").status_code == httpx.codes.OK
            assert "Match 1 is kept as it stands: toss held the table up in it.\n" in table.complaints
            assert client.post("/matches/1/resume", json={}).status_code == httpx.codes.NO_CONTENT
    finally:
        table.stop()
    assert (state / "hung-matches").read_text(encoding="ascii") == ""  # somebody gave it another chance


def throw(client: httpx.Client) -> None:
    for way in ("press", "release"):
        client.post(f"/button/roll/{way}", json={})
