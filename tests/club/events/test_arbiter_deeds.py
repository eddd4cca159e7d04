"""What an arbiter may do to an event beyond the usual: late entries, leavers, rounds by hand, events opened again."""

import pytest
from msgspec import structs

from captains_table.club.events.counting import has_played_half
from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Closed,
    Edition,
    Entered,
    Made,
    Removed,
    Reopened,
    Revised,
    RoundDropped,
    RoundPaired,
    SatOut,
    System,
    TieBreak,
    Withdrew,
)
from captains_table.club.events.event import CannotBe
from captains_table.club.events.legality import broken_rules, round_by_hand
from captains_table.club.events.player_rounds import player_rounds, total_halves
from captains_table.club.events.standings import standings
from tests.support.club_event import Running, begun, by_chance
from tests.support.effort import effort


def points(running: Running) -> dict[str, int]:
    return {line.name: line.halves for line in standings(running.event)}


def test_a_late_entrant_gets_half_a_point_for_so_many_of_the_last_rounds_missed() -> None:
    late = begun(System.SWISS, 6, 5)
    for _ in range(3):
        late.play_round(by_chance(1))
    late.write(Entered(player=9, name="Zora", halves=2))
    assert [turnout.halves for turnout in player_rounds(late.event)[9]] == [LOSS, DRAW, DRAW]
    for halves in (4, -1):
        with pytest.raises(CannotBe, match="missed 3 rounds: expected half a point for so many at most"):
            late.write(Entered(player=10, name="Yann", halves=halves))


def test_a_late_entrant_plays_a_round_that_is_taken_back_and_has_nothing_for_it_before() -> None:
    late = begun(System.SWISS, 6, 5)
    late.play_round(by_chance(1))
    late.pair()
    late.write(Entered(player=9, name="Zora", halves=2), RoundDropped(round=2))
    late.pair()
    assert [turnout.halves for turnout in player_rounds(late.event)[9]][:1] == [DRAW]
    assert any(9 in (*match.seated.seats,) for match in late.event.rounds[1].matches) or 9 in late.event.rounds[1].byes


def test_rounds_may_be_left_out_that_are_far_ahead() -> None:
    event = begun(System.SWISS, 6, 5)
    event.write(SatOut(player=2, round=3, half=True), SatOut(player=2, round=4))
    for _ in range(4):
        event.play_round(by_chance(2))
    assert [turnout.how for turnout in player_rounds(event.event)[2]][2:] == ["sat-out", "sat-out"]
    assert [turnout.halves for turnout in player_rounds(event.event)[2]][2:] == [DRAW, LOSS]


def test_a_round_robin_in_which_number_1_is_second_has_all_colours_of_bergers_tables_the_other_way_round() -> None:
    usual, turned = (begun(System.ROUND_ROBIN, 6, 1, number_one_begins=begins) for begins in (True, False))
    for _ in range(5):
        for event in (usual, turned):
            event.play_round(by_chance(1))
    for one, two in zip(usual.event.rounds, turned.event.rounds, strict=True):
        assert [match.seated.seats[::-1] for match in one.matches] == [match.seated.seats for match in two.matches]
    assert usual.event.rounds[0].matches[0].seated.seats[0] == 1


def test_who_was_entered_by_mistake_is_taken_off_but_nobody_who_was_in_a_round() -> None:
    event = begun(System.SWISS, 5, 3)
    event.play_round(by_chance(1))
    event.write(Entered(player=9, name="Zora"), SatOut(player=9, round=2), Removed(player=9))
    assert 9 not in event.event.entrants
    assert event.event.name(9) == "Zora"
    event.write(Entered(player=9, name="Zora"))
    for player in (9, 1, *event.event.rounds[0].byes):
        if player == 9:
            event.play_round(by_chance(1))
        with pytest.raises(CannotBe, match="expected a player who was in no round yet"):
            event.write(Removed(player=player))


