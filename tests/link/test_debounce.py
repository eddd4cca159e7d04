"""Debounce: a contact is believed once it was still for a while, however often one asks."""

from hypothesis import given, strategies as st

from captains_table.link.debounce import DEBOUNCE_MS, Debounce

SETTLE_MS = DEBOUNCE_MS
A1, E2, E4 = 0, 12, 28

Settled = tuple[int, bool, int]


def settled_by(debounce: Debounce, now_ms: int) -> list[Settled]:
    """Return (contact, closed, ms) of all that has settled."""
    found = []
    while (change := debounce.settle(now_ms)) is not None:
        found.append((change.contact, change.closed, change.at_ms))
    return found


def test_a_change_is_believed_after_it_was_still_for_the_settling_time() -> None:
    switches = Debounce(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=100)
    assert switches.due_ms() == 108
    assert settled_by(switches, 107) == []
    assert settled_by(switches, 108) == [(E2, False, 108)]
    assert switches.due_ms() is None


def test_a_flicker_that_ends_where_it_began_is_nothing() -> None:
    switches = Debounce(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=100)
    switches.changed(E2, closed=True, now_ms=105)
    assert switches.due_ms() is None
    assert settled_by(switches, 1000) == []
    switches.changed(E2, closed=False, now_ms=2000)  # seen to flip back later: nobody knows whether it was still
    switches.changed(E2, closed=True, now_ms=2010)
    assert settled_by(switches, 2010) == []


def test_a_repeated_change_is_harmless_and_does_not_wait_longer() -> None:
    switches = Debounce(SETTLE_MS)
    switches.changed(E4, closed=True, now_ms=0)
    switches.changed(E4, closed=True, now_ms=7)
    assert settled_by(switches, 8) == [(E4, True, 8)]
    switches.changed(E4, closed=True, now_ms=50)
    assert switches.due_ms() is None


def test_changes_are_believed_one_at_a_time_the_oldest_first() -> None:
    switches = Debounce(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=10)
    switches.changed(E4, closed=True, now_ms=11)
    assert [contact for contact, _, _ in settled_by(switches, 100)] == [E2, E4]


def test_a_whole_board_is_believed_at_once_and_forgets_what_was_unsettled() -> None:
    switches = Debounce(SETTLE_MS, frozenset({E2}))
    switches.changed(E2, closed=False, now_ms=10)
    switches.begin({E4})
    assert switches.due_ms() is None
    switches.changed(E4, closed=True, now_ms=20)
    switches.changed(E2, closed=False, now_ms=20)
    assert switches.due_ms() is None


CHANGES = st.lists(st.tuples(st.sampled_from([A1, E2, E4]), st.booleans(), st.integers(0, 12)), max_size=40)


@given(CHANGES, st.sets(st.sampled_from([A1, E2, E4])))
def test_in_the_end_the_last_word_of_every_switch_is_believed(
    changes: list[tuple[int, bool, int]], at_first: set[int]
) -> None:
    switches, truth, now_ms = Debounce(SETTLE_MS, frozenset(at_first)), set(at_first), 0
    believed = set(at_first)

    def look() -> None:
        for contact, settled, _ in settled_by(switches, now_ms):
            (believed.add if settled else believed.discard)(contact)

    for contact, closed, after_ms in changes:
        now_ms += after_ms
        look()
        switches.changed(contact, closed=closed, now_ms=now_ms)
        (truth.add if closed else truth.discard)(contact)
    now_ms += SETTLE_MS
    look()
    assert believed == truth


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=60))
def test_a_switch_is_never_believed_before_it_was_still(changes: list[tuple[bool, int]]) -> None:
    switches, now_ms, closed_now, since_ms = Debounce(SETTLE_MS), 0, False, 0
    for closed, after_ms in changes:
        now_ms += after_ms
        for _, settled, at_ms in settled_by(switches, now_ms):
            assert settled == closed_now
            assert at_ms - since_ms >= SETTLE_MS
        if closed != closed_now:
            closed_now, since_ms = closed, now_ms
        switches.changed(E4, closed=closed, now_ms=now_ms)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=60), st.integers(1, 20))
def test_how_often_one_looks_makes_no_difference(changes: list[tuple[bool, int]], step_ms: int) -> None:
    seldom, often = Debounce(SETTLE_MS), Debounce(SETTLE_MS)
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


def test_what_flipped_in_vain_is_counted_and_told_with_the_next_change() -> None:
    switches = Debounce(SETTLE_MS)
    for now_ms in (0, 4, 8):
        switches.changed(E4, closed=True, now_ms=now_ms)
        switches.changed(E4, closed=False, now_ms=now_ms + 2)
    switches.changed(E4, closed=True, now_ms=12)
    settled = switches.settle(20)
    assert settled is not None
    assert settled.flickers == 6
    switches.changed(E4, closed=False, now_ms=100)
    settled = switches.settle(200)
    assert settled is not None
    assert settled.flickers == 0


def test_without_a_settling_time_each_change_is_believed_when_it_is_told() -> None:
    switches = Debounce(0)
    for closed in (True, False, True):
        switches.changed(E4, closed=closed, now_ms=5)
        assert settled_by(switches, 5) == [(E4, closed, 5)]
    slow = Debounce(50)
    slow.changed(E4, closed=True, now_ms=0)
    slow.settle_ms = 5  # holds at once
    assert settled_by(slow, 5) == [(E4, True, 5)]
