"""A table's configuration file: TOML, every key known, every error a sentence."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from captains_table.catalog import DEFAULT_GAME
from captains_table.games.contract import did_you_mean
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.runtime.club_config import CLUB_KEYS, BadClub, ClubConfig, parse_club
from captains_table.storage.toml_file import BadToml, read_toml
from captains_table.table.model.settings import BadSetting, Settings, setting_names
from captains_table.web.serving.limits import MOST_CONNECTIONS, Limits, checked_proxy

DEFAULT_PORT = 8377
LAST_PORT = 65535
LONGEST_S = 86_400
LONGEST_THOUGHT_S = 600
RATES = range(80, 451)  # what espeak-ng can do
PICO_USB = "2e8a:0005"  # MicroPython on a Raspberry Pi Pico, says its vendor
BOARDS = ("simulated", "pico", "none")


class BadConfig(ValueError):
    """The configuration cannot be used; the message says which key and what was expected."""


def default_state_dir() -> Path:
    """Return where matches are kept unless another folder is named."""
    return user_state_path("captains-table")


@dataclass(frozen=True, slots=True)
class Config:
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

    board: str = "simulated"
    usb: str = PICO_USB
    device: str | None = None
    profile: str = "simulated"
    engine: Path | None = None
    sound: bool = True
    speech: bool = False
    voice: str = "en"
    rate: int = 160
    dim_from: float = 22.0
    dim_until: float = 7.0
    dim_to: float = 0.2
    state_dir: Path = field(default_factory=default_state_dir)
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    master: bool = False
    limits: Limits = field(default_factory=Limits)
    game: str = ""
    players: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    think: float | None = None
    settings: Settings = field(default_factory=Settings)
    club: ClubConfig = field(default_factory=ClubConfig)


LIMITS = tuple(limit.name for limit in fields(Limits))
SECTIONS = {
    "table": (
        "board",
        "usb",
        "device",
        "profile",
        "engine",
        "think",
        "sound",
        "dim_from",
        "dim_until",
        "dim_to",
        "state_dir",
    ),
    "sound": ("speech", "voice", "rate"),
    "web": ("host", "port", "hosts", "proxies", "master", *LIMITS),
    "match": ("game", "players", "options"),
    "club": CLUB_KEYS,
    "settings": tuple(name for name in setting_names() if name not in {"switches", "back"}),  # the board's to say
}


def read_config(path: Path) -> Config:
    """Return the configuration of a file; raises BadConfig."""
    try:
        return parse_config(read_toml(path))
    except (BadToml, BadConfig) as error:
        raise BadConfig(f"{path}: {error}") from error


def parse_config(sections: Mapping[str, Any]) -> Config:
    """Return the configuration of parsed TOML; raises BadConfig."""
    values: dict[str, Any] = {"game": DEFAULT_GAME} if "match" in sections else {}
    for name, section in sections.items():
        if name not in SECTIONS:
            known = ", ".join(f"[{section}]" for section in SECTIONS)
            raise BadConfig(f"unknown section [{name}]: expected {known}{did_you_mean(name, SECTIONS)}")
        if not isinstance(section, dict):
            raise BadConfig(f"{name} = {section!r}: expected a section [{name}]")
        for key in section:
            if key not in SECTIONS[name]:
                known = f"{', '.join(SECTIONS[name])}{did_you_mean(key, SECTIONS[name])}"
                raise BadConfig(f"unknown key {key!r} in [{name}]: expected one of {known}")
        if name not in {"settings", "club"}:
            values |= {key: _value(key, value) for key, value in section.items() if key not in LIMITS}
    _check_board(values)
    if "game" in sections.get("match", {}):
        _check_game(values["game"])
    limits = Limits(**{key: _limit(key, value) for key, value in sections.get("web", {}).items() if key in LIMITS})
    settings, club = _settings(sections.get("settings", {})), _club(sections.get("club", {}))
    return Config(**values, limits=limits, settings=settings, club=club)


def _check_board(values: Mapping[str, Any]) -> None:
    """Raise BadConfig where something is said about a board that is another one, or none."""
    for key in ("usb", "device"):
        if key in values and values.get("board") != "pico":
            raise BadConfig(f'{key} = {values[key]!r}: expected only where [table] board = "pico"')
    if values.get("board") == "none" and values.get("profile", Config().profile) != Config().profile:
        raise BadConfig(f'profile = {values["profile"]!r}: expected no such line where [table] board = "none"')


def _check_game(game: str) -> None:
    try:
        game_by_key(game)
    except UnknownGame as error:
        raise BadConfig(f"[match] game = {game!r}: {error}") from error


def _club(section: Mapping[str, Any]) -> ClubConfig:
    try:
        return parse_club(section)
    except BadClub as error:
        raise BadConfig(f"[club] {error}") from error


def _settings(section: Mapping[str, Any]) -> Settings:
    settings = Settings()
    for key, value in section.items():
        try:
            settings = settings.with_value(key, str(value))
        except BadSetting as error:
            raise BadConfig(f"[settings] {error}") from error
    return settings


def _value(key: str, value: object) -> object:  # noqa: C901, PLR0911, PLR0912 - one table, one line each
    match key, value:
        case "board", str() if value in BOARDS:
            return value
        case "board", _:
            raise BadConfig(f"board = {value!r}: expected one of {', '.join(BOARDS)}")
        case "usb", str() if re.fullmatch("[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}", value):
            return value.lower()
        case "usb", _:
            raise BadConfig(f'usb = {value!r}: expected vendor and product id in hexadecimal, such as "{PICO_USB}"')
        case (("sound" | "speech" | "master"), bool()):
            return value
        case (("sound" | "speech" | "master"), _):
            raise BadConfig(f"{key} = {value!r}: expected true or false")
        case "voice", str() if re.fullmatch(r"[A-Za-z][\w+-]*", value):
            return value
        case "voice", _:
            raise BadConfig(f'voice = {value!r}: expected one that "espeak-ng --voices" lists, such as "en-gb"')
        case "rate", int() if not isinstance(value, bool) and value in RATES:
            return value
        case "rate", _:
            raise BadConfig(f"rate = {value!r}: expected words a minute, a whole number from 80 to 450")
        case "think", _:
            return think_seconds(value)
        case (("dim_from" | "dim_until" | "dim_to"), _):
            return _number(key, value, 1 if key == "dim_to" else 24)
        case "engine", "":
            raise BadConfig("engine = '': expected the path of a UCI engine, or no such line")
        case (("engine" | "state_dir"), str()):
            return Path(value).expanduser()
        case "port", int() if not isinstance(value, bool) and 0 <= value <= LAST_PORT:
            return value
        case "port", _:
            raise BadConfig(f"port = {value!r}: expected a whole number from 0 to {LAST_PORT}")
        case (("hosts" | "players"), list()) if all(isinstance(item, str) for item in value):
            return tuple(value)
        case (("hosts" | "players"), _):
            raise BadConfig(f'{key} = {value!r}: expected a list of words, such as ["Anne", "Bart"]')
        case "proxies", list():
            return tuple(_proxy(item) for item in value)
        case "proxies", _:
            raise BadConfig(f'proxies = {value!r}: expected a list of addresses, such as ["192.168.1.2"]')
        case "options", dict():
            return {option: str(setting) for option, setting in value.items()}
        case "options", _:
            raise BadConfig(f"options = {value!r}: expected a table, such as {{ rounds = 3 }}")
        case _, str():
            return value
        case _:
            raise BadConfig(f"{key} = {value!r}: expected text in quotes")


def think_seconds(value: object) -> float:
    """Return for how many seconds computers may think; raises BadConfig."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LONGEST_THOUGHT_S:
        raise BadConfig(f"think = {value!r}: expected seconds, more than 0 and at most {LONGEST_THOUGHT_S}")
    return float(value)


def _proxy(value: object) -> str:
    try:
        return checked_proxy(value if isinstance(value, str) else "")
    except ValueError as error:
        raise BadConfig(f"[web] proxies = {value!r}: {str(error).partition(': ')[2]}") from None


def _number(key: str, value: object, largest: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= largest:
        raise BadConfig(f"{key} = {value!r}: expected a number from 0 to {largest}")
    return float(value)


def _limit(key: str, value: object) -> Any:  # noqa: ANN401 - a count or seconds, as the key has it
    if key in {"connections", "share", "streams"}:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_CONNECTIONS:
            raise BadConfig(f"{key} = {value!r}: expected a whole number from 1 to {MOST_CONNECTIONS}")
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LONGEST_S:
        raise BadConfig(f"{key} = {value!r}: expected seconds, more than 0 and at most {LONGEST_S}")
    return float(value)
