"""What a reed feels of a magnet: magpylib gives the field, the reed's steel gathers it along its leads.

The model, and what it assumes:

- A reed is a thin steel wire, open in its middle. Each half takes the mean of the magnetic potential along it, and the
  gap feels the difference of the two: the field along the wire, weighted 1 over the middle and falling to 0 at its
  ends. In ampere, and with a sign. A magnet over the middle gives both halves the same: the dead spot.
- The wire does not change the field of the magnets, reeds do not see each other, and no other iron is near.
- A class in ampere-turns is what closes the uncut, straight reed in the middle of its maker's test coil. In that coil
  the same weighted field says what the gap needs: the long coil's B = mu0 N I / l (Dexter Magnetic Technologies, "FAQ:
  Magnets for Sensors"), with its true ends. Makers' coils differ (Littelfuse AN103C); 20 to 30 mm of winding instead
  of an inch change the figure by 7 %.
- A reed that is cut needs more, to close and to stay closed ("Cropping the leads will increase OAT and RAT", Reed
  Relays and Electronics India, MS-104). How much is between nothing (only the gap resists the flux) and all of what
  shorter wires gather less (only they do): so what is needed is a range.
"""

import math
from dataclasses import dataclass
from typing import Final

import magpylib
import numpy as np
from numpy.typing import NDArray

from captains_table.hardware.wiring.sensing import Magnet, Reed

Points = NDArray[np.float64]

MU0: Final = 4e-7 * math.pi
MM: Final = 1e-3
STEPS: Final = 48  # pieces of wire that a lead or both are divided into
COIL_MM: Final = 25.4  # the test coil's winding: about an inch long ...
COIL_ACROSS_MM: Final = 11.0  # ... and so far across, in its middle


@dataclass(frozen=True, slots=True)
class Wire:
    """A reed in its place: the straight part and what hangs down of its leads.

    Attributes:
        middle: where its gap is, x and y in millimetres.
        towards: its direction, a unit vector.
        depth_mm: how far its axis is below the middle of the magnets.
        straight_mm: length of the straight part.
        bent_mm: how far each lead goes on downwards, from the end of the straight part.
    """

    middle: tuple[float, float]
    towards: tuple[float, float]
    depth_mm: float
    straight_mm: float
    bent_mm: float = 0.0

    @property
    def half_mm(self) -> float:
        """Length of one half, along the wire."""
        return self.straight_mm / 2 + self.bent_mm


@dataclass(frozen=True, slots=True)
class Range:
    """From the least to the most."""

    least: float
    most: float

    def times(self, factor: float) -> "Range":
        """Return so many times as much."""
        return Range(self.least * factor, self.most * factor)


def gathered(magnet: Magnet, remanence_t: float, wire: Wire, magnets_at: Points) -> Points:
    """Return what the gap of a reed feels, in ampere, of a magnet at each of these places.

    Args:
        magnet: its size.
        remanence_t: its strength.
        wire: the reed.
        magnets_at: n places, x and y in millimetres.
    """
    along = _along(wire)
    places, directions = _course(wire, along)
    from_magnets = places[np.newaxis] - np.column_stack([magnets_at, np.zeros(len(magnets_at))])[:, np.newaxis]
    source = magpylib.magnet.Cylinder(
        dimension=(magnet.diameter_mm * MM, magnet.height_mm * MM), polarization=(0, 0, remanence_t)
    )
    field = np.asarray(source.getB(from_magnets.reshape(-1, 3) * MM)).reshape(from_magnets.shape) / MU0
    strength: Points = (field * directions).sum(axis=2) @ _weights(wire, along)
    return strength


def needed(reed: Reed, ampere_turns: float, half_mm: float) -> Range:
    """Return what the gap must feel, in ampere, for the reed to do what it does at so many ampere-turns in its coil."""
    uncut_mm = reed.length_mm / 2
    in_coil = _in_test_coil(reed) * ampere_turns
    less = _gathers(uncut_mm, reed.lead_mm) / _gathers(half_mm, reed.lead_mm)
    return Range(in_coil, in_coil * max(1.0, less))


def as_millitesla(ampere: float, half_mm: float) -> float:
    """Return the uniform field along a straight reed that its gap feels as much of."""
    return ampere * MU0 / (half_mm * MM) * 1000


def _in_test_coil(reed: Reed) -> float:
    """Return what the gap of an uncut reed feels of one ampere-turn in the coil, in ampere."""
    wire = Wire((0, 0), (1, 0), 0, reed.length_mm)
    along = _along(wire)
    # Outside its winding and within, a coil's flux is that of a magnet of its size.
    coil = magpylib.magnet.Cylinder(
        dimension=(COIL_ACROSS_MM * MM, COIL_MM * MM), polarization=(0, 0, MU0 / (COIL_MM * MM))
    )
    flux = np.asarray(coil.getB(np.column_stack([0 * along, 0 * along, along]) * MM))[:, 2]
    return float(flux / MU0 @ _weights(wire, along))


def _gathers(half_mm: float, lead_mm: float) -> float:
    """Return how well a thin rod gathers flux, by its length and thickness (a slender rod's demagnetising factor)."""
    return half_mm / (math.log(4 * half_mm / lead_mm) - 1)


def _along(wire: Wire) -> Points:
    """Return places on a wire as lengths from its gap, in millimetres."""
    step = 2 * wire.half_mm / STEPS
    return np.asarray((np.arange(STEPS) + 0.5) * step - wire.half_mm)


def _weights(wire: Wire, along: Points) -> Points:
    """Return what of the field at each place the gap feels, in metres."""
    return (1 - np.abs(along) / wire.half_mm) * (2 * wire.half_mm / len(along)) * MM


def _course(wire: Wire, along: Points) -> tuple[Points, Points]:
    """Return where each place of a wire is and which way the wire runs there."""
    bend = wire.straight_mm / 2
    level = np.clip(along, -bend, bend)
    down = np.abs(along) - np.abs(level)
    x, y = wire.middle
    (across, up), zero = wire.towards, np.zeros_like(along)
    places = np.column_stack([x + level * across, y + level * up, -wire.depth_mm - down])
    runs_level = (down == 0)[:, np.newaxis] * np.array([across, up, 0.0])
    runs_down = np.column_stack([zero, zero, -np.sign(along) * (down > 0)])
    return places, runs_level + runs_down
