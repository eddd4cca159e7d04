"""What was played already: a line of JSON a round, in a file that is only ever added to, so that a run can go on."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from tests.ladder.game import Played

USUAL: Final = user_cache_path("captains-table") / "ladder.jsonl"


class Results:
    """The rounds in a file; a last line that was cut short is as if it had not been played.

    Args:
        path: need not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rounds: dict[tuple[str, int, bool], Played] = {}
        if path.exists():
            self._rounds.update(_read(path))
            _end_last_line(path)

    def add(self, pairing: str, pair: int, played: Played, *, first_has_white: bool) -> None:
        """Remember a round, on the disk too."""
        self._rounds[pairing, pair, first_has_white] = played
        entry = {"pairing": pairing, "pair": pair, "first_has_white": first_has_white, **asdict(played)}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(entry)}\n")

    def has(self, pairing: str, pair: int, *, first_has_white: bool) -> bool:
        """Return whether a round was played."""
        return (pairing, pair, first_has_white) in self._rounds

    def of(self, pairing: str, pairs: int) -> list[tuple[int, Played]]:
        """Return the rounds of a pairing's first pairs."""
        return [
            (pair, played)
            for (name, pair, _), played in sorted(self._rounds.items(), key=lambda item: item[0])
            if name == pairing and pair < pairs
        ]


def _read(path: Path) -> Iterator[tuple[tuple[str, int, bool], Played]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:  # cut short
            continue
        key = entry.pop("pairing"), entry.pop("pair"), entry.pop("first_has_white")
        yield key, Played(**{**entry, "seconds": tuple(entry["seconds"])})


def _end_last_line(path: Path) -> None:
    """Let what is added begin a line of its own where a run was stopped while it wrote."""
    with path.open("r+b") as file:
        if file.seek(0, 2) and not path.read_bytes().endswith(b"\n"):
            file.write(b"\n")
