"""A tape's table that somebody listens to: every signal, and all that was ever news."""

import io
from collections.abc import Mapping

from captains_table.catalog import hint
from captains_table.games.contract import Square
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.tape_player import TapePlayer
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.table.model.entries import Entry
from captains_table.table.model.match import Match
from captains_table.table.model.view import LightMeaning, View
from captains_table.table.tapes.tape_reader import parse_line

ONLY_HEARD = frozenset({"throw", "move", "capture", "clock-low"})


class ListeningPlayer(TapePlayer):
    """Plays lines of tapes and remembers what its displays and lights were told.

    Attributes:
        signals: the kinds of the signals by light and sound, in order.
        heard: the kinds of all signals, those too that are only heard.
        told: what was said of what changed, sentence by sentence.
        ever_news: the words of everything that was news, in order, each as often as it became so.
    """

    def __init__(self, text: str = "") -> None:
        self.signals: list[str] = []
        self.heard: list[str] = []
        self.told: list[str] = []
        self.ever_news: list[str] = []
        self._news: tuple[str, ...] = ()
        super().__init__(io.StringIO())
        self.lines(text)

    def lines(self, text: str) -> None:
        """Play lines; every expectation in them has to hold."""
        for number, line in enumerate(text.strip().splitlines(), start=1):
            parsed = parse_line(number, line.strip())
            if parsed is not None:
                mismatch = self.play(parsed)
                assert mismatch is None, f"{line.strip()}: {mismatch}"

    @property
    def match(self) -> Match:
        match = self._table.session.match
        assert match is not None
        return match

    @property
    def news(self) -> list[str]:
        """What is news now, in words."""
        return [event.words for event in self.view().latest_events]

    @property
    def log(self) -> list[str]:
        return [line.words for line in self.view().log]

    def entries(self) -> list[Entry]:
        return [] if self._journal is None else list(self._journal.entries())

    def leave(self) -> None:
        self._table.session.unload(self._now_ms)

    def _powered(self, board: SimulatedBoard) -> SimulatedSource:
        self._settings.debounce_ms = 0  # so that every time in a test is that of its line
        return SimulatedSource(Session(self._settings, [self], [self], adviser=hint, now=self._virtual_time), board)

    # --- a display and lights ---------------------------------------------------------------------------------------

    def show(self, view: View) -> None:
        self.told += [view.told] if not self.told or view.told != self.told[-1] else []
        news = tuple(event.words for event in view.latest_events)
        self.ever_news += [words for words in news if words not in self._news]
        self._news = news

    def close(self) -> None:
        """Show nothing more."""

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        """Light nothing."""

    def signal(self, kind: str, square: Square | None) -> None:
        self.heard.append(str(kind))
        if kind not in ONLY_HEARD:
            self.signals.append(str(kind))
        assert square is None or str(square)
