"""Somebody in the lobby, with the buttons a table has or at the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from captains_table.games.contract import Choice, Game, Pick, Shape
from captains_table.games.registry import GAMES
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.lobby.match_setup import LobbyContext, Request, Start, UnfinishedMatch, empty_collection
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View

ENCODER = Settings()
ONE_BUTTON = Settings(buttons="one")
MOST_PRESSES = 200
EARLIER = (
    UnfinishedMatch(3, "swashbuckle", ("Anne", "Bart"), "Turn 5 of 16"),
    UnfinishedMatch(2, "legend", ("Anne", "Cora"), "Round 2 of 3"),
)


@dataclass
class Memory:
    """What a journal remembers, without one."""

    known: Sequence[str] = ()
    left: Sequence[UnfinishedMatch] = ()
    computers: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> Sequence[str]:
        return self.known

    def against(self) -> Mapping[str, str]:
        return self.computers

    def waiting(self) -> Mapping[int, str]:
        return {match.number: match.game for match in self.left}

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        return self.left


class Guest:
    """Somebody in the lobby with the buttons the table has; what was asked for in the end is kept."""

    def __init__(
        self,
        buttons: Settings = ENCODER,
        *,
        known: Sequence[str] = (),
        left: Sequence[UnfinishedMatch] = (),
        games: Mapping[str, Game[Any]] = GAMES,
        board: Shape | None = None,
        kept: Callable[[str], Sequence[Choice]] = empty_collection,
    ) -> None:
        self.is_one = buttons.buttons == "one"
        self.lobby = Lobby(buttons)
        self.context = LobbyContext(games, Memory(known, left), board, kept=kept)
        self.request: Request | None = None
        self.now_ms = 0

    def enter(self, *, left: int | None = None, last: Start | None = None) -> "Guest":
        self.lobby.open(self.context, left=left, last=last)
        return self

    @property
    def view(self) -> View:
        return self.lobby.view(View())

    @property
    def lines(self) -> list[str]:
        return [entry.label for entry in self.view.menu.entries]

    @property
    def under_cursor(self) -> str:
        assert self.view.menu.cursor is not None
        return self.lines[self.view.menu.cursor]

    @property
    def prompt(self) -> str:
        return self.view.prompt[0]

    def press(self, button: Button, held_ms: int = 100) -> None:
        self.request = self.lobby.handle(ButtonPressed(button), self.now_ms) or self.request
        self.now_ms += held_ms
        self.request = self.lobby.handle(ButtonReleased(button), self.now_ms) or self.request
        self.now_ms += 300

    def choose(self, label: str) -> "Guest":
        """Walk to the line of this label by the buttons, and take it."""
        for _ in range(MOST_PRESSES):
            if self.under_cursor == label:
                break
            self.press(Button.ROLL if self.is_one else Button.NEXT)
        assert self.under_cursor == label, self.lines
        self.press(Button.ROLL, 700) if self.is_one else self.press(Button.CHOOSE)
        return self

    def spell(self, name: str) -> "Guest":
        for letter in name:
            self.choose("space" if letter == " " else letter)
        return self

    def pick(self, id_: str) -> "Guest":
        """Pick an option as the page does."""
        self.request = self.lobby.handle(Answered(Pick(id_)), self.now_ms) or self.request
        return self
