"""Captain's Chess played by the ids of answers, from any position."""

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fen import START_FEN
from captains_table.games.captains_chess.game import State
from captains_table.games.contract import Action, Pick, Result
from tests.support.by_words import Reader

GAME = CaptainsChess()
READER = Reader(GAME)
seat, offered, result = READER.seat, READER.offered, READER.result
ANNE, BART = 0, 1
WON, LOST, SHARED = Result(ANNE, (1, 0)), Result(BART, (0, 1)), Result(None, (0, 0))
CASTLES = "r3k3r/4p4/9/9/9/9/4P4/R3K3R {} KQkq - 0 1"


def start(fen: str = START_FEN, **options: str) -> State:
    """Return the first state of a match from a position."""
    return GAME.start(["Anne", "Bart"], {"fen": fen, **options})


def play(state: State, *ids: str | Action) -> State:
    """Return the state after these answers."""
    for id_ in ids:
        state = GAME.apply(state, Pick(id_) if isinstance(id_, str) else id_)
    return state


def moves_from(square: str, fen: str) -> set[str]:
    """Return where the piece of a square may go."""
    return {id_.removeprefix(square) for id_ in offered(start(fen)) if id_.startswith(square)}


def fen_of(state: State) -> str:
    """Return the position as FEN."""
    return str(GAME.details(state)["fen"])


def told(before: State, *ids: str) -> list[str]:
    """Return what these answers did, in words."""
    return [game_event.words for game_event in GAME.game_events(before, play(before, *ids))]
