"""Has exports verified beside the event loop, one after the other, each in a process of its own."""

import sys
from typing import Final

import msgspec

from captains_table.club.proving.proof import Found
from captains_table.club.store.store import Proof
from captains_table.process.asked_once import ask_once
from captains_table.reporting.messages import Outcome

LONGEST_S: Final = 300.0
COMMAND: Final = (sys.executable, "-m", "captains_table.club.proving.worker")


async def prove_beside(outcome: Outcome, export: bytes) -> Found:
    """Return what an export was found to be.

    What cannot be verified in time and room proves nothing.
    """
    try:
        said, code = await ask_once(COMMAND, msgspec.json.encode(outcome) + b"\n" + export, LONGEST_S)
    except TimeoutError:
        return Found(Proof.FAILED, f"the export could not be verified within {LONGEST_S:.0f} seconds")
    try:
        return msgspec.json.decode(said, type=Found)
    except msgspec.DecodeError:
        return Found(Proof.FAILED, f"verifying the export failed (exit code {code})")
