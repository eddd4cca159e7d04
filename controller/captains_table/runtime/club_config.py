"""The section [club] of a table's configuration: where its club's broker is, and as whom the table speaks there."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Struct

from captains_table.reporting.broker import PORT, TLS_PORT
from captains_table.reporting.messages import checked_user
from captains_table.reporting.table_view import LONGEST_NAME
from captains_table.storage.configuration import BadConfig, File, Port, Read, read_values, whole

EXAMPLES: Final = {"host": "club.example", "user": "table-3"}


def _word(written: str) -> str:
    if not written or written.split() != [written] or not written.isprintable():
        raise ValueError(f"{written!r}: expected a word in quotes, such as {EXAMPLES['host']!r}")
    return written


def _user(written: str) -> str:
    try:
        return checked_user(written)
    except ValueError as error:
        raise ValueError(f"{written!r}: {error}") from error


def _title(written: str) -> str:
    if not written.isprintable() or len(written) > LONGEST_NAME:
        raise ValueError(f"{written!r}: expected at most {LONGEST_NAME} characters in quotes")
    return written


class ClubConfig(Struct, frozen=True):
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

    host: Annotated[str, Read(str, _word, f"a word in quotes, such as {EXAMPLES['host']!r}")] = ""
    port: Port = 0
    user: Annotated[str, Read(str, _user, f"a word in quotes, such as {EXAMPLES['user']!r}")] = ""
    password_file: File | None = None
    ca: File | None = None
    board: Annotated[int, whole(0, 9999)] = 0
    title: Annotated[str, Read(str, _title, f"at most {LONGEST_NAME} characters in quotes")] = ""
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


def parse_club(section: Mapping[str, Any]) -> ClubConfig:
    """Return what a section of known keys says; raises BadConfig."""
    club = ClubConfig(**read_values("club", section, ClubConfig))
    for key, example in EXAMPLES.items():
        if section and not getattr(club, key):
            raise BadConfig(f'[club] {key} is missing: expected {key} = "{example}"')
    return club
