"""What holds a table together: screws, inserts and plastic, as the case's own drawing has them.

`make printing` measures them in hardware/case; a test holds these numbers to that.
"""

from typing import Final

from captains_table.hardware.part import Part, with_spares
from captains_table.hardware.profiles.profile import Profile

# M3: length under the head -> how many; the same for every build. Heads by ISO 4762.
M3_SCREWS: Final = {8: 16, 10: 38, 16: 14}
INSERTS: Final = sum(M3_SCREWS.values())
FEET: Final = 9  # four under the lid, four under the floor, one under the bearer's foot
BOARD_SCREWS: Final = 4  # each board, and the glass
# Files -> what a whole case takes, walls of 1.2 mm and a fifth of the rest filled.
FILAMENT_G: Final = {8: 1900, 9: 2100}
PRINT_HOURS: Final = {8: 54, 9: 59}
# How much larger than the board the sheets are, all in all: what lies on the rails, less a little that they may swell.
SHEET_OVER_MM: Final = 7
FLOOR_OVER_MM: Final = 15
FLOOR_MM: Final = 3


def case_parts(profile: Profile) -> list[Part]:
    """Return screws, inserts, plastic and sheets of a build's case."""
    files = profile.shape.files
    return [
        Part(
            FILAMENT_G[files] / 1000,
            "PLA or PETG filament, 1.75 mm",
            f"the case: about {PRINT_HOURS[files]} hours of printing (estimated; make printing)",
            unit="kg",
            spare=0.2,
            price_eur=20,
        ),
        *(
            with_spares(count, f"screw M3 x {length}, socket head (ISO 4762), stainless A2", "the case", 0.05)
            for length, count in M3_SCREWS.items()
        ),
        with_spares(INSERTS, "heat-set insert M3, brass, 5.7 mm long, for a hole of 4.0 mm", "the case", 0.1),
        *_board_screws(profile),
        with_spares(FEET, "foot of rubber, 5 mm or higher, self-adhesive", "under lid, floor and bearer", 0.1),
        Part(1, "double-sided tape, a roll", "sheet and lights to the tiles", price_eur=2),
        with_spares(10, "cable tie, 100 mm", "cables at the notch and in the console", 0.02),
    ]


def sheet_parts(profile: Profile, thickness_mm: float) -> list[Part]:
    """Return the sheets a table is closed with: what the pieces stand on, and the floor."""
    board_mm = [profile.square_mm * side for side in (profile.shape.files, profile.shape.ranks)]
    sheet = " x ".join(str(side + SHEET_OVER_MM) for side in board_mm)
    floor = " x ".join(str(side + FLOOR_OVER_MM) for side in board_mm)
    return [
        Part(
            1,
            f"sheet {thickness_mm:g} mm, {sheet} mm: acrylic, or 0.5 mm of veneer on it",
            "what the pieces stand on",
            price_eur=20,
        ),
        Part(1, f"hardboard or plywood {FLOOR_MM} mm, {floor} mm", "closes the board from below", price_eur=6),
    ]


def _board_screws(profile: Profile) -> list[Part]:
    boards = {
        **({profile.board.name: profile.board.screws} if profile.board.screws else {}),
        **({"power board": BOARD_SCREWS} if profile.lights is not None else {}),
    }
    parts = [with_spares(BOARD_SCREWS, "screw M2.5 x 8", "the Pi on the lid", 0.05)]
    if boards:
        words = f"{' and '.join(boards)} on the lid"
        parts.append(with_spares(sum(boards.values()), "screw M2 x 8", words, 0.05))
    if profile.display.bus is not None:
        parts.append(with_spares(BOARD_SCREWS, f"screw {profile.display.kind.screw}", "the glass", 0.05))
    return parts
