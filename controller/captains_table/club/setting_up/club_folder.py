"""Makes the folder of a club with all files that broker, server and tables need.

When it runs again, for example to add tables, it makes only the missing files. Existing files stay unchanged, except
that new users are added to the broker's password file. The module also checks whether existing files fit together.
"""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final

from captains_table.club.setting_up import names
from captains_table.club.setting_up.certificates import (
    belongs,
    certificates_of,
    expiring,
    hosts_of,
    is_signed_by,
    make_authority,
    make_certificate,
    make_key,
)
from captains_table.club.setting_up.mosquitto import (
    access_list,
    format_hashes,
    hashed,
    mosquitto_settings,
    new_password,
    password_matches,
    read_hashes,
)
from captains_table.club.setting_up.settings_files import club_settings, table_settings
from captains_table.reporting.broker import TLS_PORT, read_password
from captains_table.reporting.messages import DISPLAY_USER, SERVER_USER
from captains_table.storage.files import move_to_unused_name, sync, temporary_file, write_whole
from captains_table.storage.toml_file import BadToml, read_toml

FOR_ALL: Final = 0o644
MOST_TABLES: Final = 1000
LAST_PORT: Final = 65535
LAST_BOARD: Final = 9999
ALWAYS: Final = ("localhost", "127.0.0.1", "::1")
TABLE_FOLDER: Final = PurePosixPath("/var/lib/captains-table/club")


def write_again(path: Path, text: str) -> None:
    """Replace the content of a file, and keep its mode, its owner and its group.

    The broker may own the file, although root writes it.

    Raises:
        OSError: the file cannot be written, and has its old content; or the new content is there, but the owner could
            not be kept.
    """
    owner = path.stat()
    write_whole(path, text, keeps_mode=True)
    os.chown(path, owner.st_uid, owner.st_gid)


class BadCount(ValueError):
    """A club cannot have this many tables, or tables with these numbers."""


class BadPort(ValueError):
    """No broker can listen on this port."""


class Mismatch(ValueError):
    """Existing files do not fit together; the message says which ones, and what to do."""


@dataclass(frozen=True, slots=True)
class ClubSetup:
    """The requested setup of a club.

    Attributes:
        folder: the folder of the club's files.
        tables: the number of tables.
        hosts: the names and addresses by which tables reach the broker; the first one goes into the tables' settings.
            If there are none, those of the existing certificate are used, or else this machine's own names.
        port: the broker's port; 0 for the port in the club's configuration, or else MQTT's standard port with TLS.
        broker: the folder from which the broker reads its files; `None` for the folder that the club's configuration
            names, or else a subfolder of `folder`.
        state_dir: the folder of the club server's database.
        table_folder: the folder in which a table has its password and the authority's certificate.
        first: the number of the first table; more than 1 if the tables with lower numbers use another broker.
    """

    folder: Path
    tables: int
    hosts: Sequence[str] = ()
    port: int = 0
    broker: Path | None = None
    state_dir: Path = Path("state")
    table_folder: PurePosixPath = TABLE_FOLDER
    first: int = 1

    def broker_folder(self) -> Path:
        """Return the folder from which the broker reads: `broker` if given, otherwise a subfolder of `folder`."""
        return self.folder.absolute() / names.BROKER if self.broker is None else self.broker


@dataclass(slots=True)
class SetupResult:
    """A setup while it is made, and what came of it.

    Attributes:
        wish: the request, completed with the values that were missing.
        made: the files that were made so far.
        users: the users that were added to the broker's password file.
        words: remarks to print.
    """

    wish: ClubSetup
    made: list[Path] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def keep_or_make(self, path: Path, make: Callable[[], str], *, private: bool) -> str:
        """Return the text of a file; if the file is missing, write it first, atomically and durably.

        Args:
            path: the file.
            make: returns the text of a missing file.
            private: whether only the owner may read a new file; otherwise everybody may read it.

        Raises:
            OSError, UnicodeDecodeError: the file cannot be read or made.
        """
        with contextlib.suppress(FileNotFoundError):
            return path.read_text(encoding="utf-8")
        text = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary_file(path) as part:
            part.write_text(text, encoding="utf-8")
            if not private:
                part.chmod(FOR_ALL)
            sync(part)
            move_to_unused_name(part, path)
        self.made.append(path)
        return text


