"""A club's folder: made once, kept as it is, and added to."""

import os
import shutil
import stat
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from captains_table.club.config import read_club_config
from captains_table.club.setting_up.certificates import BadCertificate, checked_host, hosts_of
from captains_table.club.setting_up.club_folder import ClubSetup, Mismatch, SetupResult, lay_out
from captains_table.club.setting_up.mosquitto import BadFolder, BadPasswords, password_matches, read_hashes
from captains_table.reporting.broker import BrokerUnusable, read_password
from captains_table.runtime.config import parse_club

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SECRETS = {"password", "club-password", "display-password", "ca.key", "server.key", "passwords", "acl"}


def laid(folder: Path, tables: int = 2, *hosts: str, now: datetime = NOW, port: int = 0) -> SetupResult:
    return lay_out(ClubSetup(folder, tables, hosts, port), now)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_holds_what_broker_server_and_tables_need(tmp_path: Path) -> None:
    done = laid(tmp_path, 2, "club.local", "192.168.1.20")
    of_the_broker = ("acl", "ca.crt", "captains-table.conf", "passwords", "server.crt", "server.key")
    of_a_table = ("ca.crt", "club.toml", "password")
    assert set(contents(tmp_path)) == {
        *("config.toml", "club-password", "display-password", "ca.crt", "ca.key"),
        *(f"broker/{name}" for name in of_the_broker),
        *(f"tables/table-{number}/{name}" for number in (1, 2) for name in of_a_table),
    }
    assert done.users == ["club", "display", "table-1", "table-2"]
    assert done.words == []
    assert len(done.made) == len(contents(tmp_path))


def test_whatever_is_secret_is_its_owners_alone_and_the_rest_can_be_read_by_the_broker(tmp_path: Path) -> None:
    laid(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert stat.S_IMODE(path.stat().st_mode) == (0o600 if path.name in SECRETS else 0o644), path
    for text in contents(tmp_path).items():
        assert text[0].endswith("password") or read_password(tmp_path / "club-password").encode() not in text[1]


def test_a_table_and_the_server_understand_what_is_written_for_them(tmp_path: Path) -> None:
    laid(tmp_path / 'a "club"', 2, "club.local", port=8999)
    written = (tmp_path / 'a "club"' / "tables/table-2/club.toml").read_text()
    club = parse_club(tomllib.loads(written)["club"])
    assert (club.host, club.port, club.user, club.board, club.title) == ("club.local", 8999, "table-2", 2, "Table 2")
    assert club.password_file == Path("/var/lib/captains-table/club/password")
    assert club.ca == Path("/var/lib/captains-table/club/ca.crt")
    assert not club.names
    server = read_club_config(tmp_path / 'a "club"' / "config.toml")
    assert (server.broker.host, server.broker.port, server.broker.user) == ("localhost", 8999, "club")
    assert server.hosts == ("club.local",), "a browser finds the wall by the name by which tables find the broker"
    assert server.way().password == read_password(tmp_path / 'a "club"' / "club-password")
    assert server.state_dir == tmp_path / 'a "club"' / "state"


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    laid(tmp_path, 2, "club.local")
    before = contents(tmp_path)
    again = laid(tmp_path, 2)
    assert (contents(tmp_path), again.made, again.users, again.words) == (before, [], [], [])


def test_more_tables_are_added_and_those_before_keep_theirs(tmp_path: Path) -> None:
    laid(tmp_path, 2, "club.local")
    before = contents(tmp_path)
    more = laid(tmp_path, 3)
    after = contents(tmp_path)
    hashes = after.pop("broker/passwords")
    assert hashes.startswith(before.pop("broker/passwords"))
    assert {name: after[name] for name in before} == before
    assert (more.users, len(more.made)) == (["table-3"], 3)
    assert tomllib.loads(after["tables/table-3/club.toml"].decode())["club"]["host"] == "club.local"
    assert stat.S_IMODE((tmp_path / "broker/passwords").stat().st_mode) == 0o600


def test_passwords_that_are_added_to_stay_the_brokers(tmp_path: Path) -> None:
    laid(tmp_path, 2)
    passwords = tmp_path / "broker/passwords"
    if os.geteuid() == 0:
        os.chown(passwords, 12345, 12346)
    before = passwords.stat()
    laid(tmp_path, 3)
    after = passwords.stat()
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


def test_fewer_tables_take_none_away(tmp_path: Path) -> None:
    laid(tmp_path, 3)
    before = contents(tmp_path)
    laid(tmp_path, 1)
    assert contents(tmp_path) == before


def test_what_was_set_otherwise_by_hand_stays_so(tmp_path: Path) -> None:
    laid(tmp_path)
    changed = ("config.toml", "broker/captains-table.conf", "broker/acl", "tables/table-1/club.toml")
    for name in changed:
        with (tmp_path / name).open("a") as file:
            file.write("# by hand\n")
    before = contents(tmp_path)
    again = laid(tmp_path)
    assert contents(tmp_path) == before
    assert [sentence.partition(" is not")[0] for sentence in again.words] == [
        str(tmp_path / name) for name in changed[1:3]
    ], "what the program itself hangs on is named"


def test_a_password_that_was_given_away_to_its_table_is_not_made_anew(tmp_path: Path) -> None:
    laid(tmp_path)
    shutil.rmtree(tmp_path / "tables" / "table-1")
    before = contents(tmp_path)
    assert laid(tmp_path).users == []
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "name",
    [
        "config.toml",
        "broker/acl",
        "broker/ca.crt",
        "broker/captains-table.conf",
        "broker/passwords",
        "broker/server.crt",
        "tables/table-2/ca.crt",
        "tables/table-2/club.toml",
    ],
)
def test_what_was_taken_away_or_never_made_is_made(name: str, tmp_path: Path) -> None:
    laid(tmp_path)
    mode = (tmp_path / name).stat().st_mode
    (tmp_path / name).unlink()
    assert laid(tmp_path).made == [tmp_path / name]
    assert (tmp_path / name).stat().st_mode == mode


