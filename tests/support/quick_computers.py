"""Computers that leave people little time to follow.

What they do is what they always do, thought in their own process.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from captains_table.table.playing import thinking, timed_displays

QUIET_MS, TUMBLE_MS, REST_MS, SHOWN_MS = 120, 40, 20, 60
UNWATCHED = 0.1


@contextmanager
def quick_computers(*, is_watched: bool = True) -> Iterator[None]:
    """Let computers wait, tumble and rest for a moment only; for hardly one where nobody watches."""
    share = 1 if is_watched else UNWATCHED
    with (
        patch.object(thinking, "QUIET_MS", QUIET_MS),
        patch.object(thinking, "TUMBLE_MS", round(TUMBLE_MS * share)),
        patch.object(thinking, "REST_MS", round(REST_MS * share)),
        patch.object(timed_displays, "SHOWN_MS", round(SHOWN_MS * share)),
    ):
        yield
