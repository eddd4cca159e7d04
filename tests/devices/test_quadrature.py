"""The encoder's two contacts: a detent is one step, however they bounce."""

import pytest

from captains_table.devices.gpio.scanner import Quadrature

RIGHT = [(True, False), (True, True), (False, True), (False, False)]
LEFT = [(b, a) for a, b in RIGHT]


def steps(levels: list[tuple[bool, bool]]) -> list[int]:
    encoder = Quadrature()
    return [step for a, b in levels if (step := encoder.read(a=a, b=b))]


def test_a_detent_to_the_right_is_one_step_and_one_to_the_left_is_one_back() -> None:
    assert steps(RIGHT * 3) == [1, 1, 1]
    assert steps(LEFT * 2) == [-1, -1]
    assert steps(RIGHT + LEFT) == [1, -1]


@pytest.mark.parametrize("turn", [RIGHT, LEFT])
@pytest.mark.parametrize("at", range(4))
def test_a_contact_that_bounces_makes_no_further_step(turn: list[tuple[bool, bool]], at: int) -> None:
    before = [(False, False), *turn][at]
    bounced = [*turn[:at], turn[at], before, turn[at], before, turn[at], *turn[at + 1 :]]
    assert steps(bounced) == steps(turn)


@pytest.mark.parametrize("missed", range(3))
def test_a_quarter_that_was_missed_does_no_harm(missed: int) -> None:
    assert steps([level for number, level in enumerate(RIGHT) if number != missed]) == [1]


def test_an_encoder_turned_half_way_and_back_makes_no_step() -> None:
    assert steps([*RIGHT[:2], RIGHT[0], (False, False)]) == []
