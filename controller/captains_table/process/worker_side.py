"""The code inside a worker process: it answers requests line by line, sends heartbeats, and ends with its parent.

It also lowers the priority of the process, and can limit the memory and the processor time of the process.
"""

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

from captains_table.phrases import as_english, pack_phrase

NICENESS: Final = 10
BEAT_S: Final = 2.0
"""The interval, in seconds, of the heartbeats (empty lines) that a worker sends while it works."""


def encode_line(message: object) -> bytes:
    """Encode a message as a line of JSON."""
    return msgspec.json.encode(message, enc_hook=as_english) + b"\n"


def encode_answer(message: object) -> bytes:
    """Encode a worker's message as a line of JSON; the phrases in it are pack_phrase, and `Worker` unpacks them."""
    return msgspec.json.encode(message, enc_hook=pack_phrase) + b"\n"


def write_line(line: bytes) -> None:
    """Write a line to standard output; if its reader is gone, end this process at once and silently."""
    try:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    except OSError:
        os._exit(0)


def limit_resources(*, more_bytes: int | None = None, cpu_s: int | None = None) -> None:
    """Lower this process's priority, limit its memory and processor time, and let it ignore Ctrl-C.

    Beyond the limit of memory, allocations fail; beyond that of processor time, the process is killed.

    Args:
        more_bytes: how many bytes of memory the process may take beyond its present memory; `None` for no limit.
        cpu_s: the processor time in seconds; `None` for no limit.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: this process ends with its parent
    os.nice(NICENESS)
    if more_bytes is not None:
        data_pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = data_pages * resource.getpagesize() + more_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    if cpu_s is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))


def run_worker(answer: Callable[[bytes], object], *, more_bytes: int | None = None, cpu_s: int | None = None) -> None:
    """Answer each line of standard input with one line until the input is closed; this is a worker's main function.

    Args:
        answer: returns the message that answers a line.
        more_bytes: see `limit_resources`.
        cpu_s: see `limit_resources`.
    """
    limit_resources(more_bytes=more_bytes, cpu_s=cpu_s)
    works = threading.Event()
    for target in (_end_with_parent, lambda: _beat(works)):
        threading.Thread(target=target, daemon=True).start()
    try:
        for line in sys.stdin.buffer:
            works.set()
            write_line(encode_answer(answer(line)))
            works.clear()
    except ConnectionError:
        os._exit(0)


def _end_with_parent() -> None:
    """End this process, even in the middle of its work, as soon as its parent has closed the connection."""
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLRDHUP)
    poll.poll()
    os._exit(0)


def _beat(works: threading.Event) -> None:
    while works.wait():
        write_line(b"\n")
        time.sleep(BEAT_S)
