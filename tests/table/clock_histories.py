"""Passages of a clock's history, for the tests of clocks; actions and take-backs have the number 0 at first."""

from captains_table.games.contract import Bid, Pick
from captains_table.table.model.entries import Acted, ClockStopped, ClockWentOn, Resumed, StopReason, TakenBack
from tests.table.clock_bookkeeper import Passage


def went_on(at_ms: int) -> Passage:
    return Passage(None, ClockWentOn(at_ms))


def acted(seat: int, at_ms: int, option: str = "e2e4") -> Passage:
    return Passage(seat, Acted(0, seat, at_ms, Pick(option)))


def pressed(seat: int, at_ms: int) -> Passage:
    return acted(seat, at_ms, "press-clock")


def bid(seat: int, at_ms: int) -> Passage:
    """Return a bid in an auction, in which several seats have to act."""
    return Passage(None, Acted(0, seat, at_ms, Bid(seat, 1)))


def stopped(seat: int | None, at_ms: int, why: StopReason = "asked") -> Passage:
    return Passage(seat, ClockStopped(seat, at_ms, why))


def power_back(at_ms: int) -> Passage:
    return Passage(None, Resumed("2026-11-26T20:00:00+00:00", at_ms))


def taken_back(had_to_act: int | None, seat: int, at_ms: int, of_seq: int = 0) -> Passage:
    """Return the take-back of an action of a seat, while another seat may have had to act."""
    return Passage(had_to_act, TakenBack(0, seat, at_ms, of_seq))
