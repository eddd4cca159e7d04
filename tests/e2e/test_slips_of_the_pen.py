"""What commands say of misspelt names, of files in the way, and of a journal that is none."""

from pathlib import Path

import pytest

from captains_table.games.registry import GAMES
from captains_table.storage.journal_file import JournalFile
from tests.support.table_process import run_here


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("play legnd --port 0", "legend"),
        ("play Legend --port 0", "legend"),
        ("play legend rouds=1 --port 0", "rounds"),
        ("play rouds=1 --players Anne Bart --port 0", "rounds"),
        ("play legend score=pice --port 0", "piece"),
        ("play swashbuckle captain=Ane --players Anne Bart --port 0", "Anne"),
        ("odds swashbukle", "swashbuckle"),
        ("simulate lgend", "legend"),
        ("simulate legend --players best,gredy --matches 1", "greedy"),
        ("wiring pico-8x9", "pico-8x8"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_one_that_was_meant(tmp_path: Path, arguments: str, meant: str) -> None:
    words = arguments.split()
    state = ("--state", tmp_path) if words[0] == "play" else ()
    answer = run_here(*words, *state)
    assert answer.returncode == 2
    assert answer.stderr.rstrip().endswith(f"(did you mean {meant!r}?)")


def test_a_name_like_no_other_is_refused_without_a_guess(tmp_path: Path) -> None:
    answer = run_here("play", "parrot", "--port", "0", "--state", tmp_path)
    assert answer.stderr.rstrip().endswith(", ".join(sorted(GAMES)))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[tabel]\n", "table"),
        ('[table]\nprofil = "x"\n', "profile"),
        ("[settings]\nslid_ms = 3\n", "slide_ms"),
        ('[match]\ngame = "legned"\n', "legend"),
    ],
)
def test_a_misspelt_word_of_a_configuration_is_refused_with_the_one_that_was_meant(
    tmp_path: Path, text: str, meant: str
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    answer = run_here("run", "--check", file)
    assert answer.returncode == 2
    assert answer.stderr.rstrip().endswith(f"(did you mean {meant!r}?)")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("gmae legend Anne Bart", "game"),
        ("game legned Anne Bart", "legend"),
        ("game legend Anne Bart rouds=1", "rounds"),
        ('words Ane "mine"', "Anne"),
        ("press rol", "roll"),
        ("config slid_ms=3", "slide_ms"),
    ],
)
def test_a_misspelt_word_of_a_tape_is_refused_with_the_one_that_was_meant(
    tmp_path: Path, line: str, meant: str
) -> None:
    tape = tmp_path / "a.tape"
    before = "game legend Anne Bart\n" if line.startswith("words") else ""
    tape.write_text(f"{before}{line}\n", encoding="utf-8")
    answer = run_here("replay", tape)
    assert answer.returncode == 2
    assert f"(did you mean {meant!r}?)" in answer.stderr


@pytest.mark.parametrize(
    "arguments", ["matches", "matches export 1", "play --port 0", "backup b", "restore r", "doctor --switches"]
)
@pytest.mark.parametrize("below", ["", "evening"])
def test_a_state_path_that_is_a_file_is_said_to_be_one(tmp_path: Path, arguments: str, below: str) -> None:
    file = tmp_path / "file"
    file.touch()
    answer = run_here(*arguments.split(), "--state", file / below)
    assert answer.returncode == 2
    assert f"{file} is a file, expected a folder (--state DIR)" in answer.stderr


def test_a_journal_that_is_none_says_how_to_go_on_and_so_it_goes_on(tmp_path: Path) -> None:
    state, backup = tmp_path / "state", tmp_path / "evening.sqlite3"
    state.mkdir()
    JournalFile(state / "journal.sqlite3").close()
    assert run_here("backup", backup, "--state", state).returncode == 0
    for name in ("journal.sqlite3-wal", "journal.sqlite3-shm"):
        (state / name).unlink(missing_ok=True)
    (state / "journal.sqlite3").write_bytes(b"no journal" * 100)
    for arguments in (("matches",), ("play", "--port", "0"), ("backup", tmp_path / "again")):
        answer = run_here(*arguments, "--state", state)
        assert answer.returncode == 2
        assert f"put a backup in its place (captains-table restore FILE --state {state})" in answer.stderr
        assert "or move journal.sqlite3 to another folder" in answer.stderr
    refused = run_here("restore", state / "journal.sqlite3", "--state", tmp_path / "other")
    assert "put a backup" not in refused.stderr
    assert run_here("restore", backup, "--state", state).returncode == 0
    assert run_here("matches", "--state", state).stdout == "No match was played yet.\n"


@pytest.mark.parametrize("what", ["missing", "folder", "bytes", "words"])
def test_verify_names_the_file_that_it_cannot_read(tmp_path: Path, what: str) -> None:
    file = tmp_path / "match.json"
    match what:
        case "folder":
            file.mkdir()
        case "bytes":
            file.write_bytes(b"\xff\xfe")
        case "words":
            file.write_text("no match", encoding="utf-8")
    answer = run_here("verify", file)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"{file}: ")
    assert answer.stderr.count("\n") == 1
    assert "expected" in answer.stderr
