"""Numbers of thousands of digits and nesting of thousands of levels are beyond any reader: the file is named."""

from pathlib import Path

import pytest

from tests.support.table_process import run_here

BEYOND = pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5000], ids=["deep", "long"])


@BEYOND
@pytest.mark.parametrize(
    ("command", "name", "content", "words"),
    [
        ("run --check", "table.toml", "[web]\nport = {}\n", "captains-table: {}: is not TOML: "),
        ("verify", "match.json", '{{"form": {}', "{}: is no export of a match "),
    ],
)
def test_a_file_beyond_reading_is_named(
    value: str, command: str, name: str, content: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content.format(value), encoding="utf-8")
    refused = run_here(*command.split(), path)
    assert refused.returncode == 2
    assert refused.stderr.startswith(words.format(path))


@BEYOND
def test_a_profile_beyond_reading_is_named(value: str, tmp_path: Path) -> None:
    path, config = tmp_path / "attic.toml", tmp_path / "table.toml"
    path.write_text(f"files = {value}\n", encoding="utf-8")
    config.write_text(f'[table]\nprofile = "{path}"\n', encoding="utf-8")
    refused = run_here("run", config, "--check")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"captains-table: {path}: is not TOML: ")


@BEYOND
def test_a_tape_that_expects_what_nobody_can_read_is_played_all_the_same(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tape"
    path.write_text(f"game legend Anne Bart\nexpect seat {value}\nexpect seat Anne\n", encoding="utf-8")
    played = run_here("replay", path)
    assert played.returncode == 1
    assert played.stderr.startswith(f'{path}:2: seat is "Anne": expected ')
