"""What each thing in a story costs that the move it tells of does not need.

Source: docs/recognition.md, the list of stories.
"""

from typing import Final

PUT_HOME: Final = 0.5
"""The mover set back on its own square, however often."""
STRAIGHTENED: Final = 1.0
"""Another piece lifted and set back."""
TRIED: Final = 1.0
"""The mover tried on another legal square."""
IN_THE_HAND: Final = 1.0
"""A piece still in a hand at the end."""
MISPLACED: Final = 2.0
"""Anything set down where it may not go."""
NEVER_OPENED: Final = 2.0
"""A victim whose switch never opened."""
LEFT_ON_FIRST: Final = 1.0
"""A taken piece left on the taker's first square: so much besides what it costs to set it there, three in all."""
ECHOES: Final = ((60, 0.5), (120, 1.0), (250, 2.0))
"""A second square closed by one magnet, by how long before or after the first it closed."""

FITS_WITHIN: Final = 1.0
"""Stories fit that cost so much more than the cheapest."""
NO_RIVAL: Final = 6.0
"""A story that costs so much is no rival: hands that do so much besides a move tell nothing about it."""
TOO_DEAR: Final = 8.0
"""Stories that cost so much are not told."""

ROCK_MS: Final = 160
"""A piece that touches down again for so short a time, so soon after it was lifted, only rocked."""
PASSING_MS: Final = 250
"""A piece that is slid over a square it might stay on stands there no longer."""
BOW_MS: Final = 600
"""A piece that is slid in a bow stands on no square next to its way for longer."""
