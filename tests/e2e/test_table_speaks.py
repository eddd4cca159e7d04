"""A table that is configured to speak: the daemon's own espeak-ng, into files that are read back."""

from pathlib import Path

import pytest

from tests.support.mouth import AUDIBLE, Mouth
from tests.support.table_process import Caller, TableProcess, soon


def test_a_match_is_heard_from_its_beginning_and_a_mute_table_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    mouth = Mouth(bin_folder, monkeypatch)
    mouth.writes_what_it_hears()
    config = tmp_path / "table.toml"
    config.write_text(
        f'[table]\nstate_dir = "{tmp_path}/state"\n[sound]\nspeech = true\nrate = 300\n[web]\nport = 0\n'
        '[match]\ngame = "ship-captain-crew"\nplayers = ["Anne", "Bart"]\noptions = { order = "seated" }\n',
        encoding="utf-8",
    )
    table = TableProcess("run", config, logs=tmp_path / "logs")
    caller = Caller(table.origin)
    try:
        soon(lambda: any(seconds > 1 for seconds, _ in mouth.heard()))
        mouth.is_("cat >/dev/null; echo 'error: No such file or directory' >&2")
        caller.post("/button/roll/press")
        caller.post("/button/roll/release")
        soon(lambda: "The table cannot speak: no sound device answers" in caller.get("/table").text)
        table.stop()
    finally:
        caller.close()
        table.kill()
    assert all(level > AUDIBLE for _, level in mouth.heard())
    assert table.complaints == ""
