"""Playing what is not in a file yet: a line of JSON a game, only ever added to, so that a stopped run can go on."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from captains_table.process.plugins import install_plugins

K = TypeVar("K", bound=tuple[Any, ...])
R = TypeVar("R", bound=tuple[Any, ...])


def play_rest(path: Path, keys: Sequence[K], play: Callable[[K], R], processes: int | None, batch: int) -> dict[K, R]:
    """Play the games of these keys that are not in the file yet, add them to it, and return all that were asked for.

    Args:
        path: need not be there yet; a last line that was cut short is as if it had not been played.
        keys: what the games are called in the file.
        play: plays one.
        processes: how many run at once.
        batch: how many one process plays before they are added.
    """
    found = played_already(path, len(keys[0]))
    left = [key for key in keys if key not in found]
    batches = [left[first : first + batch] for first in range(0, len(left), batch)]
    path.parent.mkdir(parents=True, exist_ok=True)
    _cut_off_half_a_line(path)
    pool = ProcessPoolExecutor(processes, initializer=install_plugins)
    with pool, path.open("a", encoding="utf-8") as file:
        for names, results in zip(batches, pool.map(_play_batch, [play] * len(batches), batches), strict=True):
            for key, result in zip(names, results, strict=True):
                file.write(f"{json.dumps([*key, *result])}\n")
            file.flush()
    found = played_already(path, len(keys[0]))
    return {key: found[key] for key in keys}


def _play_batch(play: Callable[[K], R], keys: Sequence[K]) -> list[R]:
    return [play(key) for key in keys]


def played_already(path: Path, key_length: int) -> dict[Any, Any]:
    """Return the games in a file: what follows the key in each line, by the key."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return {tuple(row[:key_length]): tuple(row[key_length:]) for row in rows if isinstance(row, list)}


def _cut_off_half_a_line(path: Path) -> None:
    written = path.read_bytes() if path.exists() else b""
    if not written.endswith(b"\n"):
        path.write_bytes(written[: written.rfind(b"\n") + 1])
