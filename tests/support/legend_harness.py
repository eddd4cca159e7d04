"""Drive a match of Legend by words, through the contract alone.

A word is an option's id, with the faces that fall behind it if it makes dice fall (`roll 6 5 4 3 2 1`, `e1g1 3 4`,
`genie 5 3`), or `keep 1 2 3 -> 4 4` (throw again all but these), `offer 10` (an amount), `fall 3 4` (dice alone).
"""

from collections.abc import Sequence

from captains_table.games.contract import (
    Action,
    Amount,
    GameEvent,
    IllegalAction,
    Keep,
    Pick,
    Roll,
    Rolled,
    Square,
    parse_square,
)
from captains_table.games.legend import Legend
from captains_table.games.legend.state import State
from tests.support.by_words import Reader

GAME = Legend()
READER = Reader(GAME)
due, asked, seat, result = READER.due, READER.asked, READER.seat, READER.final
pick_ask, keep_ask, amount_ask = READER.pick_ask, READER.keep_ask, READER.amount_ask
offered, on_board, labels = READER.offered, READER.on_board, READER.labels
ANNE, BART = 0, 1
NO_CARGO = "1 1 1 1 1"
BARE_KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def start(fen: str | None = None, names: Sequence[str] = ("Anne", "Bart"), **options: str) -> State:
    if fen is not None:
        options["fen"] = fen
    return GAME.start(names, options)


def play(state: State, *words: str) -> State:
    """Return the state after these words."""
    for word in words:
        state = _say(state, word)
    return state


def _say(state: State, word: str) -> State:
    head, *rest = word.split()
    if head == "offer":
        return GAME.apply(state, Amount(int(rest[0])))
    if head == "keep":
        arrow = rest.index("->")
        state = GAME.apply(state, Pick("throw-again"))
        if not isinstance(GAME.turn(state), Roll):
            state = GAME.apply(state, Keep(tuple(map(int, rest[:arrow]))))
        rest = rest[arrow + 1 :]
    elif head != "fall":
        state = GAME.apply(state, Pick(head))
    return GAME.apply(state, Rolled(tuple(map(int, rest)))) if rest else state


def moves(state: State, *ids: str, die: int = 6, cargo: str = NO_CARGO) -> State:
    """Return the state after whole turns: all six dice once, a move, the end."""
    for id_ in ids:
        state = play(state, f"roll {cargo} {die}", id_, "done")
    return state


def told(state: State, *words: str) -> list[GameEvent]:
    """Return what the last action of these words made happen."""
    *before, word = words
    state = play(state, *before)
    return list(GAME.game_events(state, play(state, word)))


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice that may be thrown again."""
    if "throw-again" not in offered(state):
        return ()
    state = GAME.apply(state, Pick("throw-again"))
    turn = GAME.turn(state)
    return turn.dice if isinstance(turn, Roll) else keep_ask(state).dice


def lying(state: State) -> tuple[int | None, ...]:
    """Return the six dice as they lie."""
    return tuple(die.face for die in GAME.dice(state)[:6])


def cargo(state: State, who: int) -> int:
    return GAME.tallies(state)[who]["cargo"]


def legend(state: State, who: int) -> int:
    return GAME.tallies(state)[who]["legend"]


def tallies(state: State, who: int) -> tuple[int, int]:
    return cargo(state, who), legend(state, who)


def piece(state: State, name: str) -> str | None:
    return GAME.pieces(state).get(parse_square(name))


def pieces(state: State) -> dict[Square, str]:
    return dict(GAME.pieces(state))


def refuses(state: State, action: Action) -> bool:
    """Return whether the game refuses an action and changes nothing."""
    before = hash(state)
    try:
        GAME.apply(state, action)
    except IllegalAction:
        return hash(state) == before
    return False
