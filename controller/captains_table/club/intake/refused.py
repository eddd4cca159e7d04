"""What was refused, counted for each table, and the last few told to the arbiter: never the payload itself."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from captains_table.club.intake.table_state import Refusal, Refusals

LAST: Final = 8
MOST_WORDS: Final = 240
MOST_NAMES: Final = 1200
NOBODY: Final = ""
"""Under this stands what was refused and belongs to no table."""


@dataclass(slots=True)
class _Count:
    count: int = 0
    last: deque[Refusal] = field(default_factory=lambda: deque(maxlen=LAST))


class RefusedPayloads:
    """The counts of all tables."""

    def __init__(self) -> None:
        self._counts: dict[str, _Count] = {}

    def add(self, user: str, kind: str, words: str, at_s: float) -> None:
        """Count a payload that was refused."""
        known = user if user in self._counts or len(self._counts) < MOST_NAMES else NOBODY
        found = self._counts.setdefault(known, _Count())
        found.count += 1
        found.last.append(Refusal(kind, _tame(words), at_s))

    def told(self) -> Sequence[Refusals]:
        """Return the counts, by user."""
        return [Refusals(user, found.count, tuple(found.last)) for user, found in sorted(self._counts.items())]


def _tame(words: str) -> str:
    """Return words that may hold parts of a payload short, and without what is no letter of a sentence."""
    printable = "".join(letter if letter.isprintable() else "·" for letter in words[: MOST_WORDS + 1])
    return printable if len(printable) <= MOST_WORDS else f"{printable[: MOST_WORDS - 1]}…"
