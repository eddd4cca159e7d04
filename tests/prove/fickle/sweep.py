"""Every sealer at every change of a deed, and 5 ms before and after it: of one deed of each kind."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.prove.fickle.game import FickleGame
from tests.prove.fickle.person import SEALERS
from tests.prove.figures import Figures

OFFSETS_MS = (-5, 0, 5)
MOST_SEEDS = 400


class Interruption(NamedTuple):
    """Something that would seal a move, before or after a change of a deed."""

    number: int
    offset_ms: int
    sealer: str


class Swept(NamedTuple):
    """A game whose first deed is of one kind.

    Attributes:
        key: the game.
        seed: says everything else about it.
        kind: the kind of hands.
        changes: how many switches settle in that deed.
    """

    key: str
    seed: int
    kind: str
    changes: int

    @classmethod
    def find(cls, key: str, seed: int, kind: str, most_seeds: int = MOST_SEEDS) -> "Swept | None":
        """Return the first game by its seed that begins with a deed of a kind; None where none of many does."""
        for number in range(seed, seed + most_seeds):
            game = FickleGame(key, number, kind, most_moves=1)
            game.play()
            if game.person.settled_first and kind in game.person.figures.by_kind:
                return cls(key, number, kind, game.person.settled_first)
        return None

    def interruptions(self) -> Iterator[Interruption]:
        """Yield every sealer at every change of the deed."""
        for number in range(self.changes):
            for offset_ms in OFFSETS_MS:
                yield from (Interruption(number, offset_ms, sealer) for sealer in SEALERS)

    def play_all(self) -> tuple[Figures, list[str]]:
        """Play the deed with each interruption; return the figures and what went wrong."""
        figures, findings = Figures(), list[str]()
        for interruption in self.interruptions():
            found = self.play(interruption)
            figures.add(found[0])
            findings += found[1]
        return figures, findings

    def play(self, interruption: Interruption) -> tuple[Figures, list[str]]:
        """Play the deed with that interruption, and a move after it; return the figures and what went wrong."""
        game = FickleGame(self.key, self.seed, self.kind, most_moves=2)
        game.person.plan = interruption
        figures = game.play()
        words = f"# {self.key} seed {self.seed}, {self.kind}, {interruption.sealer} at {interruption.number}"
        return figures, [f"{words} {interruption.offset_ms:+}\n{tape}" for tape in game.person.findings]
