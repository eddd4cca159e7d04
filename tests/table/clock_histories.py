"""Passages of a clock's history, for the tests of clocks; their entries are numbered by `numbered`."""

from collections.abc import Iterable

from msgspec.structs import replace

from captains_table.games.contract import Bid, Pick
from captains_table.table.model.entries import Acted, ClockStopped, ClockWentOn, Resumed, StopReason, TakenBack
from tests.support.clock_bookkeeper import Passage


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


def numbered(passages: Iterable[Passage]) -> list[Passage]:
    """Number actions and take-backs from 1; a take-back without a number takes back what its seat did last."""
    found: list[Passage] = []
    last_of: dict[int | None, int] = {}
    seq = 0
    for had_to_act, entry in passages:
        if isinstance(entry, Acted | TakenBack):
            seq += 1
        if isinstance(entry, Acted):
            last_of[entry.seat] = seq
            found.append(Passage(had_to_act, replace(entry, seq=seq)))
        elif isinstance(entry, TakenBack):
            found.append(Passage(had_to_act, replace(entry, seq=seq, of_seq=entry.of_seq or last_of[entry.seat])))
        else:
            found.append(Passage(had_to_act, entry))
    return found
