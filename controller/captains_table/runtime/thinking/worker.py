"""The thinking process: reads what is to be thought about from standard input, and writes what came of it.

It has low priority, takes one question at a time, and ends with its input; whoever wants a thought no more ends it.
"""

import argparse
import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from captains_table import catalog
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.common.sitter import NoSuchOpponent
from captains_table.process.plugins import install_plugins
from captains_table.runtime.line_process import BEAT_S
from captains_table.runtime.thinking.messages import TO_THINK, Thought, line_of
from captains_table.runtime.thinking.mind import Mind, NothingToDecide
from captains_table.runtime.uci_engine import BadEngine, engine_opponent
from captains_table.table.model.match import BadHistory

NICENESS: Final = 10


def think(lines: Iterable[bytes], out: BinaryIO) -> None:
    """Answer every line until there are no more."""
    mind = Mind(catalog.opponents_of, time.monotonic)
    for line in lines:
        out.write(line_of(_thought(mind, line)))
        out.flush()


def _thought(mind: Mind, line: bytes) -> Thought:
    try:
        asked = TO_THINK.decode(line)
        return Thought(mind.answer(asked)) if asked.computer else Thought(hint=mind.advise(asked))
    except (msgspec.DecodeError, BadHistory, NothingToDecide, NoSuchOpponent, BadEngine) as error:
        return Thought(error=str(error))


def end_with(descriptor: int) -> None:
    """End this process, whatever it is at, as soon as whoever asks it is gone."""
    poll = select.poll()
    poll.register(descriptor, select.POLLRDHUP)
    poll.poll()
    os._exit(0)


def answering(answer: Callable[[Iterable[bytes], BinaryIO], None]) -> int:
    """Answer lines until there are no more, or nobody is there who would read an answer; return the exit code.

    As long as an answer is worked out, the process says that it lives.
    """
    works = threading.Event()
    threading.Thread(target=beat, args=[works, sys.stdout.buffer], daemon=True).start()
    try:
        answer(_worked_on(sys.stdin.buffer, works), sys.stdout.buffer)
    except (BrokenPipeError, ConnectionResetError):
        os._exit(0)  # the table is gone, and with it whatever could not be written
    return 0


def _worked_on(lines: Iterable[bytes], works: threading.Event) -> Iterator[bytes]:
    for line in lines:
        works.set()
        yield line
        works.clear()


def beat(works: threading.Event, out: BinaryIO) -> None:
    """Say an empty line now and then while something is worked on, as long as anybody listens."""
    with contextlib.suppress(OSError):
        while works.wait():
            out.write(b"\n")
            out.flush()
            time.sleep(BEAT_S)


def main() -> int:
    """Think until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", type=Path, help="a UCI engine that plays Captain's Chess")
    engine = parser.parse_args().engine
    os.nice(NICENESS)
    install_plugins()
    if engine is not None:
        catalog.add_opponent(CaptainsChess.key, engine_opponent(engine))
    threading.Thread(target=end_with, args=[sys.stdin.fileno()], daemon=True).start()
    return answering(think)


if __name__ == "__main__":
    sys.exit(main())
