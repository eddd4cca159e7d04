"""A club's folder: what broker, server and tables need. Each file is made once; more tables are added later."""

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
    fits,
    format_hashes,
    hashed,
    mosquitto_settings,
    new_password,
    read_hashes,
)
from captains_table.club.setting_up.settings_files import club_settings, table_settings
from captains_table.reporting.broker import TLS_PORT, read_password
from captains_table.reporting.messages import DISPLAY_USER, SERVER_USER
from captains_table.storage.files import part_beside, place, sync, write_whole
from captains_table.storage.toml_file import BadToml, read_toml

FOR_ALL: Final = 0o644
MOST_TABLES: Final = 1000
LAST_PORT: Final = 65535
LAST_BOARD: Final = 9999
ALWAYS: Final = ("localhost", "127.0.0.1", "::1")
TABLE_FOLDER: Final = PurePosixPath("/var/lib/captains-table/club")


def write_again(path: Path, text: str) -> None:
    """Put a text in the place of a file, which stays its owner's: the broker's, where an administrator writes.

    Raises:
        OSError: it cannot be written, and then what was there is there still.
    """
    owner = path.stat()
    write_whole(path, text, keeps_mode=True)
    os.chown(path, owner.st_uid, owner.st_gid)


class Files:
    """Makes files; `made` are those that were not there."""

    def __init__(self) -> None:
        self.made: list[Path] = []

    def keep_or_make(self, path: Path, make: Callable[[], str], *, private: bool) -> str:
        """Return the text of a file, made where it is not there: whole, durable, and if private its owner's alone.

        Raises:
            OSError, UnicodeDecodeError: it cannot be read or made.
        """
        with contextlib.suppress(FileNotFoundError):
            return path.read_text(encoding="utf-8")
        text = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        with part_beside(path) as part:
            part.write_text(text, encoding="utf-8")
            if not private:
                part.chmod(FOR_ALL)
            sync(part)
            place(part, path)
        self.made.append(path)
        return text


class BadCount(ValueError):
    """A club cannot have so many tables."""


class BadPort(ValueError):
    """No broker listens at such a port."""


class Mismatch(ValueError):
    """What is there already does not fit together; the message says which files, and what to do."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a club is to be.

    Attributes:
        folder: where its files lie.
        tables: how many tables.
        hosts: by which names and addresses tables reach the broker; the first is the one their settings have. None:
            those of the certificate that is there, or this machine's own.
        port: the broker's port; 0: that of the club's configuration, where there is one, or MQTT's own with TLS.
        broker: where the broker reads its files; `None`: where the club's configuration says, or a folder in this one.
        state_dir: where the club's server keeps its evenings.
        table_folder: where a table has its password and the authority's certificate.
        first: the number of the first table, where another broker has those before it.
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
        """Return where the broker reads its files."""
        return self.folder.absolute() / names.BROKER if self.broker is None else self.broker


@dataclass(slots=True)
class LaidOut:
    """What came of a wish, nothing of it left open: files made, users added, and what there is to say."""

    wish: Wish
    made: Sequence[Path]
    users: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def hosts_here() -> tuple[str, ...]:
    """Return by which names this machine may be reached: its own, and that by which others find it without a server."""
    name = socket.gethostname().lower().partition(".")[0]
    return (f"{name}.local", name)


def lay_out(wish: Wish, now: datetime) -> LaidOut:
    """Make what is not there of a club's files, and change none that is there but by adding users to the passwords.

    Raises:
        BadCount, BadPort, BadFolder: it cannot be so.
        BadCertificate, BadPasswords, BrokerUnusable, Mismatch: a file that is there cannot be used.
        OSError: a file cannot be made or read.
    """
    if not 1 <= wish.tables <= MOST_TABLES:
        raise BadCount(f"{wish.tables} tables: expected 1 to {MOST_TABLES}")
    if not 1 <= wish.first <= LAST_BOARD - wish.tables + 1:
        raise BadCount(f"tables from {wish.first} on: expected 1 to {LAST_BOARD - wish.tables + 1}")
    wish = _as_before(wish)
    if not 1 <= wish.port <= LAST_PORT:
        raise BadPort(f"port {wish.port}: expected 1 to {LAST_PORT}")
    files = Files()
    done = LaidOut(wish, files.made)
    _settings(wish, files, done)
    authority = _certificates(wish, files, done, now)
    _users(wish, files, done, authority)
    done.words += expiring(certificates_of(wish.broker_folder() / names.AUTHORITY), now)
    return done


def _as_before(wish: Wish) -> Wish:
    """Return the wish with what it leaves open as the club has it already, or as is usual."""
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


def _hosts_before(wish: Wish) -> tuple[str, ...]:
    """Return what the broker's certificate holds for, nothing where there is none yet."""
    path = wish.broker_folder() / names.CERTIFICATE
    return hosts_of(path.read_text(encoding="utf-8")) if path.exists() else ()