@pytest.mark.parametrize("name", ["ca.key", "broker/server.key"])
def test_a_certificate_without_its_key_is_not_gone_on_from(name: str, tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(Mismatch, match="bring the key back, or take the certificate away"):
        laid(tmp_path)


def test_a_new_authority_is_refused_where_the_old_one_left_certificates(tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / "ca.crt").unlink()
    with pytest.raises(Mismatch, match="take the older away"):
        laid(tmp_path)


@pytest.mark.parametrize("name", ["club-password", "tables/table-1/password"])
def test_a_password_that_the_broker_knows_is_not_made_anew(name: str, tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / name).unlink()
    assert laid(tmp_path).made == []


def test_a_password_that_is_there_is_the_one_that_a_new_broker_knows(tmp_path: Path) -> None:
    laid(tmp_path)
    before = read_password(tmp_path / "club-password")
    (tmp_path / "broker" / "passwords").unlink()
    laid(tmp_path)
    assert read_password(tmp_path / "club-password") == before
    assert password_matches(before, read_hashes((tmp_path / "broker" / "passwords").read_text())["club"])


def test_a_password_that_others_may_read_is_not_taken(tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / "club-password").chmod(0o644)
    with pytest.raises(BrokerUnusable, match=r"may be read by others .* expected 0600"):
        laid(tmp_path)


def test_a_password_that_is_not_the_brokers_is_named_and_kept(tmp_path: Path) -> None:
    laid(tmp_path)
    password = tmp_path / "tables/table-1/password"
    password.write_text("another\n")
    (sentence,) = laid(tmp_path).words
    assert sentence.startswith(f"{password} is not the password that the broker knows of table-1")
    assert password.read_text() == "another\n"


def test_a_name_that_the_certificate_lacks_is_named_and_a_new_certificate_has_it(tmp_path: Path) -> None:
    laid(tmp_path, 1, "club.local")
    certificate = tmp_path / "broker/server.crt"
    (sentence,) = laid(tmp_path, 1, "club.local", "10.0.0.7").words
    assert "does not hold for 10.0.0.7" in sentence
    key = (tmp_path / "broker/server.key").read_bytes()
    certificate.unlink()
    assert laid(tmp_path, 1, "club.local", "10.0.0.7").words == []
    assert hosts_of(certificate.read_text()) == ("club.local", "10.0.0.7", "localhost", "127.0.0.1", "::1")
    assert (tmp_path / "broker/server.key").read_bytes() == key


def test_a_certificate_of_another_authority_is_kept_and_said(tmp_path: Path) -> None:
    laid(tmp_path / "one")
    laid(tmp_path / "other")
    for name in ("server.crt", "server.key"):
        shutil.copy(tmp_path / "other" / "broker" / name, tmp_path / "one" / "broker" / name)
    (sentence,) = laid(tmp_path / "one").words
    assert "is kept; it is not signed by" in sentence
    shutil.copy(tmp_path / "one" / "broker" / "server.key", tmp_path / "other" / "broker" / "server.key")
    laid(tmp_path / "other")
    (tmp_path / "other" / "broker" / "server.key").write_bytes((tmp_path / "other" / "ca.key").read_bytes())
    with pytest.raises(Mismatch, match="do not belong together"):
        laid(tmp_path / "other")


@pytest.mark.parametrize("text", ["[broker", "x = ", f"x = {'[' * 9000}"], ids=["a head", "a value", "too deep"])
def test_a_configuration_that_cannot_be_read_is_named(text: str, tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(Mismatch, match=r"config.toml is not TOML: .*: put it right, or take it away"):
        laid(tmp_path)


def test_a_path_the_broker_would_read_otherwise_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="expected an absolute path of one line"):
        laid(tmp_path / "two\nlines")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("line", ["table-1", ":hash", "user:"])
def test_passwords_that_the_broker_could_not_read_are_refused(line: str, tmp_path: Path) -> None:
    laid(tmp_path)
    with (tmp_path / "broker" / "passwords").open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(BadPasswords, match=r"line 5 .* expected a user, a colon and a hash"):
        laid(tmp_path)


@pytest.mark.parametrize("name", ["ca.crt", "ca.key", "broker/server.crt", "broker/server.key"])
def test_what_is_no_certificate_or_key_is_refused(name: str, tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / name).write_text("nothing of the kind\n")
    (tmp_path / "broker/ca.crt").write_bytes((tmp_path / "ca.crt").read_bytes())
    if name == "ca.key":
        (tmp_path / "broker/server.crt").unlink()
    with pytest.raises(BadCertificate, match="can be read in it"):
        laid(tmp_path)


@pytest.mark.parametrize("host", ["", "two words", "a/b", "*.local", "-x", "x" * 64, "a..b", "[::1]", "käse.local"])
def test_a_name_that_no_computer_has_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match=r"expected a computer's name or address"):
        checked_host(host)


@pytest.mark.parametrize(("host", "same"), [("Club.Local", "club.local"), ("::0001", "::1"), ("10.0.0.7", "10.0.0.7")])
def test_names_and_addresses_are_written_as_certificates_have_them(host: str, same: str) -> None:
    assert checked_host(host) == same
