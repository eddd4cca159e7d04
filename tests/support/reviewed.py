"""Matches played in memory, looked back on as a table looks back on its own, and served to a browser."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from captains_table.catalog import entry_of
from captains_table.games.contract import GIVING_UP, Action, Decide, Over, Pick
from captains_table.players.common.strategies import play_greedily
from captains_table.runtime.reviews import Review, review_of
from captains_table.table.history.review import JudgedDecision
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted
from captains_table.table.model.match import Match
from tests.support.fake_table import FakeTable
from tests.support.random_play import random_action
from tests.support.served_page import serving_page

BEGAN = "2026-11-22T14:00:00+01:00"
NAMES = ("Anne", "Bart")


def entries_of(
    game: str,
    actions: Sequence[Action] = (),
    *,
    names: Sequence[str] = NAMES,
    options: Mapping[str, str] | None = None,
    luck: int | None = None,
    is_sensible: bool = False,
    most: int = 10_000,
) -> list[Entry]:
    """Return the journal of a match: these actions, then as a seed has it, to the end or so many entries.

    Args:
        game: its key.
        actions: what is done first.
        names: who plays.
        options: of the game.
        luck: the seed; None: nothing more is done.
        is_sensible: whether decisions are the adviser's, and where it has none, what gains most at once.
        most: entries.
    """
    started = MatchStarted(game, tuple(names), dict(options or {}), "ab" * 32, tuple("human" for _ in names), 0)
    match = Match(started)
    entries: list[Entry] = [started, *(match.act(action, 1000) for action in actions)]
    rng = random.Random(luck)
    while luck is not None and not isinstance(match.turn, Over) and len(entries) < most:
        action = _sensible_action(match, rng) if is_sensible else random_action(match.turn, rng)
        if isinstance(match.turn, Decide) and isinstance(action, Pick) and action.id in GIVING_UP:
            continue
        entries.append(match.act(action, 1000 * len(entries)))
    if isinstance(match.turn, Over):
        entries.append(MatchEnded(match.turn.result.winner, match.turn.result.scores))
    return entries


def _sensible_action(match: Match, rng: random.Random) -> Action:
    adviser = entry_of(match.game.key).adviser
    if not isinstance(match.turn, Decide):
        return random_action(match.turn, rng)
    advice = None if adviser is None else adviser(match.state)
    if advice is not None and advice.action is not None:
        return advice.action
    return play_greedily(match.game, rng.randrange)(match.state, match.turn)


def reviewed(entries: Sequence[Entry], number: int = 1) -> Review:
    """Return a match looked back on."""
    return review_of(number, BEGAN, entries)


@contextmanager
def serving_reviews(*reviews: Review, judged: Sequence[JudgedDecision] = ()) -> Iterator[str]:
    """Serve a table with these matches to a browser, the decisions of each judged alike; yield the address."""
    table = FakeTable()
    table.analysed = dict.fromkeys((review.number for review in reviews), judged)
    table.looked_back = {review.number: review for review in reviews}
    with serving_page(table) as served:
        yield served.address
