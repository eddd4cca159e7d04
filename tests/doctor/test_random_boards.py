"""Boards with faults at random: nearly all are named right at first, all after mending, and none is called well."""

import pytest

from tests.doctor.doctor_boards import THRESHOLDS_V, outcomes
from tests.support.effort import effort

BOARDS = effort(25, 2000)


@pytest.mark.slow
def test_of_random_boards_nearly_all_are_named_right_and_what_others_hide_once_these_are_mended() -> None:
    first, last = outcomes(range(BOARDS), *THRESHOLDS_V)
    assert first["nothing is wrong"] == 0, first
    assert first["right"] >= 0.95 * BOARDS, first
    assert first["cannot be told"] <= 0.05 * BOARDS, first
    assert last["right"] >= 0.99 * BOARDS, last
