"""Simulated hands: they do at a simulated table what the guided test asks."""

from captains_table.doctor.diagnosis.guided_test import DWELL_MS, LIGHT_WRONG, GuidedTest
from captains_table.doctor.diagnosis.simulated_table import SimulatedTable
from captains_table.doctor.diagnosis.steps import GuidedPart, GuidedStep
from captains_table.games.contract import Square


def lead_simulated(test: GuidedTest, table: SimulatedTable) -> int:
    """Let simulated hands carry out a whole guided test; return how often they put a piece on a square."""
    return _Hands(test, table).lead()


class _Hands:
    def __init__(self, test: GuidedTest, table: SimulatedTable) -> None:
        self._test = test
        self._table = table
        self._now_ms = 0
        self._standing: dict[Square, int] = {}
        self._read = table.closed({})
        self._ready = list(range(1, table.pieces + 1))  # pieces that were not put away as faulty
        self._last: GuidedStep | None = None
        self._placements = 0
        self._has_begun = False
        test.read(self._read, 0)

    def lead(self) -> int:
        while (step := self._test.step).part is not GuidedPart.OVER:
            self._do(step, is_again=_is_again(step, self._last))
            self._last = step
        return self._placements

    def _do(self, step: GuidedStep, *, is_again: bool) -> None:
        match step.part:
            case GuidedPart.EMPTY | GuidedPart.CLEARED:
                self._stand({})
                self._type("")
            case GuidedPart.PIECES:
                self._type(str(self._table.pieces))
            case GuidedPart.SQUARES:
                self._walk(step, is_again=is_again)
            case GuidedPart.CORNERS:
                self._stand(dict.fromkeys(step.squares, self._ready[0]), aside=True)
                self._type("")
            case GuidedPart.ROUNDS:
                self._round(step, is_again=is_again)
            case GuidedPart.LIGHTS:
                self._go_to_light()
            case GuidedPart.BUTTONS:
                self._press(step)

    def _walk(self, step: GuidedStep, *, is_again: bool) -> None:
        tried = self._ready.pop(0) if is_again else None
        (square,) = step.squares
        if self._test.lit and self._table.chain and self._table.light_seen(square) != square:
            self._type(LIGHT_WRONG)
        self._stand({square: self._ready[0]})
        if self._test.step == step:
            self._type("")
            self._ready += [] if tried is None else [tried]  # the square may be at fault: this piece stays in use
        self._stand(dict(self._standing), aside=True)
        self._stand(dict(self._standing))

    def _round(self, step: GuidedStep, *, is_again: bool) -> None:
        if is_again:
            self._exchange(step.concerned)
        elif step.concerned or self._has_begun:
            moved = [piece for square, piece in self._standing.items() if square in step.concerned]
            others = [piece for piece in self._ready if piece not in self._standing.values()]
            self._put_round(step, [*moved, *others, *(p for p in self._ready if p not in {*moved, *others})])
        else:
            self._put_round(step, self._ready)
        self._has_begun = True
        self._type("")

    def _put_round(self, step: GuidedStep, pieces: list[int]) -> None:
        self._stand(dict(zip(sorted(step.squares), pieces, strict=False)))

    def _exchange(self, squares: frozenset[Square]) -> None:
        """Remove the pieces from these squares permanently, and put a spare piece on each square, if one is left."""
        for square in sorted(squares & self._standing.keys()):
            self._ready.remove(self._standing.pop(square))
            spare = next((piece for piece in self._ready if piece not in self._standing.values()), None)
            if spare is not None:
                self._stand(self._standing | {square: spare})
        self._stand(dict(self._standing))

    def _go_to_light(self) -> None:
        (lit,) = self._test.lit
        seen = self._table.light_seen(lit)
        if seen is None:
            self._type("")
            return
        self._stand({seen: self._ready[0]})
        if self._test.lit == {lit}:
            self._type(str(seen))

    def _press(self, step: GuidedStep) -> None:
        heard = None if step.button is None else self._table.answer(step.button)
        if heard is None:
            self._type("")
        else:
            self._test.pressed(heard)

    # --- what reaches the test --------------------------------------------------------------------------------------

    def _stand(self, standing: dict[Square, int], *, aside: bool = False) -> None:
        self._placements += len(standing.items() - self._standing.items())
        self._standing = standing
        after = self._table.closed(standing, aside=aside)
        for square in sorted(self._read - after):
            self._test.switched(square, closed=False, now_ms=self._now_ms)
        for square in sorted(after - self._read):
            self._test.switched(square, closed=True, now_ms=self._now_ms)
        self._read = after
        self._now_ms += 2 * DWELL_MS
        self._test.tick(self._now_ms)

    def _type(self, word: str) -> None:
        self._test.on_word(word, self._now_ms)


def _is_again(step: GuidedStep, last: GuidedStep | None) -> bool:
    """Return whether a step repeats the question of the last step, because the last answer was not accepted."""
    return last is not None and (step.part, step.squares) == (last.part, last.squares)
