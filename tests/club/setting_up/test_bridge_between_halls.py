"""Two halls: the bridge of docs/club-setup.md, tried between two real brokers that were set up by `club init`."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.club.setting_up.mosquitto import hashed, new_password
from captains_table.reporting.messages import FromClub, FromTable, Topic, discovery_topic
from tests.support.broker_guest import Guest, Refused
from tests.support.laid_out_club import LaidOutClub
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
VIEW, RESULT = str(Topic("table-13", FromTable.VIEW)), str(Topic("table-13", FromTable.RESULT))
PAIRINGS = str(Topic("table-13", FromClub.PAIRINGS))
ACKNOWLEDGED = str(Topic("table-13", FromClub.ACKNOWLEDGED))


def documented() -> tuple[str, str]:
    """Return the two files of docs/club-setup.md: lines for the club's access list, and the bridge's settings."""
    section = (
        (ROOT / "docs" / "club-setup.md").read_text(encoding="utf-8").partition("## Two halls")[2].partition("\n## ")[0]
    )
    access, bridge = re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return access, bridge


class Halls:
    """The club, and hall B with a bridge to it."""

    def __init__(self, folder: Path) -> None:
        self.club = LaidOutClub(folder / "club", tables=12)
        self.hall = LaidOutClub(folder / "hall-b", tables=12, first=13)
        self.password = new_password()
        access, bridge = documented()
        with (
            (self.club.folder / "broker/acl").open("a") as acl,
            (self.club.folder / "broker/passwords").open("a") as known,
        ):
            acl.write(f"\n{access}")
            known.write(f"hall-b:{hashed(self.password)}\n")
        for found, meant in {
            "club.local:8883": f"localhost:{self.club.port}",
            "/etc/mosquitto/captains-table/club-ca.crt": str(self.club.ca),
            "PASSWORD": self.password,
            "restart_timeout 2 30": "restart_timeout 1 1",
        }.items():
            assert found in bridge
            bridge = bridge.replace(found, meant)
        (self.hall.folder / "broker/bridge.conf").write_text(bridge)
        self.club_broker, self.hall_broker = self.club.broker(), self.hall.broker()


@pytest.fixture
def halls(tmp_path: Path) -> Iterator[Halls]:
    halls = Halls(tmp_path)
    with halls.club_broker, halls.hall_broker:
        yield halls


def once_bridged(club: Guest, table: Guest) -> None:
    """Wait until the line between the halls stands both ways."""
    club.listen("captains-table/#")
    table.listen("captains-table/#")
    until = time.monotonic() + PATIENCE_S
    while VIEW not in dict(club.heard_within(0.2)) or PAIRINGS not in dict(table.heard_within(0.2)):
        assert time.monotonic() < until, "the halls never heard of each other"
        table.say(VIEW)
        club.say(PAIRINGS)


@pytest.mark.slow
def test_what_is_said_or_retained_in_one_hall_is_heard_in_the_other_also_after_the_clubs_broker_was_killed(
    halls: Halls,
) -> None:
    with halls.hall.guest("table-13") as table:
        with halls.club.guest("club") as club:
            once_bridged(club, table)
            table.say(RESULT)
            assert RESULT in club.hear_until(RESULT)
            club.say(ACKNOWLEDGED)
            assert ACKNOWLEDGED in table.hear_until(ACKNOWLEDGED)
        halls.club_broker.kill()
        table.say(VIEW, b"a view", retain=True)
        halls.club_broker.start()
        with halls.club.guest("club") as club:
            club.say(PAIRINGS, b"pairings", retain=True)
            club.listen(VIEW)
            assert club.hear() == (VIEW, b"a view")
            while table.hear() != (PAIRINGS, b"pairings"):
                pass


def test_hall_b_gives_no_orders_and_is_let_in_by_its_password_alone(halls: Halls) -> None:
    halls.hall_broker.kill()
    with Guest(halls.club.port, halls.club.ca, "hall-b", halls.password) as bridge:
        assert bridge.say(PAIRINGS) == bridge.say(ACKNOWLEDGED) == bridge.say("captains-table") == "Not authorized"
        assert bridge.say(discovery_topic("table-13")).startswith(("Success", "No matching"))
    with pytest.raises(Refused):
        Guest(halls.club.port, halls.club.ca, "hall-b", "another")
