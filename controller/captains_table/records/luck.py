"""Measures the luck and the skill in a match by how much each throw and each decision changes the expected score.

Each action is credited to the seat that acted. Actions that cause curses or penalties are credited to nobody.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from captains_table.catalog import GameEntry
from captains_table.games.contract import EventKind, Game, Result, Rolled
from captains_table.phrases import computed, say, several, with_spaces
from captains_table.players.common.luck import MatchLuck, Transition, match_luck
from captains_table.table.history.review import MatchReview
from captains_table.table.model.match import Step
from captains_table.table.model.verdict import ranking

PAIR: Final = 2
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


def better_choice(entry: GameEntry, step: Step) -> str:
    """Return in words what the game's adviser advised in place of a decision; empty if it had no other advice."""
    advice = None if entry.adviser is None else entry.adviser(step.before)
    return "" if advice is None or advice.action == step.acted.action else advice.words


def luck_in_words(luck: MatchLuck, result: Result, names: Sequence[str]) -> str:
    """Return in a few words who had the better dice in a finished match, and who chose better.

    Between two players, the points are those by which one had better dice, or chose better, than the other. Among more
    players, the luckiest and the unluckiest are named. What rounds to no points is left out.
    """
    lucks = [each.luck for each in luck.seats]
    if len(names) == 1:
        return _alone(luck)
    if len(names) == PAIR:
        return _compared(luck, result, names)
    most, least = lucks.index(max(lucks)), lucks.index(min(lucks))
    if most == least:
        return say("The dice treated all alike.")
    return say(
        "The dice were kindest to {kindest} ({more} points) and hardest on {hardest} ({less} points).",
        names[most],
        _signed(lucks[most]),
        names[least],
        _signed(lucks[least]),
    )


def _alone(luck: MatchLuck) -> str:
    """Return how good the dice of a single player were, and what the choices cost."""
    more, lost = round(luck.seats[0].luck), -round(luck.seats[0].skill)
    if more > 0:
        dice = several(
            more, "The dice were {n} point better than average.", "The dice were {n} points better than average."
        )
    elif more:
        dice = several(
            -more, "The dice were {n} point worse than average.", "The dice were {n} points worse than average."
        )
    else:
        dice = say("Average dice.")
    if lost <= 0 or not luck.judges_choices:
        return dice
    return computed(with_spaces, dice, several(lost, "Choices cost {n} point.", "Choices cost {n} points."))


def _compared(luck: MatchLuck, result: Result, names: Sequence[str]) -> str:
    """Return which of two players had the better dice, and which chose better, with the effect on the match."""
    points, judged = luck.seats, luck.judges_choices
    first, second = (place.seat for place in ranking(result))
    lead = 0 if result.winner is None else result.scores[first] - result.scores[second]
    dice, choices = round(points[first].luck - points[second].luck), round(points[first].skill - points[second].skill)
    words = [_better_dice(dice, lead, names[first], names[second])] if dice else []
    if choices and judged:
        name = names[first if choices > 0 else second]
        words.append(
            several(
                abs(choices),
                "{name}'s choices were {n} point better.",
                "{name}'s choices were {n} points better.",
                name,
            )
        )
    return computed(with_spaces, *words) if words else say("The dice treated both alike.")


def _better_dice(dice: int, lead: int, winner: str, loser: str) -> str:
    """Return whose dice were better, and how that affected the match.

    Args:
        dice: by how many points the dice of `winner` were better.
        lead: by how many points the match was won; 0 if it was drawn.
        winner: the player with the higher score.
        loser: the other one.
    """
    points = abs(dice)
    if lead <= 0:
        return several(
            points,
            "{name}'s dice were {n} point better.",
            "{name}'s dice were {n} points better.",
            winner if dice > 0 else loser,
        )
    if dice < 0:
        return several(
            points,
            "{name}'s dice were {n} point better, and {winner} won all the same.",
            "{name}'s dice were {n} points better, and {winner} won all the same.",
            loser,
            winner,
        )
    if dice >= lead:
        return several(
            points,
            "{name}'s dice were {n} point better, which decided the match.",
            "{name}'s dice were {n} points better, which decided the match.",
            winner,
        )
    return several(
        points,
        "{name}'s dice were {n} point better, and {name} won by {lead}.",
        "{name}'s dice were {n} points better, and {name} won by {lead}.",
        winner,
        lead,
    )


def _signed(points: float) -> str:
    return f"{points:+.0f}".replace("-", "\u2212")
