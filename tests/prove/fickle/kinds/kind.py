"""What a kind is, and what several share: how a move is made by hands that do nothing else."""

from collections.abc import Callable
from dataclasses import dataclass

from captains_table.games.contract import Square
from tests.prove.fickle.deed import Deed, Script
from tests.prove.fickle.scene import Move, Scene

Make = Callable[[Scene], Deed | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way people handle pieces.

    Attributes:
        name: what it is called.
        words: what it is.
        make: makes a deed of a scene, or None where the scene has no use for it.
        is_early: whether it is done before the dice are thrown.
    """

    name: str
    words: str
    make: Make
    is_early: bool = False


def play(script: Script, scene: Scene, move: Move) -> Script:
    """Make a move of one piece as it should be made: the victim is taken off before or after the piece is lifted."""
    origin, target = squares_of(move)
    lifts = [origin] if move.victim is None else [move.victim, origin]
    if scene.rng.random() < 0.4:
        lifts.reverse()
    if move.victim is not None and move.victim != target:
        return script.lift(*lifts).place(target)
    return script.lift(*lifts).place(target)


def squares_of(move: Move) -> tuple[Square, Square]:
    """Return from where to where the one piece of a move goes; raises ValueError where more than one moves."""
    if move.origin is None or move.target is None:
        raise ValueError(f"{move.id} moves more than one piece")
    return move.origin, move.target
