"""The arbiters who log in by name and password, their sessions, and whether the club's token was revoked.

The club's database has the passwords as scrypt hashes and the sessions' keys as SHA-256 hashes, so that nobody can log
in with a copy of the file.
"""

import hashlib
import hmac
import secrets
import sqlite3
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import is_showable
from captains_table.storage.schema import transaction

BY_TOKEN: Final = "the token"  # noqa: S105 - who acted, in the log
LONGEST_NAME: Final = 40
PASSWORD_LENGTHS: Final = range(10, 257)
SESSION_S: Final = 12 * 3600.0
_SALT_BYTES: Final = 16
_ACTING: ContextVar[str] = ContextVar("acting", default="")


@contextmanager
def acting_in_name_of(arbiter: str) -> Iterator[None]:
    """Let what is logged in the `with` block, and in tasks that begin there, name this arbiter."""
    before = _ACTING.set(arbiter)
    try:
        yield
    finally:
        _ACTING.reset(before)


def acting_arbiter() -> str:
    """Return who acts: the arbiter's name, or BY_TOKEN; empty for the server itself."""
    return _ACTING.get()


class BadArbiter(ValueError):
    """There is no such arbiter, or the name or the password cannot be taken; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class PasswordHash:
    """A password's scrypt hash, with its salt and the parameters of RFC 7914.

    The parameters of new hashes are those that OWASP recommends for 16 MiB of memory.
    """

    salt: bytes
    digest: bytes
    n: int = 1 << 14
    r: int = 8
    p: int = 5

    @classmethod
    def of(cls, password: str) -> "PasswordHash":
        """Return the hash of a new password, with a salt of its own."""
        empty = cls(secrets.token_bytes(_SALT_BYTES), b"")
        return cls(empty.salt, empty._computed(password))

    @classmethod
    def of_nobody(cls) -> "PasswordHash":
        """Return a hash that no password has, so that an unknown name takes as long as a known one."""
        return cls(bytes(_SALT_BYTES), b"")

    @classmethod
    def read(cls, text: str) -> "PasswordHash":
        """Return the hash that `written` made this text of."""
        n, r, p, salt, digest = text.split("$")
        return cls(bytes.fromhex(salt), bytes.fromhex(digest), int(n), int(r), int(p))

    def written(self) -> str:
        """Return the hash as text: parameters, salt and digest."""
        return f"{self.n}${self.r}${self.p}${self.salt.hex()}${self.digest.hex()}"

    def matches(self, password: str) -> bool:
        """Return whether this is the hash of a password; this takes long, so it must not be called on an event loop."""
        return hmac.compare_digest(self._computed(password), self.digest)

    def _computed(self, password: str) -> bytes:
        normal = unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
        return hashlib.scrypt(normal, salt=self.salt, n=self.n, r=self.r, p=self.p)


def checked_password(password: str) -> str:
    """Return a new password; raises BadArbiter if it is too short or too long."""
    if len(password) not in PASSWORD_LENGTHS:
        raise BadArbiter(f"a password: expected {PASSWORD_LENGTHS[0]} to {PASSWORD_LENGTHS[-1]} characters")
    return password


class Arbiters:
    """The arbiters in the club's database; a running server sees at once what another process changes there.

    Args:
        database: the club's database.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._was_revoked = False

    def names(self) -> Sequence[str]:
        """Return the names of all arbiters, sorted."""
        return [name for (name,) in self._database.execute("SELECT name FROM arbiters ORDER BY name")]

    def add(self, name: str, password: str) -> None:
        """Add an arbiter; raises BadArbiter if the name is known, or name or password cannot be taken."""
        name = " ".join(name.split())
        if not 1 <= len(name) <= LONGEST_NAME or not is_showable(name) or name.lower() == BY_TOKEN:
            raise BadArbiter(f"{name!r}: expected an arbiter's name of 1 to {LONGEST_NAME} characters")
        row = name, PasswordHash.of(checked_password(password)).written()
        try:
            self._database.execute("INSERT INTO arbiters (name, password) VALUES (?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise BadArbiter(f"there is an arbiter {name} already") from error

    def remove(self, name: str) -> None:
        """Remove an arbiter, whose sessions end; raises BadArbiter if there is no such arbiter."""
        self._change("DELETE FROM arbiters WHERE name = ?", name)

    def change_password(self, name: str, password: str) -> None:
        """Change an arbiter's password, which ends the arbiter's sessions; raises BadArbiter."""
        written = PasswordHash.of(checked_password(password)).written()
        self._change("UPDATE arbiters SET password = ? WHERE name = ?", written, name)

    def _change(self, statement: str, *values: str) -> None:
        if not self._database.execute(statement, values).rowcount:
            raise BadArbiter(f"there is no arbiter {values[-1]}: expected one of {', '.join(self.names()) or 'none'}")

    # sessions

    def password_of(self, name: str) -> PasswordHash | None:
        """Return the hash of an arbiter's password; `None` if there is no such arbiter."""
        if not is_showable(name):  # SQLite takes no half of a character, which JSON may have
            return None
        for (written,) in self._database.execute("SELECT password FROM arbiters WHERE name = ?", (name,)):
            return PasswordHash.read(written)
        return None

    def begin_session(self, name: str, password: PasswordHash, now_s: float) -> str | None:
        """Begin a session of SESSION_S and return its key; `None` if the arbiter no longer has this password.

        Sessions whose time is over are deleted.
        """
        key = secrets.token_urlsafe(32)
        with transaction(self._database):
            self._database.execute("DELETE FROM sessions WHERE ends_s <= ?", (now_s,))
            begun = self._database.execute(
                "INSERT INTO sessions SELECT ?, number, ? FROM arbiters WHERE name = ? AND password = ?",
                (_digest(key), now_s + SESSION_S, name, password.written()),
            )
        return key if begun.rowcount else None

    def end_session(self, key: str) -> None:
        """End a session; do nothing if it has ended already."""
        self._database.execute("DELETE FROM sessions WHERE key = ?", (_digest(key),))

    def arbiter_of(self, key: str, now_s: float) -> str:
        """Return the name of a session's arbiter; empty if the session is over, or the database cannot be read."""
        query = "SELECT name FROM sessions JOIN arbiters ON number = arbiter WHERE key = ? AND ends_s > ?"
        try:
            found = self._database.execute(query, (_digest(key), now_s)).fetchone()
        except sqlite3.Error:
            return ""
        return "" if found is None else str(found[0])

    # the token

    def revoke_token(self) -> None:
        """Let the club's token open nothing any more, for ever; raises BadArbiter if there is no arbiter."""
        if not self.names():
            raise BadArbiter("nobody could log in then: add an arbiter first")
        self._database.execute("INSERT OR IGNORE INTO revoked_token (number) VALUES (1)")

    def is_token_revoked(self) -> bool:
        """Return whether the club's token was revoked; while the database cannot be read, the last answer holds."""
        try:
            self._was_revoked = self._database.execute("SELECT 1 FROM revoked_token").fetchone() is not None
        except sqlite3.Error:
            return self._was_revoked
        return self._was_revoked


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
