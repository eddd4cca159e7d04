"""One line about the luck and skill in each finished match, computed in the background and shown once it is known."""

import asyncio
from dataclasses import dataclass, field

from captains_table import catalog
from captains_table.records.luck import luck_in_words
from captains_table.runtime.match_archive import CannotRead
from captains_table.runtime.table import Table
from captains_table.table.model.entries import NoSuchMatch
from captains_table.table.model.match import Match


@dataclass(eq=False)
class LuckLines:
    """Computes a line about luck for the finished match on the table, and remembers the last one.

    Attributes:
        table: the table; its subscribers are woken when a line is known.
    """

    table: Table
    _number: int | None = field(default=None, init=False)
    _line: str = field(default="", init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    def line(self, number: int, match: Match) -> str | None:
        """Return the line about a match; empty until it is known, `None` if the game has no measure of luck.

        The line is computed once the end of the match is written.
        """
        entry = catalog.find_entry(match.game.key)
        if entry is None or entry.luck is None or not entry.luck_is_known(match.started.options):
            return None
        if self._number != number:
            self._number, self._line, self._task = number, "", None
        if match.is_ended and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._compute(number))
        return self._line

    async def _compute(self, number: int) -> None:
        try:
            review = await self.table.reviews.review(number)
        except (CannotRead, NoSuchMatch):
            return
        story = review.story
        if number == self._number and review.luck is not None and story is not None and story.result is not None:
            self._line = luck_in_words(review.luck, story.result, story.names)
            self.table.subscribers.notify()
