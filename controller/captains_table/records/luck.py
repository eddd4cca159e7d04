"""Measures the luck and the skill in a match by how much each throw and each decision changes the expected score.

Each action is credited to the seat that acted. Actions that cause curses or penalties are credited to nobody.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from captains_table.catalog import GameEntry
from captains_table.games.contract import EventKind, Game, Result, Rolled
from captains_table.players.common.luck import MatchLuck, Transition, match_luck
from captains_table.table.history.review import MatchReview
from captains_table.table.model.verdict import ranking

FROM_OUTSIDE: Final = frozenset({EventKind.CURSE, EventKind.PENALTY})


def _go_on() -> None:
    """Do not pause (the default for `pause`)."""


def luck_of(entry: GameEntry, story: MatchReview, pause: Callable[[], object] = _go_on) -> MatchLuck | None:
    """Return where each player's points come from (luck, skill, other causes), and the luck or skill of each action.

    Return `None` if the game has no measure of luck, or if the measure does not work under the match's options.

    Args:
        entry: the game.
        story: the match.
        pause: called before each action, to let other work use the processor.
    """
    if entry.luck is None or not entry.luck_is_known(story.options):
        return None
    return match_luck(entry.luck(), story.first, deeds_of(story, pause), story.scores)


def deeds_of(story: MatchReview, pause: Callable[[], object] = _go_on) -> Iterator[Transition]:
    """Yield each action of a match as a `Transition`, with the seat whose skill or luck the action shows.

    The seat is `None` if the action shows nobody's skill or luck (`skilled_seat`). `pause` is called before each
    action, to let other work use the processor.
    """
    for step in story.steps:
        pause()
        seat = skilled_seat(story.game, step.before, step.after, step.acted.seat)
        yield Transition(seat, isinstance(step.acted.action, Rolled), step.before, step.after)


def skilled_seat(game: Game[Any], before: object, after: object, seat: int | None) -> int | None:
    """Return the seat to which the skill or luck of an action is credited: the seat that acted.

    Return `None` if no seat acted, or if the action caused a curse or a penalty. Curses and penalties are imposed by
    other players.

    Args:
        game: the game.
        before: the state before the action.
        after: the state after the action.
        seat: the seat that acted; `None` if no seat did.
    """
    events = game.game_events(before, after)
    return None if any(event.kind in FROM_OUTSIDE for event in events) else seat


def luck_in_words(luck: MatchLuck, result: Result, names: Sequence[str]) -> str:
    """Return the luck and the skill in a finished match in one line.

    Between two players, the line compares the winner's luck with the lead. Otherwise it names the luckiest and the
    unluckiest player.
    """
    lucks = [each.luck for each in luck.seats]
    lost = " and ".join(f"{abs(each.skill):.0f} ({name})" for name, each in zip(names, luck.seats, strict=True))
    if len(names) == 1:
        return f"Luck: {_signed(lucks[0])} points. Choices cost {abs(luck.seats[0].skill):.0f}."
    if len(names) == 2 and result.winner is not None:  # noqa: PLR2004 - a pair
        winner, loser = (place.seat for place in ranking(result))
        lead, more = result.scores[winner] - result.scores[loser], round(lucks[winner] - lucks[loser])
        return f"{_luck_of_lead(names[winner], names[loser], lead, more)} Choices cost {lost}."
    most, least = lucks.index(max(lucks)), lucks.index(min(lucks))
    if most == least:
        return "The dice treated all alike."
    kindest, hardest = (f"{names[seat]} ({_signed(lucks[seat])} points)" for seat in (most, least))
    return f"The dice were kindest to {kindest} and hardest on {hardest}."


def _luck_of_lead(winner: str, loser: str, lead: int, more: int) -> str:
    """Return in words how many points of a lead are luck; `more` is how much luckier the winner was."""
    if more < 0:
        return f"The dice favoured {loser} by {-more}, and {winner} won all the same."
    if more >= lead:
        return f"The dice favoured {winner} by {more}, which decided the match."
    return f"Luck gave {winner} {more} of the lead of {lead}; the other {lead - more} came from play."


def _signed(points: float) -> str:
    return f"{points:+.0f}".replace("-", "\u2212")
