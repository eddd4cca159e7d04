"""Reading the configuration again while the table plays: what changes at once, and what waits for a restart."""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from typing import Any, Final

from msgspec import structs

from captains_table.hardware.profiles.table_reader import BadProfile
from captains_table.process.supervisor import notify_supervisor
from captains_table.runtime.config import SECTIONS, Config
from captains_table.storage.configuration import LIMITS, BadConfig
from captains_table.storage.key_files import TokenUnusable

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
