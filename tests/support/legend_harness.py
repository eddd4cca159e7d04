"""Drive a match of Legend by words, through the contract alone.

A word is an option's id, with the faces that fall behind it if it makes dice fall (`roll 6 5 4 3 2 1`, `e1g1 3 4`,
`genie 5 3`), or `keep 1 2 3 -> 4 4` (throw again all but these), `offer 10` (an amount), `fall 3 4` (dice alone).
"""

from collections.abc import Sequence

from captains_table.games.contract import (
    Action,
    Amount,
    Decide,
    GameEvent,
    IllegalAction,
    Keep,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Result,
    Roll,
    Rolled,
    Square,
    parse_square,
)
from captains_table.games.legend import Legend
from captains_table.games.legend.state import State

GAME = Legend()
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
    if head == "keep":
        return _throw_again(state, rest)
    if head == "offer":
        return GAME.apply(state, Amount(int(rest[0])))
    if head != "fall":
        state = GAME.apply(state, Pick(head))
    return GAME.apply(state, Rolled(faces(rest))) if rest else state


def _throw_again(state: State, words: Sequence[str]) -> State:
    arrow = words.index("->")
    state = GAME.apply(state, Pick("throw-again"))
    turn = GAME.turn(state)
    if isinstance(turn, Decide) and isinstance(turn.ask, KeepAsk):
        state = GAME.apply(state, Keep(faces(words[:arrow])))
    return GAME.apply(state, Rolled(faces(words[arrow + 1 :])))


def faces(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(word) for word in words)


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


def due(state: State) -> Roll:
    turn = GAME.turn(state)
    assert isinstance(turn, Roll), turn
    return turn


def asked(state: State) -> Decide:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide), turn
    return turn


def seat(state: State) -> int:
    """Return who must decide or throw."""
    turn = GAME.turn(state)
    assert isinstance(turn, Roll | Decide), turn
    return turn.seat


def offered(state: State) -> set[str]:
    ask = asked(state).ask
    assert isinstance(ask, PickAsk), ask
    return {option.id for option in ask.options}


def on_board(state: State) -> set[str]:
    """Return the ids of the moves that are made on the board."""
    ask = asked(state).ask
    assert isinstance(ask, PickAsk), ask
    return {option.id for option in ask.options if option.on_board}


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice that may be thrown again."""
    if "throw-again" not in offered(state):
        return ()
    turn = GAME.turn(GAME.apply(state, Pick("throw-again")))
    if isinstance(turn, Roll):
        return turn.dice
    assert isinstance(turn, Decide), turn
    assert isinstance(turn.ask, KeepAsk), turn
    return turn.ask.dice


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


def result(state: State) -> Result:
    turn = GAME.turn(state)
    assert isinstance(turn, Over), turn
    return turn.result


def refuses(state: State, action: Action) -> bool:
    """Return whether the game refuses an action and changes nothing."""
    before = hash(state)
    try:
        GAME.apply(state, action)
    except IllegalAction:
        return hash(state) == before
    return False
