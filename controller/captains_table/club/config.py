"""The configuration of a club's server: TOML, every key known, every error a sentence."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct
from platformdirs import user_state_path

from captains_table.club.intake.tables import Expected
from captains_table.games.contract import did_you_mean
from captains_table.reporting.broker import PORT, TLS_PORT, Broker, read_authority, read_password
from captains_table.reporting.messages import BadUser, Name, checked_user
from captains_table.storage.toml_file import BadToml, read_toml
from captains_table.web.serving.limits import MOST_CONNECTIONS, Limits, checked_proxy

DEFAULT_PORT: Final = 8378
LONGEST_S: Final = 86_400
LONGEST_PATH: Final = 4096
TITLE: Final = "The club"
USUAL: Final = Limits()

Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(gt=0, le=LONGEST_S)]
Connections = Annotated[int, Meta(ge=1, le=MOST_CONNECTIONS)]
File = Annotated[str, Meta(min_length=1, max_length=LONGEST_PATH)]


S = TypeVar("S", bound=Struct)


class BadConfig(ValueError):
    """The configuration cannot be used; the message says which key and what was expected."""


@dataclass(frozen=True, slots=True)
class Config:
    """How a club's server is configured.

    Attributes:
        title: what the club is called.
        state_dir: where its evenings are kept.
        broker: host and port, and as whom.
        password_file: where that user's password is; `None`: it has none.
        ca: the certificate of the authority that signed the broker's; `None`: it is spoken to in the clear.
        host: the address the pages listen on; the arbiter's ask for the token everywhere.
        port: the pages' port; 0 takes any that is free.
        hosts: further names the pages may be reached by (the Host header is checked).
        proxies: addresses and networks of proxies that are believed for whom they ask.
        limits: how much of the pages guests may take.
        tables: what is known of tables beforehand, by user.
    """

    title: str = TITLE
    state_dir: Path = field(default_factory=lambda: user_state_path("captains-table-club"))
    broker: Broker = field(default_factory=lambda: Broker("127.0.0.1"))
    password_file: Path | None = None
    ca: Path | None = None
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    tables: Mapping[str, Expected] = field(default_factory=dict)

    def way(self) -> Broker:
        """Return the broker with the password and the authority of their files; raises BrokerUnusable."""
        return replace(
            self.broker,
            password="" if self.password_file is None else read_password(self.password_file),
            tls=None if self.ca is None else read_authority(self.ca),
        )


class _Club(Struct, forbid_unknown_fields=True):
    title: Annotated[Name, Meta(min_length=1)] = TITLE
    state_dir: File | None = None


class _Broker(Struct, forbid_unknown_fields=True):
    host: Annotated[str, Meta(min_length=1, max_length=253)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    user: Annotated[str, Meta(max_length=64)] = ""
    password_file: File | None = None
    ca: File | None = None


class _Web(Struct, forbid_unknown_fields=True):
    host: Annotated[str, Meta(max_length=253)] = "127.0.0.1"
    port: Port = DEFAULT_PORT
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    connections: Connections = USUAL.connections
    share: Connections = USUAL.share
    streams: Connections = USUAL.streams
    request_s: Seconds = USUAL.request_s
    idle_s: Seconds = USUAL.idle_s


class _Table(Struct, forbid_unknown_fields=True):
    board: Annotated[int, Meta(ge=0, le=9999)] = 0
    title: Name = ""


@dataclass(frozen=True, slots=True)
class _File:
    """The sections of the file that every club has."""

    club: _Club
    broker: _Broker
    web: _Web


SECTIONS: Final[Mapping[str, type[Struct]]] = {"club": _Club, "broker": _Broker, "web": _Web}
TABLES: Final = "tables"
PLACE: Final = re.compile(r"(?P<words>.*?)(?: - at `\$\.?(?P<key>[^`]*)`)?", re.DOTALL)


def read_config(path: Path) -> Config:
    """Return the configuration of a file; paths in it are seen from its folder. Raises BadConfig."""
    try:
        return parse_config(read_toml(path), path.parent)
    except (BadToml, BadConfig) as error:
        raise BadConfig(f"{path}: {error}") from error


def parse_config(sections: Mapping[str, Any], folder: Path = Path()) -> Config:
    """Return the configuration of parsed TOML, whose paths are seen from a folder; raises BadConfig."""
    _check_names(sections)
    file = _File(
        _section("club", sections.get("club", {}), _Club),
        _section("broker", sections.get("broker", {}), _Broker),
        _section("web", sections.get("web", {}), _Web),
    )
    tables = {user: _table(user, table) for user, table in sections.get(TABLES, {}).items()}
    _check_boards(tables)
    broker = file.broker
    usual_port = PORT if broker.ca is None else TLS_PORT
    config = Config(
        title=file.club.title,
        broker=Broker(broker.host, broker.port or usual_port, broker.user),
        password_file=_path(broker.password_file, folder),
        ca=_path(broker.ca, folder),
        host=file.web.host,
        port=file.web.port,
        hosts=file.web.hosts,
        proxies=_proxies(file.web.proxies),
        limits=Limits(**{limit.name: getattr(file.web, limit.name) for limit in fields(Limits)}),
        tables=tables,
    )
    state_dir = _path(file.club.state_dir, folder)
    return config if state_dir is None else replace(config, state_dir=state_dir)


def _section(place: str, section: object, kind: type[S]) -> S:
    """Return a section as what it is; raises BadConfig."""
    try:
        return msgspec.convert(section, kind)
    except msgspec.ValidationError as error:
        found = PLACE.fullmatch(str(error))
        assert found is not None  # noqa: S101 - it takes anything
        words, key = found["words"], f" {found['key']}" if found["key"] else ""
        raise BadConfig(f"[{place}]{key}: {words[:1].lower()}{words[1:]}") from error


def _table(user: str, table: object) -> Expected:
    """Return what is known of a table beforehand; raises BadConfig."""
    try:
        checked_user(user)
    except BadUser as error:
        raise BadConfig(f"[{TABLES}.{user}]: {error}") from error
    found = _section(f"{TABLES}.{user}", table, _Table)
    return Expected(found.board, found.title)


def _proxies(written: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(map(checked_proxy, written))
    except ValueError as error:
        raise BadConfig(f"[web] proxies: {error}") from None


def _path(written: str | None, folder: Path) -> Path | None:
    return None if written is None else folder / Path(written).expanduser()


def _check_names(sections: Mapping[str, Any]) -> None:
    """Raise BadConfig where a section or a key is none of ours."""
    known = (*SECTIONS, TABLES)
    for name, section in sections.items():
        if name not in known:
            expected = ", ".join(f"[{each}]" for each in known)
            raise BadConfig(f"unknown section [{name}]: expected {expected}{did_you_mean(name, known)}")
        if not isinstance(section, dict):
            raise BadConfig(f"{name} = {section!r}: expected a section [{name}]")
        if name != TABLES:
            _check_keys(name, section, SECTIONS[name].__struct_fields__)
        else:
            for user, table in section.items():
                _check_keys(f"tables.{user}", table if isinstance(table, dict) else {}, _Table.__struct_fields__)


def _check_keys(section: str, keys: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in keys:
        if key not in known:
            expected = f"{', '.join(known)}{did_you_mean(key, known)}"
            raise BadConfig(f"unknown key {key!r} in [{section}]: expected one of {expected}")


def _check_boards(tables: Mapping[str, Expected]) -> None:
    """Raise BadConfig where two tables have one number."""
    numbers: dict[int, str] = {}
    for user, table in tables.items():
        if table.board and numbers.setdefault(table.board, user) != user:
            raise BadConfig(f"[tables.{user}] board = {table.board}: {numbers[table.board]} has that number already")
