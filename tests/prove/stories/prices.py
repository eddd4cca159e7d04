"""What each thing in a story costs that its move does not need (docs/recognition.md, the list of stories)."""

from typing import Final

PUT_HOME: Final = 0.5  # the mover set back on its own square, however often
STRAIGHTENED: Final = 1.0  # another piece lifted and set back
TRIED: Final = 1.0  # the mover tried on another legal square
IN_THE_HAND: Final = 1.0  # a piece still in a hand at the end
MISPLACED: Final = 2.0  # anything set down where it may not go
NEVER_OPENED: Final = 2.0  # a victim whose switch never opened
LEFT_ON_FIRST: Final = 1.0  # a taken piece left on the taker's first square: besides setting it there, three in all
READ_BESIDES: Final = 2.0  # a piece that the board reads at the end where the move leaves none
ECHOES: Final = ((60, 0.5), (120, 1.0), (250, 2.0))  # a second square closed by one magnet within so many ms

FITS_WITHIN: Final = 1.0  # stories fit that cost so much more than the cheapest
NO_RIVAL: Final = 6.0  # a story that costs so much is no rival: hands that do so much besides a move tell nothing of it
TOO_DEAR: Final = 8.0  # stories that cost so much are not told

ROCK_MS: Final = 160  # a piece that touches down again for so short a time, so soon after it was lifted, only rocked
PASSING_MS: Final = 250  # a piece that is slid over a square it might stay on stands there no longer
BOW_MS: Final = 600  # a piece that is slid in a bow stands on no square next to its way for longer
