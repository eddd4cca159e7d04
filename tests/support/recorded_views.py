"""Views that real tables showed: those of the scenario tapes, moment by moment."""

import itertools
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.model.view import View
from captains_table.table.tapes.tape_reader import parse_line

TAPES = Path(__file__).parents[1] / "tapes"
A_FEW = (
    *("whole-round", "barter", "chess-clock", "chess-crowns-by-capture", "three-players-of-the-source"),
    *("worked-example", "every-box-and-blimey-at-68", "perfect-storm", "crowns-a-game-master"),
    *("crowns-an-auction-on-time", "crowns-captures-prison-and-bail", "crowns-both-crowns-are-worn"),
    *("genie", "illegal-move", "hold-everything"),
)
"""Tapes of several games, with whatever is seldom to be seen."""


def tapes(names: Sequence[str] | None = A_FEW) -> list[Path]:
    """Return the tapes of these names; `None`: all of them."""
    return [tape for tape in sorted(TAPES.glob("*.tape")) if names is None or tape.stem in names]


def recorded_views(tape: Path) -> Iterator[View]:
    """Yield what is seen after each line of a tape; what is shown twice in a row only once."""
    player = TapePlayer(StringIO())
    lines = (parse_line(number, line) for number, line in enumerate(tape.read_text("utf-8").splitlines(), 1))

    def views() -> Iterator[View]:
        for line in filter(None, lines):
            player.play(line)
            yield player.view()
        player.finish()
        yield player.view()

    yield from (view for view, _ in itertools.groupby(views()))
