"""How much a random test plays: little in the suite, at length under `make long`."""

import os

LONG_RUN = os.environ.get("CAPTAINS_TABLE_LONG") == "1"
"""Whether this is the long run."""


def effort(everyday: int, at_length: int) -> int:
    """Return how many seeds, positions or examples a test plays: so many every day, so many in the long run."""
    return at_length if LONG_RUN else everyday
