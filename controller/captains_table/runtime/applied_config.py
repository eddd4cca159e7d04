"""Derives a table's parts from its configuration, and reloads the configuration while the table plays.

The parts are the profile, the page's tokens, the source of board events, the settings, the dimming at night and the
voice. When the configuration is reloaded, some changes take effect at once; the others are announced and wait for a
restart.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from typing import Any, Final

from msgspec import structs

from captains_table.devices.build import Devices
from captains_table.devices.dimming import Night
from captains_table.devices.sound.speech import Voice
from captains_table.games.contract import Shape
from captains_table.hardware.kinds import BOUGHT_KINDS, PICO
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.profiles.toml_reader import BadProfile
from captains_table.process.supervisor import notify_supervisor
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.config import SECTIONS, TableConfig
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.virtual_source import VIRTUAL_BOARDS, VirtualSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.configuration import LIMITS, BadConfig
from captains_table.storage.key_files import MASTER_TOKEN, TOKEN, TokenUnusable, read_token
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.settings import Settings
from captains_table.web.security import is_loopback

RELOADED: Final[Mapping[str, Sequence[str]]] = {
    "table": ("think", "pace", "language", "sound", "dim_from", "dim_until", "dim_to"),
    "sound": ("speech", "voice", "rate"),
    "web": LIMITS,
    "settings": (
        *("slide_ms", "guide_ms", "ask_ms", "hand_ms", "announce_ms", "end_ms"),
        *("choose_ms", "leave_ms", "menu_ms"),
    ),
}
"""Maps a section to its keys that take effect at once when they are reloaded; all other keys wait for a restart."""
RELOADED_ON_TAPE: Final = {section: keys for section, keys in RELOADED.items() if section != "settings"}
"""The keys of RELOADED while a tape is recorded: without the settings, which a tape states only once, at its head."""
RESTART: Final = "takes effect after a restart (systemctl restart captains-table)"


@dataclass(frozen=True, slots=True)
class PageTokens:
    """The tokens that allow more than watching the page.

    Attributes:
        token: the owner's token; `None`: everybody who reaches the page counts as the owner.
        master: the game master's token; `None`: there is no game master's page.
    """

    token: str | None = None
    master: str | None = None


def page_tokens_of(config: TableConfig) -> PageTokens:
    """Return the page's tokens, and create those that are needed and do not exist yet; raises TokenUnusable."""
    return PageTokens(
        None if is_loopback(config.host) else read_token(config.state_dir),
        read_token(config.state_dir, MASTER_TOKEN) if config.master else None,
    )


def profile_of(config: TableConfig) -> Profile:
    """Return the configured profile; raises BadProfile.

    If a Pico or a bought board is configured with a simulated profile, it is the board, and the rest is as in the
    profile; a bought board has 8x8 squares.
    """
    profile = load_profile(config.profile, config.state_dir)
    if config.board in BOUGHT_KINDS:
        if not profile.board.is_simulated:
            raise BadProfile(f"profile {profile.name}: it has a board of its own, expected none with {config.board!r}")
        kind = BOUGHT_KINDS[config.board]
        return replace(profile, board=kind, shape=Shape(*kind.size))
    if config.board == PICO.key and profile.board.is_simulated:
        vendor, product = (int(number, 16) for number in config.usb.split(":"))
        return replace(profile, board=PICO, usb=(vendor, product))
    return profile


def source_of(config: TableConfig, session: Session) -> BoardSource:
    """Return the source of board events for a table without a real board.

    The source reports nothing if the configured board is "none"; otherwise it is a simulated board, which may be
    read through a virtual one.
    """
    if config.board in VIRTUAL_BOARDS:
        return VirtualSource(session, config.board)
    return BoardSource() if config.board == "none" else SimulatedSource(session, SimulatedBoard())


def settings_for(config: TableConfig, devices: Devices) -> Settings:
    """Return the configured settings, adapted to the table's build.

    The board "none" has no switches. On a real board the button *back* opens the menu. If the profile has a switch
    matrix, the profile also decides which buttons the table has.
    """
    if config.board == "none":
        return replace(config.settings, switches="none")
    profile = devices.profile
    settings = config.settings if profile.board.is_simulated else replace(config.settings, back="menu")
    if profile.board.is_bought:
        settings = replace(settings, may_lie_turned=config.turned is None)
    return settings if profile.matrix is None else replace(settings, buttons=profile.buttons.kind)


def night_of(config: TableConfig) -> Night:
    """Return when displays and lights are dimmed, and how much."""
    return Night(config.dim_from, config.dim_until, config.dim_to)


def voice_of(config: TableConfig) -> Voice:
    """Return the configured voice: whether the table speaks, in which voice, and how fast."""
    return Voice(config.speech, config.voice, config.rate)


