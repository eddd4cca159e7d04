"""What was heard and said at the table a moment ago, for pages that sound and speak themselves."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from captains_table.web.stream import Heard

MOST: Final = 16


class Hearing:
    """Remembers the last signals and sentences, numbered from 1.

    Args:
        now_s: returns the event loop's time.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._number = 0
        self._latest = deque[Heard](maxlen=MOST)

    def latest(self) -> Sequence[Heard]:
        """Return what was heard last, oldest first."""
        return tuple(self._latest)

    def signal(self, kind: str) -> None:
        """Remember that a signal was given."""
        self._add(sound=kind)

    def tell(self, words: str) -> None:
        """Remember that something was said."""
        self._add(words=words)

    def _add(self, *, sound: str = "", words: str = "") -> None:
        self._number += 1
        self._latest.append(Heard(self._number, self._now_s(), sound, words))
