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
from typing import Final

from captains_table.games.contract import is_showable
from captains_table.storage.schema import transaction

BY_TOKEN: Final = "the token"  # noqa: S105 - who acted, in the log
LONGEST_NAME: Final = 40
PASSWORD_LENGTHS: Final = range(10, 257)
SESSION_S: Final = 12 * 3600.0
SCRYPT_N, SCRYPT_R, SCRYPT_P = 1 << 14, 8, 5
"""The cost of a new hash: what OWASP recommends for 16 MiB of memory."""
_SALT_BYTES: Final = 16
NOBODYS_HASH: Final = f"{SCRYPT_N}${SCRYPT_R}${SCRYPT_P}${bytes(_SALT_BYTES).hex()}$"
"""A hash that no password has, so that an unknown name takes as long as a known one."""
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


def hashed_password(
    password: str, salt: bytes | None = None, n: int = SCRYPT_N, r: int = SCRYPT_R, p: int = SCRYPT_P
) -> str:
    """Return a password's scrypt hash (RFC 7914) as text: the parameters, the salt (by default a new one), the digest.

    This takes long, so it must not be called on an event loop.
    """
    salt = secrets.token_bytes(_SALT_BYTES) if salt is None else salt
    normal = unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
    return f"{n}${r}${p}${salt.hex()}${hashlib.scrypt(normal, salt=salt, n=n, r=r, p=p).hex()}"


def is_password(password: str, known: str) -> bool:
    """Return whether a hash is that of a password; this takes long, so it must not be called on an event loop."""
    n, r, p, salt, _ = known.split("$")
    again = hashed_password(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(again, known)


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
        row = name, hashed_password(checked_password(password))
        try:
            self._database.execute("INSERT INTO arbiters (name, password) VALUES (?, ?)", row)
        except sqlite3.IntegrityError as error:
            raise BadArbiter(f"there is an arbiter {name} already") from error

    def remove(self, name: str) -> None:
        """Remove an arbiter, whose sessions end; raises BadArbiter if there is no such arbiter."""
        self._change("DELETE FROM arbiters WHERE name = ?", name)

    def change_password(self, name: str, password: str) -> None:
        """Change an arbiter's password, which ends the arbiter's sessions; raises BadArbiter."""
        written = hashed_password(checked_password(password))
        self._change("UPDATE arbiters SET password = ? WHERE name = ?", written, name)

    def _change(self, statement: str, *values: str) -> None:
        if not self._database.execute(statement, values).rowcount:
            raise BadArbiter(f"there is no arbiter {values[-1]}: expected one of {', '.join(self.names()) or 'none'}")

    # sessions

    def password_of(self, name: str) -> str | None:
        """Return the hash of an arbiter's password; `None` if there is no such arbiter."""
        if not is_showable(name):  # SQLite takes no half of a character, which JSON may have
            return None
        found = self._database.execute("SELECT password FROM arbiters WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def begin_session(self, name: str, password: str, now_s: float) -> str | None:
        """Begin a session of SESSION_S and return its key; `None` if the password's hash is another by now.

        Sessions whose time is over are deleted.
        """
        key = secrets.token_urlsafe(32)
        with transaction(self._database):
            self._database.execute("DELETE FROM sessions WHERE ends_s <= ?", (now_s,))
            begun = self._database.execute(
                "INSERT INTO sessions SELECT ?, number, ? FROM arbiters WHERE name = ? AND password = ?",
                (_digest(key), now_s + SESSION_S, name, password),
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
