"""Who meets whom: a Swiss, held against two other libraries; a round robin; groups."""

from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest
from caissify_pairings.fpc import check_trf
from hypothesis import given, settings, strategies as st
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Entered,
    PairedMatch,
    Returned,
    SatIn,
    SatOut,
    System,
    Withdrew,
)
from captains_table.club.events.event import CannotBe, event_of
from captains_table.club.events.groups import mixed, sizes_of
from captains_table.club.events.pairing import next_round
from captains_table.club.events.player_rounds import How, player_rounds, total_halves
from captains_table.club.events.standings import crosstable
from captains_table.club.events.trf import trf_of
from captains_table.club.events.trf_reading import entries_of_trf
from captains_table.reporting.messages import FinalScore
from captains_table.runtime.simulated_matches import SimulationPlan, play_match
from tests.support.club_event import Running, begun, by_chance
from tests.support.effort import LONG_RUN, effort

LARGE = [(40, 4, 7)] if LONG_RUN else []
DICE = SimulationPlan("ship-captain-crew", ("greedy", "random"), {"target": "20"}, matches=70)


def played(seated: PairedMatch) -> tuple[int, ...]:
    """Return what a match of Ship, Captain and Crew, played by the rules, counts."""
    return tuple(round(2 * score.won) for score in play_match(DICE, seated.seats[0] * 100 + seated.seats[1]))


def repaired(running: Running) -> set[tuple[int, ...]]:
    """Return who would meet whom next in an event that is read from this one's report."""
    read = event_of(entries_of_trf(trf_of(running.event), running.event.made, "r"))
    paired = next_round(read, "r")
    return {seated.seats for seated in paired.matches} | {(player,) for player in paired.byes}


@pytest.mark.slow
def test_a_swiss_from_which_a_player_withdraws_is_paired_as_the_library_answers() -> None:
    rounds = effort(5, 7)
    running = begun(System.SWISS, effort(12, 20), rounds, game="ship-captain-crew")
    for number in range(1, rounds + 1):
        if number == 4:
            running.write(Withdrew(player=7, why="has to go home"))
        again = repaired(running)
        paired = running.play_round(played)
        assert again == {seated.seats for seated in paired.matches} | {(player,) for player in paired.byes}
        assert len(paired.byes) == (number >= 4)
    summary = check_trf(trf_of(running.event))["summary"]
    assert (summary["rounds_checked"], summary["rounds_matched"], summary["total_discrepancies"]) == (rounds, rounds, 0)
    read = entries_of_trf(trf_of(running.event), running.event.made, "e1-")
    assert trf_of(event_of(read)) == trf_of(running.event)


def test_a_search_that_finds_no_pairing_says_so_once_and_the_library_nothing(caplog: pytest.LogCaptureFixture) -> None:
    running = begun(System.SWISS, 6, 7)
    for number in range(5):
        running.play_round(by_chance(f"0{number}"))
    with pytest.raises(CannotPair, match="everybody left has met"):
        running.pair()
    assert caplog.records == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(effort(1, 60)))
@pytest.mark.long
def test_who_begins_is_what_another_library_says_wherever_it_pairs_alike(seed: int, tmp_path: Path) -> None:
    running, report, alike = begun(System.SWISS, 20, 7), tmp_path / "event.trf", 0
    for _ in range(7):
        report.write_text(_up_to_now(trf_of(running.event), len(running.event.rounds)), "utf-8")
        theirs = {(pair.white, pair.black) for pair in DutchEngine.generate_pairings(TrfParser.parse(report))}
        ours = {seated.seats for seated in running.play_round(by_chance(f"{seed} {running.event.next_round}")).matches}
        if {frozenset(pair) for pair in theirs} == {frozenset(pair) for pair in ours}:
            alike += 1
            assert ours == theirs
    assert alike >= 6  # its rules are those before February 2026, which now and then pair otherwise


def _up_to_now(text: str, rounds: int) -> str:
    """Return a report without the columns of rounds that are to come, as that library wants it."""
    lines = (line[: 91 + 10 * rounds] if line.startswith("001") else line for line in text.splitlines())
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@settings(max_examples=effort(20, 1000))
@given(st.integers(4, 17), st.integers(1, 5), st.integers(0, 10_000), st.data())
def test_whatever_happens_everybody_who_is_there_meets_somebody_new_or_nobody_once(
    players: int, rounds: int, seed: int, data: st.DataObject
) -> None:
    running = begun(System.SWISS, players, rounds)
    for number in range(1, rounds + 1):
        _something_happens(running, number, data)
        try:
            paired = running.play_round(by_chance(f"{seed} {number}"))
        except CannotPair:
            return
        seated = [seat for match in paired.matches for seat in match.seats] + list(paired.byes)
        there = [player for player, entrant in running.event.entrants.items() if entrant.plays(number)]
        assert sorted(seated) == sorted(there)
        assert len(paired.byes) == len(there) % 2
    _check_history(running)


def _something_happens(running: Running, number: int, data: st.DataObject) -> None:
    """Let somebody leave, return, come late or sit out."""
    staying = [player for player, entrant in running.event.entrants.items() if not entrant.is_gone]
    match data.draw(
        st.sampled_from(["nothing", "nothing", "leaves", "returns", "comes", "sits out", "plays after all"])
    ):
        case "leaves" if len(staying) > 3:
            running.write(Withdrew(player=data.draw(st.sampled_from(staying))))
        case "returns" if len(staying) < len(running.event.entrants):
            gone = [player for player in running.event.entrants if player not in staying]
            running.write(Returned(player=data.draw(st.sampled_from(gone))))
        case "comes":
            running.write(Entered(player=100 + number, name=f"Late {number}"))
        case "sits out" if len(staying) > 3:
            chosen = data.draw(st.sampled_from(staying))
            running.write(SatOut(player=chosen, round=number, half=data.draw(st.booleans())))
        case "plays after all" if staying:
            chosen = data.draw(st.sampled_from(staying))
            running.write(SatOut(player=chosen, round=number), SatIn(player=chosen, round=number))


