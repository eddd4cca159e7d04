"""A simulated table at which four play Crowns with pieces that soon carry a crown off the board."""

from collections.abc import Mapping

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.devices.ports import Journal
from captains_table.games.contract import Square, parse_square
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Button
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import LightMeaning
from tests.support.played_table import PlayedTable

SEED = bytes(range(32))
NAMES = ("Anne", "Bart", "Cora", "Dirk")
SHORT_MATCH = {
    "timer": "0",
    "piece1": "Cutter: b3 / b3 c2",  # one to the left
    "piece2": "Yawl: c4 b3 / c4 b3 c2",
    "piece3": "Ketch: c5 d3 / c5 d3 c2",  # two forward, or one to the right
    "piece4": "Skiff: c4 / c4 c2",
}
"""Anne comes to White's crown in two turns, Cora to Black's in five; she is on the far rank then."""


class RememberedLights:
    """Lights whose marks can be asked for."""

    def __init__(self) -> None:
        self.marks: Mapping[Square, LightMeaning] = {}

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        self.marks = dict(marks)

    def signal(self, kind: str, square: Square | None) -> None:
        """Show none."""


class CrownsTable(PlayedTable):
    """A table in the first auction, or one that is resumed from a journal; buttons, clicks and answers."""

    def __init__(self, journal: Journal | None = None, **options: str) -> None:
        resumed = journal is not None
        self.journal = journal or MemoryJournal(MatchStarted("crowns", NAMES, SHORT_MATCH | options, commitment(SEED)))
        self.lights = RememberedLights()
        self.table = SimulatedSource(Session(Settings(), lights=[self.lights]), SimulatedBoard())
        self.session = self.table.session
        self.session.load(self.journal, HonestDice.resumed(SEED, self.journal.entries()), 0, resumed=resumed)
        self.table.begun(0)

    def turn_to(self, words: str) -> None:
        """Turn the encoder to the line of the menu that begins so."""
        for _ in self.labels():
            if self.under_cursor().startswith(words):
                return
            self.press(Button.NEXT)
        raise AssertionError(f"no line begins with {words!r}: {self.labels()}")

    def buy(self, seat: int) -> None:
        """Win the turn for a seat with the encoder: its name, the amount that is proposed, and the bell twice."""
        self.turn_to(f"{NAMES[seat]}:")
        self.press(Button.CHOOSE, Button.CHOOSE)
        self.turn_to("Ring")
        self.press(Button.CHOOSE, Button.CHOOSE)
        assert self.match.seat == seat

    def click(self, *squares: str) -> None:
        """Click squares of the simulated board, and let it rest."""
        for square in squares:
            self.wait(500)
            self.table.click(parse_square(square), self.now_ms)
        self.wait()

    def move(self, *squares: str) -> None:
        """Click a move on the board; where levelling up with it is offered as well, say that it is the move alone."""
        self.click(*squares)
        if self.view.asks_about_board:
            assert "level up" in self.labels()[1]
            self.press(Button.CHOOSE)

    def off(self, square: str) -> None:
        """Take what stands on a square off the board, and let it rest."""
        self.click(square)
        self.table.board.put_beside()
        self.wait()

    def lit(self, meaning: str) -> set[str]:
        """Return the squares whose light means something."""
        return {str(square) for square, lit in self.lights.marks.items() if lit == meaning}

    def places(self) -> dict[str, str]:
        """Return where everybody is, and with which crowns, by name."""
        return {seat.name: seat.at.words for seat in self.view.seats}
