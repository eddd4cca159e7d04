"""Standings by hand: a small Swiss whose tie-breaks were worked out on paper."""

from collections.abc import Sequence

import pytest

from captains_table.club.events.entries import (
    LOSS,
    WIN,
    PairedMatch,
    RoundPaired,
    Ruled,
    System,
    TieBreak,
    Withdrew,
)
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


def test_the_direct_encounter_parts_those_whom_nothing_before_it_does() -> None:
    rounds = [{(1, 2): "0-1", (3, 4): "0-1"}, {(1, 3): "1-0", (4, 2): "1-0"}]
    running = played(rounds, tie_breaks=(TieBreak.DIRECT_ENCOUNTER,))  # Anne 1 (of Bart), Bart 1, Cleo 0, Dirk 2
    lines = standings(running.event)
    assert [(line.place, line.name, line.values) for line in lines] == [
        (1, "Dirk", (0,)),
        (2, "Bart", (1,)),
        (3, "Anne", (2,)),
        (4, "Cleo", (0,)),
    ]


def test_whom_nothing_parts_share_a_place() -> None:
    running = played([{(1, 2): "½-½", (3, 4): "½-½"}])
    assert [line.place for line in standings(running.event)] == [1, 1, 1, 1]


def test_a_bye_brings_an_opponent_of_one_s_own_points_and_is_no_win_against_anybody() -> None:
    running = played([{(1, 2): "1-0"}, {(1, 3): "1-0"}], [(3,), (2,)])
    values = values_of(running)
    assert values["Anne"][0] == "2"  # Bart 1, Cleo 1
    assert values["Cleo"][0] == "3"  # herself 1, Anne 2


def test_an_opponent_who_left_counts_half_a_point_for_each_round_left_out() -> None:
    running = played([{(1, 2): "1-0", (3, 4): "1-0"}])
    running.write(Withdrew(player=2))
    running.write(
        RoundPaired(round=2, matches=(PairedMatch(id="x", board=1, seats=(1, 3)),), byes=(4,)),
        Ruled(pairing="x", halves=(WIN, LOSS), played=True),
    )
    values = values_of(running)
    assert values["Anne"][0] == "1½"  # Bart 0 and a half for the round left out, Cleo 1
    assert values["Bart"][:2] == ("2", "2")  # Anne 2, the own round 0: that is cut first
    assert [line.has_left for line in standings(running.event)] == [
        line.name == "Bart" for line in standings(running.event)
    ]


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
        "Bart": ("+4w", "=2b", "-"),
        "Anne": ("+3w", "=1w", "*4b"),
        "Cleo": ("-2b", "-4b", "bye"),
        "Dirk": ("-1b", "+3w", "*2w"),
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
