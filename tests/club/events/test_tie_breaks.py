"""Tie-breaks by FIDE's editions of 2024 and 2026: cases by hand, and events by chance held against `tiebreak-core`."""

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from captains_table.club.events.entries import BUCHHOLZ_FAMILY, Closed, Edition, Made, System, TieBreak as By
from captains_table.club.events.event import CannotBe
from captains_table.club.events.standings import (
    comparison_of,
    moved_by_correction,
    ranked_by_tie_breaks,
    shown_values,
    standings,
)
from tests.club.judged_events import drawn_round_robin, drawn_swiss, judged_order, judged_values
from tests.support.club_event import Running, all_drawn_but_dirk, paired_by_hand
from tests.support.effort import effort

SWISS_ORDER = (By.BUCHHOLZ_CUT_1, By.BUCHHOLZ, By.DIRECT_ENCOUNTER, By.SONNEBORN_BERGER, By.WINS)
ORDERS = {
    System.SWISS: (SWISS_ORDER, (By.DIRECT_ENCOUNTER, By.WINS), (By.BUCHHOLZ_MEDIAN_1, By.SONNEBORN_BERGER)),
    System.ROUND_ROBIN: ((By.SONNEBORN_BERGER, By.DIRECT_ENCOUNTER, By.WINS), (By.DIRECT_ENCOUNTER, By.WINS)),
}
VALUES = {
    System.SWISS: (*sorted(BUCHHOLZ_FAMILY), By.SONNEBORN_BERGER, By.WINS),
    System.ROUND_ROBIN: (By.SONNEBORN_BERGER, By.WINS),
}


@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("seed", range(effort(12, 400)))
def test_a_swiss_is_counted_and_ordered_as_the_judge_does(edition: Edition, seed: int) -> None:
    hold_against_the_judge(drawn_swiss(seed, edition), edition)


@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("seed", range(effort(8, 200)))
def test_a_round_robin_is_counted_and_ordered_as_the_judge_does(edition: Edition, seed: int) -> None:
    hold_against_the_judge(drawn_round_robin(seed, edition), edition)


def hold_against_the_judge(running: Running, edition: Edition) -> None:
    """Compare values and orders."""
    event = running.event
    comparison, system = comparison_of(event), event.made.system
    judged = judged_values(event, edition, VALUES[system])
    late = {player for player, entrant in event.entrants.items() if entrant.since > 1}
    assert late <= judged.keys()
    for player in event.entrants:
        assert {each: comparison.value(each, player) for each in VALUES[system]} == judged[player]
    for order in ORDERS[system]:
        places = ranked_by_tie_breaks(comparison, order)
        found = sorted(event.entrants, key=lambda player: (places[player].place, player))
        assert found == judged_order(event, edition, order)


def test_in_a_round_robin_a_forfeit_is_a_match_like_any_other() -> None:
    """Dirk forfeits to Anne and loses to Bart, all else is drawn: Anne and Bart share the first place."""
    for edition in (None, *Edition):
        lines = standings(all_drawn_but_dirk(edition).event)
        assert [(line.place, line.name) for line in lines] == [(1, "Anne"), (1, "Bart"), (3, "Cleo"), (4, "Dirk")]
        assert [line.values[0] for line in lines[:2]] == [9, 9]  # quarters: 2¼