def changed_files(running: TableConfig, read: TableConfig, profile: Profile, keys: PageTokens) -> Iterable[str]:
    """Yield the names of the changed files among the profile and the tokens; the changes need a restart to take effect.

    The profile is compared only if `running` and `read` agree on its name, the board, the USB id and the state folder.

    Args:
        running: the configuration in use.
        read: the present content of the configuration's file.
        profile: the profile in use.
        keys: the tokens in use.

    Raises:
        BadProfile, TokenUnusable: the profile or a token cannot be used.
    """
    found = profile_of(read)
    build, other = ((each.profile, each.board, each.usb, each.state_dir) for each in (read, running))
    if build == other and found != profile:
        yield f"The profile {profile.name}"
    for name, token in ((TOKEN, keys.token), (MASTER_TOKEN, keys.master)):
        if token is not None and read_token(running.state_dir, name) != token:
            yield f"The token in {running.state_dir / name}"


# --- reloading -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReloadEffect:
    """The effect of a reloaded configuration on the running table.

    Attributes:
        config: the configuration in use from now on.
        changed: the changes that take effect at once, in words.
        waiting: the names of changed keys that wait for a restart.
    """

    config: TableConfig
    changed: Sequence[str]
    waiting: Sequence[str]


def compare_configs(
    running: TableConfig, read: TableConfig, reloaded: Mapping[str, Sequence[str]] = RELOADED
) -> ReloadEffect:
    """Return which changes of a reloaded configuration take effect at once, and which wait for a restart.

    Args:
        running: the configuration in use.
        read: the configuration as its file has it now.
        reloaded: maps each section to its keys that take effect at once.
    """
    changed, waiting = [], []
    config = running
    for section, keys in SECTIONS.items():
        for key in keys:
            value = _values(read, section)[key]
            if value == _values(running, section)[key]:
                continue
            if key in reloaded.get(section, ()):
                config = _with(config, key, value)
                changed.append(f"[{section}] {key} = {json.dumps(value)} from now on")
            else:
                waiting.append(f"[{section}] {key}")
    return ReloadEffect(config, changed, waiting)


def _values(config: TableConfig, section: str) -> dict[str, Any]:
    """Return the values of a section, by key; the result may also contain keys of other sections."""
    if section == "club":
        return structs.asdict(config.club)
    if section == "engine":
        values = {key: {each.key: getattr(each, key) for each in config.more_engines} for key in SECTIONS[section]}
        return {key: {name: value for name, value in of.items() if value} for key, of in values.items()}
    return {**asdict(config.limits), **asdict(config.settings), **structs.asdict(config)}


def _with(config: TableConfig, key: str, value: Any) -> TableConfig:  # noqa: ANN401 - each key has its own type
    if key in config.__struct_fields__:
        return structs.replace(config, **{key: value})
    if key in LIMITS:
        return structs.replace(config, limits=replace(config.limits, **{key: value}))
    return structs.replace(config, settings=replace(config.settings, **{key: value}))


@dataclass(slots=True)
class Reloader:
    """Reloads a table's configuration on request.

    Attributes:
        read: reads the configuration file again and returns the configuration; raises BadConfig.
        running: the configuration in use; a reload replaces it.
        apply: applies a configuration. Only the keys in `reloaded` may differ from the configuration in use.
        files: returns the names of changed profile and token files, given the configuration that was read; raises
            BadProfile or TokenUnusable.
        announce: prints a line.
        on_silence: is called when lines cannot be printed any more.
        reloaded: maps each section to its keys that take effect at once.
    """

    read: Callable[[], TableConfig]
    running: TableConfig
    apply: Callable[[TableConfig], None]
    _: KW_ONLY
    files: Callable[[TableConfig], Iterable[str]]
    announce: Callable[[str], None]
    on_silence: Callable[[], None]
    reloaded: Mapping[str, Sequence[str]] = field(default_factory=lambda: RELOADED)

    async def reload_whenever(self, asked: asyncio.Event) -> None:
        """Reload the configuration each time the event is set; stop if the output cannot be printed."""
        while True:
            await asked.wait()
            asked.clear()
            try:
                self.reload()
            except OSError:  # printing failed: SIGHUP came because the terminal was closed
                self.on_silence()
                return

    def reload(self) -> None:
        """Reload the configuration, apply the keys that take effect at once, and announce all changes.

        If the configuration, the profile or a token has an error, nothing changes, and the error is printed on standard
        error. The supervisor is told when the reload begins and ends.

        Raises:
            OSError: the announcement cannot be printed.

        Source: sd_notify(3), RELOADING=1.
        """
        microseconds = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        notify_supervisor("RELOADING=1", f"MONOTONIC_USEC={microseconds}")
        try:
            self._take_over()
        except (BadConfig, BadProfile, TokenUnusable) as error:
            print(f"captains-table: {error}. Nothing is changed: the table goes on as it is.", file=sys.stderr)
        finally:
            notify_supervisor("READY=1")

    def _take_over(self) -> None:
        read = self.read()
        files = tuple(self.files(read))
        reload = compare_configs(self.running, read, self.reloaded)
        self.apply(reload.config)
        self.running = reload.config
        for words in reload.changed:
            self.announce(f"Reloaded: {words}.")
        for name in (*reload.waiting, *files):
            self.announce(f"{name} changed: {RESTART}.")
        if not (reload.changed or reload.waiting or files):
            self.announce("Reloaded: the configuration is as it was.")
