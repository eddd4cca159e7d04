"""Playing one tape for a test."""

import io
import json
from typing import Any, NamedTuple

from captains_table.runtime.tape_player import replay_lines

OPENING = """\
game legend Anne Bart
dice 6 5 4 3 2 5
press roll
lift e2
place e4
"""


class Played(NamedTuple):
    """What playing a tape came to."""

    code: int
    actions: list[dict[str, Any]]
    final: dict[str, Any]
    err: str


def played(text: str) -> Played:
    """Play one tape, and see that it prints nothing but its actions and one final object."""
    out, err = io.StringIO(), io.StringIO()
    code = replay_lines("some.tape", text.splitlines(), out, err)
    *actions, last = [json.loads(line) for line in out.getvalue().splitlines()]
    assert set(last) == {"tape", "final"}
    assert last["tape"] == "some.tape"
    assert all(set(action) == {"seq", "at_ms", "seat", "action"} for action in actions)
    return Played(code, actions, last["final"], err.getvalue())
