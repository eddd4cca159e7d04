"""Standings by hand, a small Swiss whose tie-breaks were worked out on paper; and ratings."""

from collections.abc import Sequence

import pytest

from captains_table.club.events.entries import (
    PairedMatch,
    RoundPaired,
    System,
    TieBreak,
)
from captains_table.club.events.ratings import BEGINNING, RatedMatch, ratings
from captains_table.club.events.standings import crosstable, points_text, shown_values, standings
from captains_table.reporting.messages import FinalScore
from tests.support.club_event import Running, begun, paired_by_hand

ALL = (
    TieBreak.BUCHHOLZ,
    TieBreak.BUCHHOLZ_CUT_1,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.WINS,
)


def played(
    rounds: list[dict[tuple[int, int], str]],
    byes: Sequence[tuple[int, ...]] = (),
    tie_breaks: tuple[TieBreak, ...] = ALL,
) -> Running:
    """Return a Swiss of nine rounds, counted as before there were editions, with these pairings, results and byes."""
    return paired_by_hand(rounds, byes, edition=None, tie_breaks=tie_breaks, planned=9)


def values_of(running: Running) -> dict[str, tuple[str, ...]]:
    return {line.name: shown_values(running.event, line) for line in standings(running.event)}


FOUR = [
    {(1, 3): "1-0", (2, 4): "1-0"},
    {(1, 2): "½-½", (4, 3): "1-0"},
    {(4, 1): "1-0", (3, 2): "1-0"},
]  # Anne 1½, Bart 1½, Cleo 1, Dirk 2


def test_points_and_tie_breaks_are_those_worked_out_by_hand() -> None:
    running = played(FOUR)
    assert [(line.place, line.name, points_text(line.halves)) for line in standings(running.event)] == [
        (1, "Dirk", "2"),
        (2, "Bart", "1½"),
        (3, "Anne", "1½"),
        (4, "Cleo", "1"),
    ]
    assert values_of(running) == {
        "Dirk": ("4", "3", "2½", "", "2"),  # met Bart 1½, Cleo 1, Anne 1½
        "Anne": ("4½", "3½", "1¾", "", "1"),  # beat Cleo 1, drew Bart 1½
        "Bart": ("4½", "3½", "2¾", "", "1"),  # beat Dirk 2, drew Anne 1½
        "Cleo": ("5", "3½", "1½", "", "1"),
    }


def test_after_an_earlier_round_the_standings_are_as_they_were() -> None:
    running = played(FOUR)
    assert [(line.name, points_text(line.halves)) for line in standings(running.event, until=1)][:2] == [
        ("Anne", "1"),
        ("Bart", "1"),
    ]


@pytest.mark.parametrize(
    ("halves", "scale", "words"), [(0, 2, "0"), (1, 2, "½"), (7, 2, "3½"), (9, 4, "2¼"), (3, 4, "¾")]
)
def test_points_are_written_as_people_write_them(halves: int, scale: int, words: str) -> None:
    assert points_text(halves, scale) == words


def test_the_crosstable_of_a_swiss_tells_whom_one_met_in_each_round() -> None:
    running = played(FOUR[:2])
    running.write(RoundPaired(round=3, matches=(PairedMatch(id="z", board=1, seats=(4, 1)),), byes=(3,)))
    table = crosstable(running.event)
    assert table.headings == ("1", "2", "3")
    assert {row.line.name: row.cells for row in table.rows} == {
        "Bart": ("+3w", "=2b", "-"),
        "Anne": ("+4w", "=1w", "*3b"),
        "Cleo": ("-2b", "-3b", "bye"),
        "Dirk": ("-1b", "+4w", "*2w"),
    }


def test_groups_are_parted_by_how_often_one_was_best_then_by_the_game_s_own_score() -> None:
    running = begun(System.GROUPS, 6, 2, 3, game="swashbuckle")
    for seated in running.pair().matches:
        scores = tuple(100 * (seat == 1) + 10 * seat for seat in seated.seats)
        best = scores.index(max(scores))
        running.tell(seated, FinalScore(winner=best, scores=scores))
    lines = standings(running.event)
    assert [points_text(line.halves) for line in lines] == ["3", "3", "2", "2", "1", "1"]
    assert lines[0].values[:2] == (1, max(line.values[1] for line in lines if line.halves == 6))
    cells = {row.line.player: row.cells for row in crosstable(running.event).rows}
    assert all(cell[0][0] in "321" and cell[0].endswith(")") for cell in cells.values())


def test_the_winner_of_a_match_is_worth_more_afterwards_and_the_loser_less() -> None:
    rated = ratings([RatedMatch("legend", ("Anne", "Bart"), (1, 2))])["legend"]
    [anne], [bart] = rated["Anne"], rated["Bart"]
    assert anne > BEGINNING > bart


def test_of_a_group_the_order_counts_and_equals_are_worth_the_same() -> None:
    rated = ratings([RatedMatch("swashbuckle", ("A", "B", "C", "D"), (1, 2, 2, 4))])["swashbuckle"]
    a, b, c, d = (rated[name][-1] for name in "ABCD")
    assert a > b == c > d


def test_each_game_has_ratings_of_its_own_and_keeps_how_they_went() -> None:
    rated = ratings([RatedMatch(game, ("Anne", "Bart"), (1, 2)) for game in ("legend", "crowns", "legend")])
    first, second = rated["legend"]["Anne"]
    assert len(rated["crowns"]["Bart"]) == 1
    assert first < second


def test_who_plays_alone_or_against_himself_is_not_rated() -> None:
    alone = RatedMatch("swashbuckle", ("Anne",), (1,))
    both_hands = RatedMatch("legend", ("Anne", "Anne"), (1, 2))
    assert ratings([alone, both_hands]) == {}
