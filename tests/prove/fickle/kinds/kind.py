"""What a kind of hands is."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.prove.fickle.scene import Deed, Scene, Unusable


@dataclass(frozen=True, slots=True)
class Kind:
    """One way people handle pieces; `is_early`: before the dice are thrown."""

    name: str
    act: Callable[[Scene], Deed]
    is_early: bool = False

    def make(self, scene: Scene) -> Deed | None:
        try:
            return self.act(scene)
        except Unusable:
            return None


def kind(act: Callable[[Scene], Deed]) -> Kind:
    """Declare a kind by what it does, under the name of its function."""
    return Kind(act.__name__.replace("_", "-"), act)
