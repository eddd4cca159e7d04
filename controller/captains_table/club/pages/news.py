"""Makes the news that the wall shows: lines about important events in matches, endings of matches, and best scores."""

import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from captains_table.club.events.event import PAIR
from captains_table.club.intake.table_state import Glance, TableState
from captains_table.club.pages.words import game_title
from captains_table.club.store.store import StoredResult
from captains_table.games.common.short_names import fitting_names
from captains_table.games.contract import EventKind, is_nobodys
from captains_table.phrases import ENGLISH, Language, message, say
from captains_table.reporting.said import translated
from captains_table.web.cards import in_words

KEPT: Final = 40
NAMES_ROOM: Final = 64
"""How many letters the names in a line have together; longer names are shortened, because there is no room."""
LONGEST: Final = 200
"""How many characters of a text from a table are shown."""
MOST_AT_ONCE: Final = 3
"""How many lines one change of a table may add."""
_Kind = tuple[int, str, int, frozenset[tuple[str, str]]]
WORTH_TELLING: Final = frozenset({EventKind.KING, EventKind.CROWN, EventKind.DAVY_JONES, EventKind.PLAY_OFF})


class NewsKind(StrEnum):
    """The kind of a line of news, which decides its colour."""

    TAKEN = "taken"  # a king, a crown, or everything
    WON = "won"
    LEFT = "left"  # a match was abandoned
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class News:
    """A line of news.

    Attributes:
        kind: its kind.
        user: the user name of the table where it happened.
        words: the text, not escaped for HTML.
        at_s: when it became known, in Unix seconds of the server's clock.
        match: the seal of the match whose result it tells; empty for what a table showed.
        packed: the phrase of which the text was made; empty if that is not known, or the text is a phrase itself.
    """

    kind: NewsKind
    user: str
    words: str
    at_s: float
    match: str = ""
    packed: str = ""

    def in_language(self, language: Language) -> "News":
        """Return the line in a language; a line that came without its phrase stays English."""
        words = translated(self.packed, language) if self.packed and language is not ENGLISH else ""
        return replace(self, words=words[:LONGEST]) if words else self


class NewsFeed:
    """Makes lines of news from changes of tables and from results, each line once, and keeps the last `KEPT` lines.

    A table's first state after the server's start is not news. The results of the current evening are news even if they
    came before the server's start, because they show how the evening stands. What a table showed is kept apart from
    what others showed, so that a table that is struck later has not displaced the others' news.
    """

    def __init__(self) -> None:
        self._glances: dict[str, tuple[str, Glance]] = {}
        self.last_receipt = 0
        """The receipt of the latest result that was taken in."""
        self._best: dict[_Kind, int] = {}
        self._shown: dict[str, deque[News]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._told: deque[News] = deque(maxlen=KEPT)
        self._evenings: set[int] = set()

    def latest(self, is_hidden: Callable[[News], bool] = lambda _: False) -> Sequence[News]:
        """Return the last lines of news that are not hidden, the newest first."""
        lines = itertools.chain(self._told, *self._shown.values())
        return sorted((line for line in lines if not is_hidden(line)), key=lambda line: line.at_s)[: -KEPT - 1 : -1]

    def forget(self) -> None:
        """Drop all lines of news and all best scores; results that were taken in before are not reported again."""
        self._shown.clear()
        self._told.clear()
        self._best.clear()
        self._evenings.clear()

    def forget_results(self) -> set[int]:
        """Drop the news of results, which must be taken in again; return the numbers of their evenings."""
        evenings, self._evenings = self._evenings, set()
        self._told.clear()
        self._best.clear()
        self.last_receipt = 0
        return evenings

    def see(self, table: TableState, now_s: float, phrases: Callable[[str], Mapping[str, str]] = lambda _: {}) -> None:
        """Add the news of a table's last action, if the table showed the same match at the previous call of `see`.

        `phrases` returns the packed phrases of a table's view by their English texts.
        """
        if table.glance is None:
            return
        match, before = self._glances.get(table.user, ("", None))
        self._glances[table.user] = table.match, table.glance
        events = table.glance.latest_events
        if before is None or before.latest_events == events or match != table.match:
            return
        told = [event.words for event in events if event.kind in WORTH_TELLING][:MOST_AT_ONCE]
        known = phrases(table.user) if told else {}
        for words in told:
            line = News(NewsKind.TAKEN, table.user, words[:LONGEST], now_s, packed=known.get(words, ""))
            self._shown[table.user].append(line)

    def hear(self, results: Iterable[StoredResult]) -> None:
        """Add the news of results, given in the order of receipt; skip those that were taken in already or are held."""
        for result in results:
            if result.receipt <= self.last_receipt:
                continue
            self.last_receipt = result.receipt
            self._evenings.add(result.evening)
            if result.is_held:
                continue
            kind = NewsKind.LEFT if result.ending is None else NewsKind.WON
            lines = [(kind, news_sentence(result)), *((NewsKind.RECORD, words) for words in self._records(result))]
            for kind, words in lines:
                self._told.append(News(kind, result.user, words, result.received_s, result.outcome.match))

    def _records(self, result: StoredResult) -> Iterator[str]:
        """Yield a line if a result has a higher score than all earlier ones of its kind in the evening.

        Results are of the same kind if they have the same game, the same options and the same number of players; the
        first result of a kind gives no line. Solitaire results are left out, as fewer points may be better there.
        Results without a score above 1 are left out too, as they only say who won.
        """
        outcome, ending = result.outcome, result.ending
        if ending is None or len(ending.scores) == 1 or max(ending.scores) <= 1:
            return
        kind = result.evening, outcome.game, len(outcome.seats), frozenset(outcome.options.items())
        best, before = max(ending.scores), self._best.get(kind)
        self._best[kind] = best if before is None else max(best, before)
        if before is not None and best > before:
            who = outcome.seats[ending.scores.index(best)]
            words = message("{name} has the best score of the evening at {game}: {score}")
            yield say(words, name=who, game=game_title(outcome.game), score=best)


def news_sentence(result: StoredResult) -> str:  # noqa: PLR0911 - a sentence for each case
    """Return how a match ended, as a sentence without a full stop: "Anne beats Bart 24 to 18 at Legend"."""
    outcome, ending = result.outcome, result.ending
    names, game = list(fitting_names(outcome.seats, NAMES_ROOM)), game_title(outcome.game)
    if ending is None:
        return say("{names} left their match of {game}", in_words(names), game)
    if len(names) == 1:
        return say("{name} has {score} at {game}", names[0], ending.scores[0], game)
    if is_nobodys(ending.winner, ending.scores):
        return say("Nobody wins {game} between {names}", game, in_words(names))
    if ending.winner is None:
        if not any(ending.scores) or len(names) != PAIR:
            return say("{names} share {game}", in_words(names), game)
        first, second = ending.scores
        return say("{names} share {game}, {first} to {second}", in_words(names), game, first, second)
    winner = names.pop(ending.winner)
    others = [score for seat, score in enumerate(ending.scores) if seat != ending.winner]
    if not any(ending.scores) or set(ending.scores) == {0, 1}:
        return say("{name} beats {names} at {game}", winner, in_words(names), game)
    own, words = ending.scores[ending.winner], message("{name} beats {names} {own} to {other} at {game}")
    return say(words, name=winner, names=in_words(names), own=own, other=max(others), game=game)
