"""Debouncing: a switch is believed once it was still for a while."""

from hypothesis import given
from hypothesis import strategies as st

from captains_table.games.contract import Square
from captains_table.table.recognition.debounce import Debouncer, Settled

SETTLE_MS = 8
A1, E2, E4 = Square(0, 0), Square(4, 1), Square(4, 3)


def settled_by(debouncer: Debouncer, now_ms: int) -> list[Settled]:
    found = []
    while (change := debouncer.settle(now_ms)) is not None:
        found.append(change)
    return found


def test_a_change_is_believed_after_it_was_still_for_the_settling_time() -> None:
    switches = Debouncer(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=100)
    assert switches.due_ms() == 108
    assert switches.settle(107) is None
    assert switches.occupied == {E2}
    assert switches.settle(108) == Settled(E2, closed=False, at_ms=108)
    assert switches.occupied == frozenset()
    assert switches.due_ms() is None


def test_a_change_is_dated_when_it_was_believed_however_late_one_looks() -> None:
    switches = Debouncer(SETTLE_MS)
    switches.changed(E4, closed=True, now_ms=100)
    assert switches.settle(9999) == Settled(E4, closed=True, at_ms=108)


def test_a_flicker_that_ends_where_it_began_is_nothing() -> None:
    switches = Debouncer(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=100)
    switches.changed(E2, closed=True, now_ms=105)
    assert switches.due_ms() is None
    assert switches.settle(1000) is None
    assert switches.occupied == {E2}


def test_every_bounce_begins_the_wait_anew() -> None:
    switches = Debouncer(SETTLE_MS)
    for now_ms in (0, 4, 8):
        switches.changed(E4, closed=True, now_ms=now_ms)
        switches.changed(E4, closed=False, now_ms=now_ms + 2)
    switches.changed(E4, closed=True, now_ms=12)
    assert switches.settle(19) is None
    assert switches.settle(20) == Settled(E4, closed=True, at_ms=20)


def test_a_repeated_change_is_harmless_and_does_not_wait_longer() -> None:
    switches = Debouncer(SETTLE_MS)
    switches.changed(E4, closed=True, now_ms=0)
    switches.changed(E4, closed=True, now_ms=7)
    assert switches.settle(8) == Settled(E4, closed=True, at_ms=8)
    switches.changed(E4, closed=True, now_ms=50)
    assert switches.due_ms() is None


def test_changes_are_believed_one_at_a_time_the_oldest_first() -> None:
    switches = Debouncer(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=10)
    switches.changed(E4, closed=True, now_ms=11)
    assert [change.square for change in settled_by(switches, 100)] == [E2, E4]


def test_a_whole_board_is_believed_at_once_and_forgets_what_was_unsettled() -> None:
    switches = Debouncer(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=10)
    switches.read(frozenset({E4}))
    assert switches.due_ms() is None
    assert switches.occupied == {E4}


@given(
    st.lists(
        st.tuples(st.sampled_from([A1, E2, E4]), st.booleans(), st.integers(0, 12)),
        max_size=40,
    ),
    st.sets(st.sampled_from([A1, E2, E4])),
)
def test_in_the_end_the_last_word_of_every_switch_is_believed(
    changes: list[tuple[Square, bool, int]], at_first: set[Square]
) -> None:
    switches, truth, now_ms = Debouncer(SETTLE_MS, frozenset(at_first)), set(at_first), 0
    for square, closed, after_ms in changes:
        now_ms += after_ms
        settled_by(switches, now_ms)
        switches.changed(square, closed=closed, now_ms=now_ms)
        (truth.add if closed else truth.discard)(square)
    settled_by(switches, now_ms + SETTLE_MS)
    assert switches.occupied == truth


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=60))
def test_a_switch_is_never_believed_before_it_was_still(changes: list[tuple[bool, int]]) -> None:
    switches, now_ms, closed_now, since_ms = Debouncer(SETTLE_MS), 0, False, 0
    for closed, after_ms in changes:
        now_ms += after_ms
        for change in settled_by(switches, now_ms):
            assert change.closed == closed_now
            assert change.at_ms - since_ms >= SETTLE_MS
        if closed != closed_now:
            closed_now, since_ms = closed, now_ms
        switches.changed(E4, closed=closed, now_ms=now_ms)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=60), st.integers(1, 20))
def test_how_often_one_looks_makes_no_difference(changes: list[tuple[bool, int]], step_ms: int) -> None:
    seldom, often = Debouncer(SETTLE_MS), Debouncer(SETTLE_MS)
    found: list[list[Settled]] = [[], []]
    now_ms = 0
    for closed, after_ms in changes:
        for look_ms in range(now_ms, now_ms + after_ms, step_ms):
            found[1] += settled_by(often, look_ms)
        now_ms += after_ms
        for switches, log in zip((seldom, often), found, strict=True):
            log.extend(settled_by(switches, now_ms))
            switches.changed(E4, closed=closed, now_ms=now_ms)
    for switches, log in zip((seldom, often), found, strict=True):
        log.extend(settled_by(switches, now_ms + SETTLE_MS))
    assert found[0] == found[1]
