"""Stockfish, which counts lines of moves: an independent judge of legal moves, in Chess960 too."""

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from tests.support import tools


class StockfishFailed(RuntimeError):
    """Stockfish ended, or said something that is no count."""


class Stockfish:
    """A process of Stockfish, as a context manager. It writes castling as king takes rook, in every position."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [tools.stockfish()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._write("setoption name UCI_Chess960 value true")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(BrokenPipeError):
            self._write("quit")
        self._process.communicate()

    def lines(self, fen: str, depth: int = 1) -> Mapping[str, int]:
        """Return how many lines of some depth begin with each legal move; raises StockfishFailed."""
        self._write(f"position fen {fen}")
        self._write(f"go perft {depth}")
        found = dict[str, int]()
        for line in self._pipe(self._process.stdout):
            name, _, count = line.strip().rpartition(": ")
            if name == "Nodes searched":
                return found
            if name and " " not in name:
                found[name] = int(count)
        raise StockfishFailed(f"Stockfish ended over {fen}")

    def _write(self, line: str) -> None:
        self._pipe(self._process.stdin).write(f"{line}\n")

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe
