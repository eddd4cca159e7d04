"""Verifies the exports that tables send with their results, each in a worker process with limited time and memory.

Exports are not trusted: they may be damaged, of another match, or far too large.
"""

import sys
import zlib
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.club.season.proving import Finding, examine_export
from captains_table.process.plugins import install_plugins
from captains_table.process.worker import TookTooLong, Worker, WorkerFailed, WorkerLimits
from captains_table.process.worker_side import encode_line, run_worker
from captains_table.reporting.messages import MatchReport

COMMAND: Final = (sys.executable, "-m", "captains_table.club.proof_worker")
LIMITS: Final = WorkerLimits(answer_s=300.0)
CPU_S: Final = 120
MEMORY_BYTES: Final = 1 << 29
LARGEST: Final = 1 << 24
"""The maximum size of an unpacked export in bytes: many times what the longest match takes."""


class Damaged(ValueError):
    """An export cannot be unpacked: it is damaged, incomplete or too large."""


class ToProve(Struct, frozen=True):
    """The request to the worker: a result, and the deflated export that came with it."""

    outcome: MatchReport
    export: bytes


TO_PROVE: Final = msgspec.json.Decoder(ToProve)
FINDING: Final = msgspec.json.Decoder(Finding)


def unpacked(export: bytes) -> bytes:
    """Unpack a deflated export to its JSON; raises Damaged."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(export, LARGEST)
    except zlib.error as error:
        raise Damaged(f"the export cannot be unpacked: {error}") from error
    if not unpacking.eof:
        raise Damaged(f"the export cannot be unpacked: expected a whole one of at most {LARGEST:,} bytes")
    return text


def proof_of(outcome: MatchReport, export: bytes) -> Finding:
    """Return what a deflated export proves about a result; an export that cannot be unpacked proves nothing."""
    try:
        return examine_export(outcome, unpacked(export))
    except Damaged as error:
        return Finding(str(error))


async def prove_in_worker(outcome: MatchReport, export: bytes) -> Finding:
    """Have a worker process find what a deflated export proves about a result.

    If the worker fails or exceeds its limits of time and memory, the export proves nothing.
    """
    try:
        return await Worker(COMMAND, FINDING.decode, LIMITS).ask_once(encode_line(ToProve(outcome, export)))
    except TookTooLong:
        return Finding(f"the export could not be verified within {LIMITS.answer_s:.0f} seconds")
    except WorkerFailed as error:
        return Finding(f"verifying the export failed (its process {error})")


def _answer(line: bytes) -> Finding:
    asked = TO_PROVE.decode(line)
    return proof_of(asked.outcome, asked.export)


if __name__ == "__main__":
    install_plugins()
    run_worker(_answer, more_bytes=MEMORY_BYTES, cpu_s=CPU_S)
