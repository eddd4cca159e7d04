"""The audit every game must stand: the points of its events explain every change of its score."""

from typing import Any

from captains_table.games.contract import Game, points_of


def check_points(game: Game[Any], before: object, after: object) -> None:
    """Fail unless the events of the one action between two states add up to how the score changed."""
    old, new = game.score(before), game.score(after)
    seats = len(game.names(after))
    assert len(old) == len(new) == seats, f"{game.key}: a score for each of {seats} seats was expected, found {new}"
    gained = tuple(now - then for then, now in zip(old, new, strict=True))
    events = game.game_events(before, after)
    told = points_of(events, seats)
    assert told == gained, f"{game.key}: the events give {told}, the score changed by {gained}: {list(events)}"
