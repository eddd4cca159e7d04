"""The section [club] of a table's configuration: where its club's broker is, and as whom the table speaks there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from captains_table.reporting.broker import PORT, TLS_PORT
from captains_table.reporting.messages import BadUser, checked_user
from captains_table.reporting.table_view import LONGEST_NAME

LAST_PORT: Final = 65535
LAST_BOARD: Final = 9999


class BadClub(ValueError):
    """The section cannot be used; the message says which key and what was expected."""


@dataclass(frozen=True, slots=True)
class ClubConfig:
    """What a table knows of its club.

    Attributes:
        host: the broker's name or address; empty: the table belongs to no club.
        port: its port; 0: MQTT's own, with or without TLS.
        user: as whom the table speaks there; its topics are called so.
        password_file: holds the user's password, and may be read by the table's user alone; `None`: there is none.
        ca: the certificate (PEM) of who signed the broker's; `None`: the broker is spoken to in the clear.
        board: the table's number in the club; 0: it has none.
        title: what the table is called there; empty: its user's name.
        names: whether players' names are told; else their initials.
    """

    host: str = ""
    port: int = 0
    user: str = ""
    password_file: Path | None = None
    ca: Path | None = None
    board: int = 0
    title: str = ""
    names: bool = False

    @property
    def is_set(self) -> bool:
        """Whether the table belongs to a club."""
        return bool(self.host)

    @property
    def broker_port(self) -> int:
        """The port that is spoken to."""
        return self.port or (PORT if self.ca is None else TLS_PORT)

    @property
    def called(self) -> str:
        """What the table is called."""
        return self.title or self.user


CLUB_KEYS: Final = tuple(field.name for field in fields(ClubConfig))


def parse_club(section: Mapping[str, Any]) -> ClubConfig:
    """Return what a section of known keys says; raises BadClub."""
    club = ClubConfig(**{key: _READERS[key](key, value) for key, value in section.items()})
    for key in ("host", "user"):
        if section and not getattr(club, key):
            raise BadClub(f'{key} is missing: expected {key} = "{_EXAMPLES[key]}"')
    return club


_EXAMPLES: Final = {"host": "club.example", "user": "table-3"}


def _word(key: str, value: object) -> str:
    if not isinstance(value, str) or not value or value.split() != [value] or not value.isprintable():
        raise BadClub(f"{key} = {value!r}: expected a word in quotes, such as {_EXAMPLES[key]!r}")
    return value


def _user(key: str, value: object) -> str:
    try:
        return checked_user(_word(key, value))
    except BadUser as error:
        raise BadClub(f"{key} = {value!r}: {error}") from error


def _title(key: str, value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_NAME:
        raise BadClub(f"{key} = {value!r}: expected at most {LONGEST_NAME} characters in quotes")
    return value


def _file(key: str, value: object) -> Path:
    if not isinstance(value, str) or not value:
        raise BadClub(f"{key} = {value!r}: expected a file's path in quotes")
    return Path(value).expanduser()


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise BadClub(f"{key} = {value!r}: expected true or false")
    return value


def _up_to(most: int) -> Callable[[str, object], int]:
    def read(key: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise BadClub(f"{key} = {value!r}: expected a whole number from 0 to {most}")
        return value

    return read


_READERS: Final[Mapping[str, Callable[[str, object], Any]]] = {
    "host": _word,
    "port": _up_to(LAST_PORT),
    "user": _user,
    "password_file": _file,
    "ca": _file,
    "board": _up_to(LAST_BOARD),
    "title": _title,
    "names": _flag,
}
