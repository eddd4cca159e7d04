"""A tiny game to try the contract on: each player lays two cards in secret, then both are shown.

Whoever laid more aces scores a point for each. Nothing on display changes while cards are laid.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from captains_table.games.contract import (
    RESIGN,
    Action,
    Decide,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Result,
    Turn,
    check_names,
    check_offered,
    read_options,
)

ACE = Option("ace", "Lay the ace", secret=True)
DEUCE = Option("deuce", "Lay the deuce", secret=True)
WHICH = Option("which", "Think about which", opens_menu=True)
CARDS = (ACE, DEUCE)
CARDS_EACH = 2


@dataclass(frozen=True)
class State:
    """The cards laid so far, seat by seat, and whether the player is thinking about which."""

    seats: tuple[str, ...]
    laid: tuple[str, ...] = ()
    thinking: bool = False
    resigned: bool = False

    @property
    def seat(self) -> int:
        return len(self.laid) // CARDS_EACH

    @property
    def is_over(self) -> bool:
        return self.resigned or self.seat == len(self.seats)


class TwoCards(Game[State]):
    key = "two-cards"
    title = "Two Cards"
    seats = range(2, 3)

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        check_names(seats, self.seats)
        read_options(self.options, options)
        return State(tuple(seats))

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def turn(self, state: State) -> Turn:
        if state.is_over:
            scores = tuple(self.score(state))
            return Over(Result(None if scores[0] == scores[1] else scores.index(max(scores)), scores))
        options = CARDS if state.thinking else (*CARDS, WHICH, RESIGN)
        return Decide(state.seat, PickAsk("Lay a card", options))

    def apply(self, state: State, action: Action) -> State:
        if not isinstance(action, Pick):
            raise IllegalAction(f"{action} is no answer to what is asked")
        check_offered(self.turn(state), action.id)
        if action.id == WHICH.id:
            return replace(state, thinking=True)
        if action.id == RESIGN.id:
            return replace(state, resigned=True)
        return replace(state, laid=(*state.laid, action.id), thinking=False)

    def score(self, state: State) -> Sequence[int]:
        if not state.is_over or state.resigned:
            return (0, 0)
        return tuple(state.laid[2 * seat : 2 * seat + CARDS_EACH].count(ACE.id) for seat in (0, 1))

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        return [{"aces": aces} for aces in self.score(state)]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        if before.is_over or not after.is_over:
            return ()
        shown = [
            GameEvent(EventKind.SCORE, seat, aces, f"{after.seats[seat]} shows {aces} aces")
            for seat, aces in enumerate(self.score(after))
        ]
        return (*shown, GameEvent(EventKind.MATCH, 0, 0, "All cards are shown"))

    def heading(self, state: State) -> str:  # noqa: ARG002 - nothing is to be seen of what was laid
        """Return the same words all along."""
        return "Cards are laid"
