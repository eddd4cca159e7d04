"""What the export that came with a result proves, pure: against damage and broken rules, and that it is this match."""

import json
import zlib
from typing import Final

from captains_table.club.store.kept import Proof
from captains_table.reporting.messages import Outcome
from captains_table.table.history.verify_file import NoExport, verify_bytes

LARGEST: Final = 1 << 24
"""Bytes of an export: many times the longest match; what swells to more is nobody's match."""


class Damaged(ValueError):  # noqa: N818 - named by its condition
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


def proof_of(outcome: Outcome, export: bytes) -> tuple[Proof, str]:
    """Return whether an export proves a result, and in words what it proves or why it does not."""
    try:
        text = unpacked(export)
        verdict = verify_bytes(text)
    except (Damaged, NoExport) as error:
        return Proof.FAILED, str(error)
    if not verdict.proven:
        return Proof.FAILED, verdict.words
    value = json.loads(text)
    ending = None if outcome.ending is None else (outcome.ending.winner, list(outcome.ending.scores))
    played = value["result"] and (value["result"]["winner"], value["result"]["scores"])
    for what, told, found in (
        ("the seal", outcome.match, value["commitment"]),
        ("the game", outcome.game, value["game"]),
        ("the result", ending, played or None),
    ):
        if told != found:
            return Proof.FAILED, f"the export is of another match: {what} is {found}, and {told} was told"
    return Proof.PROVEN, " ".join((f"{verdict.words}.", *verdict.remarks))
