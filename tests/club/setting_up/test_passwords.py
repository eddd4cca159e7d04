"""Hashes as Mosquitto's own program writes them: each is right by the other."""

import subprocess
from pathlib import Path

from hypothesis import given, settings, strategies as st

from captains_table.club.setting_up.mosquitto import format_hashes, hashed, new_password, password_matches, read_hashes
from tests.support.patience import PATIENCE_S
from tests.support.tools import program


def test_what_mosquittos_own_program_wrote_is_known_by_its_password(tmp_path: Path) -> None:
    file, password = tmp_path / "passwords", new_password()
    subprocess.run([program("mosquitto_passwd"), "-c", "-b", file, "anne", password], check=True, timeout=PATIENCE_S)
    kept = read_hashes(file.read_text())["anne"]
    assert password_matches(password, kept)
    assert not password_matches(f"{password}x", kept)
    assert hashed(password).split("$")[:3] == kept.split("$")[:3], "the same scheme, as often"


def test_a_password_is_another_each_time() -> None:
    assert len({new_password() for _ in range(100)}) == 100


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=20)
@given(TEXT, TEXT, st.binary(min_size=1, max_size=20))
def test_a_hash_fits_its_own_password_alone(password: str, other: str, salt: bytes) -> None:
    kept = hashed(password, salt)
    assert password_matches(password, kept)
    assert password_matches(other, kept) == (other == password)


@settings(max_examples=20)
@given(st.dictionaries(st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True), st.binary(min_size=1, max_size=9)))
def test_what_is_written_is_what_is_read(passwords: dict[str, bytes]) -> None:
    hashes = {user: hashed(salt.hex(), salt) for user, salt in passwords.items()}
    assert read_hashes(format_hashes(hashes)) == hashes
