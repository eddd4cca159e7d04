"""The long hold for the table's own menu: shown while it lasts, nothing when let go, and short ones are as ever."""

import pytest
from hypothesis import given, strategies as st

from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.long_presses import SHOWN_MS, STEPS, MenuHold

KINDS = {"encoder": Button.CHOOSE, "one": Button.ROLL}


def held(kind: str = "encoder", menu_ms: int = 5000) -> tuple[MenuHold, Button]:
    hold, button = MenuHold(Settings(buttons=kind, menu_ms=menu_ms)), KINDS[kind]
    hold.press(ButtonPressed(button), 1000)
    return hold, button


@pytest.mark.parametrize("kind", KINDS)
def test_a_hold_is_shown_after_two_seconds_fills_in_steps_and_is_over_once(kind: str) -> None:
    hold, _ = held(kind)
    shares: list[float] = []
    while (due_ms := hold.due_ms()) is not None and not hold.is_over(due_ms):
        assert hold.look(due_ms), "it is looked at only when something changes"
        assert hold.share is not None
        shares.append(hold.share)
        assert 1000 + SHOWN_MS < due_ms < 6000
    assert shares == [step / STEPS for step in range(STEPS)]
    assert not hold.is_over(10_000)


@given(st.integers(0, 20_000), st.integers(0, 60_000))
def test_whatever_was_shown_takes_the_release_and_whatever_was_not_leaves_it(held_ms: int, menu_ms: int) -> None:
    hold, button = held(menu_ms=menu_ms)
    was_shown, now_ms = False, 1000
    while (due_ms := hold.due_ms()) is not None and due_ms <= 1000 + held_ms:
        now_ms = max(due_ms, now_ms)
        hold.look(now_ms)
        is_over = hold.is_over(now_ms)  # each time, as the table asks it, or a hold would be due for ever
        was_shown = was_shown or is_over or hold.share is not None
    hold.look(1000 + held_ms)
    assert hold.takes(ButtonReleased(button)) is (was_shown or hold.share is not None)
    assert hold.due_ms() is None
    assert not hold.takes(ButtonReleased(button))


def test_a_hold_that_means_something_shorter_is_not_touched() -> None:
    hold, button = held()
    hold.look(1000 + SHOWN_MS)
    assert hold.share is None
    assert not hold.takes(ButtonReleased(button))


def test_other_buttons_open_nothing() -> None:
    hold = MenuHold(Settings())
    for button in (Button.ROLL, Button.BACK, Button.NEXT, Button.PREVIOUS):
        hold.press(ButtonPressed(button), 0)
        assert hold.due_ms() is None
