"""The table is dimmed at night, whichever way the night lies about midnight."""

import asyncio
from unittest.mock import Mock

import pytest

from captains_table.devices.dimming import Dimmer, Night, brightness_at, dim_by_time, hour_now


@pytest.mark.parametrize(
    ("hour", "share"), [(0, 0.2), (6.99, 0.2), (7, 1.0), (12, 1.0), (21.99, 1.0), (22, 0.2), (23.99, 0.2)]
)
def test_by_default_it_is_dim_from_ten_in_the_evening_until_seven(hour: float, share: float) -> None:
    assert brightness_at(hour, Night()) == share


@pytest.mark.parametrize(("hour", "share"), [(0.9, 1.0), (1, 0.5), (4.4, 0.5), (4.5, 1.0), (23, 1.0)])
def test_a_night_after_midnight_is_a_night_too(hour: float, share: float) -> None:
    assert brightness_at(hour, Night(1.0, 4.5, 0.5)) == share


@pytest.mark.parametrize("hour", [0, 5, 12, 22])
def test_a_night_that_ends_as_it_begins_never_comes(hour: float) -> None:
    assert brightness_at(hour, Night(5, 5, 0.1)) == 1.0


async def test_dimming_follows_the_hours_and_says_nothing_twice() -> None:
    hours = Mock(side_effect=[21.9, 21.95, 22.0, 22.1, 23.9, 0.1, 6.9, 7.0, 7.1, asyncio.CancelledError])
    said: list[float] = []
    with pytest.raises(asyncio.CancelledError):
        await dim_by_time(said.append, Night(), hours, 0)
    assert said == [1.0, 0.2, 1.0]


async def test_a_dimmer_goes_by_the_night_named_last() -> None:
    said: list[float] = []
    dimmer = Dimmer(said.append)
    for night in (Night(0, 24, 0.5), Night(0, 24, 0.3), Night(3, 3, 0.3)):
        dimmer.follow(night)
        await asyncio.sleep(0)
    dimmer.stop()
    dimmer.stop()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert said == [0.5, 0.3, 1.0]


def test_the_hour_of_the_day_lies_within_the_day() -> None:
    assert 0 <= hour_now() < 24