def hosts_here() -> tuple[str, ...]:
    """Return the two names by which this machine may be reached: the one in `.local` (mDNS), then the host name."""
    name = socket.gethostname().lower().partition(".")[0]
    return (f"{name}.local", name)


def lay_out(wish: ClubSetup, now: datetime) -> SetupResult:
    """Make the missing files of a club; no existing file is changed, except that users are added to the password file.

    Raises:
        BadCount, BadPort, BadFolder: the request is impossible.
        BadCertificate, BadPasswords, BrokerUnusable, Mismatch: an existing file cannot be used.
        OSError, UnicodeDecodeError: a file cannot be made or read.
    """
    if not 1 <= wish.tables <= MOST_TABLES:
        raise BadCount(f"{wish.tables} tables: expected 1 to {MOST_TABLES}")
    if not 1 <= wish.first <= LAST_BOARD - wish.tables + 1:
        raise BadCount(f"tables from {wish.first} on: expected 1 to {LAST_BOARD - wish.tables + 1}")
    wish = _as_before(wish)
    if not 1 <= wish.port <= LAST_PORT:
        raise BadPort(f"port {wish.port}: expected 1 to {LAST_PORT}")
    done = SetupResult(wish)
    _settings(done)
    authority = _certificates(done, now)
    _users(done, authority)
    of_broker = certificates_of(wish.broker_folder() / names.AUTHORITY)
    done.words += expiring((*of_broker, wish.folder / names.WEB_CERTIFICATE), now)
    return done


def _as_before(wish: ClubSetup) -> ClubSetup:
    """Return the request; values that it left open are filled in from the club's existing files, or else by defaults.

    Raises:
        Mismatch: the club's configuration is not TOML.
        BadCertificate: the broker's certificate cannot be read.
    """
    path = wish.folder / names.CONFIG
    try:
        said = read_toml(path) if path.exists() else {}
    except BadToml as error:
        raise Mismatch(f"{path} {error}: put it right, or take it away") from error
    match said.get("broker"):
        case {"ca": str(authority), "port": int(port)}:
            wish = replace(
                wish, port=wish.port or port, broker=wish.broker or (wish.folder / authority).absolute().parent
            )
    wish = replace(wish, port=wish.port or TLS_PORT)
    return replace(wish, hosts=wish.hosts or _hosts_before(wish) or hosts_here())


def _hosts_before(wish: ClubSetup) -> tuple[str, ...]:
    """Return the hosts in the broker's certificate; empty if the certificate does not exist yet."""
    path = wish.broker_folder() / names.CERTIFICATE
    return hosts_of(path.read_text(encoding="utf-8")) if path.exists() else ()


def _settings(done: SetupResult) -> None:
    """Make the broker's settings, the broker's access list and the server's configuration, as far as they are missing.

    Add a remark to `done` if the broker's existing settings or access list differ from those that this program writes.
    """
    wish, folder = done.wish, done.wish.broker_folder()
    for name, text, private in (
        (names.SETTINGS, mosquitto_settings(folder, wish.port), False),
        (names.ACCESS, access_list(), True),
    ):
        if done.keep_or_make(folder / name, partial(str, text), private=private) != text:
            done.words.append(f"{folder / name} is not as this program writes it, and is kept.")
    of_the_server = partial(club_settings, wish.port, wish.hosts, wish.state_dir, folder / names.AUTHORITY)
    done.keep_or_make(wish.folder / names.CONFIG, of_the_server, private=False)


