"""Notices a piece that was in a player's hand for a second before another one was moved (docs/rules/chess.md G13)."""

from collections.abc import Collection
from typing import Final

from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Decide, PickAsk, Square
from captains_table.phrases import say
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step

TOUCH_MS: Final = 1000


class TouchedPiece:
    """The first piece that was lifted for TOUCH_MS since the last action."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, as after an action."""
        self._held: Square | None = None
        self._since_ms = 0
        self._first: Square | None = None

    def look(self, lifted: Collection[Square], now_ms: int) -> None:
        """Note which pieces are lifted now; two at once, as while castling or capturing, count as none."""
        held = next(iter(lifted)) if len(lifted) == 1 else None
        if held == self._held:
            return
        if self._held is not None and self._first is None and now_ms - self._since_ms >= TOUCH_MS:
            self._first = self._held
        self._held, self._since_ms = held, now_ms

    def remark(self, match: Match, step: Step) -> str:
        """Return a remark on a move if another piece, which could have moved, was touched first; otherwise empty."""
        game, square = match.game, self._first
        turn = game.turn(step.before)
        if not (game.touch_move and step.on_board and square is not None and isinstance(turn, Decide)):
            return ""
        before, after = game.pieces(step.before), game.pieces(step.after)
        options = turn.ask.options if isinstance(turn.ask, PickAsk) else ()
        could_move = any(option.on_board and option.id.startswith(str(square)) for option in options)
        if not could_move or before.get(square) != after.get(square):
            return ""
        return say(
            "{name} touched the {piece} on {square} first",
            game.names(step.before)[turn.seat],
            kind_name(before[square]),
            str(square),
        )
