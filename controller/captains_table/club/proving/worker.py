"""The process in which one export is verified, with little time and memory: it comes from a table, and may be anything.

It reads a line with the result, then the export; and writes one line of JSON.
"""

import os
import resource
import sys
from typing import Final

import msgspec

from captains_table.club.proving.proof import proof_of
from captains_table.process.plugins import install_plugins
from captains_table.reporting.messages import Outcome

CPU_S: Final = 120
MEMORY_BYTES: Final = 1 << 29
NICENESS: Final = 10


def main() -> None:
    """Verify the export that stands at the standard input."""
    os.nice(NICENESS)
    install_plugins()
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    outcome = msgspec.json.decode(sys.stdin.buffer.readline(), type=Outcome)
    sys.stdout.buffer.write(msgspec.json.encode(proof_of(outcome, sys.stdin.buffer.read())) + b"\n")


if __name__ == "__main__":
    main()
