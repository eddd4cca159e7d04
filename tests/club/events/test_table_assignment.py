from collections.abc import Mapping, Sequence

from captains_table.club.events.entries import Closed, Made, Moved, PairedMatch, RoundPublished, System
from captains_table.club.events.pairing import next_round
from captains_table.club.events.table_assignment import assign_tables, offered_pairings, overdue
from captains_table.reporting.messages import FinalScore
from tests.support.club_event import Running, begun

WON = FinalScore(winner=0, scores=(1, 0))


def publish(running: Running, tables: Sequence[str], busy: Mapping[str, int] | None = None) -> list[PairedMatch]:
    """Pair a round and give its matches to these tables."""
    paired = next_round(running.event, "e1-")
    running.write(paired)
    tables_of = assign_tables(running.event, tables, busy or {})
    running.write(RoundPublished(round=paired.round, at_s=1_000, tables=tables_of))
    return list(paired.matches)


def ids(running: Running, table: str) -> list[str]:
    return [pairing.id for pairing in offered_pairings([running.event]).get(table, ())]


def test_nothing_is_told_to_the_tables_before_a_round_is_published() -> None:
    running = begun(System.SWISS, 4, 3)
    running.write(next_round(running.event, "e1-"))
    assert offered_pairings([running.event]) == {}


def test_the_first_board_is_at_the_first_table_and_a_match_that_is_over_is_taken_away() -> None:
    running = begun(System.SWISS, 6, 3)
    matches = publish(running, ["a", "b"])
    assert (ids(running, "a"), ids(running, "b")) == (["e1-1", "e1-3"], ["e1-2"])
    first = offered_pairings([running.event])["a"][0]
    assert (first.heading, first.game, first.seats) == ("Round 1", "captains-chess", ("Player 1", "Player 4"))
    running.tell(matches[0], WON)
    assert ids(running, "a") == ["e1-3"]


def test_a_match_that_was_left_is_offered_on_until_the_event_is_ended() -> None:
    running = begun(System.SWISS, 2, 1)
    running.tell(publish(running, ["a"])[0], None)
    assert ids(running, "a") == ["e1-1"]
    running.write(Closed())
    assert offered_pairings([running.event]) == {}


def test_tables_that_play_for_another_event_are_taken_last() -> None:
    running = begun(System.SWISS, 4, 3)
    publish(running, ["a", "b", "c"], busy={"a": 1})
    assert (ids(running, "b"), ids(running, "c"), ids(running, "a")) == (["e1-1"], ["e1-2"], [])


def test_a_match_is_moved_to_another_table_and_its_first_one_remembered() -> None:
    running = begun(System.SWISS, 2, 1)
    publish(running, ["a"])
    running.write(Moved(pairing="e1-1", table="b"))
    assert (ids(running, "a"), ids(running, "b")) == ([], ["e1-1"])
    assert running.event.match("e1-1").tables == ("a", "b")


def test_a_table_is_offered_no_more_than_a_message_holds() -> None:
    running = begun(System.SWISS, 140, 3)
    publish(running, ["a"])
    assert len(offered_pairings([running.event])["a"]) == 64


def test_a_match_that_is_not_begun_in_time_is_overdue_where_there_is_such_a_rule() -> None:
    made = Made(title="T", game="legend", system=System.SWISS, rounds=3, forfeit_min=10)
    running = Running([made, *begun(System.SWISS, 4, 3).entries[1:]])
    without = begun(System.SWISS, 4, 3)
    without.pair()
    assert overdue(without.event, 9_999_999) == overdue(running.event, 9_999_999) == ()
    paired = running.pair()  # at 1000
    running.tell(paired.matches[0], WON)
    assert overdue(running.event, 1_599) == ()
    assert [match.seated.id for match in overdue(running.event, 1_600)] == [paired.matches[1].id]


def test_a_match_that_waits_for_its_table_is_not_overdue() -> None:
    made = Made(title="T", game="legend", system=System.SWISS, rounds=3, forfeit_min=10)
    running = Running([made, *begun(System.SWISS, 6, 3).entries[1:]])
    matches = publish(running, ["a", "b"])
    assert [match.seated.id for match in overdue(running.event, 1_600)] == ["e1-1", "e1-2"]
    running.tell(matches[0], WON)
    assert [match.seated.id for match in overdue(running.event, 1_600)] == ["e1-2"]
