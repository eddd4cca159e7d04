"""Where a table and its club meet on the broker: the topics of docs/club.md, and whose they are."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ROOT: Final = "captains-table"
USER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""How a table's user is called on the broker: nothing that a topic or a pattern of the broker reads otherwise."""
SERVER_USER: Final = "club"
DISPLAY_USER: Final = "display"
RESERVED_USERS: Final = frozenset({SERVER_USER, DISPLAY_USER})
"""Users of the broker that are no tables: the club's server, and who only looks on, as Home Assistant does."""


class BadUser(ValueError):
    """A table cannot be called so on a broker; the message says what was expected."""


class Report(StrEnum):
    """What a table says of itself: it alone writes these topics."""

    VIEW = "view"  # retained: what is to be seen now
    STATUS = "status"  # retained, and the last will: whether the table is there
    NEEDS = "needs"  # retained: whether somebody is asked to come
    RESULT = "result"  # how a match ended, told again until it is acknowledged


class Order(StrEnum):
    """What the club tells one table: the club's server alone writes these topics, below `club`."""

    ACKNOWLEDGED = "acknowledged"  # a result is kept
    PAIRINGS = "pairings"  # retained: which matches are to be played at this table


REPORTS: Final = frozenset(map(str, Report))
ORDERS: Final = frozenset(map(str, Order))


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of one table, taken apart."""

    user: str
    kind: Report | Order

    def __str__(self) -> str:
        below = f"club/{self.kind}" if isinstance(self.kind, Order) else str(self.kind)
        return f"{ROOT}/{self.user}/{below}"


def checked_user(name: str) -> str:
    """Return a user's name if it may be one; raises BadUser."""
    if USER.fullmatch(name) is None:
        raise BadUser(
            f"{name!r} cannot be a table's user: expected 1 to 32 small letters, digits and hyphens, such as table-3"
        )
    if name in RESERVED_USERS:
        raise BadUser(f"{name!r} is another user of the club's broker: expected a table's own, such as table-3")
    return name


def read_topic(topic: str) -> Topic | None:
    """Return a topic taken apart, `None` where it is none of ours."""
    match topic.split("/"):
        case [root, user, kind] if root == ROOT and USER.fullmatch(user) and kind in REPORTS:
            return Topic(user, Report(kind))
        case [root, user, "club", kind] if root == ROOT and USER.fullmatch(user) and kind in ORDERS:
            return Topic(user, Order(kind))
    return None


def discovery_topic(user: str) -> str:
    """Return where a table tells Home Assistant, in one retained payload, what there is to see of it."""
    return f"homeassistant/device/{ROOT}/{user}/config"


def reports_of_all() -> tuple[str, ...]:
    """Return what the club's server subscribes to."""
    return tuple(topic_of_all(kind) for kind in Report)


def topic_of_all(kind: Report) -> str:
    """Return the filter by which all tables' reports of a kind are subscribed to."""
    return f"{ROOT}/+/{kind}"


def orders_to(user: str) -> tuple[str, ...]:
    """Return what a table subscribes to."""
    return tuple(str(Topic(user, kind)) for kind in Order)
