"""Every kind of hands, by name: each makes a deed of a scene, or None where the scene has no use for it."""

from tests.prove.fickle.kinds import landings, moves, second_thoughts
from tests.prove.fickle.kinds.kind import Kind

KINDS: dict[str, Kind] = {
    kind.name: kind
    for family in (moves, second_thoughts, landings)
    for kind in vars(family).values()
    if isinstance(kind, Kind)
}
