"""The thinking process: reads what is to be thought about from standard input, and writes what came of it.

It takes one question at a time; a thought that nobody wants any more is ended with the process.
"""

import argparse
import time
from pathlib import Path

import msgspec

from captains_table import catalog
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.common.sitter import NoSuchOpponent
from captains_table.process.answering import work
from captains_table.process.plugins import install_plugins
from captains_table.runtime.thinking.messages import TO_THINK, Thought
from captains_table.runtime.thinking.mind import Mind, NothingToDecide
from captains_table.runtime.uci_engine import BadEngine, engine_opponent
from captains_table.table.model.match import BadHistory


def main() -> None:
    """Think until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", type=Path, help="a UCI engine that plays Captain's Chess")
    engine = parser.parse_args().engine
    install_plugins()
    if engine is not None:
        catalog.add_opponent(CaptainsChess.key, engine_opponent(engine))
    mind = Mind(catalog.opponents_of, time.monotonic)
    work(lambda line: _thought(mind, line))


def _thought(mind: Mind, line: bytes) -> Thought:
    try:
        asked = TO_THINK.decode(line)
        return Thought(mind.answer(asked)) if asked.computer else Thought(hint=mind.advise(asked))
    except (msgspec.DecodeError, BadHistory, NothingToDecide, NoSuchOpponent, BadEngine) as error:
        return Thought(error=str(error))


if __name__ == "__main__":
    main()
