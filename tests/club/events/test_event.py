from collections.abc import Sequence

import msgspec
import pytest

from captains_table.club.events.counting import CannotPair
from captains_table.club.events.entries import (
    EVENT_ENTRIES,
    LOSS,
    WIN,
    Closed,
    Entered,
    EventEntry,
    Made,
    PairedMatch,
    Reported,
    Returned,
    RoundDropped,
    RoundPaired,
    RoundPublished,
    Ruled,
    SatIn,
    SatOut,
    System,
    TieBreak,
    Withdrew,
)
from captains_table.club.events.event import CannotBe, event_of, new_event
from captains_table.club.events.pairing import next_round
from captains_table.club.events.player_rounds import How, player_rounds
from tests.support.club_event import Running, begun as running_event, by_chance

MADE = Made(title="An evening", game="legend", system=System.SWISS, rounds=5)
ANNE = Entered(player=1, name="Anne")
ALONE = PairedMatch(id="a", board=1, seats=(1, 2))


def test_an_event_read_back_from_its_text_is_the_same() -> None:
    running = running_event(System.SWISS, 7, 4)
    running.play_round(by_chance(1))
    running.write(Withdrew(player=2, why="tired"), SatOut(player=3, round=2, half=True))
    running.play_round(by_chance(2))
    running.write(Returned(player=2), Closed(why="late"))
    texts = [EVENT_ENTRIES.to_text(entry) for entry in running.entries]
    assert event_of(map(EVENT_ENTRIES.from_text, texts)) == running.event


@pytest.mark.parametrize("cut", [0, 5, 9, 10, 11, 13, 16, 20, 23])
def test_a_server_killed_anywhere_goes_on_exactly_as_if_it_had_not_been(cut: int) -> None:
    """What the next entry leads to depends on the entries before it, and on nothing else."""
    running = running_event(System.SWISS, 9, 3)
    for number in range(3):
        running.play_round(by_chance(number))
    again = Running([EVENT_ENTRIES.from_text(EVENT_ENTRIES.to_text(entry)) for entry in running.entries[: cut + 1]])
    while len(again.entries) < len(running.entries):
        entry = running.entries[len(again.entries)]
        if isinstance(entry, RoundPaired):
            entry = next_round(again.event, "e1-")
        again.write(entry)
    assert again.event == running.event


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([], "an event begins with what it is"),
        ([ANNE], "an event begins with what it is"),
        ([MADE, MADE], "is made already"),
        ([MADE, ANNE, ANNE], "Anne takes part already"),
        ([MADE, ANNE, Entered(player=2, name="Anne")], "Anne takes part already"),
        ([MADE, Entered(player=1, name="")], "is no name"),
        ([MADE, Entered(player=1, name="Anne=1")], "is no name"),
        ([MADE, Withdrew(player=1)], "player 1 takes no part"),
        ([MADE, ANNE, Withdrew(player=1), Withdrew(player=1)], "Anne has withdrawn already"),
        ([MADE, ANNE, Returned(player=1)], "Anne takes part already"),
        ([MADE, ANNE, Closed(), Withdrew(player=1)], "is over"),
        ([MADE, Closed(), Closed()], "is over already"),
        ([MADE, RoundDropped(round=1)], "round 1 is not the last one"),
        ([MADE, RoundPublished(round=1, at_s=5)], "round 1 is not the last one"),
        ([MADE, RoundPaired(round=2, matches=())], "round 2 cannot be paired: expected 1 of 5"),
        ([MADE, RoundPaired(round=1, matches=(ALONE,))], "player 1 cannot be paired"),
        ([MADE, ANNE, RoundPaired(round=1, matches=(), byes=(1, 1))], "player 1 cannot be paired in round 1"),
        ([MADE, Ruled(pairing="x", halves=(2, 0), played=True)], "there is no match 'x'"),
        ([MADE, Reported(pairing="x", match="m", rev=1, seats=(), ending=None)], "there is no match 'x'"),
    ],
)
def test_what_cannot_follow_is_refused(entries: Sequence[EventEntry], words: str) -> None:
    with pytest.raises(CannotBe, match=words):
        event_of(entries)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"title": " "}, "title"),
        ({"title": "x" * 65}, "title"),
        ({"rounds": 0}, "0 rounds: expected 1 to 99"),
        ({"rounds": 3, "system": System.ROUND_ROBIN}, "3 rounds: expected 1 to 2"),
        ({"group_size": 3}, "3 players a match: expected 2 to 2"),
        ({"forfeit_min": -1}, "-1 minutes"),
        ({"options": {"fen": "x" * 65}}, "the option 'fen': expected at most 64"),
    ],
)
def test_no_event_can_be_made_so(changed: dict[str, object], words: str) -> None:
    with pytest.raises(CannotBe, match=words):
        new_event(msgspec.structs.replace(MADE, **changed))


