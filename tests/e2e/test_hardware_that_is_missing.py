"""The daemon of every build on a machine that has nothing of it: its page says what is missing, and is played on."""

import html
import re
from pathlib import Path

import pytest

from captains_table.hardware.profiles.profile import Profile
from captains_table.storage.profile_files import load_profile, profile_names
from tests.e2e.conftest import Call, OpenTable
from tests.support.effort import LONG_RUN
from tests.support.table_process import Caller, TableProcess, soon, write_config

A_FEW = ["gpio-9x8", "pico-8x8"]  # with everything on the Pi, and with most of it on a Pico
BUILDS = [name for name in profile_names() if not load_profile(name).board.is_simulated] if LONG_RUN else A_FEW
FAULT = re.compile(r'class="fault">.*?</span> ([^<]*)</p>')


def faults(player: Caller, path: str = "/table") -> list[str]:
    return [html.unescape(words) for words in FAULT.findall(player.get(path).text)]


def opened(open_table: OpenTable, folder: Path, profile: str, game: str) -> TableProcess:
    folder.mkdir(exist_ok=True)
    match = ("[match]", f'game = "{game}"', 'players = ["Anne", "Bart"]')
    return open_table("run", write_config(folder, *match, table=(f'profile = "{profile}"',)))


@pytest.mark.long
def test_a_build_of_which_nothing_is_there_says_so_on_its_page_and_once_in_its_log_and_dice_are_thrown(
    open_table: OpenTable, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    tables = {profile: opened(open_table, tmp_path / profile, profile, "ship-captain-crew") for profile in BUILDS}
    for profile, table in tables.items():
        look_and_throw(table, call(table), missing_of(load_profile(profile)))


def look_and_throw(table: TableProcess, player: Caller, wanted: list[str]) -> None:
    soon(lambda: len(faults(player)) == len(wanted))
    found = faults(player)
    assert all(words.startswith(begin) for words, begin in zip(found, wanted, strict=True)), found
    assert faults(player, "/") == [words.partition(": ")[0] for words in found]
    soon(lambda: all(table.words.count(words) == 1 for words in found))
    before = player.revision()
    player.hold_roll()
    assert player.revision() > before
    table.stop()
    assert table.process.returncode == 0


def missing_of(profile: Profile) -> list[str]:
    """Return how the faults begin of a build of which nothing is there."""
    has_lights_on_pi = profile.lights is not None and profile.lights.kind.owner == "pi"
    has_buzzer_on_pi = profile.board.owner == "pi" and profile.buzzer is not None
    return [
        *("No board", "The glass does not answer"),
        *(["The buzzer does not answer"] if has_buzzer_on_pi else []),
        *(["The lights do not answer"] if has_lights_on_pi else []),
    ]


def test_a_game_of_pieces_is_played_on_the_page_while_its_board_is_missing(
    open_table: OpenTable, call: Call, tmp_path: Path
) -> None:
    player = call(opened(open_table, tmp_path, "one-button", "legend"))
    player.hold_roll()
    assert "put it back" not in player.get("/table").text  # of a board that is not read nobody knows what was lifted
    player.pick("e2e4", "done")
    assert "Bart" in re.sub(r"<[^>]+>", " ", player.get("/table").text)
    entries = player.get("/export/1.json").json()["entries"]
    done = [entry["action"].get("id") for entry in entries if entry["entry"] == "acted"]
    assert done[-2:] == ["e2e4", "done"]
