"""What is wrong with a case: bodies that meet, plugs without room, screws without hold, parts no printer takes."""

import itertools

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray

from hardware.case.build import fits_bed
from tests.support.case_model import Model, Screw

TOUCHING_MM = 0.02  # bodies that lie on each other share rounding, not room
PRINTED = ("tile", "front rail", "back rail", "left rail", "right rail", "rail_", "bearer", "console", "lid")
SIDES = 32
FULL = 0.95  # of a ring that has to be in plastic
SELF_CUT_WALL_MM = 0.8  # around a screw that cuts its thread
LEAST_HOLD_MM = 3.0  # of a thread
LEAST_HANGING_MM2 = 30.0  # what is smaller, as around a screw's head, is printed without a word


def printed(name: str) -> bool:
    """Return whether a body is printed, or cut of wood."""
    return name.startswith(PRINTED)


def collisions(model: Model) -> list[str]:
    """Return a line for each two bodies that want the same room."""
    boxes = {name: body.bounding_box() for name, body in model.bodies.items()}
    found = []
    for one, other in itertools.combinations(model.bodies, 2):
        if not _boxes_meet(boxes[one], boxes[other]):
            continue
        shared = model.bodies[one] ^ model.bodies[other]
        depth = max((min(_extent(piece)) for piece in shared.decompose()), default=0)
        if depth > TOUCHING_MM:
            found.append(f"{one} and {other} share {shared.volume():.2f} mm3, {depth:.2f} mm deep")
    return found


def loose_screws(model: Model) -> list[str]:
    """Return a line for each screw whose head, hole or hold is not there."""
    plastic = {name: body for name, body in model.bodies.items() if not name.startswith("screw")}
    return [line for screw in model.screws for line in _screw_findings(model, plastic, screw)]


def too_large(bodies: dict[str, Manifold]) -> list[str]:
    """Return a line for each printed part that, on its flattest side, fits the bed neither straight nor diagonally."""
    parts = {name: sorted(_extent(body)) for name, body in bodies.items() if printed(name)}
    return [
        f"{name} is {' x '.join(f'{size:.0f}' for size in extent)} mm"
        for name, extent in parts.items()
        if not fits_bed(extent[::-1])  # on its flattest side
    ]


def hanging(part: Manifold) -> list[tuple[int, int]]:
    """Return length and width of each level face that a printed part has in the air, small ones left out."""
    mesh = part.to_mesh()
    points, corners = np.array(mesh.vert_properties)[:, :3].round(3), np.array(mesh.tri_verts)
    first, second, third = (points[corners[:, place]] for place in range(3))
    normals = np.cross(second - first, third - first)
    level = np.all(points[corners][:, :, 2] == points[corners][:, :1, 2], axis=1)
    in_the_air = level & (normals[:, 2] < 0) & (points[corners][:, 0, 2] > points[:, 2].min() + 0.05)
    faces: list[tuple[set[tuple[float, ...]], float]] = []
    for triangle, normal in zip(points[corners[in_the_air]], normals[in_the_air], strict=True):
        seen, area = set(map(tuple, triangle)), -normal[2] / 2
        for face in [face for face in faces if face[0] & seen]:
            faces.remove(face)
            seen, area = seen | face[0], area + face[1]
        faces.append((seen, area))
    sizes = [np.ptp(np.array(list(seen)), axis=0)[:2] for seen, area in faces if area > LEAST_HANGING_MM2]
    return sorted((int(max(size)), int(min(size))) for size in sizes)


def not_whole(bodies: dict[str, Manifold]) -> list[str]:
    """Return a line for each printed part that is empty, or falls apart into several."""
    counted = {name: len(body.decompose()) for name, body in bodies.items() if printed(name)}
    return [f"{name} is {count} bodies" for name, count in counted.items() if count != 1]


def _boxes_meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(one[axis] < other[axis + 3] and other[axis] < one[axis + 3] for axis in range(3))


def _screw_findings(model: Model, bodies: dict[str, Manifold], screw: Screw) -> list[str]:
    size, tip = model.sizes[screw.size], screw.length - screw.through
    hold = model.insert_length if screw.in_insert else min(tip, screw.holds)
    wall = model.insert_wall if screw.in_insert else SELF_CUT_WALL_MM
    core = size.shank if screw.in_insert else size.holding - 0.1
    held = (screw.through + 0.2, screw.through + hold - 0.2)
    head = _share(_ring(screw, (0, 0.3), size.clearance + 0.2, size.head), bodies)
    around = _share(_ring(screw, held, size.holding + 0.1, size.holding + 2 * wall), bodies)
    bore = _share(_ring(screw, (0.05, screw.length - 0.05), 0, core), bodies)
    findings = {
        f"its head lies on {head:.0%} of what it should": head < FULL,
        f"what holds it is {around:.0%} there": around < FULL,
        f"its hole is filled by {bore:.0%}": bore > 1 - FULL,
        f"it is {tip - screw.holds:.1f} mm longer than its hole": tip > screw.holds,
        f"only {tip:.1f} mm of it hold": tip < LEAST_HOLD_MM,
    }
    return [f"screw {screw.name} at {screw.at}: {line}" for line, wrong in findings.items() if wrong]


def _share(probe: Manifold, bodies: dict[str, Manifold]) -> float:
    """Return how much of a probe is filled by bodies."""
    box = probe.bounding_box()
    shared = sum((probe ^ body).volume() for body in bodies.values() if _boxes_meet(box, body.bounding_box()))
    return float(shared / probe.volume())


def _ring(screw: Screw, span: tuple[float, float], inner: float, outer: float) -> Manifold:
    """Return a ring around a screw's axis, from so far below its head to so far, of these diameters."""
    start, end = span
    ring = Manifold.cylinder(end - start, outer / 2, outer / 2, SIDES)
    if inner:
        ring -= Manifold.cylinder(end - start, inner / 2, inner / 2, SIDES)
    return ring.translate((0, 0, start)).transform(_frame(screw))


def _frame(screw: Screw) -> NDArray[np.float64]:
    """Return the matrix that leads z to the screw's direction, and the origin to its head."""
    way = np.array(screw.way, dtype=float)
    side = np.array((1.0, 0, 0)) if abs(way[0]) < 0.5 else np.array((0, 1.0, 0))
    across = np.cross(way, side)
    return np.column_stack([np.cross(across, way), across, way, np.array(screw.at, dtype=float)])


def _extent(part: Manifold) -> tuple[float, float, float]:
    low_x, low_y, low_z, high_x, high_y, high_z = part.bounding_box()
    return high_x - low_x, high_y - low_y, high_z - low_z
