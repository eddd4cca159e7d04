"""What holds for all tests."""

import pytest
from hypothesis import settings

from tests.support.effort import LONG_RUN

# No deadline: speed is measured by `make bench`, never by a test. Every day the same few examples, so that a failure
# comes from what was changed; new ones are looked for by `make long`.
settings.register_profile("everyday", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000)
settings.load_profile("long" if LONG_RUN else "everyday")

SLOW_FOLDERS = ("e2e", "link_faults", "firmware", "outward", "systemd")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `make long` plays at length, and what `make quick` leaves out."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("long")
        if item.path.parent.name in SLOW_FOLDERS or item.get_closest_marker("browser"):
            item.add_marker("slow")