@pytest.mark.parametrize(
    ("rounds", "level", "places"),
    [
        # Bart 2, Cleo 2, Anne 1, Dirk 1; then, once more among those still level, Bart beat Cleo, Dirk beat Anne
        (
            [{(1, 2): "1-0", (3, 4): "1-0"}, {(2, 3): "1-0", (4, 1): "1-0"}, {(3, 1): "1-0", (2, 4): "1-0"}],
            *((1, 2, 3, 4), {2: 1, 3: 2, 4: 3, 1: 4}),
        ),
        # Bart and Cleo have not met: Anne is first whatever that would bring
        ([{(1, 2): "1-0", (3, 4): "0-0"}, {(1, 3): "1-0", (2, 4): "0-0"}], (1, 2, 3), {1: 1, 2: 2, 3: 2}),
        # a forfeit is a missing match: Anne 1, Bart ½, Cleo ½, or 1½ had Cleo come and won
        ([{(1, 2): "1-0"}, {(2, 3): "½-½"}, {(3, 1): "-+"}], (1, 2, 3), {1: 1, 2: 1, 3: 1}),
        ([{(1, 2): "+-", (3, 4): "1-0"}], (1, 2), {1: 1, 2: 1}),
    ],
)
def test_the_direct_encounter_parts_those_who_are_level(
    rounds: Sequence[Mapping[tuple[int, int], str]], level: tuple[int, ...], places: dict[int, int]
) -> None:
    running = paired_by_hand(rounds, tie_breaks=(By.DIRECT_ENCOUNTER,))
    assert comparison_of(running.event).direct_encounter(frozenset(level)) == places


def test_in_a_round_robin_a_forfeit_is_a_direct_encounter() -> None:
    running = paired_by_hand([{(1, 2): "+-", (3, 4): "1-0"}], system=System.ROUND_ROBIN)
    assert comparison_of(running.event).direct_encounter(frozenset({1, 2})) == {1: 1, 2: 2}


def test_the_free_round_of_a_round_robin_is_nothing_for_the_buchholz_of_2024() -> None:
    rounds = [{(1, 2): "1-0"}, {(1, 3): "1-0"}, {(2, 3): "1-0"}]
    running = paired_by_hand(
        rounds, [(3,), (2,), (1,)], system=System.ROUND_ROBIN, edition=Edition.FIDE_2024, tie_breaks=(By.BUCHHOLZ,)
    )
    assert value_of(running, 1) == "1"  # Bart 1, Cleo 0


def test_an_event_closed_early_caps_its_dummies_by_the_rounds_that_were_paired() -> None:
    rounds = [{(1, 2): "1-0"}, {(1, 3): "1-0"}, {(2, 3): "1-0"}]
    running = paired_by_hand(rounds, [(3,), (2,), (1,)], planned=9, tie_breaks=(By.BUCHHOLZ,))
    assert value_of(running, 1) == "6"
    running.write(Closed(edition=Edition.FIDE_2026))
    assert value_of(running, 1) == "4½"


def test_an_event_of_before_keeps_its_edition_and_says_whose_places_the_mend_moves() -> None:
    running = all_drawn_but_dirk(None)
    assert running.event.edition is Edition.FIDE_2024
    assert not running.event.keeps_old_places
    assert moved_by_correction(running.event) == (("Bart", 2, 1),)
    assert moved_by_correction(all_drawn_but_dirk(Edition.FIDE_2024).event) == ()


def test_an_event_that_ended_before_keeps_its_places_and_one_that_ends_now_does_not() -> None:
    ended_before, ended_now = all_drawn_but_dirk(None), all_drawn_but_dirk(None)
    ended_before.write(Closed())
    ended_now.write(Closed(edition=Edition.FIDE_2024))
    assert [(line.place, line.name) for line in standings(ended_before.event)][:2] == [(1, "Anne"), (2, "Bart")]
    assert [(line.place, line.name) for line in standings(ended_now.event)][:2] == [(1, "Anne"), (1, "Bart")]
    assert standings(ended_before.event)[0].values[0] == 15  # 3¾, as it was counted then


def test_a_round_robin_takes_no_buchholz_since_2026() -> None:
    made = Made(title="T", game="legend", system=System.ROUND_ROBIN, rounds=1, tie_breaks=(By.BUCHHOLZ_CUT_1,))
    assert Running([made]).event.made == made  # of before
    with pytest.raises(CannotBe, match="no Buchholz in a round robin"):
        Running([replace(made, edition=Edition.FIDE_2026)])


def value_of(running: Running, player: int) -> str:
    """Return a player's first tie-break as people write it."""
    line = next(line for line in standings(running.event) if line.player == player)
    return shown_values(running.event, line)[0]
