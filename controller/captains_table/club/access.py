"""What the club's pages show to visitors without a pass: the steps of `[web] public`, and the step of each address."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


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


ADDRESSES: Final[Mapping[Public | None, tuple[str, ...]]] = {
    Public.NOTHING: (
        *("/arbiter/login", "/health", "/static", "/static/club", "/pieces.svg", "/pieces/{file}"),
        *("/tables/{user}/overlay", "/events?overlay"),  # an overlay asks for its own secret
    ),
    Public.WALL: ("/", "/tables/{user}", "/events", "/events?table"),
    Public.EVENTS: ("/events/{number}", "/events?public", "/live/{number}.pgn"),
    Public.ALL: (
        "/evenings",
        "/evenings/{number}",
        "/evenings/{number}/exports.zip",
        "/results/{seal}",
        "/results/{seal}/export.json",
        "/hall",
        "/hall/{game}",
        "/players",
    ),
    None: (
        *("/arbiter", "/arbiter/*", "/events?event", "/evenings/{number}/delete"),
        *("/tables/{user}/large", "/tables/{user}/overlay/renew"),
    ),
}
"""The addresses of each step. `/events?NAME` is the stream of updates that this query parameter selects, `/events` that
of the wall; `/arbiter/*` stands for all addresses below `/arbiter/` that are in no other row."""
_STEPS: Final = {address: step for step, addresses in ADDRESSES.items() for address in addresses}


def public_step_of(address: str) -> Public | None:
    """Return the step of an address; `None` for those of the arbiters alone. Raises KeyError if it is in no row."""
    return _STEPS[address if address in _STEPS or not address.startswith("/arbiter/") else "/arbiter/*"]
