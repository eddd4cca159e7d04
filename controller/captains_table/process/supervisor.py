"""Telling systemd how a daemon is doing, where systemd started it; elsewhere nothing happens."""

import asyncio
import os
import socket
from collections.abc import Mapping


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
