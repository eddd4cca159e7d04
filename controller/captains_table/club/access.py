"""What the club's pages show to visitors without a pass: the steps of `[web] public`."""

from enum import StrEnum


class Public(StrEnum):
    """How much a visitor sees who is not logged in and has no token; each step includes the steps before it."""

    NOTHING = "nothing"
    WALL = "wall"
    EVENTS = "events"
    ALL = "all"

    def shows(self, step: "Public | None") -> bool:
        """Return whether visitors see the addresses of a step; those of `None` are the arbiters' alone."""
        steps = list(Public)
        return step is not None and steps.index(step) <= steps.index(self)