def _certificates(done: SetupResult, now: datetime) -> str:
    """Make the missing keys and certificates of authority, broker and server; return the authority's certificate.

    Add a remark to `done` for each certificate that was signed by a different authority or lacks a host.

    Raises:
        Mismatch: existing files do not fit together.
    """
    wish, folder, broker = done.wish, done.wish.folder, done.wish.broker_folder()
    _expect_key_beside(folder / names.AUTHORITY, folder / names.AUTHORITY_KEY)
    authority_key = done.keep_or_make(folder / names.AUTHORITY_KEY, make_key, private=True)
    authority = done.keep_or_make(folder / names.AUTHORITY, partial(make_authority, authority_key, now), private=False)
    if done.keep_or_make(broker / names.AUTHORITY, lambda: authority, private=False) != authority:
        raise Mismatch(f"{broker / names.AUTHORITY} is another than {folder / names.AUTHORITY}: take the older away")
    hosts = tuple(dict.fromkeys((*wish.hosts, *ALWAYS)))
    for path, key_path, server in (
        (broker / names.CERTIFICATE, broker / names.KEY, "broker"),
        (folder / names.WEB_CERTIFICATE, folder / names.WEB_KEY, "club's server"),
    ):
        _expect_key_beside(path, key_path)
        key = done.keep_or_make(key_path, make_key, private=True)
        for_pages = path.name == names.WEB_CERTIFICATE
        make = partial(make_certificate, authority, authority_key, key, hosts, now, for_pages=for_pages)
        certificate = done.keep_or_make(path, make, private=False)
        if not belongs(certificate, key):
            raise Mismatch(f"{path} and {key_path} do not belong together: take {path} away")
        if not is_signed_by(certificate, authority):
            done.words.append(f"{path} is kept; it is not signed by {folder / names.AUTHORITY}.")
        lacking = [host for host in wish.hosts if host not in hosts_of(certificate)]
        if lacking:
            done.words.append(
                f"{path} is kept; it does not hold for {', '.join(lacking)}. For one that does, take it away, run this "
                f"again, and restart the {server}."
            )
    return authority


def _expect_key_beside(certificate: Path, key: Path) -> None:
    if certificate.exists() and not key.exists():
        raise Mismatch(f"{certificate} is there without {key}: bring the key back, or take the certificate away")


def _users(done: SetupResult, authority: str) -> None:
    """Make a password for each new user, add its hash to the broker's password file, and fill the tables' folders.

    The passwords of known users stay as they are. If the password file of a known user is missing, the file has been
    moved to the table's machine and is not made again. Add a remark to `done` for each existing file that contradicts
    the broker's files.
    """
    wish, path = done.wish, done.wish.broker_folder() / names.PASSWORDS
    hashes = read_hashes(done.keep_or_make(path, str, private=True))
    known = dict(hashes)
    for user, password_file in _password_files(wish):
        if user in known and not password_file.exists():
            continue  # it was moved to the table
        done.keep_or_make(password_file, lambda: f"{new_password()}\n", private=True)
        password = read_password(password_file)
        if user not in hashes:
            hashes[user] = hashed(password)
            done.users.append(user)
        elif not password_matches(password, hashes[user]):
            done.words.append(
                f"{password_file} is not the password that the broker knows of {user}. For a new one take the file "
                f"away, and the line of {user} out of {path}, and run this again."
            )
    if hashes != known:
        write_again(path, format_hashes(hashes))
    for number, user in _tables(wish):
        folder = wish.folder / names.TABLES / user
        if not folder.exists():
            continue
        make = partial(table_settings, user, number, wish.hosts[0], wish.port, wish.table_folder)
        done.keep_or_make(folder / names.BLOCK, make, private=False)
        if done.keep_or_make(folder / names.AUTHORITY, lambda: authority, private=False) != authority:
            done.words.append(f"{folder / names.AUTHORITY} is of another authority: take it away, and run this again.")


def _tables(wish: ClubSetup) -> Iterator[tuple[int, str]]:
    return ((number, f"table-{number}") for number in range(wish.first, wish.first + wish.tables))


def _password_files(wish: ClubSetup) -> Iterator[tuple[str, Path]]:
    """Yield every user (server, display and tables) with the file of the user's password."""
    yield SERVER_USER, wish.folder / names.CLUB_PASSWORD
    yield DISPLAY_USER, wish.folder / names.DISPLAY_PASSWORD
    for _, user in _tables(wish):
        yield user, wish.folder / names.TABLES / user / names.PASSWORD
