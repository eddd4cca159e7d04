"""The actions of a match as steps from state to state, and which of them may still be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import PRESS_CLOCK, Decide, Option, Over, Pick, Rolled, Turn
from captains_table.table.model.entries import Acted


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the history with the states around it.

    Attributes:
        acted: the action.
        before: the state before it.
        after: the state after it.
        option: what it picked; `None` where it picked nothing.
        computer: which computer did it, as `aether:3`; empty: none.
    """

    acted: Acted
    before: Any
    after: Any
    option: Option | None = None
    computer: str = ""

    @property
    def is_by_absent(self) -> bool:
        """Whether no person at this table did it: its pieces are to be moved for it, and nobody here takes it back."""
        return bool(self.computer)

    @property
    def on_board(self) -> bool:
        """Whether it was a move on the board."""
        return self.option is not None and self.option.on_board

    @property
    def opened_menu(self) -> bool:
        """Whether it only led to a further question to the same player."""
        return self.option is not None and self.option.opens_menu

    @property
    def seals(self) -> bool:
        """Whether a move on the board made before it cannot be changed any more."""
        return self.option is None or self.option.seals

    @property
    def is_secret(self) -> bool:
        """Whether nobody but its player may know what was chosen."""
        return self.option is not None and self.option.secret


def open_move(history: Sequence[Step], turn: Turn, *, is_ended: bool = False) -> Step | None:
    """Return the move on the board that may still be changed.

    The next throw, the end of the turn, the clock or the next move seals it; answers that only ask or decline
    (`Option.opens_menu`, `Option.keeps_move_open`) do not. A move that ends the match is sealed when the end is
    written. A computer means what it says: its moves are never open.

    Args:
        history: the actions that stand.
        turn: what must happen next.
        is_ended: whether the end of the match is written.
    """
    if isinstance(turn, Over):
        last = history[-1] if history else None
        return last if last is not None and last.on_board and not last.is_by_absent and not is_ended else None
    for step in reversed(history):
        if step.on_board:
            return None if step.is_by_absent else step
        if step.seals:
            return None
    return None


def answered_move(history: Sequence[Step], turn: Turn) -> Step | None:
    """Return the move of the player on turn that he may take back with the computer's answer to it.

    Only where nothing was thrown since, and nobody else has done anything: not even a computer takes back its dice.
    """
    if isinstance(turn, Over) or not isinstance(turn, Decide):
        return None
    is_answered = False
    for step in reversed(history):
        if isinstance(step.acted.action, Rolled) or step.is_secret:
            return None
        if step.is_by_absent:
            is_answered = is_answered or step.on_board
        elif step.on_board:
            return step if is_answered and step.acted.seat == turn.seat else None
        elif not is_answered or step.acted.action != Pick(PRESS_CLOCK.id):
            return None
    return None


def open_menu(history: Sequence[Step], turn: Turn) -> Step | None:
    """Return the last action where it only opened a further question to the same player, which *Back* leaves."""
    if not history or not isinstance(turn, Decide):
        return None
    last = history[-1]
    return last if last.opened_menu and last.acted.seat == turn.seat else None
