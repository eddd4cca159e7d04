"""Matches played in memory, and looked back on as a table looks back on its own."""

import random
from collections.abc import Mapping, Sequence

from captains_table.games.contract import ABANDON, AGREE, RESIGN, Action, Decide, Over, Pick
from captains_table.runtime.reviews import look_back
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted
from captains_table.table.model.match import Match
from captains_table.web.port import Review
from tests.support.random_play import random_action

BEGAN = "2026-11-22T14:00:00+01:00"
GIVING_UP = frozenset({ABANDON.id, AGREE.id, RESIGN.id})
NAMES = ("Anne", "Bart")


def entries_of(
    game: str,
    actions: Sequence[Action] = (),
    *,
    names: Sequence[str] = NAMES,
    options: Mapping[str, str] | None = None,
    luck: int | None = None,
    most: int = 10_000,
) -> list[Entry]:
    """Return the journal of a match: these actions, then as a seed has it, to the end or so many entries.

    Args:
        game: its key.
        actions: what is done first.
        names: who plays.
        options: of the game.
        luck: the seed; None: nothing more is done.
        most: entries.
    """
    started = MatchStarted(game, tuple(names), dict(options or {}), "ab" * 32, tuple("human" for _ in names), 0)
    match = Match(started)
    entries: list[Entry] = [started, *(match.act(action, 1000) for action in actions)]
    rng = random.Random(luck)
    while luck is not None and not isinstance(match.turn, Over) and len(entries) < most:
        action = random_action(match.turn, rng)
        if isinstance(match.turn, Decide) and isinstance(action, Pick) and action.id in GIVING_UP:
            continue
        entries.append(match.act(action, 1000 * len(entries)))
    if isinstance(match.turn, Over):
        entries.append(MatchEnded(match.turn.result.winner, match.turn.result.scores))
    return entries


def reviewed(entries: Sequence[Entry], number: int = 1) -> Review:
    """Return a match looked back on."""
    return look_back(number, BEGAN, entries)
