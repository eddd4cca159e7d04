"""Numbers of thousands of digits and nesting of thousands of levels are beyond any reader: the file is named."""

from pathlib import Path

import pytest

from tests.support.table_process import run_here

BEYOND = pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5000], ids=["deep", "long"])


@BEYOND
def test_a_file_beyond_reading_is_named(value: str, tmp_path: Path) -> None:
    config, match, profile = (tmp_path / name for name in ("table.toml", "match.json", "attic.toml"))
    config.write_text(f"[web]\nport = {value}\n", encoding="utf-8")
    match.write_text(f'{{"form": {value}', encoding="utf-8")
    profile.write_text(f"files = {value}\n", encoding="utf-8")
    named = tmp_path / "named.toml"
    named.write_text(f'[table]\nprofile = "{profile}"\n', encoding="utf-8")
    for words, said in (
        (("run", "--check", config), f"captains-table: {config}: is not TOML: "),
        (("verify", match), f"{match}: is no export of a match "),
        (("run", named, "--check"), f"captains-table: {profile}: is not TOML: "),
    ):
        refused = run_here(*words)
        assert (refused.returncode, refused.stderr.startswith(said)) == (2, True), refused.stderr


@BEYOND
def test_a_tape_that_expects_what_nobody_can_read_is_played_all_the_same(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tape"
    path.write_text(f"game legend Anne Bart\nexpect seat {value}\nexpect seat Anne\n", encoding="utf-8")
    played = run_here("replay", path)
    assert played.returncode == 1
    assert played.stderr.startswith(f'{path}:2: seat is "Anne": expected ')
