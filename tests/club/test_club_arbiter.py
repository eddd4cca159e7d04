"""The command `club arbiter`: who logs in at a club's pages, and what root touches for it."""

import io
import os
import pty
import stat
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.cli import club_arbiter
from captains_table.club.store.arbiters import Arbiters, is_password
from captains_table.club.store.schema import STEPS, open_store
from captains_table.club.store.store import FILE, Store
from tests.support.outsider import NOBODY, common_directory
from tests.support.table_process import run_here

PASSWORD = "correct horse battery"  # noqa: S105 - a test's


def configured(folder: Path) -> Path:
    config = folder / "config.toml"
    config.write_text('[club]\nstate_dir = "state"\n')
    return config


def arbiter(config: Path, monkeypatch: pytest.MonkeyPatch, *words: str, typed: str = "") -> tuple[int, str, str]:
    """Do what the command says, with some text on standard input; return its code and what it said."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    done = run_here("club", "arbiter", *words, "--config", config)
    return done.returncode, done.stdout, done.stderr


def test_arbiters_are_added_listed_changed_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured(tmp_path)
    assert arbiter(config, monkeypatch, "list")[1].startswith("There is no arbiter yet")
    assert arbiter(config, monkeypatch, "add", "Anne", typed=f"{PASSWORD}\n") == (0, "Anne can log in now.\n", "")
    assert arbiter(config, monkeypatch, "add", "Bart", typed=PASSWORD)[0] == 0, "a last line without its end"
    assert arbiter(config, monkeypatch, "list")[1] == "Anne\nBart\n"
    assert arbiter(config, monkeypatch, "password", "bart", typed="another long one\n")[0] == 0
    with closing(Store(tmp_path / "state")) as store:
        arbiters = Arbiters(store.database)
        hashed = [arbiters.password_of(name) for name in ("Anne", "Bart")]
        assert [is_password("another long one", each or "") for each in hashed] == [False, True]
        assert (hashed[0] or "").startswith("16384$8$5$")
    assert arbiter(config, monkeypatch, "remove", "Anne")[0] == 0
    assert arbiter(config, monkeypatch, "list")[1] == "Bart\n"
    contents = b"".join(path.read_bytes() for path in (tmp_path / "state").iterdir())
    assert PASSWORD.encode() not in contents
    assert stat.S_IMODE((tmp_path / "state" / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("words", "typed", "wrong"),
    [
        (("add", "Anne"), "short\n", "a password: expected 10 to 256 characters"),
        (("add", "Anne"), "", "no password on standard input"),
        (("add", "Bart"), f"{PASSWORD}\n", "there is an arbiter Bart already"),
        (("add", "BART"), f"{PASSWORD}\n", "there is an arbiter BART already"),
        (("add", "The Token"), f"{PASSWORD}\n", "expected an arbiter's name of 1 to 40 characters"),
        (("add", "x" * 41), f"{PASSWORD}\n", "expected an arbiter's name of 1 to 40 characters"),
        (("add", " "), f"{PASSWORD}\n", "expected an arbiter's name of 1 to 40 characters"),
        (("remove",), "", "whom? Expected captains-table club arbiter remove NAME"),
        (("remove", "Cleo"), "", "there is no arbiter Cleo: expected one of Bart"),
        (("password", "Cleo"), f"{PASSWORD}\n", "there is no arbiter Cleo: expected one of Bart"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    words: tuple[str, ...], typed: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured(tmp_path)
    with closing(open_store_in(tmp_path)) as store:
        store.database.execute("INSERT INTO arbiters (name, password) VALUES ('Bart', '2$8$1$00$00')")
    code, _, said = arbiter(config, monkeypatch, *words, typed=typed)
    assert (code, wrong in said) == (2, True), said
    assert arbiter(config, monkeypatch, "list")[1] == "Bart\n"


def open_store_in(folder: Path) -> Store:
    (folder / "state").mkdir()
    return Store(folder / "state")


def test_the_token_is_revoked_only_where_somebody_can_log_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured(tmp_path)
    assert "add an arbiter first" in arbiter(config, monkeypatch, "revoke-token")[2]
    arbiter(config, monkeypatch, "add", "Anne", typed=PASSWORD)
    for _ in range(2):
        assert arbiter(config, monkeypatch, "revoke-token")[:2] == (0, "The token opens nothing any more.\n")


def test_a_terminal_is_asked_twice_and_shows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter((PASSWORD, PASSWORD, PASSWORD, "another long one"))
    monkeypatch.setattr(club_arbiter, "getpass", lambda _words: next(answers))
    config = configured(tmp_path)
    leader, follower = pty.openpty()
    with os.fdopen(leader), open(follower, encoding="ascii") as terminal:  # noqa: PTH123 - a descriptor
        monkeypatch.setattr("sys.stdin", terminal)
        assert run_here("club", "arbiter", "add", "Anne", "--config", config).returncode == 0
        other = run_here("club", "arbiter", "add", "Bart", "--config", config)
    assert "two different passwords: nothing was changed" in other.stderr


def test_a_file_of_before_has_its_entries_without_a_name(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / FILE, STEPS[:6])) as database:
        database.execute("INSERT INTO evenings (title, began_s) VALUES ('E', 1)")
        database.execute("INSERT INTO events (evening, prefix) VALUES (1, 'e-')")
        database.execute('INSERT INTO event_entries VALUES (1, 0, 5, \'{"entry":"closed","why":""}\')')
        database.execute(
            "INSERT INTO corrections VALUES (1, 1, 'm', CAST('null' AS BLOB), CAST('null' AS BLOB), '', 2)"
        )
    with closing(Store(tmp_path)) as store:
        assert store.database.execute("SELECT arbiter FROM event_entries").fetchall() == [("",)]
        assert [each.arbiter for each in store.corrections()] == [""]


@pytest.mark.root
def test_root_acts_as_the_services_user_and_follows_no_link_that_it_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    with common_directory() as folder:
        config, state, victim = configured(folder), folder / "state", folder / "victim"
        state.mkdir()
        os.chown(state, NOBODY, NOBODY)
        assert arbiter(config, monkeypatch, "add", "Anne", typed=PASSWORD)[0] == 0
        assert {path.stat().st_uid for path in state.iterdir()} == {NOBODY}
        victim.write_text("root's")
        (state / FILE).unlink()
        (state / FILE).symlink_to(victim)
        code, _, said = arbiter(config, monkeypatch, "add", "Bart", typed=PASSWORD)
        assert (code, victim.read_text()) == (2, "root's"), said
