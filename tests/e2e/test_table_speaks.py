"""A table that is configured to speak: the daemon's own espeak-ng, into files that are read back."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Call, OpenTable
from tests.support.mouth import AUDIBLE, Mouth
from tests.support.table_process import soon, write_config

MATCH = ("[match]", 'game = "ship-captain-crew"', 'players = ["Anne", "Bart"]', 'options = { order = "seated" }')


def test_a_match_is_heard_from_its_beginning_and_a_mute_table_says_why(
    open_table: OpenTable, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    mouth = Mouth(bin_folder, monkeypatch)
    mouth.writes_what_it_hears()
    table = open_table("run", write_config(tmp_path, "[sound]", "speech = true", "rate = 300", *MATCH))
    caller = call(table)
    soon(lambda: any(seconds > 1 for seconds, _ in mouth.heard()))
    mouth.is_("cat >/dev/null; echo 'error: No such file or directory' >&2")
    caller.hold_roll()
    soon(lambda: "The table cannot speak: no sound device answers" in caller.get("/table").text)
    table.stop()
    assert all(level > AUDIBLE for _, level in mouth.heard())
