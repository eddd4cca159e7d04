"""What commands say of misspelt words, of files in the way, of a journal that is none, and of what cannot be done."""

import re
from pathlib import Path

import pytest

from captains_table.games.registry import GAMES
from captains_table.storage.journal_file import JournalFile
from tests.support.table_process import run_command, run_here


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("play --port 70000", "expected 0 to 65535"),
        ("play chess960", "chess960"),
        ("play rounds=none", "rounds"),
        ("play --players Anne Anne", "different"),
        ("play --host 192.0.2.1 --port 0", "192.0.2.1"),
        ("replay /nowhere/a.tape", "cannot be read"),
        ("run /nowhere/table.toml", "cannot be read"),
        ("restore /nowhere/evening.sqlite3", "/nowhere/evening.sqlite3 is no file"),
        ("engine chess --level 1", "there is no engine of 'chess': expected legend"),
        ("engine legend --level 7", "--level 7: expected a level from 0 to 6"),
        ("engine legend --think 0", "--think 0: expected more than 0 seconds"),
        ("engine legend --think nan", "--think nan: expected more than 0 seconds"),
        ("play parrot --port 0", ", ".join(sorted(GAMES)) + "\n"),  # like no other: nothing is guessed
        ("play legnd --port 0", "(did you mean 'legend'?)"),
        ("play Legend --port 0", "(did you mean 'legend'?)"),
        ("play legend rouds=1 --port 0", "(did you mean 'rounds'?)"),
        ("play rouds=1 --players Anne Bart --port 0", "(did you mean 'rounds'?)"),
        ("play legend score=pice --port 0", "(did you mean 'piece'?)"),
        ("play swashbuckle captain=Ane --players Anne Bart --port 0", "(did you mean 'Anne'?)"),
        ("odds swashbukle", "(did you mean 'swashbuckle'?)"),
        ("simulate lgend", "(did you mean 'legend'?)"),
        ("simulate legend --players best,gredy --matches 1", "(did you mean 'greedy'?)"),
        ("wiring pico-8x9", "(did you mean 'pico-8x8'?)"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_was_expected_or_meant(
    tmp_path: Path, arguments: str, words: str
) -> None:
    state = ("--state", tmp_path / "state") if arguments.startswith("play") else ()
    answer = run_here(*arguments.split(), *state)
    assert answer.returncode == 2
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_command_itself_says_it_in_a_sentence(tmp_path: Path) -> None:
    answer = run_command("play", "chess960", "--state", tmp_path / "state")
    assert answer.returncode == 2
    assert re.fullmatch(r"captains-table: .*chess960.*\n", answer.stderr)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[web]\nprot = 80\n", ["prot", "[web]", "port"]),
        ("[weeb]\nport = 80\n", ["[weeb]", "[web]"]),
        ("[web]\nport = true\n", ["port", "whole number"]),
        ("[settings]\nslide_ms = -1\n", ["slide_ms", "milliseconds"]),
        ('[table]\nboard = "pica"\n', ["board", "simulated", "pico"]),
        ('[table]\nboard = "pico"\nusb = "2e8a"\n', ["usb", "2e8a:0005"]),
        ('[table]\ndevice = "/dev/ttyACM0"\n', ["device", 'board = "pico"']),
        ("port = [", ["TOML"]),
        ("[tabel]\n", ["(did you mean 'table'?)"]),
        ('[table]\nprofil = "x"\n', ["(did you mean 'profile'?)"]),
        ("[settings]\nslid_ms = 3\n", ["(did you mean 'slide_ms'?)"]),
        ('[match]\ngame = "legned"\n', ["(did you mean 'legend'?)"]),
    ],
)
def test_a_configuration_that_cannot_be_used_names_the_key_and_what_was_expected_or_meant(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    answer = run_here("run", "--check", file)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"captains-table: {file}: ")
    assert answer.stderr.count("\n") == 1
    assert all(word in answer.stderr for word in words)


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
