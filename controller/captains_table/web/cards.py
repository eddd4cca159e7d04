"""Chooses what pages, mainly the room display, show of a view: cards, ranking, names, columns, prompt and tally.

The room display shows a large card at the end of a round or match. In large groups only some names and columns fit.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from captains_table.games.common.short_names import short_names
from captains_table.games.contract import EventKind, Result
from captains_table.phrases import listed, noun, say, several
from captains_table.table.model import verdict
from captains_table.table.model.verdict import Place
from captains_table.table.model.view import CROWD, Phase, SeatView, View, first_shown
from captains_table.web.page_language import on_page
from captains_table.web.svg.chart_svg import bar_svg

TOTAL = "total"
_NAMED = 6  # how many names of a crowd are listed
_ROOMS = (20, 16, 12, 10, 8, 7, 6, 5, 4, 3, 1)  # letters
_ONE_LIST = 16  # more players than these are listed in two columns
LEFTWARD = frozenset({"R", "AL"})  # Unicode's classes of letters that are written from right to left
_ROUND_KINDS = frozenset({EventKind.ROUND, EventKind.SETTLEMENT, EventKind.PLAY_OFF})


@dataclass(frozen=True, slots=True)
class Card:
    """A large card.

    Attributes:
        is_final: whether it is about the whole match.
        headline: its headline.
        lines: the lines below the headline: what happened, or why the match ended so.
        score: the final score in one line; empty without one.
    """

    is_final: bool
    headline: str
    lines: tuple[str, ...] = ()
    score: str = ""


def card_of(view: View) -> Card | None:
    """Return the card about a finished match, or about a round that has just ended.

    `None` if the view shows neither.
    """
    if view.phase is Phase.OVER and view.result is not None:
        names = [seat.called for seat in view.seats]
        lines = tuple(verdict.reasons(view.result, view.latest_events))
        headline, score = verdict.headline(view.result, names), verdict.score_line(view.result)
        score = with_unit(score, view, view.result.scores)
        return Card(is_final=True, headline=headline, lines=lines, score=score)
    if any(event.kind in _ROUND_KINDS for event in view.latest_events):
        lines = tuple(event.words for event in view.latest_events if event.words != view.heading)
        return Card(is_final=False, headline=view.heading, lines=lines)
    return None


def prompt_of(view: View) -> Sequence[str]:
    """Return the prompt's lines; leave out the first line if the card of a finished match has it as a headline."""
    card = card_of(view)
    return view.prompt[1:] if card is not None and card.is_final else view.prompt


def standing_of(view: View) -> Sequence[tuple[int, int | None]]:
    """Return the seats in display order, each with its rank, which is `None` until the match is over.

    During a match the seats are in their own order. Afterwards the winner is first, and the others follow by score.
    Players with equal scores share a rank, but nobody shares the winner's rank.
    """
    return [(each.seat, each.place) for each in ranked_places(view)] or [
        (seat, None) for seat in range(len(view.seats))
    ]


def score_parts(view: View) -> Sequence[str]:
    """Return the names of the tallies that add up to each player's final score; empty if no tallies do."""
    if view.result is None or not view.seats:
        return ()
    names = [name for name in view.seats[0].tallies if name != TOTAL]
    parts = [[seat.tallies.get(name, 0) for name in names] for seat in view.seats]
    adds_up = [sum(own) for own in parts] == list(view.result.scores)
    return names if len(names) > 1 and adds_up and min(map(min, parts)) >= 0 else ()


def ranked_places(view: View) -> Sequence[Place]:
    """Return the players of a finished match, best player first; empty for other views."""
    if view.result is None or len(view.result.scores) != len(view.seats):
        return ()
    return verdict.ranking(view.result)


def score_bar(view: View, result: Result, place: Place, where: str = "", colours: Sequence[str] = ()) -> str:
    """Return a player's score as a bar, divided into the tallies that it consists of, as SVG.

    Args:
        view: the view after the match.
        result: the match's result.
        place: the player's place.
        where: attributes that place the bar in a larger picture.
        colours: the colours of the parts; without them a style sheet colours the classes `part-0` to `part-3`.
    """
    parts = [view.seats[place.seat].tallies[name] for name in score_parts(view)] or [place.score]
    return bar_svg(parts, max(result.scores), where, colours)


def in_words(names: Sequence[str]) -> str:
    """Return the players' names in one line.

    If there are more than CROWD names, return only the first few and the number of the others.
    """
    if len(names) > CROWD:
        names = [*names[:_NAMED], several(len(names) - _NAMED, "{n} more", "{n} more")]
    return listed(names)


def names_in_html(names: Sequence[str]) -> Markup:
    """Return names as `in_words` does, each isolated from the direction of the text around it."""
    listed = in_words([Markup("<bdi>{}</bdi>").format(on_page(name)) for name in names])
    return Markup(on_page(listed))  # noqa: S704 - the names are escaped


def emphasised(text: str) -> Markup:
    """Return a text as HTML in which what stands between asterisks is bold."""
    parts = on_page(text).split("*")
    return Markup("").join(
        Markup("<b>{}</b>").format(part) if number % 2 else part for number, part in enumerate(parts)
    )


def isolated(text: str, seats: Sequence[SeatView]) -> str:
    """Return a text in which the names of players are isolated from the direction of the text around them.

    Only names with letters that are written from right to left need this.
    """
    text = on_page(text)
    named = {seat.called for seat in seats if not seat.called.isascii()}
    leftward = (name for name in named if LEFTWARD.intersection(map(unicodedata.bidirectional, name)))
    names = sorted(leftward, key=len, reverse=True)
    if not names:
        return text
    parts = re.split(f"({'|'.join(map(re.escape, names))})", text)
    return Markup("").join(Markup("<bdi>{}</bdi>").format(part) if part in names else part for part in parts)


def name_forms(names: Sequence[str]) -> list[list[str]]:
    """Return each name whole and in shorter forms; a page shows all of them in the longest forms that fit."""
    whole = tuple(names)
    levels = dict.fromkeys((whole, *(short_names(whole, room) for room in _ROOMS)))
    return [list(forms) for forms in zip(*levels, strict=True)]


def lists_of(view: View) -> Sequence[Sequence[tuple[int, int | None]]]:
    """Return each seat with its rank, in display order; in two lists if one list would be too long.

    A rank is `None` until the match is over.
    """
    standing = standing_of(view)
    if len(standing) <= _ONE_LIST:
        return [standing]
    half = (len(standing) + 1) // 2
    return [standing[:half], standing[half:]]


def visible_columns(view: View) -> range:
    """Return the seats whose columns of the score sheet are shown: at most CROWD, around the seat on turn.

    While a past throw is shown, the shown columns are those around the seat that threw.
    """
    seats = range(len(view.seats))
    turn = view.last_throw.seat if view.last_throw is not None else view.seat
    first = first_shown(turn, len(seats), CROWD)
    return seats[first : first + CROWD]


def main_tally(names: Sequence[str]) -> str:
    """Return the name of the tally that is shown largest: the total if there is one, otherwise the last tally.

    Empty without tallies.
    """
    return TOTAL if TOTAL in names else names[-1] if names else ""


def with_unit(score: str, view: View, scores: Sequence[int]) -> str:
    """Return a score with what the scores count, such as "7 gold", if they are no points and the score is not empty."""
    name = main_tally(list(view.seats[0].tallies)) if view.seats else TOTAL
    is_counted = name != TOTAL and [seat.tallies.get(name) for seat in view.seats] == list(scores)
    return say("{score} {unit}", score, noun(name)) if score and is_counted else score
