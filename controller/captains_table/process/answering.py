"""A worker's own side of its line: it answers line by line, says that it lives, and ends with its asker."""

import os
import resource
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

NICENESS: Final = 10
BEAT_S: Final = 2.0
"""How often a worker says an empty line while it works."""


def line_of(message: object) -> bytes:
    """Return a message as a line of JSON."""
    return msgspec.json.encode(message) + b"\n"


def say(line: bytes) -> None:
    """Write a line; if nobody reads any more, end this process at once, in silence."""
    try:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    except OSError:
        os._exit(0)


def give_way(*, more_bytes: int | None = None, cpu_s: int | None = None) -> None:
    """Lower this process's priority and limit it: an allocation beyond the memory fails, more processor time kills it.

    Args:
        more_bytes: memory it may take beyond what it has now; `None`: any.
        cpu_s: seconds of processor time, those so far included; `None`: any.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all: this process ends with its asker
    os.nice(NICENESS)
    if more_bytes is not None:
        data_pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = data_pages * resource.getpagesize() + more_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    if cpu_s is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))


def work(answer: Callable[[bytes], object], *, more_bytes: int | None = None, cpu_s: int | None = None) -> None:
    """Answer each line of standard input by one, until there are no more; the main function of a worker.

    Args:
        answer: returns the message that answers a line.
        more_bytes: as `give_way` takes it.
        cpu_s: as `give_way` takes it.
    """
    give_way(more_bytes=more_bytes, cpu_s=cpu_s)
    works = threading.Event()
    for target in (_end_with_asker, lambda: _beat(works)):
        threading.Thread(target=target, daemon=True).start()
    try:
        for line in sys.stdin.buffer:
            works.set()
            say(line_of(answer(line)))
            works.clear()
    except ConnectionError:
        os._exit(0)


def _end_with_asker() -> None:
    """End this process, even in the middle of its work, as soon as its asker has closed the line."""
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLRDHUP)
    poll.poll()
    os._exit(0)


def _beat(works: threading.Event) -> None:
    while works.wait():
        say(b"\n")
        time.sleep(BEAT_S)
