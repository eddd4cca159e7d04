"""Tables with as many players as a game takes, when they have most to show; and what is wrong with their tiles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from captains_table.games.contract import EventKind, GameEvent, Result
from captains_table.games.registry import GAMES
from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.model.view import Phase, SeatView, View
from captains_table.table.tapes.tape_reader import parse_line
from tests.support.effort import LONG_RUN

COUNTS: Final = tuple(range(1, 21)) if LONG_RUN else (1, 2, 4, 7, 20)
NAMES: Final = (
    *("Anne", "Bartholomew", "Cleo", "Dirk", "Everard van der Decken", "Floor", "Guus"),
    *("Hein", "Io", "Jolanda", "Kees", "Li", "Maarten", "Noor"),
    *(f"Sailor {number}" for number in range(15, 21)),
)
SCORES: Final = (1204, 88, 900, 7, 1003)
OPTIONS: Final = {
    "legend": ("rounds=1",),
    "captains-chess": ("clock=40/90+30,30d5",),
    "ship-captain-crew": ("order=seated",),
    "swashbuckle": ("order=seated",),
    "crowns": ("turn_limit=20", "timer=60"),
}
"""The games of the house, and how they are begun."""
SCROLLS: Final = (
    "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
)
_LOOK: Final = Path(__file__).with_name("whole_tiles.js").read_text("utf-8")


def ways() -> list[tuple[str, int]]:
    """Return every game with every number of players that it takes, of `COUNTS`."""
    return [(game, players) for game in OPTIONS for players in COUNTS if players in GAMES[game].seats]


@cache
def moments(game: str, players: int) -> Sequence[View]:
    """Return what a table of so many players shows: late, with long numbers and the last player on turn; at the end.

    Args:
        game: the game's key.
        players: how many play it, as many as it takes.
    """
    *_, begun = _shown(_lines(game, NAMES[:players]))
    last = players - 1
    seats = tuple(_rich(seat, place, on_turn=place == last) for place, seat in enumerate(begun.seats))
    late = replace(begun, seats=seats, seat=None if begun.seat is None else last, latest_events=_events(begun))
    scores = tuple(SCORES[place % len(SCORES)] for place in range(players))
    still = tuple(replace(seat, on_turn=False, bid=0) for seat in seats)
    won = (f"{NAMES[0]} wins the match",)
    over = replace(late, phase=Phase.OVER, seats=still, seat=None, result=Result(0, scores), prompt=won)
    return late, over


def _lines(game: str, names: Sequence[str]) -> list[str]:
    quoted = [f'"{name}"' for name in names]
    begun = " ".join(["game", game, *quoted, *OPTIONS[game]])
    if game == "crowns":
        return [begun, *(f"bid {name} 1" for name in quoted)]
    return [begun, "dice seed 7", "press roll"]


def _shown(lines: Sequence[str]) -> Iterator[View]:
    player = TapePlayer(StringIO())
    for number, line in enumerate(lines, 1):
        parsed = parse_line(number, line)
        assert parsed is not None
        player.play(parsed)
        yield player.view()


def _rich(seat: SeatView, place: int, *, on_turn: bool) -> SeatView:
    """Return a player with much of everything that a player has anything of; some are computers."""
    tallies = {name: SCORES[place % len(SCORES)] for name in seat.tallies}
    left = None if seat.seconds_left is None else 3599 - 3580 * (place % 2)
    computer, level = ("Aether", "casual") if place % 3 == 1 else ("", "")
    bid = seat.bid and 20 - place
    seat = replace(seat, computer=computer, level=level)
    return replace(seat, tallies=tallies, bid=bid, seconds_left=left, on_turn=on_turn or bid > 0)


def _events(view: View) -> tuple[GameEvent, ...]:
    kinds = (EventKind.KING, EventKind.ROUND, EventKind.CROWN)
    return tuple(GameEvent(kind, 0, 12, f"{view.seats[0].name} takes what there is to take") for kind in kinds)


def wrong_with_tiles(page: Page) -> list[str]:
    """Return what is cut, sticks out, lies over something else or is not counted on the tiles of a wall."""
    found: list[str] = page.evaluate(_LOOK)
    return found
