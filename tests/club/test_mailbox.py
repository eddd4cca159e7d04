import pytest
from hypothesis import given, strategies as st

from captains_table.club.intake.mailbox import (
    AT_ONCE,
    FORGOTTEN_S,
    LARGEST_SEEN,
    MOST_BOXES,
    MOST_RESULT_BYTES,
    MOST_RESULTS,
    PER_SECOND,
    Arrival,
    BoxFull,
    Lane,
    Mailbox,
)
from captains_table.reporting.messages import LARGEST, FromTable, Topic
from tests.club.club_tables import NOON_S


def view(user: str, n: int, at_s: float = 0.0) -> Arrival:
    return Arrival(Topic(user, FromTable.VIEW), b"%d" % n, retained=False, at_s=NOON_S + at_s)


def result(user: str, payload: bytes) -> Arrival:
    return Arrival(Topic(user, FromTable.RESULT), payload, retained=False, at_s=NOON_S)


def test_of_what_is_seen_at_a_table_the_latest_is_taken() -> None:
    mailbox = Mailbox()
    for n in range(5):
        mailbox.put(view("table-1", n))
    assert [arrival.payload for arrival in mailbox.take(Lane.SEEN, NOON_S)] == [b"4"]
    assert list(mailbox.take(Lane.SEEN, NOON_S)) == []


def test_results_are_taken_in_their_order_and_what_is_seen_waits_for_none_of_them() -> None:
    mailbox = Mailbox()
    for payload in (b"first", b"second"):
        mailbox.put(result("table-1", payload))
    mailbox.put(view("table-1", 1))
    assert [arrival.payload for arrival in mailbox.take(Lane.SEEN, NOON_S)] == [b"1"]
    assert not mailbox.holds(Lane.SEEN)
    assert mailbox.holds(Lane.RESULTS)
    assert [arrival.payload for arrival in mailbox.take(Lane.RESULTS, NOON_S)] == [b"first", b"second"]
    assert not mailbox.holds(Lane.RESULTS)


def test_what_is_seen_and_what_is_told_have_one_pace_together() -> None:
    mailbox, taken = Mailbox(), []
    for n in range(200):
        mailbox.put(view("table-1", n))
        holds(mailbox, result("table-1", b"x"))
        taken += [*mailbox.take(Lane.SEEN, NOON_S), *mailbox.take(Lane.RESULTS, NOON_S)]
    assert len(taken) == AT_ONCE


def test_a_table_that_floods_is_taken_from_at_its_pace_and_its_last_word_is_not_lost() -> None:
    mailbox, taken = Mailbox(), []
    for n in range(1000):
        mailbox.put(view("table-1", n, n / 1000))
        taken += [arrival.payload for arrival in mailbox.take(Lane.SEEN, NOON_S + n / 1000)]
    assert AT_ONCE <= len(taken) <= AT_ONCE + PER_SECOND
    assert [arrival.payload for arrival in mailbox.take(Lane.SEEN, NOON_S + 2)] == [b"999"]


def test_a_table_that_floods_keeps_no_other_waiting() -> None:
    mailbox = Mailbox()
    for n in range(200):
        mailbox.put(view("table-1", n))
        list(mailbox.take(Lane.SEEN, NOON_S))
    mailbox.put(view("table-2", 1))
    assert [arrival.topic.user for arrival in mailbox.take(Lane.SEEN, NOON_S)] == ["table-2"]
    assert mailbox.holds(Lane.SEEN)


def holds(mailbox: Mailbox, arrival: Arrival) -> bool:
    try:
        mailbox.put(arrival)
    except BoxFull:
        return False
    return True


def test_a_box_holds_so_many_results_and_no_more() -> None:
    mailbox = Mailbox()
    held = [holds(mailbox, result("table-1", b"x")) for _ in range(MOST_RESULTS + 1)]
    assert held == [True] * MOST_RESULTS + [False]
    assert holds(mailbox, result("table-2", b"x"))


def test_all_boxes_together_hold_so_many_bytes_of_results_and_no_more() -> None:
    mailbox = Mailbox()
    quarter = bytes(MOST_RESULT_BYTES // 4)
    assert [holds(mailbox, result(f"table-{number}", quarter)) for number in range(40)] == [True] * 32 + [False] * 8
    list(mailbox.take(Lane.RESULTS, NOON_S))
    assert holds(mailbox, result("table-60", quarter))


def test_what_is_too_large_to_be_seen_or_told_is_not_put_in_a_box() -> None:
    mailbox = Mailbox()
    for kind, largest in ((FromTable.VIEW, LARGEST_SEEN), (FromTable.RESULT, LARGEST)):
        mailbox.put(Arrival(Topic("table-1", kind), bytes(largest), retained=False, at_s=NOON_S))
        with pytest.raises(BoxFull, match="are too many: expected at most"):
            mailbox.put(Arrival(Topic("table-1", kind), bytes(largest + 1), retained=False, at_s=NOON_S))


def test_there_are_so_many_boxes_and_those_of_the_silent_are_given_to_others() -> None:
    mailbox = Mailbox()
    for number in range(MOST_BOXES):
        mailbox.put(view(f"table-{number}", 1))
    list(mailbox.take(Lane.SEEN, NOON_S))
    with pytest.raises(BoxFull, match="'another' is one too many at once"):
        mailbox.put(view("another", 1, FORGOTTEN_S))
    mailbox.put(view("table-1", 2, FORGOTTEN_S))
    mailbox.put(view("another", 1, FORGOTTEN_S + 1))
    assert {arrival.topic.user for arrival in mailbox.take(Lane.SEEN, NOON_S + FORGOTTEN_S + 1)} == {
        "another",
        "table-1",
    }


def test_a_clock_that_is_set_back_allows_nothing_and_holds_nothing_back_for_ever() -> None:
    mailbox = Mailbox()
    for n in range(100):
        mailbox.put(view("table-1", n))
        list(mailbox.take(Lane.SEEN, NOON_S))
    assert list(mailbox.take(Lane.SEEN, NOON_S - 3600)) == []
    assert len(list(mailbox.take(Lane.SEEN, NOON_S - 3599))) == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(list(FromTable)), st.booleans()), max_size=80))
def test_whatever_comes_nothing_is_taken_twice_and_results_are_all_taken(
    said: list[tuple[str, FromTable, bool]],
) -> None:
    mailbox, taken, now_s = Mailbox(), [], NOON_S
    put = [Arrival(Topic(user, kind), b"%d" % n, retained=False, at_s=NOON_S) for n, (user, kind, _) in enumerate(said)]
    held = []
    for arrival, (_, _, takes) in zip(put, said, strict=True):
        if holds(mailbox, arrival):
            held.append(arrival)
        if takes:
            taken += [*mailbox.take(Lane.SEEN, now_s), *mailbox.take(Lane.RESULTS, now_s)]
    while mailbox.holds(Lane.SEEN) or mailbox.holds(Lane.RESULTS):
        now_s += 1
        taken += [*mailbox.take(Lane.RESULTS, now_s), *mailbox.take(Lane.SEEN, now_s)]
    assert len({arrival.payload for arrival in taken}) == len(taken)
    assert {a.payload for a in held if a.topic.kind is FromTable.RESULT} <= {a.payload for a in taken}
    last = {(arrival.topic, arrival.topic.kind): arrival for arrival in held}
    assert all(arrival in taken for arrival in last.values())
