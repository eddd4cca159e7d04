"""Defines the keys and defaults of a table's configuration file (TOML), and reads the file.

An unknown key, an invalid value, or a key that does not apply to the board is an error, which is reported in a
sentence.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field
from platformdirs import user_state_path

from captains_table.catalog import DEFAULT_GAME, dialects
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.contract import is_showable
from captains_table.games.registry import UnknownGame, game_by_key
from captains_table.hardware.kinds import BOUGHT_KINDS, VIRTUAL_KINDS
from captains_table.players.boreas.opponents import ENGINE
from captains_table.reporting.broker import PORT, TLS_PORT
from captains_table.reporting.messages import checked_user
from captains_table.reporting.table_view import NAME_LIMIT
from captains_table.runtime.engines import check_programs
from captains_table.runtime.uci_engine import EngineProgram
from captains_table.storage import configuration
from captains_table.table.model.settings import PACES, BadSetting, Settings, setting_names
from captains_table.web.serving.limits import PageLimits

DEFAULT_PORT: Final = 8377
ENGINE_EXAMPLES: Final = {"name": "Leela", "path": "/usr/local/bin/lc0"}
CLUB_EXAMPLES: Final = {"host": "club.example", "user": "table-3"}
PICO_USB: Final = "2e8a:0005"  # MicroPython on a Raspberry Pi Pico, by its vendor


def default_state_dir() -> Path:
    """Return the default folder for stored matches; the configuration may name a different folder."""
    return user_state_path("captains-table")


def _engine(written: str) -> Path:
    if not written:
        raise ValueError("'': expected the path of a UCI engine, or no such line")
    return configuration.path_of(written)


def _game(written: str) -> str:
    try:
        return game_by_key(written).key
    except UnknownGame as error:
        raise ValueError(f"{written!r}: {error}") from error


def _games(written: Sequence[str]) -> tuple[str, ...]:
    games = tuple(map(_game, written))
    for game in games:
        if game not in dialects():
            raise ValueError(f"{game!r}: expected games that UCI engines can play, of {', '.join(dialects())}")
    return games


def _settings_of_engine(written: Mapping[str, object]) -> Mapping[str, str]:
    texts = {}
    for option, value in written.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if not isinstance(value, str | int) or not f"{option}{text}".isprintable() or not option.strip():
            raise ValueError(f"{{ {option} = {value!r} }}: expected text, a whole number, true or false")
        texts[option] = text
    return texts


def _texts(written: Mapping[str, object]) -> Mapping[str, str]:
    return {option: str(setting) for option, setting in written.items()}


BOARDS: Final = ("simulated", "pico", "none", *BOUGHT_KINDS, *VIRTUAL_KINDS)
BoardChoice = Annotated[str, configuration.one_of(BOARDS)]
Ids = Annotated[str, Meta(pattern=r"\A[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}\Z")]
VoiceName = Annotated[
    str,
    Meta(pattern=r"\A[A-Za-z][\w+-]*\Z", description='one that "espeak-ng --voices" lists, such as "en-gb"'),
]
Hour = Annotated[float, Meta(ge=0, le=24, description="a number from 0 to 24")]
OptionTexts = Annotated[
    Mapping[str, str], configuration.FieldReader(dict[str, Any], _texts, "a table, such as { rounds = 3 }")
]
Think = Annotated[float, configuration.seconds(600)]
Pace = Annotated[str, configuration.one_of(PACES)]


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
    if not is_showable(written) or len(written) > NAME_LIMIT:
        raise ValueError(f"{written!r}: expected at most {NAME_LIMIT} characters in quotes")
    return written


class ClubConfig(Struct, frozen=True):
    """The section about a table's club.

    Attributes:
        host: the name or address of the MQTT broker; empty: the table belongs to no club.
        port: the broker's port; 0: MQTT's standard port, with or without TLS.
        user: the name of the table's user at the broker; the table's topics contain this name.
        password_file: the file with the user's password, which only the program's user may read; `None`: no password.
        ca: the certificate (PEM) of the authority that signed the broker's certificate; `None`: the connection is not
            encrypted.
        board: the table's number in the club; 0: the table has no number.
        title: the table's name in the club; empty: the user's name.
        names: whether players' names are published; otherwise only their initials are.
    """

    host: Annotated[
        str, configuration.FieldReader(str, _word, f"a word in quotes, such as {CLUB_EXAMPLES['host']!r}")
    ] = ""
    port: configuration.Port = 0
    user: Annotated[
        str, configuration.FieldReader(str, _user, f"a word in quotes, such as {CLUB_EXAMPLES['user']!r}")
    ] = ""
    password_file: configuration.FilePath | None = None
    ca: configuration.FilePath | None = None
    board: Annotated[int, configuration.whole(0, 9999)] = 0
    title: Annotated[str, configuration.FieldReader(str, _title, f"at most {NAME_LIMIT} characters in quotes")] = ""
    names: bool = False

    @property
    def is_set(self) -> bool:
        """Whether the table belongs to a club."""
        return bool(self.host)

    @property
    def broker_port(self) -> int:
        """The broker's port; the standard port if the configured one is 0."""
        return self.port or (PORT if self.ca is None else TLS_PORT)

    @property
    def called(self) -> str:
        """The table's name in the club: its title, or its user name at the broker if it has no title."""
        return self.title or self.user


