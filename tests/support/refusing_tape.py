"""Playing a tape together with the inputs that a comment of it says are refused.

The comment stands where the input is tried: `# refused: bid Anne 0 -- words of the message`. The tape goes on after it.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from captains_table.runtime.tape_player import IMPOSSIBLE, TapePlayer
from captains_table.table.tapes.tape_reader import parse_line

REFUSED = "# refused: "


class Moment(NamedTuple):
    """What stands after a line of a tape.

    Attributes:
        number: the line's.
        actions: those that were journalled so far, as `replay` prints them.
        final: the final object.
    """

    number: int
    actions: list[dict[str, Any]]
    final: dict[str, Any]


def refusals_in(tape: Path) -> int:
    """Return how many inputs a tape says are refused."""
    return sum(line.startswith(REFUSED) for line in tape.read_text(encoding="utf-8").splitlines())


def moments_of(tape: Path) -> Iterator[Moment]:
    """Play a tape and yield what stands after each line; what is said to be refused is, and changes nothing."""
    out = io.StringIO()
    player = TapePlayer(out)
    for number, text in enumerate(tape.read_text(encoding="utf-8").splitlines(), start=1):
        if text.startswith(REFUSED):
            _check_refused(player, out, number, text.removeprefix(REFUSED))
            continue
        line = parse_line(number, text)
        if line is not None:
            mismatch = player.play(line)
            assert mismatch is None, f"{tape.name}:{number}: {mismatch}"
            yield Moment(number, _lines(out), player.final())


def _check_refused(player: TapePlayer, out: io.StringIO, number: int, words: str) -> None:
    tried, dashes, message = words.partition(" -- ")
    assert dashes, f"{number}: expected the message after ` -- `"
    before, told = player.final(), out.getvalue()
    with pytest.raises(IMPOSSIBLE) as refused:
        player.play(parse_line(number, f"+0 {tried}"))  # type: ignore[arg-type]  # it is no comment
    assert message in str(refused.value), f"{number}: {refused.value}"
    assert (player.final(), out.getvalue()) == (before, told), f"{number}: {tried} changed something"


def _lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]
