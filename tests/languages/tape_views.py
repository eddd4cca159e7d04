"""The views that tapes come to, one of those that look alike, to be drawn in any language."""

import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.model.view import View
from captains_table.table.tapes.tape_reader import parse_line

TAPES: Final = sorted((Path(__file__).parents[1] / "tapes").glob("*.tape"))
FEW: Final = (
    *("not-this-die", "buy-back", "barter", "crowns-pawns", "orthodox-dice", "curse-with-four-dice", "captain-begins"),
    *("chess-draw-offered", "castling-needs-a-five", "ask-withdrawn-by-putting-back", "cargo-dice-one-by-one"),
)
"""Some tapes with many different prompts."""


def views_of_tapes(names: Collection[str] = ()) -> Iterator[View]:
    """Yield the views of the tapes with these names, or of all, one of those with the same prompt and menu."""
    known = set()
    for tape in TAPES:
        if names and tape.stem not in names:
            continue
        player = TapePlayer(io.StringIO())
        for number, line in enumerate(tape.read_text().splitlines(), 1):
            parsed = parse_line(number, line)
            if parsed is None:
                continue
            player.play(parsed)
            view = player.view()
            look = view.game, view.phase, view.prompt[:1], len(view.menu.entries), bool(view.latest_events)
            if look not in known:
                known.add(look)
                yield view
