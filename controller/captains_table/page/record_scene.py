"""The content of the page of records: tables of results by game and course, people apart from computers."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from captains_table.games.common.records import RankedPlayer, SolitaireBest, Tally
from captains_table.games.contract import is_moot
from captains_table.games.registry import GAMES
from captains_table.phrases import listed, say
from captains_table.storage.match_index import Standings

PEOPLE: Final = say("People")
COMPUTERS: Final = say("Computers")
Row = RankedPlayer | Tally | SolitaireBest


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A table of the page of records.

    Attributes:
        heading: the game, the ranking, or "Alone".
        course: the options in which the matches agree, in words; empty if there is only the usual course.
        who: whose results these are, `PEOPLE` or `COMPUTERS`; empty if there are no computers to be kept apart.
        score: the head of the column of scores, in a ranking.
        rows: the players, the best first.
    """

    heading: str
    course: str
    who: str
    score: str
    rows: Sequence[Row]


def ranking_tables(standings: Standings) -> Iterator[RecordTable]:
    """Yield the tables of the rankings."""
    for ranking in standings.rankings:
        for who, rows in _apart(ranking.players, standings.computers):
            yield RecordTable(ranking.heading, "", who, ranking.score, rows)


def result_tables(results: Iterable[Tally | SolitaireBest], computers: Collection[str]) -> Iterator[RecordTable]:
    """Yield the tables of wins, or of solitaire results, which are sorted by game and course."""
    for game, of_game in groupby(results, key=lambda row: row.game):
        by_course = {course: list(rows) for course, rows in groupby(of_game, key=lambda row: row.course)}
        settings = {course: _settings(course) for course in by_course}
        named = {name for chosen in settings.values() for name in chosen}
        for course, rows in by_course.items():
            for who, own in _apart(rows, computers):
                yield RecordTable(GAMES[game].title, _words(game, settings[course], named), who, "", own)


def _apart(rows: Sequence[Row], computers: Collection[str]) -> Iterator[tuple[str, Sequence[Row]]]:
    """Yield people and computers, each with their rows; an empty group is left out."""
    groups = {
        who: [row for row in rows if (row.name in computers) == (who == COMPUTERS)] for who in (PEOPLE, COMPUTERS)
    }
    yield from ((who if groups[COMPUTERS] else "", own) for who, own in groups.items() if own)


def _settings(course: str) -> dict[str, str]:
    """Return the options of a course, such as `target=20`; values may contain spaces."""
    return dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", course))


def _words(game: str, chosen: dict[str, str], named: Collection[str]) -> str:
    """Return the values of the options `named` in words, without those that have no effect."""
    declared = GAMES[game].options
    settings = (
        say("{option}: {choice}", option.words, option.display_text(chosen.get(option.name, option.default)))
        for option in declared
        if option.name in named and not is_moot(option, declared, chosen)
    )
    return listed(list(settings), ",")
