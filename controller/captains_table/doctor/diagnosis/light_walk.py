"""One light after the other: where it really shines, found by a piece that is put there."""

from collections.abc import Mapping, Sequence

from captains_table.doctor.diagnosis.wiring_faults import wiring_words
from captains_table.games.contract import Shape, Square


class LightWalk:
    """Lights one square after the other and takes in where the piece was put.

    Args:
        shape: the board.
        chain: squares in the order of the chain, as the profile has it now; empty without lights.
    """

    def __init__(self, shape: Shape, chain: Sequence[Square]) -> None:
        self._shape = shape
        self._chain = chain
        self._at = 0
        self.shone: dict[Square, Square] = {}  # square that was lit -> square where the light was seen
        self.dark: list[Square] = []

    @property
    def lit(self) -> Square | None:
        """The square whose light is on, None when all were."""
        return self._chain[self._at] if self._at < len(self._chain) else None

    def seen_at(self, square: Square) -> None:
        """Take in where the light shines."""
        self.shone[self._chain[self._at]] = square
        self._at += 1

    def not_seen(self) -> None:
        """Take in that no light shines."""
        self.dark.append(self._chain[self._at])
        self._at += 1

    def skip(self) -> None:
        """Leave the rest out."""
        self._at = len(self._chain)

    def places(self) -> Mapping[Square, Square]:
        """Return which square each light really shines under, every square once; empty if nothing is to be put right.

        Lights that were not seen go where they should be, or where room is left.
        """
        moved = {lit: seen for lit, seen in self.shone.items() if lit != seen}
        if not moved or len(set(self.shone.values())) != len(self.shone):
            return {}
        places = dict(self.shone)
        others = [square for square in self._shape.squares() if square not in places]
        free = set(self._shape.squares()) - set(places.values())
        for square in sorted(others, key=lambda at: at not in free):
            places[square] = square if square in free else min(free)
            free.discard(places[square])
        return places

    def sentences(self) -> list[str]:
        """Return what is wrong."""
        return [*self._darkness(), *self._order(), *self._doubled()]

    def _darkness(self) -> list[str]:
        if self.dark and not self.shone:
            return ["No light shines: look at its 5 V, its ground and the level shifter."]
        first = self._chain.index(self.dark[0]) if self.dark else 0
        is_end = list(self._chain[first : self._at]) == self.dark
        if len(self.dark) > 1 and is_end and self._at == len(self._chain):
            before = self._chain[first - 1]
            return [f"The chain of lights ends after the light of {before}: look at what joins it to the next one."]
        return [f"The light of {square} is dark: look at its joints." for square in self.dark]

    def _order(self) -> list[str]:
        if not self.places():
            return []
        words = wiring_words(self._shape, self.shone)
        return [f"Lights: {word}" for word in words]

    def _doubled(self) -> list[str]:
        seen = list(self.shone.values())
        doubled = sorted({square for square in seen if seen.count(square) > 1})
        return [f"Several lights were seen at {square}: was the piece put elsewhere?" for square in doubled]
