"""How much of each attack is made: by the numbers of the command line, and a share of one for each attack."""

import argparse
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Size:
    """How many are made in a full campaign, and in the small one that is part of the tests."""

    full: int
    small: int


SIZES: Final = {
    "kills": Size(10_000, 36),
    "requests": Size(100_000, 150),
    "inputs": Size(50_000, 60),
    "forgeries": Size(10_000, 20),
    "faults": Size(200, 1),
    "journals": Size(1_200, 3),
    "frames": Size(40_000, 0),
    "crowds": Size(4, 0),
    "networks": Size(10, 1),
    "mounts": Size(30, 1),
    "copies": Size(600, 12),
    "plants": Size(450, 10),
    "visits": Size(250, 5),
    "plug-ins": Size(500, 12),
    "stops": Size(20, 0),
}
SHARES: Final = {
    "kills-over-http": ("kills", 0.11),
    "kills-below": ("kills", 0.86),
    "kills-while-thinking": ("kills", 0.03),
    "stops-while-thinking": ("stops", 1.0),
    "disk-faults": ("faults", 1.0),
    "rotten-journals": ("journals", 1.0),
    "request-fuzz": ("requests", 1.0),
    "guests": ("crowds", 1.0),
    "strangers": ("visits", 1.0),
    "serial-babble": ("frames", 1.0),
    "late-network": ("networks", 1.0),
    "late-mount": ("mounts", 1.0),
    "killed-copies": ("copies", 1.0),
    "planted-links": ("plants", 1.0),
    "tapes": ("inputs", 0.35),
    "exports": ("inputs", 0.35),
    "configurations": ("inputs", 0.15),
    "profiles": ("inputs", 0.15),
    "forged-exports": ("forgeries", 1.0),
    "wrong-plugins": ("plug-ins", 1.0),
}


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Add an option for each size."""
    for name, size in SIZES.items():
        parser.add_argument(f"--{name}", type=int, metavar="N", help=f"how many ({size.full:,}; --small: {size.small})")
    parser.add_argument("--small", action="store_true", help="the small campaign that is part of the tests")


def units_of(attack: str, arguments: argparse.Namespace) -> int:
    """Return how many units an attack makes."""
    name, share = SHARES[attack]
    given: int | None = getattr(arguments, name.replace("-", "_"))
    size = SIZES[name]
    return round((given if given is not None else size.small if arguments.small else size.full) * share)
