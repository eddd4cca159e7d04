"""A tiny game to try captures on that take nobody off the board: a piece that is taken goes to its owner's corner.

Rooks on 4 x 4 squares. Anne's corner is a1, Bart's d4. A victim's corner must be empty by then: the piece that takes it
may just have left it (then the two only change places), and a victim that stands on its own corner leaves the board.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from captains_table.games.contract import (
    Action,
    Decide,
    EventKind,
    Game,
    GameEvent,
    GameOption,
    IllegalAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Result,
    Shape,
    Square,
    Turn,
    check_names,
    check_offered,
    parse_square,
    read_options,
)

CORNERS = (Square(0, 0), Square(3, 3))
LETTERS = ("R", "r")
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
START = "Ra1 Rb1 Ra2 rd4 rc4 rd3"
MOVES = 40

Board = tuple[tuple[Square, str], ...]


@dataclass(frozen=True)
class State:
    seats: tuple[str, ...]
    board: Board
    seat: int = 0
    moves: int = 0
    taken: tuple[int, int] = (0, 0)


def board_of(words: str) -> Board:
    """Return what stands where from words such as `Ra1 rd4`."""
    return tuple((parse_square(word[1:]), word[0]) for word in words.split())


class Corners(Game[State]):
    key = "corners"
    title = "Corners"
    seats = range(2, 3)
    shape = Shape(4, 4)
    options = (GameOption("fen", "what stands where", default=START, is_free=True),)

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        check_names(seats, self.seats)
        return State(tuple(seats), board_of(str(read_options(self.options, options)["fen"])))

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def pieces(self, state: State) -> Mapping[Square, str]:
        return dict(state.board)

    def turn(self, state: State) -> Turn:
        options = [Option(f"{start}{end}", f"{start}-{end}", on_board=True) for start, end in _moves(state)]
        if state.moves >= MOVES or not options:
            best = max(state.taken)
            return Over(Result(state.taken.index(best) if state.taken.count(best) == 1 else None, state.taken))
        return Decide(state.seat, PickAsk("Move a rook", tuple(options)))

    def apply(self, state: State, action: Action) -> State:
        if not isinstance(action, Pick):
            raise IllegalAction(f"{action} is no answer to what is asked")
        check_offered(self.turn(state), action.id)
        start, end = parse_square(action.id[:2]), parse_square(action.id[2:])
        board = dict(state.board)
        taken = list(state.taken)
        mover, victim = board.pop(start), board.get(end)
        board[end] = mover
        if victim is not None:
            taken[state.seat] += 1
            if CORNERS[1 - state.seat] != end:
                board[CORNERS[1 - state.seat]] = victim
        return replace(
            state,
            board=tuple(sorted(board.items())),
            seat=1 - state.seat,
            moves=state.moves + 1,
            taken=(taken[0], taken[1]),
        )

    def score(self, state: State) -> Sequence[int]:
        return state.taken

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        return [{"taken": taken} for taken in state.taken]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        gained = after.taken[before.seat] - before.taken[before.seat]
        words = f"{before.seats[before.seat]} takes a rook"
        return (GameEvent(EventKind.SCORE, before.seat, gained, words),) if gained else ()

    def details(self, state: State) -> Mapping[str, object]:
        return {"fen": " ".join(f"{letter}{square}" for square, letter in state.board)}

    def heading(self, state: State) -> str:
        return f"Move {state.moves + 1}"


def _moves(state: State) -> Iterator[tuple[Square, Square]]:
    board, shape = dict(state.board), Shape(4, 4)
    for start, letter in state.board:
        if letter != LETTERS[state.seat]:
            continue
        for files, ranks in WAYS:
            end = Square(start.file + files, start.rank + ranks)
            while end in shape and end not in board:
                yield start, end
                end = Square(end.file + files, end.rank + ranks)
            home = CORNERS[1 - state.seat]
            if board.get(end) == LETTERS[1 - state.seat] and (home in (start, end) or home not in board):
                yield start, end
