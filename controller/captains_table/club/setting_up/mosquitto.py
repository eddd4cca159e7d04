"""Composes Mosquitto's settings, access list and password file for a club.

It also makes, hashes and checks passwords, and parses a password file.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from captains_table.reporting.messages import (
    ANY_USER,
    DISPLAY_USER,
    LARGEST,
    ROOT,
    SERVER_USER,
    FromClub,
    FromTable,
    Topic,
    discovery_topic,
)

PACKET: Final = LARGEST + 4096  # a payload with its topic
SETTINGS: Final = """\
# The club's listener: written by `captains-table club init`, read by Mosquitto.
listener {port}
cafile {folder}/ca.crt
certfile {folder}/server.crt
keyfile {folder}/server.key
tls_version tlsv1.2

# Nobody without a password, and everybody only what the list allows him.
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl

# One line for each user: a new one pushes out his own and nobody else's, whatever it calls itself.
use_username_as_clientid true

# No table can fill the broker's memory: not by one message, nor by many that nobody fetches.
# A server that is busy for a moment with many tables misses nothing.
max_packet_size {packet}
max_queued_messages 20000
max_queued_bytes 67108864
persistent_client_expiration 14d

# A change on a table is seen at once.
set_tcp_nodelay true
"""
HIMSELF: Final = "%u"
"""Mosquitto's placeholder for the client's user name in a pattern."""
HEAD: Final = """\
# Who may say and hear what: written by `captains-table club init`, read by Mosquitto.

# Every table: it alone says how it is and what is seen at it, and hears the orders to it, nobody else's.
{patterns}

# The patterns hold for whoever has a password: the users that are no tables have no table's topics.

# The club's server hears all reports, and gives all orders.
{server}

# Who looks on, as Home Assistant does: hears all reports, says nothing.
{display}
"""
BYTES: Final = 24
SALT_BYTES: Final = 12
ITERATIONS: Final = 101
"""As many as in `mosquitto_passwd`. So few suffice, as passwords of 24 random bytes cannot be guessed anyway; more
would cost the broker time when all tables sign in at once after a power cut."""
SCHEME: Final = "7"  # PBKDF2 with SHA-512


class BadFolder(ValueError):
    """The path of a folder cannot be used in Mosquitto's settings: it is not absolute, or has unsuitable characters."""


def mosquitto_settings(folder: Path, port: int) -> str:
    """Return the settings of a broker that reads its files from a folder; raises BadFolder."""
    path = str(folder)
    if not folder.is_absolute() or path != path.strip() or any(ord(letter) < ord(" ") for letter in path):
        raise BadFolder(f"{path!r}: expected an absolute path of one line, without a blank at its end")
    return SETTINGS.format(folder=path, port=port, packet=PACKET)


def access_list() -> str:
    """Return the access list: which topics each user may publish, and which each may subscribe to."""
    reports = tuple(str(Topic(ANY_USER, kind)) for kind in FromTable)
    return HEAD.format(
        patterns="\n".join(_patterns()),
        server="\n".join(_of_a_user(SERVER_USER, reports, (str(Topic(ANY_USER, kind)) for kind in FromClub))),
        display="\n".join(_of_a_user(DISPLAY_USER, (*reports, discovery_topic(ANY_USER)))),
    )


def _patterns() -> Iterator[str]:
    yield from (f"pattern write {Topic(HIMSELF, kind)}" for kind in FromTable)
    yield f"pattern write {discovery_topic(HIMSELF)}"
    yield from (f"pattern read {Topic(HIMSELF, kind)}" for kind in FromClub)


def _of_a_user(user: str, heard: Iterable[str], said: Iterable[str] = ()) -> Iterator[str]:
    """Yield the access list's lines for a user that is not a table, such as the club's server.

    The patterns of the access list apply to every user. They would let this user act as a table with the same name.
    Therefore the lines first deny the topics of that table, and then allow the topics in `heard` and `said`.

    Args:
        user: the user name.
        heard: the topics that the user may subscribe to.
        said: the topics that the user may publish.
    """
    yield f"user {user}"
    yield f"topic deny {ROOT}/{user}/#"
    yield f"topic deny {discovery_topic(user)}"
    yield from (f"topic read {topic}" for topic in heard)
    yield from (f"topic write {topic}" for topic in said)


class BadPasswords(ValueError):
    """A file of hashed passwords is not in Mosquitto's format; the message names the wrong line."""


def new_password() -> str:
    """Return a new random password that cannot be guessed."""
    return secrets.token_urlsafe(BYTES)


def hashed(password: str, salt: bytes | None = None) -> str:
    """Return the hash of a password in Mosquitto's format; without `salt`, the salt is random."""
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"${SCHEME}${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def password_matches(password: str, stored: str) -> bool:
    """Return whether a password fits a stored hash; also True if the scheme of the hash cannot be checked."""
    match stored.split("$"):
        case ["", scheme, iterations, salt, key] if scheme == SCHEME:
            found = hashlib.pbkdf2_hmac("sha512", password.encode(), base64.b64decode(salt), int(iterations))
            return hmac.compare_digest(found, base64.b64decode(key))
    return True


def read_hashes(text: str) -> dict[str, str]:
    """Return the hash of each user in the text of a password file; raises BadPasswords."""
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        user, colon, stored = line.partition(":")
        if line and not (user and colon and stored):
            raise BadPasswords(f"line {number} is not as Mosquitto has it: expected a user, a colon and a hash")
        if line:
            found[user] = stored
    return found


def format_hashes(hashes: Mapping[str, str]) -> str:
    """Return the text of a password file with these hashes of users."""
    return "".join(f"{user}:{stored}\n" for user, stored in hashes.items())
