"""What docs/club.md says of the payloads is what their classes have."""

import re

import pytest

from captains_table.reporting.messages import CLASSES, VERSION, Pairing
from captains_table.reporting.table_view import TableView
from captains_table.reporting.topics import Order, Report, Topic
from captains_table.runtime.club_line.flood import MOST, WHILE_S
from captains_table.runtime.club_line.speaker import LARGEST_ORDER
from tests.support.documents import ROOT

PAGE = (ROOT / "docs/club.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """Return what stands below a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1]


@pytest.mark.parametrize("kind", CLASSES)
def test_the_fields_of_every_payload_are_listed(kind: Report | Order) -> None:
    rows = re.findall(r"^\| (`.+?`) \|", section(f"`{kind}`"), re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert listed == list(CLASSES[kind].__struct_fields__)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_topic_is_listed(kind: Report | Order) -> None:
    assert f"`{Topic('user', kind)}`".replace("/user/", "/<user>/") in section("What table and club say to each other")


def test_the_fields_of_a_view_that_travel_are_listed() -> None:
    [sentence] = re.findall(r"^Of the view travel: .*$", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", sentence.partition(". While")[0]) == list(TableView.__struct_fields__)


def test_the_fields_of_a_pairing_are_listed() -> None:
    [row] = re.findall(r"^\| `pairings` \| (.*) \|$", section("`pairings`"), re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(Pairing.__struct_fields__)


def test_numbers_are_the_programs() -> None:
    assert f'(`"v": {VERSION}`)' in PAGE
    assert f"at most {LARGEST_ORDER >> 10} KiB" in PAGE
    assert (MOST, WHILE_S) == (200, 10)  # "two hundred in ten seconds"
