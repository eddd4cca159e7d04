"""An event goes straight through: it passes three functions of ours at most before the referee."""

import asyncio
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pytest

import captains_table
from captains_table.devices.gpio.gpio_board import monotonic_ms
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.table.model.events import (
    AdviceAsked,
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    ComputerAnswered,
    Event,
    SwitchChanged,
)
from captains_table.table.referee import Referee
from tests.runtime.seat_guests import OpenEvening, pick
from tests.support.patience import PATIENCE_S
from tests.support.service_at_work import OpenTable

if TYPE_CHECKING:
    from collections.abc import Callable

OURS = Path(captains_table.__file__).parent
MOST = 3
COMES_FROM = ("page", "web", "devices", "runtime/thinking")
"""Where an address is served, a board is read, and the answer of a computer is waited for."""


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> dict[type[Event], list[str]]:
    """Return what each kind of event that reached the referee had passed: the functions of ours, the last one first."""
    found: dict[type[Event], list[str]] = {}
    handle = Referee.handle

    def watched(referee: Referee, event: Event, now_ms: int) -> object:
        found[type(event)] = list(functions_of_ours(sys._getframe(1)))
        return handle(referee, event, now_ms)

    monkeypatch.setattr(Referee, "handle", watched)
    return found


def functions_of_ours(frame: FrameType | None) -> list[str]:
    """Return the functions of ours on the way from where something comes from, which itself is none of them."""
    found = []
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(OURS):
            place = file.relative_to(OURS).as_posix()
            if place.startswith(COMES_FROM):
                break
            found.append(f"{place}:{frame.f_code.co_name}")
        frame = frame.f_back
    return found


async def test_what_is_done_on_the_page_and_on_a_phone(
    open_evening: OpenEvening, passed: dict[type[Event], list[str]]
) -> None:
    with open_evening() as at:
        at.table.matches.new_match("legend", ["Anne", "Bart"], {})
        for way in ("press", "release"):
            assert (await at.owner("POST", f"/button/roll/{way}")).status_code == 204
        assert (await at.owner("POST", "/advice")).status_code == 204
        assert (await at.answer(at.key(0), pick("e2e4"))).status_code == 204
    for event in (ButtonPressed, ButtonReleased, AdviceAsked, Answered):
        assert passed[event] == ["runtime/session.py:handle", "runtime/table.py:handle"]


def test_what_a_board_reports(open_table: OpenTable, passed: dict[type[Event], list[str]]) -> None:
    with open_table(on_floor=True) as table:
        table.matches.new_match("legend", ["Anne", "Bart"], {})
        say = table.listen_to(HardwareSource(table.session, "No board"))
        say(SwitchChanged(next(iter(table.view().pieces)), closed=False), monotonic_ms())
        say(ButtonPressed(Button.ROLL), monotonic_ms())
    for event in (SwitchChanged, ButtonPressed):
        assert len(passed[event]) <= MOST, passed[event]


async def test_what_a_computer_decides(open_table: OpenTable, passed: dict[type[Event], list[str]]) -> None:
    thinks = """input(); print('{"action": {"type": "pick", "id": "e2e4"}}', flush=True); input()"""
    with open_table(on_floor=True) as table:
        table.computers._worker.command = (sys.executable, "-c", thinks)
        table.matches.new_match("captains-chess", ["boreas:1", "Bart"], {})
        async with asyncio.timeout(PATIENCE_S):
            async for _ in table.subscribers.changes():
                if ComputerAnswered in passed:
                    break
    assert len(passed[ComputerAnswered]) <= MOST, passed[ComputerAnswered]


def test_one_function_more_is_seen() -> None:
    place: dict[str, Callable[[Callable[[], list[str]]], list[str]]] = {}
    exec(compile("def hand_on(f): return f()", OURS / "runtime" / "extra.py", "exec"), place)  # noqa: S102 - the line above
    assert place["hand_on"](lambda: functions_of_ours(sys._getframe())) == ["runtime/extra.py:hand_on"]
