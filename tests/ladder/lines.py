"""Files that are only ever added to, a line of JSON at a time, so that a run can go on where it was stopped."""

import json
from pathlib import Path
from typing import Any


def lines_of(path: Path) -> list[Any]:
    """Return what a file's lines say; a last line that was cut short is as if it had not been written."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def cut_off_half_a_line(path: Path) -> None:
    """Take away what a run wrote last if it was stopped in the middle of it; the file need not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.read_bytes() if path.exists() else b""
    if not written.endswith(b"\n"):
        path.write_bytes(written[: written.rfind(b"\n") + 1])
