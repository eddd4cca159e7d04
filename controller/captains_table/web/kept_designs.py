"""The pieces of players' own that a table keeps, as the page sees them (docs/rules/crowns.md D5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from captains_table.games.contract import Choice
from captains_table.games.crowns.designs import Design
from captains_table.games.crowns.state import PIECES


class CannotKeep(RuntimeError):
    """The pieces cannot be read or written; the sentence says why, and what was kept is kept."""


class NameTaken(ValueError):
    """Another piece is called so already."""


class NoSuchPiece(LookupError):
    """No piece that is kept is called so."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept.

    Attributes:
        designs: the pieces that may be played with, in the order of the file.
        damage: of everything else a sentence that names file, line, piece and rule.
    """

    designs: Sequence[Design] = ()
    damage: Sequence[str] = ()

    def named(self, name: str) -> Design:
        """Return the piece of this name; raises NoSuchPiece."""
        for design in self.designs:
            if design.name == name:
                return design
        raise NoSuchPiece(f"No piece {name!r} is kept here: expected one of the list.")


class KeptDesigns(Protocol):
    """Where pieces are kept by name."""

    def read(self) -> Kept:
        """Return what is kept now; a file that cannot be read is damage."""

    def save(self, design: Design, instead_of: str = "") -> None:
        """Keep a piece, in place of the one of another name where one is given.

        Raises:
            BadDesign: the rules do not allow it.
            NameTaken: another piece, one of the roster too, has its name.
            CannotKeep: it cannot be written.
        """

    def delete(self, name: str) -> None:
        """Keep a piece no longer; raises NoSuchPiece or CannotKeep."""


def choices_of(kept: KeptDesigns, collection: str) -> Sequence[Choice]:
    """Return what may be chosen of a collection: each piece as it is written, by its name; of others nothing."""
    return [Choice(str(design), design.name) for design in kept.read().designs] if collection == PIECES else []