def test_a_round_without_a_result_is_taken_back_and_paired_anew_under_other_ids() -> None:
    running = running_event(System.SWISS, 6, 3)
    first = running.pair()
    running.write(Withdrew(player=6), RoundDropped(round=1, why="he had left"))
    second = running.pair()
    seats = {seat for seated in second.matches for seat in seated.seats} | set(second.byes)
    assert seats == {1, 2, 3, 4, 5}
    assert not {seated.id for seated in first.matches} & {seated.id for seated in second.matches}
    with pytest.raises(CannotBe, match="its round may have been taken back"):
        running.rule(first.matches[0], WIN, LOSS)
    running.rule(second.matches[1], WIN, LOSS)
    with pytest.raises(CannotBe, match="match 2 has a result"):
        running.write(RoundDropped(round=1))


def test_who_comes_late_has_nothing_for_the_rounds_before() -> None:
    running = running_event(System.SWISS, 4, 4)
    running.play_round(by_chance(1))
    running.write(Entered(player=9, name="Late"))
    running.pair()
    first, second = player_rounds(running.event)[9]
    assert (first.how, first.halves) == (How.AWAY, 0)
    assert second.how in {How.PENDING, How.BYE}


def test_who_sits_out_gets_what_was_agreed_and_cannot_ask_for_a_round_that_is_paired() -> None:
    running = running_event(System.SWISS, 5, 3)
    running.write(SatOut(player=5, round=1, half=True))
    running.play_round(by_chance(1))
    assert [(turnout.how, turnout.halves) for turnout in player_rounds(running.event)[5]] == [(How.SAT_OUT, 1)]
    with pytest.raises(CannotBe, match="cannot sit out round 1"):
        running.write(SatOut(player=4, round=1))


def test_sitting_out_can_be_taken_back_until_the_round_is_paired() -> None:
    running = running_event(System.SWISS, 5, 3)
    running.write(SatOut(player=5, round=1, half=True), SatIn(player=5, round=1))
    paired = running.play_round(by_chance(1))
    assert 5 in {seat for seated in paired.matches for seat in seated.seats} | set(paired.byes)
    running.write(SatOut(player=4, round=3), SatOut(player=4, round=2))
    with pytest.raises(CannotBe, match="Player 4 cannot play round 1 after all"):
        running.write(SatIn(player=4, round=1))
    with pytest.raises(CannotBe, match="expected a round to come that the player sits out"):
        running.write(SatIn(player=3, round=2))
    running.write(SatIn(player=4, round=2))
    assert running.event.entrants[4].plays(2)
    assert running.event.entrants[4].rests(3)
    running.write(Withdrew(player=4))
    assert not running.event.entrants[4].rests(3)
    assert event_of(EVENT_ENTRIES.from_text(EVENT_ENTRIES.to_text(entry)) for entry in running.entries) == running.event


def test_a_player_who_sat_out_a_round_that_was_taken_back_may_play_it_after_all() -> None:
    running = running_event(System.SWISS, 5, 3)
    running.write(SatOut(player=5, round=1))
    running.pair()
    with pytest.raises(CannotBe, match="cannot play round 1 after all"):
        running.write(SatIn(player=5, round=1))
    running.write(RoundDropped(round=1), SatIn(player=5, round=1))
    assert 5 in {seat for seated in running.pair().matches for seat in seated.seats} | set(running.event.rounds[0].byes)


def test_an_event_that_was_ended_is_paired_no_further() -> None:
    running = running_event(System.SWISS, 4, 3)
    running.play_round(by_chance(1))
    running.write(Closed())
    with pytest.raises(CannotPair, match="or was ended"):
        running.pair()


def test_tie_breaks_are_kept_as_words() -> None:
    made = msgspec.structs.replace(MADE, tie_breaks=(TieBreak.WINS, TieBreak.BUCHHOLZ))
    assert '"tie_breaks":["wins","buchholz"]' in EVENT_ENTRIES.to_text(made)
