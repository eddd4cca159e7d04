"""What the guides of the club say of the payloads is what their classes have, and of Home Assistant what it is told."""

import json
import re

import pytest

from captains_table.reporting.messages import CLASSES, VERSION, FromClub, FromTable, Pairing, Topic
from captains_table.reporting.table_view import TableView
from captains_table.runtime.club_line.discovery import discovery
from captains_table.runtime.club_line.speaker import LARGEST_ORDER, MOST_RECEIVED, WHILE_S
from captains_table.runtime.config import ClubConfig
from tests.support.documents import ROOT

PAGE = "\n".join((ROOT / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("club-protocol", "club-setup"))
TABLE_1 = json.loads(discovery(ClubConfig(user="table-1", title="Table 1"), "0.1.0"))
ENTITIES = {
    f"{each['platform']}.{TABLE_1['device']['name']}_{each['name']}".lower().replace(" ", "_"): each
    for each in TABLE_1["components"].values()
}
"""By their ids, which Home Assistant makes of the names of device and entity."""


def section(heading: str) -> str:
    """Return what stands below a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return found[1]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_topic_is_listed_with_the_fields_of_its_payload(kind: FromTable | FromClub) -> None:
    rows = re.findall(r"^\| (`.+?`) \|", section(f"`{kind}`"), re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert listed == list(CLASSES[kind].__struct_fields__)
    assert f"`{Topic('user', kind)}`".replace("/user/", "/<user>/") in section("What table and club say to each other")


def test_the_fields_of_a_view_that_travel_and_of_a_pairing_are_listed() -> None:
    [sentence] = re.findall(r"^These fields of the view are sent: .*$", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", sentence.partition(". While")[0]) == list(TableView.__struct_fields__)
    [row] = re.findall(r"^\| `pairings` \| (.*) \|$", section("`pairings`"), re.MULTILINE)
    assert re.findall(r"`(\w+)`", row) == list(Pairing.__struct_fields__)


def test_numbers_are_the_programs() -> None:
    assert f'(`"v": {VERSION}`)' in PAGE
    assert f"at most {LARGEST_ORDER >> 10} KiB" in PAGE
    assert (MOST_RECEIVED, WHILE_S) == (200, 10)  # "two hundred in ten seconds"


def test_each_entity_of_home_assistant_is_listed_with_its_states() -> None:
    rows = dict(re.findall(r"^\| `(\w+\.\w+)` \| (.+) \|$", section("With Home Assistant"), re.MULTILINE))
    assert list(rows) == list(ENTITIES)
    for entity, told in ENTITIES.items():
        said = re.findall(r"`(\w+)`", rows[entity])
        assert said == told.get("options", said) != []


def test_the_automations_name_entities_and_states_that_there_are() -> None:
    [automations] = re.findall(r"^```yaml\n(.*?)^```", section("With Home Assistant"), re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"\w*sensor\.\w+", automations)) <= set(ENTITIES)
    triggers = re.findall(r'entity_id: (\S+)\n +from: "?(\w+)"?\n +to: "?(\w+)"?\n', automations)
    assert len(triggers) == automations.count("entity_id:") == automations.count("alias:")
    for entity, *states in triggers:
        assert set(states) <= set(ENTITIES[entity].get("options", ("on", "off")))
