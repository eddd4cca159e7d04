"""Tasks that hear of their cancellation only the second time, as those that wait for a broker's answer may."""

import asyncio

from captains_table.reporting.broker import cancel_all


def test_a_task_that_misses_a_cancellation_is_cancelled_again_until_it_ends() -> None:
    missed: list[str] = []

    async def hard_of_hearing() -> None:
        while len(missed) < 2:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                missed.append("once more")
        await asyncio.sleep(3600)

    async def ended() -> bool:
        task = asyncio.ensure_future(hard_of_hearing())
        await asyncio.sleep(0)
        await cancel_all([task], 0.01)
        return task.cancelled()

    assert asyncio.run(ended())
    assert len(missed) == 2