def _settings(wish: Wish, files: Files, done: LaidOut) -> None:
    """Make the settings of the broker, who may say and hear what, and the settings of the server."""
    folder = wish.broker_folder()
    for name, text, private in (
        (names.SETTINGS, mosquitto_settings(folder, wish.port), False),
        (names.ACCESS, access_list(), True),
    ):
        if files.keep_or_make(folder / name, partial(str, text), private=private) != text:
            done.words.append(f"{folder / name} is not as this program writes it, and is kept.")
    of_the_server = partial(club_settings, wish.port, wish.hosts, wish.state_dir, folder / names.AUTHORITY)
    files.keep_or_make(wish.folder / names.CONFIG, of_the_server, private=False)


def _certificates(wish: Wish, files: Files, done: LaidOut, now: datetime) -> str:
    """Make authority and broker's certificate where they are not there; return the authority's certificate."""
    folder, broker = wish.folder, wish.broker_folder()
    _expect_key_beside(folder / names.AUTHORITY, folder / names.AUTHORITY_KEY)
    authority_key = files.keep_or_make(folder / names.AUTHORITY_KEY, make_key, private=True)
    authority = files.keep_or_make(folder / names.AUTHORITY, partial(make_authority, authority_key, now), private=False)
    if files.keep_or_make(broker / names.AUTHORITY, lambda: authority, private=False) != authority:
        raise Mismatch(f"{broker / names.AUTHORITY} is another than {folder / names.AUTHORITY}: take the older away")
    _expect_key_beside(broker / names.CERTIFICATE, broker / names.KEY)
    key = files.keep_or_make(broker / names.KEY, make_key, private=True)
    hosts = tuple(dict.fromkeys((*wish.hosts, *ALWAYS)))
    make = partial(make_certificate, authority, authority_key, key, hosts, now)
    certificate = files.keep_or_make(broker / names.CERTIFICATE, make, private=False)
    path = broker / names.CERTIFICATE
    if not belongs(certificate, key):
        raise Mismatch(f"{path} and {broker / names.KEY} do not belong together: take {path} away")
    if not is_signed_by(certificate, authority):
        done.words.append(f"{path} is kept; it is not signed by {folder / names.AUTHORITY}.")
    lacking = [host for host in wish.hosts if host not in hosts_of(certificate)]
    if lacking:
        done.words.append(
            f"{path} is kept; it does not hold for {', '.join(lacking)}. For one that does, take it away, run this "
            "again, and restart the broker."
        )
    return authority


def _expect_key_beside(certificate: Path, key: Path) -> None:
    if certificate.exists() and not key.exists():
        raise Mismatch(f"{certificate} is there without {key}: bring the key back, or take the certificate away")


def _users(wish: Wish, files: Files, done: LaidOut, authority: str) -> None:
    """Let the broker know every user; a user it knows keeps his password."""
    path = wish.broker_folder() / names.PASSWORDS
    hashes = read_hashes(files.keep_or_make(path, str, private=True))
    known = dict(hashes)
    for user, password_file in _password_files(wish):
        if user in known and not password_file.exists():
            continue  # it was given to the table, and is no longer here
        files.keep_or_make(password_file, lambda: f"{new_password()}\n", private=True)
        password = read_password(password_file)
        if user not in hashes:
            hashes[user] = hashed(password)
            done.users.append(user)
        elif not fits(password, hashes[user]):
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
        files.keep_or_make(folder / names.BLOCK, make, private=False)
        if files.keep_or_make(folder / names.AUTHORITY, lambda: authority, private=False) != authority:
            done.words.append(f"{folder / names.AUTHORITY} is of another authority: take it away, and run this again.")


def _tables(wish: Wish) -> Iterator[tuple[int, str]]:
    return ((number, f"table-{number}") for number in range(wish.first, wish.first + wish.tables))


def _password_files(wish: Wish) -> Iterator[tuple[str, Path]]:
    """Yield every user and where his password is made."""
    yield SERVER_USER, wish.folder / names.CLUB_PASSWORD
    yield DISPLAY_USER, wish.folder / names.DISPLAY_PASSWORD
    for _, user in _tables(wish):
        yield user, wish.folder / names.TABLES / user / names.PASSWORD
