"""Numbers of thousands of digits and nesting of thousands of levels are beyond any reader: the file is named."""

from pathlib import Path

import pytest

from tests.support.table_process import run_here

DEEP = "[" * 100_000
LONG = "9" * 5000


@pytest.mark.parametrize("value", [DEEP, LONG])
def test_a_configuration_beyond_reading_is_named(value: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f"[web]\nport = {value}\n", encoding="utf-8")
    refused = run_here("run", path, "--check")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"captains-table: {path}: is not TOML: ")


@pytest.mark.parametrize("value", [DEEP, LONG])
def test_a_profile_beyond_reading_is_named(value: str, tmp_path: Path) -> None:
    path, config = tmp_path / "attic.toml", tmp_path / "table.toml"
    path.write_text(f"files = {value}\n", encoding="utf-8")
    config.write_text(f'[table]\nprofile = "{path}"\n', encoding="utf-8")
    refused = run_here("run", config, "--check")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"captains-table: {path}: is not TOML: ")


@pytest.mark.parametrize("value", [DEEP, LONG])
def test_an_export_beyond_reading_is_named(value: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(f'{{"form": {value}', encoding="utf-8")
    refused = run_here("verify", path)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"{path}: is no export of a match ")


@pytest.mark.parametrize("value", [DEEP, LONG])
def test_a_tape_that_expects_what_nobody_can_read_is_played_all_the_same(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tape"
    path.write_text(f"game legend Anne Bart\nexpect seat {value}\nexpect seat Anne\n", encoding="utf-8")
    played = run_here("replay", path)
    assert played.returncode == 1
    assert played.stderr.startswith(f'{path}:2: seat is "Anne": expected ')