def test_settings_stay_on_which_the_pairings_rest() -> None:
    event = begun(System.ROUND_ROBIN, 4, 1)
    made = event.event.made
    event.write(Revised(made=structs.replace(made, rounds=2, number_one_begins=False)))
    event.play_round(by_chance(1))
    made = event.event.made
    for changed in ({"rounds": 1}, {"number_one_begins": True}, {"game": "chess"}, {"options": {"clock": "5"}}):
        with pytest.raises(CannotBe, match="cannot be changed any more"):
            event.write(Revised(made=structs.replace(made, **changed)))
    with pytest.raises(CannotBe, match="no Buchholz in a round robin"):
        event.write(Revised(made=structs.replace(made, tie_breaks=(TieBreak.BUCHHOLZ,), edition=Edition.FIDE_2026)))
    for _ in range(2):
        event.play_round(by_chance(1))
    event.write(Revised(made=structs.replace(made, title="Another")))
    assert (event.event.made.title, event.event.rounds_planned) == ("Another", 6)
    event.write(Closed())
    with pytest.raises(CannotBe, match="is over: its settings stay"):
        event.write(Revised(made=structs.replace(made, title="Again")))
    swiss = begun(System.SWISS, 6, 5)
    for _ in range(2):
        swiss.play_round(by_chance(1))
    swiss.write(Revised(made=structs.replace(swiss.event.made, rounds=2, title="Shorter")))
    assert (swiss.event.rounds_planned, swiss.event.made.title) == (2, "Shorter")
    with pytest.raises(CannotBe, match="has had 2 rounds: expected so many at least"):
        swiss.write(Revised(made=structs.replace(swiss.event.made, rounds=1)))


# --- who leaves a round robin (C.05, 6.6) -----------------------------------------------------------------------------


def test_the_matches_of_who_left_a_round_robin_early_count_for_nobody_and_stay_in_the_crosstable() -> None:
    event = begun(System.ROUND_ROBIN, 6, 1, edition=Edition.FIDE_2026)
    for _ in range(2):
        event.play_round(lambda _: (WIN, LOSS))
    left = 1
    assert not has_played_half(event.event, left)
    met = [turnout.opponents[0] for turnout in player_rounds(event.event)[left]]
    before, gained = points(event), {f"Player {other}": 0 for other in met}
    for number, turnouts in player_rounds(event.event).items():
        gained |= {f"Player {number}": sum(t.halves for t in turnouts if left in t.opponents)} if number in met else {}
    event.write(Withdrew(player=left, annuls=True))
    after = points(event)
    assert after["Player 1"] == 0
    assert after == {name: 0 if name == "Player 1" else before[name] - gained.get(name, 0) for name in before}
    for _ in range(3):
        event.play_round(lambda _: (WIN, LOSS))
    assert points(event)["Player 1"] == 0
    free_of = [turnout for number in met for turnout in player_rounds(event.event)[number] if left in turnout.opponents]
    assert sum(turnout.how == "played" for turnout in free_of) == len(met), "what was played stays to be seen"


def test_who_has_played_half_of_a_round_robin_leaves_it_with_what_was_played() -> None:
    event = begun(System.ROUND_ROBIN, 5, 1)
    for _ in range(3):
        event.play_round(lambda _: (WIN, LOSS))
    assert all(has_played_half(event.event, player) for player in event.event.entrants)
    before = points(event)
    event.write(Withdrew(player=1))
    assert points(event) == before


def test_only_in_a_round_robin_matches_count_for_nobody() -> None:
    event = begun(System.SWISS, 6, 5)
    with pytest.raises(CannotBe, match="only in a round robin"):
        event.write(Withdrew(player=1, annuls=True))


# --- by hand ----------------------------------------------------------------------------------------------------------


def by_hand(running: Running, *seats: tuple[int, ...]) -> tuple[str, ...]:
    """Return what rules the next round breaks, if it is paired so."""
    matches = round_by_hand(running.event, seats, "h-")
    seated = {player for players in seats for player in players}
    return broken_rules(running.event, matches, [each for each in running.event.entrants if each not in seated])


