"""Two hundred boards with faults at random: nearly all are named right, and none is called well."""

import pytest

from tests.support.doctor_boards import THRESHOLDS_V, outcomes
from tests.support.effort import effort

BOARDS = effort(200, 2000)


@pytest.mark.slow
def test_of_random_boards_nearly_all_are_named_right_and_none_is_called_well() -> None:
    found = outcomes(BOARDS, *THRESHOLDS_V)
    assert found["nothing is wrong"] == 0, found
    assert found["right"] >= 0.95 * BOARDS, found
    assert found["cannot be told"] <= 0.05 * BOARDS, found
