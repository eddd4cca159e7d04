"""A book-keeper of chess clocks, written from the rules alone: it counts the whole history again for each question.

Nothing here is taken from the program's clocks, so that it can judge them. A history is a sequence of `Passage`: who
had to act up to a journal entry, and that entry. Times are in milliseconds.

Source: docs/rules/clocks.md Z2 - Z13.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from captains_table.games.contract import Pick
from captains_table.table.model.entries import Acted, ClockStopped, ClockWentOn, Entry, Resumed, TakenBack

Way = Literal["none", "fischer", "delay", "bronstein", "hourglass"]

WAYS: Final[dict[str, Way]] = {"": "none", "+": "fischer", "d": "delay", "b": "bronstein", "h": "hourglass"}
STAGE: Final = re.compile(r"(([0-9]+)/)?([0-9]+)(s?)(([+db])([0-9]+)|h)?")
MOST_STAGES: Final = 6
TIMED: Final = (Acted, TakenBack, ClockStopped, ClockWentOn, Resumed)


class BookStage(NamedTuple):
    """A stage: its base, its number of moves (`None` if it has none), its way of adding time, and the way's time."""

    base_ms: int
    moves: int | None
    way: Way
    extra_ms: int


class BookControl(NamedTuple):
    """The stages of each seat (one part counts for all seats), and whether the clock stands until its first press."""

    parts: tuple[tuple[BookStage, ...], ...]
    from_press: bool = False

    def stages(self, seat: int) -> tuple[BookStage, ...]:
        return self.parts[0] if len(self.parts) == 1 else self.parts[seat]


def control_of(text: str, *, from_press: bool = False) -> BookControl | None:
    """Return the time control that a text describes (Z2); `None` for `none`.

    Raises:
        ValueError: the text describes no time control.
    """
    if text == "none":
        return None
    return BookControl(tuple(_stages_of(part) for part in text.split("|")), from_press)


def _stages_of(text: str) -> tuple[BookStage, ...]:
    stages = tuple(_stage_of(part) for part in text.split(","))
    if len(stages) > MOST_STAGES:
        raise ValueError(f"{text!r} has {len(stages)} stages: expected at most {MOST_STAGES}")
    if any(stage.moves is None for stage in stages[:-1]):
        raise ValueError(f"{text!r}: expected a number of moves in every stage but the last")
    return stages


def _stage_of(text: str) -> BookStage:
    found = STAGE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no stage: expected such as 90, 40/90+30, 30s, 3d2, 3b2 or 2h")
    _, moves, base, unit, way, sign, extra = found.groups()
    seconds = _number(base, 1, 36000) if unit else 60 * _number(base, 1, 600)
    return BookStage(
        base_ms=1000 * seconds,
        moves=None if moves is None else _number(moves, 1, 200),
        way=WAYS[sign or way or ""],
        extra_ms=0 if extra is None else 1000 * _number(extra, 0, 600),
    )


def _number(digits: str, least: int, most: int) -> int:
    if not least <= int(digits) <= most:
        raise ValueError(f"{digits}: expected {least} to {most}")
    return int(digits)


class Passage(NamedTuple):
    """Who had to act up to an entry (`None` if nobody or several had to), and the entry."""

    had_to_act: int | None
    entry: Entry


class Leg(NamedTuple):
    """The time up to an entry: whose time ran (`None`: nobody's), from when to when, whose counted press ended it."""

    seat: int | None
    since_ms: int
    until_ms: int
    presser: int | None = None


@dataclass(frozen=True)
class SeatAccount:
    """What the book says of a seat.

    Attributes:
        left_ms: the time left, apart from a delay; 0 once the flag has fallen.
        stage: the number of the stage, from 0.
        presses: how many presses were counted in this stage.
        used_ms: what was used since the seat's last press, or since the start.
    """

    left_ms: int
    stage: int = 0
    presses: int = 0
    used_ms: int = 0