@pytest.mark.parametrize("seed", range(effort(6, 200)))
def test_no_round_that_the_program_pairs_breaks_a_rule_and_a_round_played_twice_breaks_one_for_each_match(
    seed: int,
) -> None:
    event = begun(System.SWISS, 8 + seed % 5, 4)
    for _ in range(4):
        before = event.event
        paired = event.play_round(by_chance(seed))
        assert broken_rules(before, paired.matches, paired.byes) == ()
        again = broken_rules(event.event, paired.matches, paired.byes)
        assert sum("have met already" in words for words in again) == len(paired.matches)
        assert sum("without playing" in words for words in again) == len(paired.byes)


def test_a_third_round_with_one_colour_breaks_a_rule() -> None:
    event = begun(System.SWISS, 4, 5)
    first = RoundPaired(round=1, matches=round_by_hand(event.event, [(1, 2), (3, 4)], "h-"), by_hand=True)
    event.write(first)
    for match in first.matches:
        event.rule(match, WIN, LOSS)
    second = RoundPaired(round=2, matches=round_by_hand(event.event, [(1, 3), (2, 4)], "h-"), by_hand=True)
    event.write(second)
    for match in second.matches:
        event.rule(match, WIN, LOSS)
    assert by_hand(event, (1, 4), (3, 2)) == (
        "Player 1 cannot have the first seat (White) again",
        "Player 4 cannot have the second seat (Black) again",
    )
    assert by_hand(event, (4, 1), (3, 2)) == ()


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        (((1, 2), (2, 3)), "Player 2 is paired twice"),
        (((1, 9),), "player 9 does not play round 1"),
        (((1, 2, 3),), "board 1 has 3: expected 2 players"),
        (((1,),), "board 1 has 1: expected 2 players"),
        (((1, 4),), "Player 4 does not play round 1"),
        ((), "nobody is paired"),
    ],
)
def test_a_round_that_is_none_is_refused(seats: tuple[tuple[int, ...], ...], words: str) -> None:
    event = begun(System.SWISS, 4, 3)
    event.write(SatOut(player=4, round=1))
    with pytest.raises(CannotBe, match=words):
        round_by_hand(event.event, seats, "h-")


def test_in_a_round_robin_nothing_is_paired_by_hand_and_groups_are_by_their_size() -> None:
    with pytest.raises(CannotBe, match="fixed from the beginning"):
        by_hand(begun(System.ROUND_ROBIN, 4, 1), (1, 2), (3, 4))
    groups = begun(System.GROUPS, 6, 3, group_size=4, game="swashbuckle")
    assert by_hand(groups, (1, 2, 3, 4), (5, 6)) == ()
    assert by_hand(groups, (1, 2, 3, 4)) == ("Player 5 plays nobody", "Player 6 plays nobody")
    groups.write(RoundPaired(round=1, matches=round_by_hand(groups.event, [(1, 2, 3), (4, 5, 6)], "h-"), by_hand=True))
    for match in groups.event.rounds[0].matches:
        groups.rule(match.seated, 8, 6, 4)
    assert by_hand(groups, (1, 2), (3, 4, 5, 6))[0] == "Player 1 and Player 2 have met already"


# --- opened again -----------------------------------------------------------------------------------------------------


def test_an_event_that_is_opened_again_goes_on_and_ends_again() -> None:
    event = begun(System.SWISS, 6, 3, edition=Edition.FIDE_2026)
    event.play_round(by_chance(1))
    with pytest.raises(CannotBe, match="is not over"):
        event.write(Reopened())
    event.write(Closed(edition=Edition.FIDE_2026))
    with pytest.raises(CannotBe):
        event.pair()
    event.write(Reopened(why="too early"))
    event.play_round(by_chance(2))
    event.write(Closed(edition=Edition.FIDE_2026))
    assert event.event.is_closed
    assert sum(total_halves(turnouts) for turnouts in player_rounds(event.event).values()) == 2 * 6


def test_entries_of_before_say_nothing_of_what_is_new() -> None:
    assert Entered(player=1, name="Anne").halves == 0
    assert not Withdrew(player=1).annuls
    assert not RoundPaired(round=1, matches=()).by_hand
    assert Made(title="T", game="chess", system=System.SWISS, rounds=3).number_one_begins