class EngineConfig(Struct, frozen=True):
    """The keys of a section [[engine]] and their types; `name` and `path` must be given, see `EngineProgram`."""

    name: str
    path: Annotated[str, configuration.FieldReader(str, lambda written: str(_engine(written)), "text in quotes")]
    arguments: configuration.WordList = ()
    options: Annotated[
        Mapping[str, str],
        configuration.FieldReader(dict[str, Any], _settings_of_engine, "a table, such as { Hash = 16 }"),
    ] = {}
    games: Annotated[
        tuple[str, ...],
        configuration.FieldReader(tuple[str, ...], _games, 'a list of games, such as ["captains-chess"]'),
    ] = ()


class TableConfig(Struct, frozen=True):
    """The configuration of the daemon.

    Attributes:
        board: which board the daemon drives; "simulated": the one in the browser; "pico": a Raspberry Pi Pico on USB;
            "dgt", "certabo", "chessnut", "auto": one that was bought, of this make or of any;
            "none": there are no switches, as for pieces on a floor, and moves are chosen on pages.
        usb: vendor and product id by which the Pico is found, in hexadecimal.
        device: the device of the Pico or of the bought board; `None`: it is looked for.
        turned: whether a bought board lies with its connector at the other side; `None`: it is learnt, or asked.
        clicker: the input device whose keys are the table's buttons; `None`: there is none.
        profile: the table's build: the name of a profile that comes with the program, or the path of a file.
        engine: a large-board UCI engine that plays Captain's Chess; `None`: no engine.
        engines: which engines play; "found": also Debian's Stockfish if it is installed; "configured": no others.
        more_engines: the engines of the sections [[engine]].
        sound: whether buzzers may sound.
        speech: whether the table announces events by voice.
        voice: the voice of espeak-ng.
        rate: how fast the voice speaks, in words a minute.
        dim_from: the hour of the day from which display and lights are dimmed.
        dim_until: the hour until which display and lights are dimmed; if it equals `dim_from`, they are never dimmed.
        dim_to: the share of the full brightness while display and lights are dimmed, 0 to 1.
        state_dir: the folder of the journal and the table's other state.
        host: the address the page listens on; on any but a loopback address, playing requires the token.
        port: the page's port; 0: any free one.
        hosts: further host names of the page (the Host header is checked).
        proxies: addresses and networks of trusted proxies, which may state a client's real address.
        master: whether there is a game master's page, with a token of its own.
        limits: limits on the page's guests.
        game: the game of the first match if no match is unfinished; empty: it is chosen at the table.
        players: the players of that first match; empty: the table asks who plays.
        options: the options of that first match.
        think: the most seconds that computers think about an answer; `None`: only their levels limit the time.
        pace: the pace of computers and dice; one that was chosen at the table replaces it.
        language: the code of the language of display, voice and menus; one that was chosen at the table replaces it.
        settings: the table's delays and buttons.
        club: the club to which the table belongs; its `is_set` is False without a club.
    """

    board: BoardChoice = "simulated"
    usb: Annotated[
        str, configuration.FieldReader(Ids, str.lower, f'vendor and product id in hexadecimal, such as "{PICO_USB}"')
    ] = PICO_USB
    device: str | None = None
    turned: bool | None = None
    clicker: str | None = None
    profile: str = "simulated"
    engine: Annotated[Path, configuration.FieldReader(str, _engine, "text in quotes")] | None = None
    engines: Annotated[str, configuration.one_of(("found", "configured"))] = "found"
    more_engines: tuple[EngineProgram, ...] = ()
    sound: bool = True
    speech: bool = False
    voice: VoiceName = "en"
    rate: Annotated[int, configuration.whole(80, 450, "words a minute, a whole number")] = 160  # the range of espeak-ng
    dim_from: Hour = 22.0
    dim_until: Hour = 7.0
    dim_to: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")] = 0.2
    state_dir: Annotated[Path, configuration.FieldReader(str, configuration.path_of, "text in quotes")] = field(
        default_factory=default_state_dir
    )
    host: str = "127.0.0.1"
    port: configuration.Port = DEFAULT_PORT
    hosts: configuration.WordList = ()
    proxies: configuration.Proxies = ()
    master: bool = False
    limits: PageLimits = field(default_factory=PageLimits)
    game: Annotated[str, configuration.FieldReader(str, _game, "text in quotes")] = ""
    players: configuration.WordList = ()
    options: OptionTexts = field(default_factory=dict)
    think: Think | None = None
    pace: Pace = "usual"
    language: configuration.LanguageCode = "en"
    settings: Settings = field(default_factory=Settings)
    club: ClubConfig = field(default_factory=ClubConfig)

    @property
    def programs(self) -> tuple[EngineProgram, ...]:
        """The configured engines: first the one of `engine`."""
        first = EngineProgram(ENGINE.capitalize(), str(self.engine), games=(CaptainsChess.key,))
        return self.more_engines if self.engine is None else (first, *self.more_engines)


