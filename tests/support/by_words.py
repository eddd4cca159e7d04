"""What a match asks for now, read through the contract alone: the base of the helpers that drive one game by words."""

from typing import Generic, TypeVar

from captains_table.games.contract import (
    AmountAsk,
    Ask,
    Decide,
    Game,
    Keep,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Result,
    Roll,
    Rolled,
)

S = TypeVar("S")
A = TypeVar("A", bound=Ask)


class Reader(Generic[S]):
    """Reads the states of one game; a method fails where the state asks for something else."""

    def __init__(self, game: Game[S]) -> None:
        self._game = game

    def due(self, state: S) -> Roll:
        """Return the throw that is due."""
        turn = self._game.turn(state)
        assert isinstance(turn, Roll), turn
        return turn

    def asked(self, state: S) -> Decide:
        """Return the decision that is due."""
        turn = self._game.turn(state)
        assert isinstance(turn, Decide), turn
        return turn

    def seat(self, state: S) -> int:
        """Return who must decide or throw."""
        turn = self._game.turn(state)
        assert isinstance(turn, Roll | Decide), turn
        return turn.seat

    def _ask(self, state: S, kind: type[A]) -> A:
        ask = self.asked(state).ask
        assert isinstance(ask, kind), ask
        return ask

    def pick_ask(self, state: S) -> PickAsk:
        return self._ask(state, PickAsk)

    def keep_ask(self, state: S) -> KeepAsk:
        return self._ask(state, KeepAsk)

    def amount_ask(self, state: S) -> AmountAsk:
        return self._ask(state, AmountAsk)

    def ids(self, state: S) -> list[str]:
        """Return the ids of the options, in their order; none where nothing is to be picked."""
        turn = self._game.turn(state)
        is_pick = isinstance(turn, Decide) and isinstance(turn.ask, PickAsk)
        return [option.id for option in self.pick_ask(state).options] if is_pick else []

    def offered(self, state: S) -> set[str]:
        """Return the ids of the options."""
        return {option.id for option in self.pick_ask(state).options}

    def on_board(self, state: S) -> set[str]:
        """Return the ids of the moves that are made on the board."""
        return {option.id for option in self.pick_ask(state).options if option.on_board}

    def labels(self, state: S) -> list[str]:
        return [option.label for option in self.pick_ask(state).options]

    def result(self, state: S) -> Result | None:
        """Return how the match ended; `None` while it goes on."""
        turn = self._game.turn(state)
        return turn.result if isinstance(turn, Over) else None

    def final(self, state: S) -> Result:
        """Return how the match ended."""
        result = self.result(state)
        assert result is not None
        return result


class DiceGame(Reader[S]):
    """A dice game, driven by words.

    A word is faces that fall (`66541`), dice that stay (`keep 1 2`, or `keep` for none), or an option's id.
    """

    def said(self, state: S, *words: str) -> S:
        """Return the state after these words."""
        for word in words:
            head, *dice = word.split()
            if head == "keep":
                state = self._game.apply(state, Keep(tuple(map(int, dice))))
            else:
                state = self._game.apply(state, Rolled(tuple(map(int, head))) if head.isdecimal() else Pick(head))
        return state

    def totals(self, state: S) -> list[int]:
        return [tally["total"] for tally in self._game.tallies(state)]
