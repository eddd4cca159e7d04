from captains_table.club.events.at_tables import dealt, overdue
from captains_table.club.events.entries import Made, System
from captains_table.reporting.messages import Ending
from tests.support.club_event import Running, begun, by_chance

WON = Ending(winner=0, scores=(1, 0))


def test_nothing_is_told_to_the_tables_before_a_round_is_published() -> None:
    assert dealt([begun(System.SWISS, 4, 3).event], ["a"]) == {"a": ()}


def test_the_first_board_is_at_the_first_table_and_a_match_that_is_over_is_taken_away() -> None:
    running = begun(System.SWISS, 6, 3)
    paired = running.pair()
    offered = dealt([running.event], ["a", "b"])
    assert [[pairing.id for pairing in offered[table]] for table in "ab"] == [["e1-1", "e1-3"], ["e1-2"]]
    first = offered["a"][0]
    assert (first.heading, first.game, first.seats) == ("Round 1", "captains-chess", ("Player 1", "Player 4"))
    running.tell(paired.matches[0], WON)
    assert [pairing.id for pairing in dealt([running.event], ["a", "b"])["a"]] == ["e1-3"]


def test_a_match_that_was_left_is_offered_on() -> None:
    running = begun(System.SWISS, 2, 1)
    running.tell(running.pair().matches[0], None)
    assert len(dealt([running.event], ["a"])["a"]) == 1


def test_a_second_event_takes_the_next_tables() -> None:
    one, two = begun(System.SWISS, 4, 3), begun(System.ROUND_ROBIN, 4, 1)
    one.pair()
    two.pair()
    offered = dealt([one.event, two.event], ["a", "b", "c", "d"])
    assert [len(pairings) for pairings in offered.values()] == [1, 1, 1, 1]


def test_a_table_is_offered_no_more_than_a_message_holds() -> None:
    running = begun(System.SWISS, 140, 3)
    running.pair()
    assert len(dealt([running.event], ["a"])["a"]) == 64


def test_whoever_is_not_there_in_time_is_overdue() -> None:
    made = Made(title="T", game="legend", system=System.SWISS, rounds=3, forfeit_min=10)
    running = Running([made, *begun(System.SWISS, 4, 3).entries[1:]])
    assert overdue(running.event, 9_999_999) == ()
    paired = running.pair()  # at 1000
    running.tell(paired.matches[0], WON)
    assert overdue(running.event, 1_599) == ()
    assert [match.seated.id for match in overdue(running.event, 1_600)] == [paired.matches[1].id]


def test_without_such_a_rule_nobody_is() -> None:
    running = begun(System.SWISS, 4, 3)
    running.play_round(by_chance(1))
    running.pair()
    assert overdue(running.event, 9_999_999) == ()
