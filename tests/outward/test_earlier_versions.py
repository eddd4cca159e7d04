"""What version 0.1.0 wrote is read by this one: journal, exports, tape, configuration, profile.

Source: tests/outward/earlier/README.md.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support.outward.command import command, without_words
from tests.support.outward.resuming import resumed
from tests.support.table_process import Caller, TableProcess

EARLIER = Path(__file__).parent / "earlier"
EXPECTED = json.loads((EARLIER / "expected.json").read_text(encoding="utf-8"))
EXPORTS = sorted(path.name for path in EARLIER.glob("match-*"))
BUSY_S = 100  # Bart's clock runs on while the page is fetched
SETTINGS = [
    "config debounce_ms=0",  # the lines below it come from a scanner that has debounced them already
    "config slide_ms=100",
    "config guide_ms=650",
    "config ask_ms=2500",
    "config hand_ms=5000",
    "config choose_ms=550",
    "config leave_ms=2800",
]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state directory with the earlier journal."""
    folder = tmp_path / "state"
    folder.mkdir()
    shutil.copy(EARLIER / "journal.sqlite3", folder)
    return folder


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with the earlier configurations, the profile, and its override in the state directory."""
    for name in ("config.toml", "pico.toml", "my-table.toml"):
        shutil.copy(EARLIER / name, tmp_path)
    (tmp_path / "kept").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- journal and exports --------------------------------------------------------------------------------------------


def test_the_matches_of_an_earlier_journal_are_listed_as_they_were(state: Path) -> None:
    listed = command("matches", "--state", state)
    assert (listed.code, listed.err) == (0, "")
    assert listed.out.splitlines() == EXPECTED["listed"]


@pytest.mark.parametrize("name", EXPORTS)
def test_a_match_of_an_earlier_journal_is_exported_to_the_byte(state: Path, name: str) -> None:
    number, _, form = name.removeprefix("match-").partition(".")
    exported = command("matches", "--state", state, "export", number, "--form", form)
    assert (exported.code, exported.err) == (0, "")
    assert exported.out.encode() == (EARLIER / name).read_bytes()


def test_there_are_exports_of_every_form_and_every_game() -> None:
    values = [json.loads((EARLIER / name).read_text(encoding="utf-8")) for name in EXPORTS if name.endswith(".json")]
    assert {value["game"] for value in values} == {"captains-chess", "legend", "ship-captain-crew", "swashbuckle"}
    assert {name.partition(".")[2] for name in EXPORTS} == {"json", "pgn", "ini"}


@pytest.mark.parametrize("number", EXPECTED["verdicts"])
def test_verify_says_of_an_earlier_export_what_it_said(number: str) -> None:
    verified = command("verify", EARLIER / f"match-{number}.json")
    code, words = EXPECTED["verdicts"][number]
    said, *remarks = verified.out.splitlines(keepends=True)
    assert [verified.code, said] == [code, words]
    assert all(
        re.match("Presses of the button|The clock was never|Names, wall times|The digest is|expected: |found: ", line)
        for line in remarks
    )
    assert verified.err == ""


@pytest.mark.parametrize(("name", "words"), EXPECTED["proven_since"].items())
def test_verify_proves_honest_matches_of_the_second_form(name: str, words: str) -> None:
    verified = command("verify", EARLIER / name)
    assert (verified.code, verified.err) == (0, "")
    assert words in verified.out


def test_unfinished_matches_of_an_earlier_journal_go_on_where_they_stood(state: Path, tmp_path: Path) -> None:
    numbers = list(map(int, EXPECTED["resumed"]))
    found = resumed(state, numbers, tmp_path)
    waiting, acting = found["5"].pop("clocks")
    found["5"]["clocks"] = EXPECTED["resumed"]["5"]["clocks"]
    assert found == EXPECTED["resumed"]
    assert waiting == EXPECTED["resumed"]["5"]["clocks"][0]
    assert 0 <= EXPECTED["resumed"]["5"]["clocks"][1] - acting <= BUSY_S


# --- tape -----------------------------------------------------------------------------------------------------------


def test_a_recorded_tape_of_an_earlier_version_replays_to_the_same_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EARLIER)
    replayed = command("replay", "evening.tape")
    assert (replayed.code, replayed.err) == (0, "")
    lines = [json.loads(line) for line in replayed.out.splitlines()]
    written = (EARLIER / "evening.jsonl").read_text(encoding="utf-8").splitlines()
    assert without_words(lines) == without_words([json.loads(line) for line in written])


# --- configuration and profile --------------------------------------------------------------------------------------


def test_an_earlier_profile_with_its_override_is_in_order(configured: Path) -> None:
    shutil.copy(EARLIER / "profile-override.toml", configured / "kept")
    checked = command("run", "--check", "pico.toml")
    assert checked == (0, "pico.toml is in order: my-table, Our table.\n", "")


def test_the_override_of_another_profile_is_refused(configured: Path) -> None:
    shutil.copy(EARLIER / "profile-override.toml", configured / "kept")
    checked = command("run", "--check", "config.toml")
    assert checked.code == 2
    assert "profile = 'my-table': expected 'simulated'" in checked.err


def test_an_earlier_configuration_says_what_runs(configured: Path) -> None:
    table = TableProcess("run", "config.toml", "--record", "run.tape", logs=configured / "logs")
    cleo = Caller(table.origin)
    try:
        page = cleo.get("/").text
        assert re.search("Cleo.*Dan", page, re.DOTALL)
        assert "Round 1 of 2" in page
        assert (configured / "kept" / "journal.sqlite3").exists()
        host = f"captain.local:{table.port}"
        assert cleo.post("/advice", host=host).status_code == 204
        assert cleo.post("/advice", host=f"parrot.local:{table.port}").status_code == 400
    finally:
        cleo.close()
        table.stop()
    tape = (configured / "run.tape").read_text(encoding="utf-8").splitlines()
    assert tape[: len(SETTINGS)] == SETTINGS
    game, key, *names_and_options = tape[len(SETTINGS)].split()
    assert (game, key) == ("game", "legend")
    assert sorted(names_and_options) == ["Cleo", "Dan", "rounds=2", "turn_limit=80"]
