"""What a configuration asks for, and reading it again while the table plays: what changes at once, and what waits."""

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
from captains_table.hardware.kinds import PICO
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.profiles.table_reader import BadProfile
from captains_table.process.supervisor import notify_supervisor
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.config import SECTIONS, Config
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.configuration import LIMITS, BadConfig
from captains_table.storage.key_files import MASTER_TOKEN, TOKEN, TokenUnusable, read_token
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.settings import Settings
from captains_table.web.security import is_loopback

RELOADED: Final[Mapping[str, Sequence[str]]] = {
    "table": ("think", "sound", "dim_from", "dim_until", "dim_to"),
    "sound": ("speech", "voice", "rate"),
    "web": LIMITS,
    "settings": (
        *("slide_ms", "guide_ms", "ask_ms", "hand_ms", "announce_ms", "end_ms"),
        *("choose_ms", "leave_ms", "menu_ms"),
    ),
}
"""Section -> its keys that are taken over at once; all others wait for a restart."""
RELOADED_ON_TAPE: Final = {section: keys for section, keys in RELOADED.items() if section != "settings"}
"""The same where a tape is recorded: it says once, at its head, how patient the table is."""
RESTART: Final = "takes effect after a restart (systemctl restart captains-table)"


@dataclass(frozen=True, slots=True)
class Keys:
    """What opens the page to those who may do more than look.

    Attributes:
        token: the owner's; `None`: whoever reaches the page is the owner.
        master: the game master's; `None`: there is no page of his.
    """

    token: str | None = None
    master: str | None = None


def keys_of(config: Config) -> Keys:
    """Return what opens the page, made where it was never asked for; raises TokenUnusable."""
    return Keys(
        None if is_loopback(config.host) else read_token(config.state_dir),
        read_token(config.state_dir, MASTER_TOKEN) if config.master else None,
    )


def profile_of(config: Config) -> Profile:
    """Return the build of a configuration; a Pico without a profile has its glass on the page. Raises BadProfile."""
    profile = load_profile(config.profile, config.state_dir)
    if config.board == PICO.key and profile.board.is_simulated:
        vendor, product = (int(number, 16) for number in config.usb.split(":"))
        return replace(profile, board=PICO, usb=(vendor, product))
    return profile


def source_of(config: Config, session: Session) -> BoardSource:
    """Return where events come from without hardware: a simulated board, or none but the pages."""
    return BoardSource() if config.board == "none" else SimulatedSource(session, SimulatedBoard())


def settings_for(config: Config, devices: Devices) -> Settings:
    """Return the settings; which buttons a real build has is its profile's to say, and no board has no switches."""
    if config.board == "none":
        return replace(config.settings, switches="none")
    profile = devices.profile
    settings = config.settings if profile.board.is_simulated else replace(config.settings, back="menu")
    return settings if profile.matrix is None else replace(settings, buttons=profile.buttons.kind)


def night_of(config: Config) -> Night:
    """Return when the table is dimmed."""
    return Night(config.dim_from, config.dim_until, config.dim_to)


def voice_of(config: Config) -> Voice:
    """Return how the table speaks, if it does."""
    return Voice(config.speech, config.voice, config.rate)


def changed_files(running: Config, read: Config, profile: Profile, keys: Keys) -> Iterable[str]:
    """Name the files the table runs by, and does not read again, that changed: its profile's, and its tokens'.

    Args:
        running: what the table runs by.
        read: what its file says now.
        profile: the build it runs by.
        keys: the tokens it goes by.

    Raises:
        BadProfile, TokenUnusable: one cannot be used.
    """
    found = profile_of(read)
    is_the_same = (read.profile, read.board, read.usb, read.state_dir) == (
        running.profile,
        running.board,
        running.usb,
        running.state_dir,
    )
    if is_the_same and found != profile:
        yield f"The profile {profile.name}"
    for name, token in ((TOKEN, keys.token), (MASTER_TOKEN, keys.master)):
        if token is not None and read_token(running.state_dir, name) != token:
            yield f"The token in {running.state_dir / name}"


# --- read again ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reload:
    """What a configuration that was read again means for the running table.

    Attributes:
        config: what the table runs by from now on.
        changed: what was taken over, in words.
        waiting: the names of what differs and waits for a restart.
    """

    config: Config
    changed: Sequence[str]
    waiting: Sequence[str]


def compare(running: Config, read: Config, reloaded: Mapping[str, Sequence[str]] = RELOADED) -> Reload:
    """Return what is taken over of a configuration that was read while the table runs by another one."""
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
    return Reload(config, changed, waiting)


def _values(config: Config, section: str) -> dict[str, Any]:
    """Return the values of a section's keys, and more."""
    if section == "club":
        return structs.asdict(config.club)
    return {**structs.asdict(config), **asdict(config.limits), **asdict(config.settings)}


def _with(config: Config, key: str, value: Any) -> Config:  # noqa: ANN401 - each key its own
    if key in config.__struct_fields__:
        return structs.replace(config, **{key: value})
    if key in LIMITS:
        return structs.replace(config, limits=replace(config.limits, **{key: value}))
    return structs.replace(config, settings=replace(config.settings, **{key: value}))


@dataclass(slots=True)
class Reloader:
    """Reads a table's configuration again, as often as somebody asks for it.

    Attributes:
        read: returns the configuration as it is in its file now; raises BadConfig.
        running: what the table runs by.
        apply: lets the table run by another one, of which only what is in `reloaded` differs.
        files: names the files a table runs by that have changed; raises BadProfile or TokenUnusable.
        announce: prints a line.
        on_silence: is called when nothing can be printed any more.
        reloaded: section -> the keys that are taken over.
    """

    read: Callable[[], Config]
    running: Config
    apply: Callable[[Config], None]
    _: KW_ONLY
    files: Callable[[Config], Iterable[str]]
    announce: Callable[[str], None]
    on_silence: Callable[[], None]
    reloaded: Mapping[str, Sequence[str]] = field(default_factory=lambda: RELOADED)

    async def reload_whenever(self, asked: asyncio.Event) -> None:
        """Reload each time the event is set, until cancelled, or until nobody can be told any more."""
        while True:
            await asked.wait()
            asked.clear()
            try:
                self.reload()
            except OSError:  # what is printed goes nowhere: SIGHUP came because the terminal was closed
                self.on_silence()
                return

    def reload(self) -> None:
        """Read the configuration again, take over what can be, and name the rest; what cannot be used changes nothing.

        Raises:
            OSError: what is to be said cannot be printed.

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
        reload = compare(self.running, read, self.reloaded)
        self.apply(reload.config)
        self.running = reload.config
        for words in reload.changed:
            self.announce(f"Reloaded: {words}.")
        for name in (*reload.waiting, *files):
            self.announce(f"{name} changed: {RESTART}.")
        if not (reload.changed or reload.waiting or files):
            self.announce("Reloaded: the configuration is as it was.")
