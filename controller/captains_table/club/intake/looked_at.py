"""Views that somebody looks at stay read; of all others there is the payload alone, a tenth of their size."""

from typing import Final

from captains_table.reporting.messages import Seen, read
from captains_table.reporting.table_view import view_of
from captains_table.reporting.topics import Report
from captains_table.table.model.view import View

MOST_READ: Final = 64
"""As many as the largest wall shows at once, and some that are followed."""


class LookedAt:
    """What is to be seen at each table, as it came; the last that were asked for are kept read too."""

    def __init__(self) -> None:
        self._payloads: dict[str, bytes] = {}
        self._read: dict[str, View] = {}  # in the order they were asked for

    def put(self, user: str, payload: bytes, view: View) -> None:
        """Keep what is to be seen at a table now: a payload, and what was read of it."""
        self._payloads[user] = payload
        if user in self._read:
            self._read[user] = view

    def drop(self, user: str) -> None:
        """Forget what was to be seen at a table."""
        self._payloads.pop(user, None)
        self._read.pop(user, None)

    def view(self, user: str) -> View | None:
        """Return what is to be seen at a table, `None` where nothing is known."""
        if user not in self._payloads:
            return None
        view = self._read.pop(user, None) or _read(self._payloads[user])
        self._read[user] = view
        if len(self._read) > MOST_READ:
            del self._read[next(iter(self._read))]
        return view


def _read(payload: bytes) -> View:
    seen = read(Report.VIEW, payload)
    assert isinstance(seen, Seen)  # noqa: S101 - it was, when it was put here
    return view_of(seen.view)
