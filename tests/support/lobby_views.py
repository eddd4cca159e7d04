"""Views of the lobby, as choosing leads there."""

from captains_table.games.contract import BadOption, Pick, Result
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.lobby.match_setup import LobbyContext, Start, UnfinishedMatch
from captains_table.table.model.events import Answered, Button, ButtonPressed
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, SeatView, View
from tests.support.four_games import FOUR_GAMES
from tests.support.lobby_guest import Memory

LONG_NAME = "Bartholomew Roberts the Very Great Rogue"
OVER = View(
    phase=Phase.OVER,
    title="Swashbuckle",
    seats=tuple(SeatView(name, {"total": 0}, on_turn=False) for name in ("Anne", LONG_NAME, "Cora", "Dirk")),
    result=Result(0, (312, 280, 90, 41)),
)
OPTIONS = ("new", "game-swashbuckle", "players-3", "name-Anne", f"name-{LONG_NAME}", "name-Cora")
SPELLING = ("new", "game-ship-captain-crew", "players-2", "name-Anne", "spell")
LEFT = (
    UnfinishedMatch(3, "swashbuckle", ("Anne", LONG_NAME, "Cora", "Dirk"), "Turn 5 of 16"),
    UnfinishedMatch(2, "legend", ("Anne", LONG_NAME), "Round 2 of 3"),
    UnfinishedMatch(1, "ship-captain-crew", ("Anne",), "Round 12"),
)


def shown(*picks: str, turned: int = 0, behind: View | None = None, refusal: BadOption | None = None) -> View:
    """Return what is seen after these choices and so many turns of the knob."""
    lobby = Lobby(Settings())
    memory = Memory(["Anne", LONG_NAME, "Cora"], LEFT)
    lobby.open(LobbyContext(FOUR_GAMES, memory), last=Start("swashbuckle", ("Anne", LONG_NAME)))
    for id_ in picks:
        lobby.handle(Answered(Pick(id_)), 0)
    for _ in range(turned):
        lobby.handle(ButtonPressed(Button.NEXT), 0)
    if refusal is not None:
        lobby.refuse(refusal)
    return lobby.view(behind or View())


def farewell() -> View:
    """Return what is seen while the machine is being switched off."""
    lobby = Lobby(Settings())
    lobby.say_farewell()
    return lobby.view(View())


LOBBY_VIEWS = {
    "lobby": shown(),
    "lobby-without-board": shown(behind=View(faults=("No board: looking for a Pico on USB (2e8a:0005)",))),
    "lobby-over": shown(behind=OVER),
    "lobby-games": shown("new"),
    "lobby-players": shown("new", "game-ship-captain-crew"),
    "lobby-names": shown(*OPTIONS[:4], turned=1),
    "lobby-first-letter": shown(*SPELLING),
    "lobby-long-name": shown(*SPELLING, *(f"letter-{letter}" for letter in "Quentin Van Der Hohe")),
    "lobby-ready": shown(*OPTIONS),
    "lobby-option": shown(*OPTIONS, turned=3),
    "lobby-value": shown(*OPTIONS, "change-pillage"),
    "lobby-number": shown(*OPTIONS, "change-succession_4"),
    "lobby-refused": shown(
        *OPTIONS, refusal=BadOption("aces_high=47: expected sum or a whole number from 48 to 49", "aces_high")
    ),
    "lobby-resume": shown("resume", turned=1),
    "lobby-this-table": shown("table-menu"),
    "lobby-switch-off": shown("table-menu", turned=2),
    "switching-off": farewell(),
}
