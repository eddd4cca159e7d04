"""Somebody who plays a whole match against computers: does the plainest thing that is asked, until it is over."""

from collections.abc import Sequence
from typing import Final

from captains_table.games.contract import parse_square
from captains_table.runtime.table import Table
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased
from captains_table.table.model.view import Phase, View

LADDER: Final = "fen=4k4/9/R8/8p/9/9/9/1R2K4 w - - 0 1"  # two rooks drive the king to the edge, wherever it goes
MATE: Final = (("b1", "b7"), ("a6", "a8"))
MOST_DEEDS: Final = 200
PLAIN: Final = ("done", "stand", "roll-cargo", "score-", "scuttle-", "no-curse")  # what ends a turn, before all else


class AtTheTable:
    """Plays by the simulated switches and the buttons: lifts and puts down, turns and pushes the knob, rolls."""

    def __init__(self, table: Table, plan: Sequence[tuple[str, str]] = ()) -> None:
        self._table = table
        self._plan = list(plan)
        self._shown = -1

    def do(self) -> bool:
        """Do what is asked, if anything is; return whether the match is over."""
        view = self._table.view()
        if view.phase is Phase.OVER:
            return True
        if view.revision != self._shown and not view.wrong and not view.tumbling and self._act(view):
            self._shown = view.revision
        return False

    def _act(self, view: View) -> bool:
        ids = [option.id for option in view.options]
        plain = next((id_ for each in PLAIN for id_ in ids if id_.startswith(each)), None)
        move = next((option.id for option in view.options if option.on_board), None)
        if plain is not None:
            self._choose(plain)
        elif move is not None:
            start, end = self._plan.pop(0) if self._plan else (move[:2], move[2:4])
            self._lift_and_place(start, end)
        elif view.roll.possible:
            self._table.handle(ButtonPressed(Button.ROLL))
            self._table.handle(ButtonReleased(Button.ROLL))
        else:
            return False
        return True

    def _lift_and_place(self, start: str, end: str) -> None:
        """Make a move by hand: what stands in the way is lifted first and laid next to the board."""
        hands = self._table.hands
        assert hands is not None
        for square in (start, end):
            hands.click(parse_square(square))

    def _choose(self, id_: str) -> None:
        for _ in range(MOST_DEEDS):
            menu = self._table.view().menu
            assert menu.cursor is not None
            if menu.cursor >= 0 and menu.entries[menu.cursor].id == id_:
                break
            self._press(Button.NEXT)
        if any(option.asked_twice for option in self._table.view().options if option.id == id_):
            self._press(Button.CHOOSE)
        self._press(Button.CHOOSE)

    def _press(self, button: Button) -> None:
        self._table.handle(ButtonPressed(button))
        self._table.handle(ButtonReleased(button))
