"""The installed command in this process, and its tables' answers: nothing here knows a module of the program."""

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple


class Said(NamedTuple):
    """What a command wrote, and its exit code."""

    code: int
    out: str
    err: str


@cache
def _main() -> Callable[[list[str]], int]:
    [script] = entry_points(group="console_scripts", name="captains-table")
    main: Callable[[list[str]], int] = script.load()
    return main


def command(*words: str | Path) -> Said:
    """Run `captains-table` as its script does."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = _main()([str(word) for word in words])
    return Said(code, out.getvalue(), err.getvalue())


DISPLAYED = frozenset({"label", "prompt", "advice"})


def without_words(value: object, key: str = "") -> Any:  # noqa: ANN401 - JSON
    """Return a value of JSON without what is only read by people: their words may change, where they stand may not."""
    if isinstance(value, dict):
        return {name: without_words(part, name) for name, part in value.items()}
    if key in DISPLAYED and value is not None:
        return "..."
    return [without_words(part) for part in value] if isinstance(value, list) else value
