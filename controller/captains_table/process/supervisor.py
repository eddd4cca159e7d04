"""A daemon and its system: signals, a terminal that is closed, what systemd is told, and switching the machine off."""

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

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
FILE_VARIABLE: Final = "CAPTAINS_TABLE_POWER_OFF"
"""Names the file by which the machine is switched off; systemd sets it where it watches for one."""
SIMULATED: Final = "It is simulated: end it where it was started (Ctrl-C). Everything is kept"
NO_RIGHT: Final = "This table may not do that: run 'sudo poweroff' on its machine"


def notify_supervisor(*lines: str) -> None:
    """Send systemd these lines, such as READY=1; without systemd, or with one that does not listen, nothing happens.

    Source: sd_notify(3). A name that begins with @ is an abstract socket.
    """
    name = os.environ.get("NOTIFY_SOCKET", "")
    if not name:
        return
    address = f"\0{name[1:]}" if name.startswith("@") else name
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
        try:
            out.sendto("\n".join(lines).encode(), socket.MSG_DONTWAIT, address)
        except OSError:
            return


def watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Return within how many seconds systemd wants a sign of this process, or None if it does not watch it.

    Source: sd_watchdog_enabled(3).
    """
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1_000_000 if microseconds.isdecimal() and int(microseconds) > 0 else None


async def answer_watchdog() -> None:
    """Answer systemd's watchdog from the event loop, four times as often as it asks; a loop that hangs does not.

    So systemd waits for a loop that hangs for three quarters of that time at least, and longer than `hang_watch`.
    """
    within_s = watchdog_s(os.environ)
    while within_s is not None:
        notify_supervisor("WATCHDOG=1")
        await asyncio.sleep(within_s / 4)


# --- signals ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def signals(stopping: asyncio.Event, hung_up: asyncio.Event) -> Iterator[None]:
    """Let SIGTERM and SIGINT stop the daemon in order, and SIGHUP set an event of its own, or the same."""
    loop = asyncio.get_running_loop()
    events = dict.fromkeys(STOP_SIGNALS, stopping)
    if hung_up is not stopping or signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup: it is to stay
        events[signal.SIGHUP] = hung_up
    for number, event in events.items():
        loop.add_signal_handler(number, event.set)
    try:
        yield
    finally:
        for number in events:
            loop.remove_signal_handler(number)


def fall_silent() -> None:
    """Let what is still printed go nowhere: the terminal it went to is gone."""
    with Path(os.devnull).open("w", encoding="ascii") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere.fileno(), stream.fileno())


# --- switching the machine off ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PowerOff:
    """How the machine is switched off: by a file that systemd watches, and by no right of the table's own.

    Source: systemd.path(5), PathExists; captains-table-poweroff.path starts the service whose end is the power-off.

    Attributes:
        ask: asks for it; raises OSError.
        instead: what to do where that cannot be asked for; empty where it can.
    """

    ask: Callable[[], object] = lambda: None
    instead: str = ""


def power_off_of(environment: Mapping[str, str], *, is_simulated: bool) -> PowerOff:
    """Return how the machine of a table is switched off; one that is simulated is but a program among others."""
    if is_simulated:
        return PowerOff(instead=SIMULATED)
    file = environment.get(FILE_VARIABLE, "")
    return PowerOff(Path(file).touch) if file else PowerOff(instead=NO_RIGHT)
