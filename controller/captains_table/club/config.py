"""Reads and checks the TOML file that configures a club's server; error messages are written for the user."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field, structs
from platformdirs import user_state_path

from captains_table.club.access import Public
from captains_table.club.intake.tables import ExpectedTable
from captains_table.reporting.broker import PORT, TLS_PORT, Broker, read_authority, read_password
from captains_table.reporting.messages import BadUser, Name, checked_user
from captains_table.storage import configuration
from captains_table.web.serving.limits import PageLimits

DEFAULT_PORT: Final = 8378
DEFAULT_HTTPS_PORT: Final = 8379
TITLE: Final = "The club"
TABLES: Final = "tables"

Title = Annotated[Name, Meta(description="at most 64 characters in quotes, none of them unseen")]
Host = Annotated[str, Meta(max_length=253, description="at most 253 characters in quotes")]
_File = Annotated[
    Path,
    configuration.FieldReader(
        Annotated[str, Meta(min_length=1, max_length=4096)], configuration.path_of, "a file's path in quotes"
    ),
]


class ClubServerConfig(Struct, frozen=True):
    """The configuration of a club's server.

    Attributes:
        title: the club's name.
        language: the code of the language of the wall, and of pages whose browser asks for none that is known.
        state_dir: the folder of the club's database.
        broker: the broker's host and port, and the user to sign in as.
        password_file: the file with that user's password; `None` if there is no password.
        ca: the file with the certificate of the authority that signed the broker's certificate; `None` if the
            connection is not encrypted.
        host: the address on which the pages are served; whatever it is, the arbiter's pages require a log-in or the
            club's token.
        port: the pages' port; 0 for any free port.
        public: what the pages show without a log-in or the token.
        certificate: the file with the certificate of the encrypted pages (https); `None` if there are none.
        certificate_key: the file with the certificate's private key.
        https_port: the port of the encrypted pages; 0 for any free port.
        hosts: further host names that browsers may use for the pages; requests for unknown host names are refused.
        proxies: addresses and networks of proxies whose forwarded client addresses are trusted.
        limits: the connection and rate limits for guests.
        tables: the number and name of each table that is known beforehand, by the table's user name.
    """

    title: Annotated[Name, Meta(min_length=1, description="1 to 64 characters in quotes, none of them unseen")] = TITLE
    language: configuration.LanguageCode = "en"
    state_dir: _File = field(default_factory=lambda: user_state_path("captains-table-club"))
    broker: Broker = field(default_factory=lambda: Broker("127.0.0.1"))
    password_file: _File | None = None
    ca: _File | None = None
    host: Host = "127.0.0.1"
    port: configuration.Port = DEFAULT_PORT
    public: Annotated[Public, Meta(description='"nothing", "wall", "events" or "all"')] = Public.ALL
    certificate: _File | None = None
    certificate_key: _File | None = None
    https_port: configuration.Port = DEFAULT_HTTPS_PORT
    hosts: configuration.WordList = ()
    proxies: configuration.Proxies = ()
    limits: PageLimits = field(default_factory=PageLimits)
    tables: Mapping[str, ExpectedTable] = field(default_factory=dict)

    def way(self) -> Broker:
        """Return `broker` with its password and TLS settings, which are read from `password_file` and `ca`.

        Without `password_file` there is no password, and without `ca` no encryption. Raises BrokerUnusable if a file
        cannot be used.
        """
        return replace(
            self.broker,
            password="" if self.password_file is None else read_password(self.password_file),
            tls=None if self.ca is None else read_authority(self.ca),
        )


class _Broker(Struct):
    host: Annotated[str, Meta(min_length=1, max_length=253, description="1 to 253 characters in quotes")] = "127.0.0.1"
    port: Annotated[int, configuration.whole(1, 65535)] | None = None
    user: Annotated[str, Meta(max_length=64, description="at most 64 characters in quotes")] = ""
    password_file: _File | None = None
    ca: _File | None = None


class _Table(Struct):
    board: Annotated[int, configuration.whole(0, 9999)] = 0
    title: Title = ""


SECTIONS: Final = {
    "club": ("title", "language", "state_dir"),
    "broker": _Broker.__struct_fields__,
    "web": (
        *("host", "port", "public", "certificate", "certificate_key", "https_port", "hosts", "proxies"),
        *configuration.LIMITS,
    ),
}


def read_club_config(path: Path) -> ClubServerConfig:
    """Return the configuration in a file; relative paths in it start at the file's folder. Raises BadConfig."""
    return configuration.read_config_file(path, partial(parse_club_config, folder=path.parent))


def parse_club_config(sections: Mapping[str, Any], folder: Path = Path()) -> ClubServerConfig:
    """Return the configuration in parsed TOML; relative paths start at `folder`. Raises BadConfig."""
    configuration.check_sections(sections, {**SECTIONS, TABLES: sections.get(TABLES, ())})
    broker = _Broker(**configuration.read_values("broker", sections.get("broker", {}), _Broker))
    values = configuration.read_values("club", sections.get("club", {}), ClubServerConfig)
    values |= configuration.read_values("web", sections.get("web", {}), ClubServerConfig, PageLimits)
    tables = {user: _table(f"{TABLES}.{user}", user, table) for user, table in sections.get(TABLES, {}).items()}
    _check_boards(tables)
    usual_port = PORT if broker.ca is None else TLS_PORT
    config = ClubServerConfig(
        limits=configuration.taken_limits(values),
        broker=Broker(broker.host, broker.port or usual_port, broker.user),
        password_file=broker.password_file,
        ca=broker.ca,
        tables=tables,
        **values,
    )
    if (config.certificate is None) != (config.certificate_key is None):
        raise configuration.BadConfig("[web] certificate and certificate_key: expected both, or neither")
    files = {
        key: getattr(config, key) for key in ("state_dir", "password_file", "ca", "certificate", "certificate_key")
    }
    return structs.replace(config, **{key: folder / file for key, file in files.items() if file is not None})


def _table(place: str, user: str, table: object) -> ExpectedTable:
    """Return the configured number and name of a table; raises BadConfig."""
    if not isinstance(table, dict):
        raise configuration.BadConfig(f"{place} = {table!r}: expected a section [{place}]")
    configuration.check_keys(place, table, _Table.__struct_fields__)
    try:
        checked_user(user)
    except BadUser as error:
        raise configuration.BadConfig(f"[{place}]: {error}") from error
    return ExpectedTable(**configuration.read_values(place, table, _Table))


def _check_boards(tables: Mapping[str, ExpectedTable]) -> None:
    """Raise BadConfig if two tables have the same number; 0 means that a table has no number."""
    numbers: dict[int, str] = {}
    for user, table in tables.items():
        if table.board and numbers.setdefault(table.board, user) != user:
            raise configuration.BadConfig(
                f"[tables.{user}] board = {table.board}: {numbers[table.board]} has that number already"
            )
