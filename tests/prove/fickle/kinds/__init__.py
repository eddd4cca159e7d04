"""Every kind of hands, by name: each makes a deed of a scene, or None where the scene has no use for it."""

from tests.prove.fickle.kinds import borders, plain, second_thoughts, sleeves, taken_back, victims
from tests.prove.fickle.kinds.kind import Kind

KINDS: dict[str, Kind] = {
    kind.name: kind
    for family in (plain, sleeves, second_thoughts, taken_back, victims, borders)
    for kind in family.KINDS
}
