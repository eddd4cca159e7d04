from itertools import combinations, permutations

import pytest

from captains_table.club.events.entries import DRAW, WIN, Entered, Made, System, Withdrew
from captains_table.club.events.event import CannotBe
from captains_table.club.events.player_rounds import How, player_rounds
from captains_table.club.events.standings import crosstable
from captains_table.club.events.trf import entries_of_trf, trf_of
from tests.support.club_event import Running, begun, by_chance


def test_berger_s_table_of_six_is_that_of_the_handbook() -> None:
    """FIDE Handbook C.05, annex 1."""
    running = begun(System.ROUND_ROBIN, 6, 1)
    table = [{seated.seats for seated in running.play_round(by_chance(number)).matches} for number in range(5)]
    assert table == [
        {(1, 6), (2, 5), (3, 4)},
        {(6, 4), (5, 3), (1, 2)},
        {(2, 6), (3, 1), (4, 5)},
        {(6, 5), (1, 4), (2, 3)},
        {(3, 6), (4, 2), (5, 1)},
    ]


@pytest.mark.parametrize(("players", "rounds"), [(4, 3), (5, 5), (8, 7), (9, 9)])
def test_everybody_meets_everybody_once_and_one_of_an_odd_number_rests(players: int, rounds: int) -> None:
    running = begun(System.ROUND_ROBIN, players, 1)
    assert running.event.rounds_planned == rounds
    met = [tuple(sorted(seated.seats)) for _ in range(rounds) for seated in running.play_round(by_chance(0)).matches]
    assert sorted(met) == list(combinations(range(1, players + 1), 2))
    rests = [
        turnout for turnouts in player_rounds(running.event).values() for turnout in turnouts if turnout.how is How.BYE
    ]
    assert [turnout.halves for turnout in rests] == [0] * (players if players % 2 else 0)


def test_played_twice_everybody_begins_once_against_everybody() -> None:
    running = begun(System.ROUND_ROBIN, 4, 2)
    assert running.event.rounds_planned == 6
    met = [seated.seats for _ in range(6) for seated in running.play_round(by_chance(0)).matches]
    assert sorted(met) == sorted(permutations(range(1, 5), 2))


def test_who_should_have_met_one_that_left_gets_the_point() -> None:
    running = begun(System.ROUND_ROBIN, 4, 1)
    running.play_round(lambda _: (DRAW, DRAW))
    running.write(Withdrew(player=4))
    paired = running.pair()
    missed = next(seated for seated in paired.matches if 4 in seated.seats)
    assert (missed.board, missed.absent) == (0, (4,))
    other = next(seat for seat in missed.seats if seat != 4)
    assert player_rounds(running.event)[other][1].halves == WIN
    assert "+" in crosstable(running.event).rows[0].cells


def test_nobody_enters_once_it_has_begun() -> None:
    running = begun(System.ROUND_ROBIN, 4, 1)
    running.pair()
    with pytest.raises(CannotBe, match="nobody enters a round robin that has begun"):
        running.write(Entered(player=9, name="Late"))


def test_its_report_is_read_as_it_was_written() -> None:
    running = begun(System.ROUND_ROBIN, 5, 1)
    for number in range(3):
        running.play_round(by_chance(number))
    made = Made(title="x", game="legend", system=System.ROUND_ROBIN, rounds=1)
    assert trf_of(Running(entries_of_trf(trf_of(running.event), made, "r")).event) == trf_of(running.event)
