"""Who may say and hear what on the club's broker, in Mosquitto's words (mosquitto.conf(5), "acl_file")."""

from collections.abc import Iterable, Iterator
from typing import Final

from captains_table.reporting.topics import (
    DISPLAY_USER,
    ROOT,
    SERVER_USER,
    Order,
    Report,
    Topic,
    discovery_topic,
    reports_of_all,
)

ANY: Final = "+"
HIMSELF: Final = "%u"
"""What Mosquitto reads as the name of whoever asks, in a pattern."""

HEAD: Final = """\
# Who may say and hear what: written by `captains-table club init`, read by Mosquitto.

# Every table: it alone says how it is and what is seen at it, and hears the orders to it, nobody else's.
{patterns}

# The patterns hold for whoever has a password: the users that are no tables have no table's topics.

# The club's server hears all reports, and gives all orders.
{server}

# Who looks on, as Home Assistant does: hears all reports, says nothing.
{display}
"""


def access_list() -> str:
    """Return the list of who may say and hear what."""
    return HEAD.format(
        patterns=_lines(_patterns()),
        server=_lines(_of_a_user(SERVER_USER, reports_of_all(), _orders_to_all())),
        display=_lines(_of_a_user(DISPLAY_USER, (*reports_of_all(), discovery_topic(ANY)))),
    )


def _patterns() -> Iterator[str]:
    yield from (f"pattern write {Topic(HIMSELF, kind)}" for kind in Report)
    yield f"pattern write {discovery_topic(HIMSELF)}"
    yield from (f"pattern read {Topic(HIMSELF, kind)}" for kind in Order)


def _orders_to_all() -> Iterator[str]:
    return (str(Topic(ANY, kind)) for kind in Order)


def _of_a_user(user: str, heard: Iterable[str], said: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of a user that is no table; what is denied goes before what a pattern allows."""
    yield f"user {user}"
    yield f"topic deny {ROOT}/{user}/#"
    yield f"topic deny {discovery_topic(user)}"
    yield from (f"topic read {topic}" for topic in heard)
    yield from (f"topic write {topic}" for topic in said)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)
