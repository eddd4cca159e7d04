"""Drive a dice game by words, through the contract alone.

A word is faces that fall (`66541`), dice that stay (`keep 1 2`, or `keep` for none), or an option's id.
"""

from typing import Any

from captains_table.games.contract import Decide, Game, Keep, Over, Pick, PickAsk, Result, Roll, Rolled


def play(game: Game[Any], state: Any, *words: str) -> Any:  # noqa: ANN401 - each game has its own state
    """Return the state after these words."""
    for word in words:
        state = say(game, state, word)
    return state


def say(game: Game[Any], state: Any, word: str) -> Any:  # noqa: ANN401 - each game has its own state
    if word.isdecimal():
        return game.apply(state, Rolled(tuple(int(face) for face in word)))
    head, *dice = word.split()
    return game.apply(state, Keep(tuple(map(int, dice))) if head == "keep" else Pick(head))


def open_ids(game: Game[Any], state: Any) -> list[str]:  # noqa: ANN401 - each game has its own state
    """Return the ids of the options that are asked for now, none if there is no pick."""
    turn = game.turn(state)
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        return [option.id for option in turn.ask.options]
    return []


def seat_now(game: Game[Any], state: Any) -> int:  # noqa: ANN401 - each game has its own state
    turn = game.turn(state)
    assert isinstance(turn, Roll | Decide)
    return turn.seat


def result(game: Game[Any], state: Any) -> Result:  # noqa: ANN401 - each game has its own state
    turn = game.turn(state)
    assert isinstance(turn, Over)
    return turn.result


def totals(game: Game[Any], state: Any) -> list[int]:  # noqa: ANN401 - each game has its own state
    return [tally["total"] for tally in game.tallies(state)]
