"""What ends a daemon or lets it read its configuration again: signals, and a terminal that is closed."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


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
