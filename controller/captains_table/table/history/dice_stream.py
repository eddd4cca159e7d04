"""The stream of honest dice, derived from seed and salt so that anybody can recompute it.

Source: docs/operations.md, "Honest dice". Block n is HMAC-SHA256(seed, salt + n as 8 bytes big-endian). The bytes of a
block are taken in order. A byte of 252 or more is skipped, because 252 is the largest multiple of six in a byte and
thus no face is favoured; any other byte gives the face 1 + byte mod 6. Each press appends 8 bytes to the
salt: the milliseconds for which the button was held, big-endian. A player's text appends 8 bytes and then the text in
UTF-8. These 8 bytes hold, big-endian, 2^63 plus the number of bytes of the text. After each addition the stream
restarts at block 0.
The module also checks the throws of a journal against the seed, and computes the chi-squared test of dice.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from math import erfc, exp, lgamma, log, sqrt

from captains_table.games.contract import Rolled
from captains_table.table.model.entries import Acted, Entry, Salted, SaltText

SEED_BYTES = 32
FAIR_BYTES = 252
NUMBER_BYTES = 8
WORDS_MARK = 1 << 63
"""Marks a number of the salt as the length of a text: no press lasts so many milliseconds."""


class DiceMismatch(ValueError):
    """A throw in the journal differs from the one that the seed yields; `entry` counts the journal's entries from 0."""

    def __init__(self, entry: int, seq: int, expected: tuple[int, ...], found: tuple[int, ...]) -> None:
        super().__init__(f"action {seq}: the seed gives {_words(expected)}, the journal says {_words(found)}")
        self.entry = entry
        self.seq = seq
        self.expected = expected
        self.found = found


class BadSalt(ValueError):
    """The journal records a button press of impossible duration; these durations are part of the salt of the dice."""


def _words(faces: tuple[int, ...]) -> str:
    return " ".join(str(face) for face in faces) or "no dice"


def commitment(seed: bytes) -> str:
    """Return the seed's SHA-256 in hexadecimal, which is shown before the first throw."""
    return hashlib.sha256(seed).hexdigest()


def block(seed: bytes, salt: bytes, number: int) -> bytes:
    """Return one block of a match's random bytes: 32 bytes; blocks are numbered from 0."""
    return hmac.new(seed, salt + number.to_bytes(NUMBER_BYTES, "big"), hashlib.sha256).digest()


def faces(seed: bytes, salt: bytes) -> Iterator[int]:
    """Yield the faces that a seed and a salt determine, from the first face on and without end."""
    for number in count():
        for byte in block(seed, salt, number):
            if byte < FAIR_BYTES:
                yield 1 + byte % 6


class FaceStream:
    """The stream of die faces that a seed and a salt determine; adding to the salt restarts the stream."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._salt = bytearray()
        self._faces: Iterator[int] | None = None  # None: nothing was thrown with this salt

    def throw(self, count: int) -> tuple[int, ...]:
        """Return the next `count` faces and advance the position."""
        if self._faces is None:
            self._faces = faces(self._seed, bytes(self._salt))
        return tuple(islice(self._faces, count))

    def add_salt(self, held_ms: int) -> None:
        """Append the duration of a press to the salt and restart the stream.

        Raises BadSalt if the duration is out of range.
        """
        if not 0 <= held_ms < WORDS_MARK:
            raise BadSalt(f"a button cannot be held for {held_ms} ms")
        self._append(held_ms.to_bytes(NUMBER_BYTES, "big"))

    def add_words(self, text: str) -> None:
        """Append a player's text to the salt and restart the stream; raises UnicodeEncodeError for invalid text."""
        written = text.encode()
        self._append((WORDS_MARK + len(written)).to_bytes(NUMBER_BYTES, "big") + written)

    def _append(self, more: bytes) -> None:
        self._salt += more  # in place: guests may add texts thousands of times
        self._faces = None

    def consume(self, entries: Iterable[Entry]) -> int:
        """Check the throws of a journal against the seed and return the number of throws, including those taken back.

        Raises:
            DiceMismatch: a face in the journal differs from the stream's.
            BadSalt: the journal records a press of impossible duration.
        """
        throws = 0
        for place, entry in enumerate(entries):
            match entry:
                case Salted(_, held_ms):
                    self.add_salt(held_ms)
                case SaltText(_, text):
                    self.add_words(text)
                case Acted(seq=seq, action=Rolled(found)):
                    expected = self.throw(len(found))
                    if expected != found:
                        raise DiceMismatch(place, seq, expected, found)
                    throws += 1
        return throws


def chi_squared(counts: Sequence[int]) -> float:
    """Return the chi-squared statistic of counts whose expected values are all equal."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def chance_of_more(statistic: float, freedom: int) -> float:
    """Return the chance of a statistic this large or larger, the upper tail of the chi-squared distribution.

    The result is exact for whole degrees of freedom. The incomplete gamma function Q(a, x) is known for a = 1/2 and
    a = 1, and Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1).

    Args:
        statistic: the statistic, 0 or more.
        freedom: the degrees of freedom, at least 1.
    """
    half = statistic / 2
    if not half:
        return 1.0
    shape, tail = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while shape < freedom / 2:
        tail += exp(shape * log(half) - half - lgamma(shape + 1))
        shape += 1
    return min(1.0, tail)