SECTIONS = {
    "table": (
        *("board", "usb", "device", "turned", "clicker", "profile", "engine", "engines", "think"),
        *("pace", "language", "sound", "dim_from", "dim_until", "dim_to", "state_dir"),
    ),
    "sound": ("speech", "voice", "rate"),
    "web": ("host", "port", "hosts", "proxies", "master", *configuration.LIMITS),
    "match": ("game", "players", "options"),
    "club": ClubConfig.__struct_fields__,
    "engine": EngineConfig.__struct_fields__,
    "settings": tuple(name for name in setting_names() if name not in {"switches", "back"}),  # the board decides these
}


def read_table_config(path: Path) -> TableConfig:
    """Return the configuration in a file; raises BadConfig."""
    return configuration.read_config_file(path, parse_table_config)


def parse_table_config(sections: Mapping[str, Any]) -> TableConfig:
    """Return the configuration of parsed TOML; raises BadConfig."""
    engines = sections.get("engine", [])
    configuration.check_sections(
        {name: each for name, each in sections.items() if name != "engine" or not _are_tables(each)}, SECTIONS
    )
    values: dict[str, Any] = {"game": DEFAULT_GAME} if "match" in sections else {}
    for name in ("table", "sound", "web", "match"):
        values |= configuration.read_values(name, sections.get(name, {}), TableConfig, PageLimits)
    limits, settings, club = (
        configuration.taken_limits(values),
        _settings(sections.get("settings", {})),
        sections.get("club", {}),
    )
    values["more_engines"] = parse_engines([engines] if isinstance(engines, dict) else engines)
    _check_board(values)
    return TableConfig(**values, limits=limits, settings=settings, club=parse_club(club))


def _check_board(values: Mapping[str, Any]) -> None:
    """Raise BadConfig if a key does not apply to the configured board."""
    for key, boards in {"usb": ("pico",), "device": ("pico", *BOUGHT_KINDS), "turned": tuple(BOUGHT_KINDS)}.items():
        if key in values and values.get("board") not in boards:
            expected = " or ".join(f'"{board}"' for board in boards)
            raise configuration.BadConfig(f"{key} = {values[key]!r}: expected only where [table] board = {expected}")
    if values.get("board") == "none" and values.get("profile", TableConfig().profile) != TableConfig().profile:
        raise configuration.BadConfig(
            f'profile = {values["profile"]!r}: expected no such line where [table] board = "none"'
        )


def _settings(section: Mapping[str, Any]) -> Settings:
    settings = Settings()
    for key, value in section.items():
        try:
            settings = settings.with_value(key, str(value))
        except BadSetting as error:
            raise configuration.BadConfig(f"[settings] {error}") from error
    return settings


def _are_tables(sections: object) -> bool:
    return isinstance(sections, list) and all(isinstance(each, dict) for each in sections)


def parse_engines(sections: Sequence[Mapping[str, Any]]) -> tuple[EngineProgram, ...]:
    """Return the engines in the sections [[engine]]; raises BadConfig."""
    programs = []
    for section in sections:
        configuration.check_keys("engine", section, SECTIONS["engine"])
        for key, example in ENGINE_EXAMPLES.items():
            if key not in section:
                raise configuration.BadConfig(f'[[engine]] {key} is missing: expected {key} = "{example}"')
        programs.append(EngineProgram(**configuration.read_values("engine", section, EngineConfig)))
    return checked_engines(programs)


def checked_engines(programs: Sequence[EngineProgram]) -> tuple[EngineProgram, ...]:
    """Return engines whose names can all be names of computer players; raises BadConfig."""
    try:
        check_programs(programs)
    except ValueError as error:
        raise configuration.BadConfig(f"[[engine]] {error}") from error
    return tuple(programs)


def engine_at(path: str) -> EngineProgram:
    """Return an engine that is only named by its path; the program's file name is its name."""
    return EngineProgram(Path(path).stem.capitalize(), str(_engine(path)))


def parse_club(section: Mapping[str, Any]) -> ClubConfig:
    """Return the configuration in a section [club]; raises BadConfig.

    The caller must have rejected unknown keys. An empty section means no club; otherwise `host` and `user` must be
    given.
    """
    club = ClubConfig(**configuration.read_values("club", section, ClubConfig))
    for key, example in CLUB_EXAMPLES.items():
        if section and not getattr(club, key):
            raise configuration.BadConfig(f'[club] {key} is missing: expected {key} = "{example}"')
    return club


def think_seconds(value: object) -> float:
    """Return a value of the key `think` in seconds; raises BadConfig if it is invalid."""
    return float(configuration.read_value("think", value, Think))
