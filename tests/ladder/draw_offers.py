"""`python -m tests.ladder.draw_offers`: to how many draw offers a level of Boreas agrees, by where a match stands."""

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from captains_table.catalog import opponents_of
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fen import START_POSITION, format_fen
from captains_table.games.captains_chess.state import State
from captains_table.games.contract import AGREE, Decide, Pick
from captains_table.players.common.opponents import Means

GAME = CaptainsChess()
WON: Final = "4k4/p8/9/9/9/9/PPP6/QR2K4 {} - - 0 60"
STANDINGS: Final[Mapping[str, tuple[str, Sequence[str]]]] = {  # a first position and moves; then a draw is offered
    "start": (format_fen(START_POSITION), ()),
    "after 1.e4 e5": (format_fen(START_POSITION), ("e2e4", "e7e5")),
    "lost": (WON.format("w"), ()),
    "level late": ("4k4/pp7/9/9/9/9/PP7/4K4 w - - 30 60", ()),
    "won": (WON.format("b"), ()),
}


def offered(standing: str) -> State:
    """Return a match in which a draw has just been offered."""
    first, moves = STANDINGS[standing]
    state = GAME.start(["A", "B"], {"fen": first})
    for action in (*moves, "offer-draw"):
        state = GAME.apply(state, Pick(action))
    return state


def agreed(level: int, standing: str, offers: int) -> int:
    """Return to how many of so many offers a level agrees, with chance seeded by the offer's number."""
    state = offered(standing)
    turn, boreas = GAME.turn(state), opponents_of(GAME.key)["boreas"]
    assert isinstance(turn, Decide)
    players = (boreas.make(level, Means(random.Random(seed).randrange, lambda: 0.0)) for seed in range(offers))
    return sum(player(state, turn) == Pick(AGREE.id) for player in players)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ladder.draw_offers", description=__doc__)
    parser.add_argument("--offers", type=int, default=25, help="so many to each level in each standing (25)")
    offers = parser.parse_args(argv).offers
    sys.stdout.write(f"| Level | {' | '.join(STANDINGS)} |\n|{'---|' * (len(STANDINGS) + 1)}\n")
    for level in opponents_of(GAME.key)["boreas"].levels:
        told = " | ".join(f"{agreed(level, standing, offers)} of {offers}" for standing in STANDINGS)
        sys.stdout.write(f"| {level} | {told} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
