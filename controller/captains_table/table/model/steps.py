"""Steps: a match's actions with the states before and after each, and the rules for taking actions back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import PRESS_CLOCK, Decide, Option, Over, Pick, Rolled, Turn
from captains_table.table.model.entries import Acted


@dataclass(frozen=True, slots=True)
class Step:
    """An action of the history, with the states before and after it.

    Attributes:
        acted: the action's journal entry.
        before: the state before the action.
        after: the state after the action.
        option: the option that the action picked; `None` if it picked none.
        computer: the computer that did the action, such as `aether:3`; empty if a person did.
    """

    acted: Acted
    before: Any
    after: Any
    option: Option | None = None
    computer: str = ""

    @property
    def is_by_absent(self) -> bool:
        """Whether a computer acted, that is, a player who is not at the table.

        A person must move the computer's pieces, and nobody may take back the computer's action alone.
        """
        return bool(self.computer)

    @property
    def on_board(self) -> bool:
        """Return whether the action was a move on the board."""
        return self.option is not None and self.option.on_board

    @property
    def opened_menu(self) -> bool:
        """Return whether the action only opened a submenu for the same player."""
        return self.option is not None and self.option.opens_menu

    @property
    def seals(self) -> bool:
        """Return whether the action makes an earlier move on the board final."""
        return self.option is None or self.option.seals

    @property
    def is_secret(self) -> bool:
        """Return whether only the player who acted may know what was chosen."""
        return self.option is not None and self.option.secret


def open_move(history: Sequence[Step], turn: Turn, *, is_ended: bool = False) -> Step | None:
    """Return the last move on the board if that move may still be changed, else `None`.

    The next throw, the end of the turn, a press of the clock or the next move makes a move final. Answers that only
    open a menu or decline something (`Option.opens_menu`, `Option.keeps_move_open`) do not make the move final. A move
    that ends the match becomes final when the end is recorded. A computer's move is final at once.

    Args:
        history: the actions that were not taken back.
        turn: what must happen next.
        is_ended: whether the end of the match is recorded.
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
    """Return the move that the player on turn may take back along with the computer's reply; `None` if there is none.

    The reply must be a move on the board, and the player must decide now. Between the move and the reply, people may
    only have pressed the clock. After the reply, no person may have acted. Since the move, nobody may have thrown dice
    or chosen anything in secret.
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
    """Return the last action if it only opened a submenu for the player who decides now, else `None`."""
    if not history or not isinstance(turn, Decide):
        return None
    last = history[-1]
    return last if last.opened_menu and last.acted.seat == turn.seat else None
