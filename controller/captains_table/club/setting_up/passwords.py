"""Passwords of the broker's users, and Mosquitto's file of their hashes: lines as `mosquitto_passwd` writes them."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Final

BYTES: Final = 24
SALT_BYTES: Final = 12
ITERATIONS: Final = 101
"""As `mosquitto_passwd` has it. Passwords of 24 random bytes cannot be guessed, however fast one guesses; and a broker
that all tables sign in at after a power cut is not kept busy by it."""
SCHEME: Final = "7"  # PBKDF2 with SHA-512


class BadPasswords(ValueError):
    """A file of hashed passwords is not as Mosquitto reads it; the message says which line."""


def new_password() -> str:
    """Return a password that nobody guesses."""
    return secrets.token_urlsafe(BYTES)


def hashed(password: str, salt: bytes | None = None) -> str:
    """Return what Mosquitto keeps of a password."""
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"${SCHEME}${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def fits(password: str, kept: str) -> bool:
    """Return whether a password is the one that this was kept of; what another scheme kept is not judged, and fits."""
    match kept.split("$"):
        case ["", scheme, iterations, salt, key] if scheme == SCHEME:
            found = hashlib.pbkdf2_hmac("sha512", password.encode(), base64.b64decode(salt), int(iterations))
            return hmac.compare_digest(found, base64.b64decode(key))
    return True


def read_hashes(text: str) -> dict[str, str]:
    """Return what a file keeps of each user's password; raises BadPasswords."""
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        user, colon, kept = line.partition(":")
        if line and not (user and colon and kept):
            raise BadPasswords(f"line {number} is not as Mosquitto has it: expected a user, a colon and a hash")
        if line:
            found[user] = kept
    return found


def format_hashes(hashes: Mapping[str, str]) -> str:
    """Return the file that keeps these."""
    return "".join(f"{user}:{kept}\n" for user, kept in hashes.items())
