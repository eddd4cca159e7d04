"""What the export that came with a result proves, pure: against damage and broken rules, and that it is this match."""

import zlib
from typing import Final

from msgspec import Struct

from captains_table.club.season.proving import examine
from captains_table.club.season.season import ProvenMatch
from captains_table.club.store.store import Proof
from captains_table.reporting.messages import Outcome

LARGEST: Final = 1 << 24
"""Bytes of an export: many times the longest match; what swells to more is nobody's match."""


class Damaged(ValueError):
    """An export cannot be unpacked."""


def unpacked(export: bytes) -> bytes:
    """Return an export as JSON; raises Damaged."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(export, LARGEST)
    except zlib.error as error:
        raise Damaged(f"the export cannot be unpacked: {error}") from error
    if not unpacking.eof:
        raise Damaged(f"the export cannot be unpacked: expected a whole one of at most {LARGEST:,} bytes")
    return text


class Found(Struct, frozen=True):
    """What an export was found to be.

    Attributes:
        proof: that.
        words: what it proves, or why it proves nothing.
        match: what is remembered of the match, where it is proven.
    """

    proof: Proof
    words: str
    match: ProvenMatch | None = None


def proof_of(outcome: Outcome, export: bytes) -> Found:
    """Return whether an export proves a result."""
    try:
        finding = examine(outcome, unpacked(export))
    except Damaged as error:
        return Found(Proof.FAILED, str(error))
    return Found(Proof.FAILED if finding.match is None else Proof.PROVEN, finding.words, finding.match)
