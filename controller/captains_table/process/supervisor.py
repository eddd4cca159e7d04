"""Connects a daemon with its system: signals, a closed terminal, systemd's messages and watchdog, power-off."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from captains_table.phrases import say

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
FILE_VARIABLE: Final = "CAPTAINS_TABLE_POWER_OFF"
"""The environment variable with the file that triggers power-off; set by systemd's unit if it watches such a file."""
SIMULATED_REFUSAL: Final = say("It is simulated: end it where it was started (Ctrl-C). Everything is kept")
NO_RIGHT: Final = "This table may not do that: run 'sudo poweroff' on its machine"


def notify_supervisor(*lines: str) -> None:
    """Send lines such as READY=1 to systemd; do nothing if systemd is absent or does not listen.

    Source: sd_notify(3). If the name of systemd's socket begins with @, the socket is an abstract one.
    """
    name = os.environ.get("NOTIFY_SOCKET", "")
    if not name:
        return
    address = f"\0{name[1:]}" if name.startswith("@") else name
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out, contextlib.suppress(OSError):
        out.sendto("\n".join(lines).encode(), socket.MSG_DONTWAIT, address)


def watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return the interval in seconds within which systemd expects a heartbeat.

    `None` if systemd does not watch this process. Source: sd_watchdog_enabled(3).
    """
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() and int(microseconds) > 0 else None


async def answer_watchdog() -> None:
    """Answer systemd's watchdog from the event loop, four times in each interval, so that a hanging loop is noticed.

    Return at once if systemd does not watch this process. Systemd kills a hanging process when the loop has hung for at
    least three quarters of the interval. If a plug-in's game blocks the loop, `hang_watch` kills the process earlier.
    """
    within_s = watchdog_s(os.environ)
    while within_s is not None:
        notify_supervisor("WATCHDOG=1")
        await asyncio.sleep(within_s / 4)


# --- signals ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def signals(stopping: asyncio.Event, hung_up: asyncio.Event) -> Iterator[None]:
    """During a `with` block, set `stopping` on SIGTERM and SIGINT, and `hung_up` on SIGHUP.

    Both may be the same event. In that case, an ignored SIGHUP stays ignored, as under `nohup`.
    """
    loop = asyncio.get_running_loop()
    events = dict.fromkeys(STOP_SIGNALS, stopping)
    if hung_up is not stopping or signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup keeps it running
        events[signal.SIGHUP] = hung_up
    for number, event in events.items():
        loop.add_signal_handler(number, event.set)
    try:
        yield
    finally:
        for number in events:
            loop.remove_signal_handler(number)


def silence_output() -> None:
    """Redirect standard output and error to the null device, because their terminal is gone."""
    with Path(os.devnull).open("w", encoding="ascii") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere.fileno(), stream.fileno())


# --- switching the machine off ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PowerOff:
    """The way to power off the table's machine: touching a file that systemd watches, without further privileges.

    Source: systemd.path(5), PathExists. Once the file exists, captains-table-poweroff.path starts a service, and
    systemd powers the machine off when that service ends.

    Attributes:
        ask: requests the power-off; raises OSError.
        instead: what to do if the power-off cannot be requested; empty if it can.
    """

    ask: Callable[[], object] = lambda: None
    instead: str = ""


def power_off_of(environment: Mapping[str, str], *, is_simulated: bool) -> PowerOff:
    """Return the way to power off the table's machine, or what to do instead.

    A simulated table cannot power off its machine, because other programs run there too. A real table can power off its
    machine only if systemd watches a file for this purpose (`FILE_VARIABLE` in the environment).
    """
    if is_simulated:
        return PowerOff(instead=SIMULATED_REFUSAL)
    file = environment.get(FILE_VARIABLE, "")
    return PowerOff(Path(file).touch) if file else PowerOff(instead=NO_RIGHT)
