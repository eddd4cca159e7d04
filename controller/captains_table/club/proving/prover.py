"""Has exports verified beside the event loop, one after the other, each in a process of its own."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from typing import Final

import msgspec

from captains_table.club.proving.proof import Found
from captains_table.club.store.kept import Proof
from captains_table.reporting.messages import Outcome

LONGEST_S: Final = 300.0
COMMAND: Final = (sys.executable, "-m", "captains_table.club.proving.worker")


async def prove_beside(outcome: Outcome, export: bytes) -> Found:
    """Return what an export was found to be.

    What cannot be verified in time and room proves nothing.
    """
    process = await asyncio.create_subprocess_exec(*COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(LONGEST_S):
            said, _ = await process.communicate(msgspec.json.encode(outcome) + b"\n" + export)
        return msgspec.json.decode(said, type=Found)
    except TimeoutError:
        return Found(Proof.FAILED, f"the export could not be verified within {LONGEST_S:.0f} seconds")
    except msgspec.DecodeError:
        return Found(Proof.FAILED, f"verifying the export failed (exit code {process.returncode})")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
