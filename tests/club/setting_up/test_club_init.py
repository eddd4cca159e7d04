"""The command `club init`."""

from pathlib import Path

import pytest

from captains_table.cli import club
from tests.support.table_process import run_here


def test_it_says_what_it_made_and_where_that_belongs(tmp_path: Path) -> None:
    done = run_here("club", "init", tmp_path, "--tables", "2", "--host", "club.local", "192.168.1.20")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Made 17 files in {tmp_path}; the broker knows 4 more users." in done.stdout
    for path in ("broker/captains-table.conf", "tables/table-N", "config.toml"):
        assert str(tmp_path / path) in done.stdout
    again = run_here("club", "init", tmp_path, "--tables", "2")
    assert (again.returncode, again.stdout) == (0, f"All is there already in {tmp_path}.\n")


def test_the_broker_may_have_its_files_elsewhere(tmp_path: Path) -> None:
    words = ("--tables", "1", "--port", "8999", "--broker", tmp_path / "mosquitto", "--state", "/var/lib/elsewhere")
    assert run_here("club", "init", tmp_path / "club", *words).returncode == 0
    assert f"keyfile {tmp_path}/mosquitto/server.key\n" in (tmp_path / "mosquitto/captains-table.conf").read_text()
    server = (tmp_path / "club" / "config.toml").read_text()
    assert f'ca = "{tmp_path}/mosquitto/ca.crt"' in server
    assert 'state_dir = "/var/lib/elsewhere"' in server
    assert "port = 8999" in server
    assert not (tmp_path / "club" / "broker").exists()
    (tmp_path / "mosquitto" / "server.crt").unlink()
    again = run_here("club", "init", tmp_path / "club", "--tables", "2")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "mosquitto" / "server.crt").exists(), "where they are is known from the first time on"
    assert not (tmp_path / "club" / "broker").exists()
    assert "port = 8999" in (tmp_path / "club" / "tables" / "table-2" / "club.toml").read_text()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--tables", "0"), "0 tables: expected 1 to 1000"),
        (("--tables", "1001"), "1001 tables: expected 1 to 1000"),
        (("--tables", "2", "--first", "9999"), "tables from 9999 on: expected 1 to 9998"),
        (("--tables", "2", "--first", "0"), "tables from 0 on: expected 1 to 9998"),
        (("--tables", "1", "--host", "two words"), "'two words': expected a computer's name or address"),
        (("--tables", "1", "--port", "-1"), "port -1: expected 1 to 65535"),
        (("--tables", "1", "--port", "65536"), "port 65536: expected 1 to 65535"),
    ],
)
def test_what_cannot_be_is_refused_in_words_before_anything_is_made(
    words: tuple[str, ...], wrong: str, tmp_path: Path
) -> None:
    refused = run_here("club", "init", tmp_path / "club", *words)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"captains-table: {wrong}")
    assert not (tmp_path / "club").exists()


def test_without_the_package_it_says_how_to_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "find_spec", lambda _: None)
    refused = run_here("club", "init", tmp_path / "club", "--tables", "1")
    assert refused.returncode == 2
    assert "cryptography" in refused.stderr
    assert "pip install 'captains-table[club]'" in refused.stderr


def test_without_what_pairs_and_rates_the_server_says_how_to_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club, "find_spec", lambda name: None if name == "openskill" else True)
    config = tmp_path / "club.toml"
    config.write_text("[club]\n")
    assert run_here("club", config, "--check").returncode == 0, "what is written can be looked at anywhere"
    refused = run_here("club", config)
    assert refused.returncode == 2
    assert "(openskill): expected an installation with `pip install 'captains-table[club]'`" in refused.stderr