def _check_history(running: Running) -> None:
    """Nobody met anybody twice, and the report of the event, read and written again, is the same."""
    for turnouts in player_rounds(running.event).values():
        met = [turnout.opponents for turnout in turnouts if turnout.how is How.PLAYED]
        assert len(set(met)) == len(met)
        assert sum(turnout.how is How.BYE for turnout in turnouts) <= 1 + (len(running.event.entrants) < 6)
    report = trf_of(running.event)
    read = event_of(entries_of_trf(report, running.event.made, "r"))
    assert trf_of(read) == report
    scores = sorted(total_halves(turnouts) for turnouts in player_rounds(running.event).values())
    assert sorted(total_halves(turnouts) for turnouts in player_rounds(read).values()) == scores


def test_two_who_have_met_are_not_paired_again_but_after_a_forfeit() -> None:
    running = begun(System.SWISS, 2, 3)
    running.rule(running.pair().matches[0], WIN, LOSS, played=False)
    running.rule(running.pair().matches[0], WIN, LOSS)
    with pytest.raises(CannotPair, match="everybody left has met"):
        running.pair()


def test_a_bye_counts_a_point_and_comes_once() -> None:
    running = begun(System.SWISS, 7, 4)
    for number in range(1, 5):
        running.play_round(by_chance(number))
    byes = [byes for round_ in running.event.rounds for byes in round_.byes]
    assert len(set(byes)) == 4
    turnouts = player_rounds(running.event)[byes[0]]
    assert [turnout.halves for turnout in turnouts if turnout.how is How.BYE] == [WIN]


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
    turnouts = [turnout for each in player_rounds(running.event).values() for turnout in each]
    assert [each.halves for each in turnouts if each.how is How.BYE] == [0] * (players if players % 2 else 0)


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
    assert sorted(seated.board for seated in paired.matches) == [0, 1]
    other = next(seat for seat in missed.seats if seat != 4)
    assert player_rounds(running.event)[other][1].halves == WIN
    assert sum("+" in row.cells for row in crosstable(running.event).rows) == 1


def test_nobody_enters_once_it_has_begun() -> None:
    running = begun(System.ROUND_ROBIN, 4, 1)
    running.pair()
    with pytest.raises(CannotBe, match="nobody enters a round robin that has begun"):
        running.write(Entered(player=9, name="Late"))


def play_round(running: Running) -> list[tuple[int, ...]]:
    """Play a round in which the lowest number of each group wins, and return its groups."""
    paired = running.pair()
    for seated in paired.matches:
        running.tell(seated, FinalScore(winner=None, scores=tuple(-seat for seat in seated.seats)))
    return [seated.seats for seated in paired.matches]


def meetings(groups: list[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    """Return how often two have met."""
    return Counter(pair for group in groups for pair in combinations(sorted(group), 2))


@given(st.integers(2, 60), st.integers(3, 8))
def test_groups_are_few_and_of_sizes_that_differ_by_one_at_most(players: int, most: int) -> None:
    sizes = sizes_of(players, most)
    assert sum(sizes) == players
    assert max(sizes) - min(sizes) <= 1
    assert 2 <= min(sizes) <= max(sizes) <= most
    assert len(sizes) - 1 < players / most <= len(sizes)


@pytest.mark.slow
@given(st.integers(3, effort(9, 24)), st.integers(3, 6), st.integers(1, effort(4, 6)))
def test_nobody_meets_anybody_more_than_once_oftener_than_needed(players: int, most: int, rounds: int) -> None:
    running = begun(System.GROUPS, players, rounds, most, game="swashbuckle")
    groups = []
    for _ in range(rounds):
        of_round = play_round(running)
        assert sorted(seat for group in of_round for seat in group) == list(range(1, players + 1))
        groups += of_round
    met = meetings(groups)
    needed = -(-sum(met.values()) // (players * (players - 1) // 2))
    assert max(met.values()) <= needed + 1


@pytest.mark.parametrize(("players", "size", "rounds"), [(9, 3, 4), (16, 4, 3), (25, 5, 5), (12, 3, 3), *LARGE])
def test_where_it_is_possible_nobody_meets_twice(players: int, size: int, rounds: int) -> None:
    running = begun(System.GROUPS, players, rounds, size, game="swashbuckle")
    groups = [group for _ in range(rounds) for group in play_round(running)]
    assert max(meetings(groups).values()) == 1


def test_groups_are_about_as_strong_as_each_other() -> None:
    groups = mixed(list(range(1, 17)), sizes_of(16, 4), {}, 1)
    assert {sum(group) for group in groups} == {34}


def test_who_has_begun_least_sits_first() -> None:
    running = begun(System.GROUPS, 8, 4, 4, game="swashbuckle")
    for _ in range(4):
        play_round(running)
    began = [sum(bool(turnout.began) for turnout in turnouts) for turnouts in player_rounds(running.event).values()]
    assert max(began) == 1


def test_the_same_event_is_always_grouped_alike() -> None:
    one, two = (begun(System.GROUPS, 14, 3, 4, game="swashbuckle") for _ in range(2))
    assert [play_round(one) for _ in range(3)] == [play_round(two) for _ in range(3)]


def test_groups_are_of_three_at_least_and_one_alone_is_none() -> None:
    with pytest.raises(CannotBe, match="2 players a match: expected 3 to 32"):
        begun(System.GROUPS, 8, 4, 2)
    with pytest.raises(CannotPair):
        begun(System.GROUPS, 1, 4, 4).pair()
