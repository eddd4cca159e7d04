"""How much of each attack is made: by the three numbers of the command line, and a share for each attack."""

import argparse
from collections.abc import Mapping
from typing import Final

SIZES: Final[Mapping[str, int]] = {
    "kills": 10_000,
    "requests": 100_000,
    "inputs": 50_000,
}
SMALL: Final[Mapping[str, int]] = {
    "kills": 24,
    "requests": 300,
    "inputs": 200,
}
SHARES: Final[Mapping[str, tuple[str, float]]] = {
    "kills-over-http": ("kills", 1 / 8),
    "kills-below": ("kills", 7 / 8),
    "request-fuzz": ("requests", 1),
    "tapes": ("inputs", 0.35),
    "exports": ("inputs", 0.35),
    "configurations": ("inputs", 0.15),
    "profiles": ("inputs", 0.15),
    "forged-exports": ("forgeries", 1),
    "disk-faults": ("faults", 1),
    "rotten-journals": ("journals", 1),
    "serial-babble": ("frames", 1),
    "guests": ("crowds", 1),
}


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Add an option for each size."""
    for name, full in SIZES.items():
        parser.add_argument(
            f"--{name}", type=int, metavar="N", help=f"how many ({full:,}; {SMALL[name]:,} with --small)"
        )
    parser.add_argument("--small", action="store_true", help="the small campaign that is part of the tests")


def units_of(attack: str, arguments: argparse.Namespace) -> int:
    """Return how many units an attack makes."""
    size, share = SHARES[attack]
    given: int | None = getattr(arguments, size)
    of = given if given is not None else (SMALL if arguments.small else SIZES)[size]
    return max(1, round(of * share)) if of else 0
