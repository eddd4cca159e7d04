"""A club's folder: made once by `club init`, kept as it is, added to; its certificates expire."""

import os
import shutil
import stat
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from captains_table.cli import club
from captains_table.club.access import Public
from captains_table.club.config import read_club_config
from captains_table.club.setting_up.certificates import (
    AUTHORITY_FOR,
    BROKER_FOR,
    BadCertificate,
    certificates_of,
    checked_host,
    expiring,
    hosts_of,
)
from captains_table.club.setting_up.club_folder import ClubSetup, Mismatch, SetupResult, lay_out
from captains_table.club.setting_up.mosquitto import BadFolder, BadPasswords, password_matches, read_hashes
from captains_table.reporting.broker import BrokerUnusable, read_password
from captains_table.runtime.config import parse_club
from captains_table.web.serving.server import tls_of
from tests.support.table_process import run_here

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SECRETS = {"password", "club-password", "display-password", "ca.key", "server.key", "web.key", "passwords", "acl"}


NOT_TOML = r"config.toml is not TOML: .*: put it right, or take it away"
NO_HASH = r"line 1 .* expected a user, a colon and a hash"


def laid(folder: Path, tables: int = 2, *hosts: str, now: datetime = NOW, port: int = 0) -> SetupResult:
    return lay_out(ClubSetup(folder, tables, hosts, port), now)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_holds_what_broker_server_and_tables_need(tmp_path: Path) -> None:
    done = laid(tmp_path, 2, "club.local", "192.168.1.20")
    of_the_broker = ("acl", "ca.crt", "captains-table.conf", "passwords", "server.crt", "server.key")
    of_a_table = ("ca.crt", "club.toml", "password")
    assert set(contents(tmp_path)) == {
        *("config.toml", "club-password", "display-password", "ca.crt", "ca.key", "web.crt", "web.key"),
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
    assert server.public is Public.EVENTS
    tls_of(server.certificate or Path(), server.certificate_key or Path())


@pytest.mark.parametrize("gone", ["", "club-password", "tables/table-1/password", "tables/table-1"])
def test_a_second_time_with_fewer_tables_changes_nothing_and_makes_no_password_anew(gone: str, tmp_path: Path) -> None:
    """Not those either that were given away to a table: the broker knows them."""
    laid(tmp_path, 2, "club.local")
    if (tmp_path / gone).is_file():
        (tmp_path / gone).unlink()
    elif gone:
        shutil.rmtree(tmp_path / gone)
    before = contents(tmp_path)
    again = laid(tmp_path, 1)
    assert (again.made, again.users, again.words) == ([], [], [])
    assert contents(tmp_path) == before


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


@pytest.mark.parametrize(
    "name",
    [
        "config.toml",
        "broker/acl",
        "broker/ca.crt",
        "broker/captains-table.conf",
        "broker/passwords",
        "broker/server.crt",
        "web.crt",
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


@pytest.mark.parametrize(
    ("name", "text", "error", "words"),
    [
        ("ca.key", None, Mismatch, "bring the key back, or take the certificate away"),
        ("broker/server.key", None, Mismatch, "bring the key back, or take the certificate away"),
        ("web.key", None, Mismatch, "bring the key back, or take the certificate away"),
        ("ca.crt", None, Mismatch, "take the older away"),
        *(("config.toml", text, Mismatch, NOT_TOML) for text in ("[broker", "x = ", f"x = {'[' * 9000}")),
        *(("broker/passwords", line, BadPasswords, NO_HASH) for line in ("table-1", ":hash", "user:")),
        *(
            (f"broker/server.{end}", "nothing of the kind", BadCertificate, "can be read in it")
            for end in ("crt", "key")
        ),
    ],
)
def test_what_is_gone_or_cannot_be_read_is_named(
    name: str, text: str | None, error: type[Exception], words: str, tmp_path: Path
) -> None:
    laid(tmp_path)
    (tmp_path / name).unlink() if text is None else (tmp_path / name).write_text(text)
    with pytest.raises(error, match=words):
        laid(tmp_path)


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
    sentences = laid(tmp_path, 1, "club.local", "10.0.0.7").words
    assert ["does not hold for 10.0.0.7" in sentence for sentence in sentences] == [True, True]
    assert [sentence.rsplit("restart ", 1)[1] for sentence in sentences] == ["the broker.", "the club's server."]
    key = (tmp_path / "broker/server.key").read_bytes()
    certificate.unlink()
    (tmp_path / "web.crt").unlink()
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


def test_a_path_the_broker_would_read_otherwise_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="expected an absolute path of one line"):
        laid(tmp_path / "two\nlines")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("name", ["ca.crt", "ca.key"])
def test_what_is_no_certificate_or_key_of_an_authority_is_refused(name: str, tmp_path: Path) -> None:
    laid(tmp_path)
    (tmp_path / name).write_text("nothing of the kind\n")
    (tmp_path / "broker/ca.crt").write_bytes((tmp_path / "ca.crt").read_bytes())
    if name == "ca.key":
        (tmp_path / "broker/server.crt").unlink()
    with pytest.raises(BadCertificate, match="can be read in it"):
        laid(tmp_path)


@pytest.mark.parametrize("host", ["", "two words", "a/b", "*.local", "-x", "x" * 64, "a..b", "[::1]", "käse.local"])
def test_a_name_that_no_computer_has_is_refused_and_others_are_written_as_certificates_have_them(host: str) -> None:
    with pytest.raises(ValueError, match=r"expected a computer's name or address"):
        checked_host(host)
    assert [checked_host(each) for each in ("Club.Local", "::0001", "10.0.0.7")] == ["club.local", "::1", "10.0.0.7"]


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    lay_out(ClubSetup(tmp_path, tables=1), NOW)
    return tmp_path / "broker" / "ca.crt"


def said(authority: Path, now: datetime) -> list[str]:
    return [
        sentence.removeprefix(f"The certificate {authority.parent}/")
        for sentence in expiring(certificates_of(authority), now)
    ]


def test_nothing_is_said_more_than_thirty_days_before(authority: Path) -> None:
    assert said(authority, NOW) == []
    assert said(authority, NOW + BROKER_FOR - timedelta(days=30, seconds=1)) == []


@pytest.mark.parametrize(("days", "words"), [(29.5, "in 29 days"), (1.5, "in 1 day"), (0.5, "in less than a day")])
def test_the_days_that_are_left_are_said_and_what_to_do(days: float, words: str, authority: Path) -> None:
    (sentence,) = said(authority, NOW + BROKER_FOR - timedelta(days=days))
    assert sentence == (
        f"server.crt expires on {NOW + BROKER_FOR:%Y-%m-%d}, {words}. Take it away, run `captains-table club init` "
        "again as at first, and restart the broker."
    )


def test_with_the_authority_all_tables_need_a_new_certificate(authority: Path) -> None:
    sentences = said(authority, NOW + AUTHORITY_FOR)
    assert [sentence.split(" ")[:2] for sentence in sentences] == [["ca.crt", "expired"], ["server.crt", "expired"]]
    assert sentences[0].endswith("Every table needs the new ca.crt too.")


def test_club_init_says_it_too(authority: Path) -> None:
    of_broker, of_pages = lay_out(ClubSetup(authority.parents[1], tables=1), NOW + BROKER_FOR).words
    assert "no table reaches the broker" in of_broker
    assert "browsers warn of the club's pages. Renew it" in of_pages


def test_the_pages_certificate_is_as_short_lived_as_browsers_want(authority: Path) -> None:
    certificate = x509.load_pem_x509_certificate((authority.parents[1] / "web.crt").read_bytes())
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= timedelta(days=825)
    assert certificate.not_valid_before_utc < NOW < certificate.not_valid_after_utc


def test_what_is_no_certificate_is_said_and_what_is_elsewhere_is_passed_over(authority: Path) -> None:
    authority.with_name("server.crt").unlink()
    assert said(authority, NOW) == []
    authority.write_text("nothing of the kind")
    (sentence,) = said(authority, NOW)
    assert "cannot be read" in sentence


def test_it_says_what_it_made_and_where_that_belongs(tmp_path: Path) -> None:
    done = run_here("club", "init", tmp_path, "--tables", "2", "--host", "club.local", "192.168.1.20")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Made 19 files in {tmp_path}; the broker knows 4 more users." in done.stdout
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