class ClockBook:
    """The clocks of a match, given by its time control and its whole history so far.

    In each question `acting` is the seat that has had to act since the last entry, `None` if nobody or several have.

    Raises:
        ValueError: the control has parts for another number of seats.
    """

    def __init__(self, control: BookControl, seats: int, history: Sequence[Passage] = ()) -> None:
        if len(control.parts) not in {1, seats}:
            raise ValueError(f"{len(control.parts)} parts for {seats} seats")
        self.control = control
        self.seats = seats
        self.history = tuple(history)

    def left_ms(self, seat: int, acting: int | None, now_ms: int) -> int:
        """Return a seat's time left, apart from a delay; 0 once the flag has fallen."""
        return self._accounts(acting, now_ms)[seat].left_ms

    def stage(self, seat: int) -> int:
        """Return the number of a seat's stage, from 0."""
        return self._accounts(None, 0)[seat].stage

    def moves_to_go(self, seat: int) -> int | None:
        """Return how many moves a seat has yet to make in its stage; `None` if the stage has no number of moves."""
        account = self._accounts(None, 0)[seat]
        moves = self.control.stages(seat)[account.stage].moves
        return None if moves is None else moves - account.presses

    def delay_left_ms(self, seat: int, acting: int | None, now_ms: int) -> int:
        """Return how much a seat may use before its time runs; 0 in a stage without a delay."""
        account = self._accounts(acting, now_ms)[seat]
        return _delay_left_ms(account, self.control.stages(seat)[account.stage])

    def flag_falls_ms(self, acting: int | None) -> int | None:
        """Return when the flag of the seat that must act falls if nothing else happens; `None`: no time runs (Z11)."""
        last = list(self._legs(acting, 0))[-1]
        if last.seat is None:
            return None
        since = last.since_ms
        return since + self.left_ms(last.seat, acting, since) + self.delay_left_ms(last.seat, acting, since)

    def _accounts(self, acting: int | None, now_ms: int) -> list[SeatAccount]:
        """Count the whole history, and what has run since."""
        accounts = [SeatAccount(self.control.stages(seat)[0].base_ms) for seat in range(self.seats)]  # Z3
        for leg in self._legs(acting, now_ms):
            if leg.seat is not None:
                self._charge(accounts, leg.seat, leg.until_ms - leg.since_ms)
            if leg.presser is not None:
                accounts[leg.presser] = _pressed(accounts[leg.presser], self.control.stages(leg.presser))
        return accounts

    def _legs(self, acting: int | None, now_ms: int) -> Iterator[Leg]:
        """Yield a leg for each entry with a time, and the one that lasts now."""
        stands, unpressed, since_ms = True, self.control.from_press, 0
        for had_to_act, entry in self.history:
            if not isinstance(entry, TIMED):
                continue
            if isinstance(entry, ClockWentOn | Resumed):  # Z13: nobody's time ran since the last thing written down
                stands, since_ms = isinstance(entry, Resumed), entry.at_ms
                continue
            seat = None if stands or unpressed else had_to_act
            is_first_press = unpressed and _is_press(entry)
            yield Leg(seat, since_ms, entry.at_ms, entry.seat if _is_press(entry) and not is_first_press else None)
            stands = (stands or isinstance(entry, ClockStopped)) and not is_first_press
            unpressed = unpressed and not is_first_press  # Z5
            since_ms = entry.at_ms
        yield Leg(None if stands or unpressed else acting, since_ms, now_ms)

    def _charge(self, accounts: list[SeatAccount], seat: int, used_ms: int) -> None:
        """Charge a seat for time, less what is left of its delay (Z7); in an hourglass the next seat gets it (Z9)."""
        account = accounts[seat]
        stage = self.control.stages(seat)[account.stage]
        charged_ms = min(
            account.left_ms, max(0, used_ms - _delay_left_ms(account, stage))
        )  # Z11: then the match is over
        accounts[seat] = replace(account, left_ms=account.left_ms - charged_ms, used_ms=account.used_ms + used_ms)
        if stage.way == "hourglass":
            receiver = (seat + 1) % self.seats
            accounts[receiver] = replace(accounts[receiver], left_ms=accounts[receiver].left_ms + charged_ms)


def _is_press(entry: Entry) -> bool:
    return isinstance(entry, Acted) and entry.action == Pick("press-clock")


def _delay_left_ms(account: SeatAccount, stage: BookStage) -> int:
    return max(0, stage.extra_ms - account.used_ms) if stage.way == "delay" else 0


def _pressed(account: SeatAccount, stages: Sequence[BookStage]) -> SeatAccount:
    """Return the account after a counted press: first what the press adds (Z6, Z8), then the next stage (Z10)."""
    stage = stages[account.stage]
    added_ms = {"fischer": stage.extra_ms, "bronstein": min(stage.extra_ms, account.used_ms)}.get(stage.way, 0)
    after = SeatAccount(account.left_ms + added_ms, account.stage, account.presses + 1)
    if after.presses != stage.moves:
        return after
    following = min(account.stage + 1, len(stages) - 1)
    return SeatAccount(after.left_ms + stages[following].base_ms, following)
