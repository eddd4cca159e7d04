"""A table's configuration file: TOML, every key known, every error a sentence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct, field
from platformdirs import user_state_path

from captains_table.catalog import DEFAULT_GAME
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.reporting.broker import PORT, TLS_PORT
from captains_table.reporting.messages import checked_user
from captains_table.reporting.table_view import LONGEST_NAME
from captains_table.storage.configuration import (
    LIMITS,
    BadConfig,
    File,
    Port,
    Proxies,
    Read,
    Words,
    check_names,
    path_of,
    read_file,
    read_value,
    read_values,
    seconds,
    taken_limits,
    whole,
)
from captains_table.table.model.settings import BadSetting, Settings, setting_names
from captains_table.web.serving.limits import Limits

DEFAULT_PORT: Final = 8377
CLUB_EXAMPLES: Final = {"host": "club.example", "user": "table-3"}
PICO_USB: Final = "2e8a:0005"  # MicroPython on a Raspberry Pi Pico, says its vendor


def default_state_dir() -> Path:
    """Return where matches are kept unless another folder is named."""
    return user_state_path("captains-table")


def _engine(written: str) -> Path:
    if not written:
        raise ValueError("'': expected the path of a UCI engine, or no such line")
    return path_of(written)


def _game(written: str) -> str:
    try:
        return game_by_key(written).key
    except UnknownGame as error:
        raise ValueError(f"{written!r}: {error}") from error


def _texts(written: Mapping[str, object]) -> Mapping[str, str]:
    return {option: str(setting) for option, setting in written.items()}


Board = Annotated[Literal["simulated", "pico", "none"], Meta(description="one of simulated, pico, none")]
Ids = Annotated[str, Meta(pattern=r"\A[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}\Z")]
VoiceName = Annotated[
    str,
    Meta(pattern=r"\A[A-Za-z][\w+-]*\Z", description='one that "espeak-ng --voices" lists, such as "en-gb"'),
]
Hour = Annotated[float, Meta(ge=0, le=24, description="a number from 0 to 24")]
Options = Annotated[Mapping[str, str], Read(dict[str, Any], _texts, "a table, such as { rounds = 3 }")]
Think = Annotated[float, seconds(600)]


def _word(written: str) -> str:
    if not written or written.split() != [written] or not written.isprintable():
        raise ValueError(f"{written!r}: expected a word in quotes, such as {CLUB_EXAMPLES['host']!r}")
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

    host: Annotated[str, Read(str, _word, f"a word in quotes, such as {CLUB_EXAMPLES['host']!r}")] = ""
    port: Port = 0
    user: Annotated[str, Read(str, _user, f"a word in quotes, such as {CLUB_EXAMPLES['user']!r}")] = ""
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


class Config(Struct, frozen=True):
    """How the daemon is configured.

    Attributes:
        board: which board it drives; "simulated" is the one in the browser, "pico" a Raspberry Pi Pico on USB; "none":
            pieces stand on no board of the table's, as on a real floor, and moves are picked on pages.
        usb: vendor and product id by which the Pico is found, in hexadecimal.
        device: the serial device to use instead of looking for one.
        profile: the build it is: the name of a profile that comes with the program, or a file's path.
        engine: a large-board UCI engine that plays Captain's Chess, `None` for none.
        sound: whether a buzzer may sound.
        speech: whether the table says what happens.
        voice: which of espeak-ng's voices it has.
        rate: how fast it speaks, in words a minute.
        dim_from: the hour of the day from which glass and lights are dimmed.
        dim_until: the hour until which they are; the same as `dim_from`: never.
        dim_to: the share of their brightness that is left then, 0 to 1.
        state_dir: where the journal is kept.
        host: the address the page listens on; anything but loopback asks for the token.
        port: the page's port; 0 takes any that is free.
        hosts: further names the page may be reached by (the Host header is checked).
        proxies: addresses and networks of proxies that are believed for whom they ask.
        master: whether there is a game master's page, with a token of its own.
        limits: how much of the page guests may take.
        game: the game of the first match where no match is unfinished; empty: it is chosen at the table.
        players: its players; none: who plays is asked at the table.
        options: its options.
        think: for how many seconds computers think at most about an answer; `None`: for what their levels take.
        settings: patience and buttons.
        club: the club the table belongs to, if it does.
    """

    board: Board = "simulated"
    usb: Annotated[str, Read(Ids, str.lower, f'vendor and product id in hexadecimal, such as "{PICO_USB}"')] = PICO_USB
    device: str | None = None
    profile: str = "simulated"
    engine: Annotated[Path, Read(str, _engine, "text in quotes")] | None = None
    sound: bool = True
    speech: bool = False
    voice: VoiceName = "en"
    rate: Annotated[int, whole(80, 450, "words a minute, a whole number")] = 160  # what espeak-ng can do
    dim_from: Hour = 22.0
    dim_until: Hour = 7.0
    dim_to: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] = 0.2
    state_dir: Annotated[Path, Read(str, path_of, "text in quotes")] = field(default_factory=default_state_dir)
    host: str = "127.0.0.1"
    port: Port = DEFAULT_PORT
    hosts: Words = ()
    proxies: Proxies = ()
    master: bool = False
    limits: Limits = field(default_factory=Limits)
    game: Annotated[str, Read(str, _game, "text in quotes")] = ""
    players: Words = ()
    options: Options = field(default_factory=dict)
    think: Think | None = None
    settings: Settings = field(default_factory=Settings)
    club: ClubConfig = field(default_factory=ClubConfig)


SECTIONS = {
    "table": (
        *("board", "usb", "device", "profile", "engine", "think"),
        *("sound", "dim_from", "dim_until", "dim_to", "state_dir"),
    ),
    "sound": ("speech", "voice", "rate"),
    "web": ("host", "port", "hosts", "proxies", "master", *LIMITS),
    "match": ("game", "players", "options"),
    "club": ClubConfig.__struct_fields__,
    "settings": tuple(name for name in setting_names() if name not in {"switches", "back"}),  # the board's to say
}


def read_config(path: Path) -> Config:
    """Return the configuration of a file; raises BadConfig."""
    return read_file(path, parse_config)


def parse_config(sections: Mapping[str, Any]) -> Config:
    """Return the configuration of parsed TOML; raises BadConfig."""
    check_names(sections, SECTIONS)
    values: dict[str, Any] = {"game": DEFAULT_GAME} if "match" in sections else {}
    for name in ("table", "sound", "web", "match"):
        values |= read_values(name, sections.get(name, {}), Config, Limits)
    limits, settings, club = taken_limits(values), _settings(sections.get("settings", {})), sections.get("club", {})
    _check_board(values)
    return Config(**values, limits=limits, settings=settings, club=parse_club(club))


def _check_board(values: Mapping[str, Any]) -> None:
    """Raise BadConfig where something is said about a board that is another one, or none."""
    for key in ("usb", "device"):
        if key in values and values.get("board") != "pico":
            raise BadConfig(f'{key} = {values[key]!r}: expected only where [table] board = "pico"')
    if values.get("board") == "none" and values.get("profile", Config().profile) != Config().profile:
        raise BadConfig(f'profile = {values["profile"]!r}: expected no such line where [table] board = "none"')


def _settings(section: Mapping[str, Any]) -> Settings:
    settings = Settings()
    for key, value in section.items():
        try:
            settings = settings.with_value(key, str(value))
        except BadSetting as error:
            raise BadConfig(f"[settings] {error}") from error
    return settings


def parse_club(section: Mapping[str, Any]) -> ClubConfig:
    """Return what a section [club] of known keys says; raises BadConfig."""
    club = ClubConfig(**read_values("club", section, ClubConfig))
    for key, example in CLUB_EXAMPLES.items():
        if section and not getattr(club, key):
            raise BadConfig(f'[club] {key} is missing: expected {key} = "{example}"')
    return club


def think_seconds(value: object) -> float:
    """Return for how many seconds computers may think; raises BadConfig."""
    return float(read_value("think", value, Think))
