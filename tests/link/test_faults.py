"""The link on a line that damages what passes: nothing is lost, nothing told twice, nothing out of order."""

import random

import pytest

from captains_table.link.link_events import (
    BoardReset,
    ButtonReported,
    Connected,
    EncoderReported,
    LinkEvent,
    LinkLost,
    SwitchesRead,
    SwitchReported,
)
from tests.support.effort import effort
from tests.support.link_noise import Noise
from tests.support.link_wires import BUTTONS, FILES, RANKS, Wire, untouched

SWITCHES = FILES * RANKS
SEEDS = range(effort(3, 40))


class Hand:
    """Does things at a board, and remembers what was done."""

    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire = wire
        self.rng = random.Random(seed)
        self.closed: set[int] = set()
        self.down: set[int] = set()
        self.did: list[object] = []

    def do(self) -> None:
        """Lift or place a piece, press or let go, or turn."""
        luck = self.rng.random()
        if luck < 0.6:
            index = self.rng.randrange(SWITCHES)
            closed = index not in self.closed
            self.closed ^= {index}
            self.did.append((index, closed))
            self.wire.switch(index, closed=closed)
        elif luck < 0.9:
            button = self.rng.randrange(len(BUTTONS))
            down = button not in self.down
            self.down ^= {button}
            self.did.append((BUTTONS[button], down))
            self.wire.button(button, down=down)
        else:
            steps = self.rng.choice((-1, 1))
            self.did.append(steps)
            self.wire.board.encoder_turned(steps, self.wire.board_ms)


def told_things(told: list[LinkEvent]) -> list[object]:
    things: list[object] = []
    for one in told:
        if isinstance(one, SwitchReported):
            things.append((one.index, one.closed))
        elif isinstance(one, ButtonReported):
            things.append((one.button, one.down))
        elif isinstance(one, EncoderReported):
            things.append(one.steps)
    return things


def times(told: list[LinkEvent]) -> list[int]:
    return [
        one.at_ms for one in told if isinstance(one, SwitchReported | ButtonReported | EncoderReported | SwitchesRead)
    ]


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_on_a_noisy_line_everything_is_told_once_and_in_order(seed: int) -> None:
    """The oracle is the list of what the hand did; a third to a half of all transmissions is damaged."""
    to_host, to_board = Noise(seed, 0.3 + 0.05 * (seed % 5)), Noise(seed + 1000, 0.4)
    wire = Wire(to_host, to_board)
    while not any(isinstance(one, SwitchesRead) for one in wire.told):
        wire.run(100)
    hand = Hand(wire, seed)
    for _ in range(200):
        hand.do()
        wire.run(hand.rng.choice((0, 1, 5, 20, 150)))
    wire.run(3000)
    assert told_things(wire.told) == hand.did
    assert times(wire.told) == sorted(times(wire.told))
    assert sum(to_host.done.values()) + sum(to_board.done.values()) > 100


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_over_silences_everything_is_still_told_once_and_in_order(seed: int) -> None:
    """A reader that stalls, and a line that is gone for longer than the board is waited for."""
    wire = Wire()
    wire.run(100)
    hand = Hand(wire, seed)
    for _ in range(8):
        for _ in range(10):
            hand.do()
            wire.run(hand.rng.choice((1, 20)))
        wire.to_host = lambda _: b""
        for _ in range(5):
            hand.do()
            wire.run(hand.rng.choice((10, 300, 1500)))
        wire.to_host = untouched
    wire.run(3000)
    assert told_things(wire.told) == hand.did
    assert picture(wire.told) == hand.closed
    assert LinkLost() in wire.told


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_silent_reset_loses_only_what_nobody_could_see(seed: int) -> None:
    """After each reset the picture and the levels of the buttons are right, and presses still alternate."""
    wire = Wire(Noise(seed, 0.1), Noise(seed + 1000, 0.1))
    wire.run(1000)
    hand = Hand(wire, seed)
    for boot in range(6):
        for _ in range(10):
            hand.do()
            wire.run(hand.rng.choice((0, 3, 40)))
        occupied = sum(1 << index for index in hand.closed)
        wire.reset(nonce=100 + boot, occupied=occupied, down=sorted(hand.down))
    wire.run(4000)
    assert wire.told.count(BoardReset()) == 6
    pressed = [one for one in wire.told if isinstance(one, ButtonReported)]
    for button in BUTTONS:
        levels = [one.down for one in pressed if one.button == button]
        assert levels == [i % 2 == 0 for i in range(len(levels))]
        assert bool(levels and levels[-1]) == (BUTTONS.index(button) in hand.down)
    assert picture(wire.told) == hand.closed


def picture(told: list[LinkEvent]) -> set[int]:
    """Return what somebody who follows the happenings takes to be occupied."""
    closed: set[int] = set()
    for one in told:
        if isinstance(one, SwitchesRead):
            closed = set(one.closed)
        elif isinstance(one, SwitchReported):
            assert one.closed != (one.index in closed)
            closed ^= {one.index}
    return closed


def test_a_late_line_of_a_start_that_is_over_tells_nothing() -> None:
    wire = Wire()
    kept: list[bytes] = []

    def keep(data: bytes) -> bytes:
        kept.append(data)
        return data

    wire.to_host = keep
    wire.run(1200)
    wire.switch(3, closed=True)
    wire.run(100)
    wire.to_host = untouched
    wire.reset(nonce=8)
    wire.run(1200)
    assert wire.host.receive(b"".join(kept), wire.now_ms) == []


def test_another_host_learns_who_is_there_and_how_the_board_stands() -> None:
    wire = Wire()
    wire.run(100)
    wire.switch(3, closed=True)
    wire.button(0, down=True)
    wire.button(0, down=False)
    wire.run(100)
    wire.start_another_host()
    told = wire.run(100)
    assert [type(one) for one in told] == [Connected, SwitchesRead]
    assert picture(told) == {3}
