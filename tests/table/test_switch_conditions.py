from hypothesis import given, strategies as st

from captains_table.games.contract import parse_square
from captains_table.table.recognition.switches import (
    CHATTER_CHANGES,
    CHATTER_WINDOW_MS,
    REST_MS,
    Condition,
    SwitchHealth,
)

E4 = parse_square("e4")


def chattering_from(start_ms: int, step_ms: int = 50) -> tuple[SwitchHealth, int]:
    health = SwitchHealth()
    for number in range(CHATTER_CHANGES):
        health.changed(E4, start_ms + number * step_ms)
    return health, start_ms + (CHATTER_CHANGES - 1) * step_ms


def test_a_switch_that_changes_all_the_time_chatters_until_it_rests() -> None:
    health, last_ms = chattering_from(1000)
    assert health.chattering() == {E4}
    assert health.rest_due_ms() == last_ms + REST_MS
    assert health.rested(last_ms + REST_MS - 1) == []
    assert health.rested(last_ms + REST_MS) == [E4]
    assert health.chattering() == frozenset()
    assert health.rest_due_ms() is None


def test_a_change_while_it_should_rest_makes_it_rest_longer() -> None:
    health, last_ms = chattering_from(0)
    health.changed(E4, last_ms + 1500)
    assert health.rested(last_ms + REST_MS) == []
    assert health.rested(last_ms + 1500 + REST_MS) == [E4]


@given(st.lists(st.integers(CHATTER_WINDOW_MS // (CHATTER_CHANGES - 1) + 1, 60_000), max_size=40))
def test_a_hand_is_never_taken_for_chatter(pauses_ms: list[int]) -> None:
    health, now_ms = SwitchHealth(), 0
    for pause_ms in pauses_ms:
        now_ms += pause_ms
        health.changed(E4, now_ms)
    assert health.chattering() == frozenset()


def test_bounce_is_counted_as_flickers() -> None:
    health = SwitchHealth()
    health.changed(E4, 30, flickers=4)
    report = health.report(E4, closed=True, condition=Condition.GOOD)
    assert (report.changes, report.flickers, report.changed_ms) == (1, 4, 30)


def test_what_somebody_masked_is_reported_as_masked_even_while_it_chatters() -> None:
    health, _ = chattering_from(0)
    assert health.report(E4, closed=False, condition=Condition.GOOD).condition is Condition.CHATTERS
    assert health.report(E4, closed=False, condition=Condition.MASKED).condition is Condition.MASKED
