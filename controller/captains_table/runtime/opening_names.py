"""Names chess openings by the file of Debian's package scid-data, where it is installed; it is read, not copied."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

OPENINGS_FILE: Final = Path("/usr/share/scid/data/scid.eco")
_LINE: Final = re.compile(r'^([A-E]\d\d)\S*\s+"([^"]+)"\s+([^*]*)\*', re.MULTILINE)
_NUMBER: Final = re.compile(r"\d+\.+")


def opening_name(sans: Sequence[str], file: Path = OPENINGS_FILE) -> str:
    """Return the code and name of the longest named line with which a match began, such as "C50 Italian Game".

    Args:
        sans: the match's moves in standard algebraic notation, from the usual array.
        file: the file with the lines; without it the result is empty.
    """
    lines = _lines(file)
    named = (lines.get(tuple(sans[:length])) for length in range(len(sans), 0, -1))
    return next((name for name in named if name), "")


@lru_cache(maxsize=1)
def _lines(file: Path) -> Mapping[tuple[str, ...], str]:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return {tuple(_NUMBER.sub(" ", moves).split()): f"{code} {name}" for code, name, moves in _LINE.findall(text)}
