"""The MQTT discovery payload of a table for Home Assistant: one device with its sensors, in one retained message.

Each sensor has a Jinja template, which reads the sensor's state from the table's other messages.

Source: Home Assistant's MQTT discovery, "Device discovery payload" (since release 2024.11). In Home Assistant a state
has at most 255 characters and is read from one topic. The state of an enumeration must be one of its options.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from captains_table.phrases import as_english
from captains_table.reporting.messages import FromTable, Presence, Topic
from captains_table.runtime.config import ClubConfig
from captains_table.table.model.view import Phase

PROGRAM: Final = "Captain's Table"
SEATS: Final = "value_json.view.seats | default([])"

PHASE: Final = f"{{{{ value_json.view.phase | default('{Phase.IDLE}') }}}}"
GAME: Final = "{{ (value_json.view.title | default('', true) or 'none')[:255] }}"
ARBITER: Final = "{{ 'ON' if value_json.arbiter else 'OFF' }}"
SCORES: Final = (
    "{% set told = namespace(of=[]) %}{% if value_json.view.result is defined %}"
    "{% set told.of = value_json.view.result.scores %}"
    f"{{% else %}}{{% for seat in {SEATS} %}}"
    "{% set points = seat.tallies.total | default((seat.tallies.values() | list + ['-']) | last) %}"
    "{% set told.of = told.of + [points] %}{% endfor %}{% endif %}"
    "{{ (told.of | join(' : ') or 'none')[:255] }}"
)
WINNER: Final = (
    "{% set result = value_json.view.result | default(none) %}{% if result is none %}none"
    f"{{% elif result.winner is not none %}}{{{{ ({SEATS})[result.winner].name[:255] }}}}"
    "{% elif result.scores | select('eq', result.scores | max) | list | length > 1 %}shared"
    "{% else %}nobody{% endif %}"
)


def names_template(some: str) -> str:
    """Return a Jinja template that renders the names of selected players, or `nobody` if none is selected.

    Args:
        some: the Jinja filters that select some of the seats and join their names.
    """
    return f"{{{{ ({SEATS} | {some} or 'nobody')[:255] }}}}"


@dataclass(frozen=True, slots=True)
class Sensor:
    """A sensor of a table in Home Assistant.

    Attributes:
        report: the kind of message from which it is read.
        name: the name that people see.
        icon: its icon, one of Material Design's.
        template: the Jinja template that reads its state.
        options: its possible states, if it is an enumeration.
        about_the_line: whether it is about the connection; then it is marked as diagnostic, and stays available while
            the table is away.
        platform: its platform in Home Assistant.
    """

    report: FromTable
    name: str
    icon: str
    template: str
    options: Sequence[str] = ()
    about_the_line: bool = False
    platform: str = "sensor"


SENSORS: Final[Mapping[str, Sensor]] = {
    "state": Sensor(
        FromTable.STATUS, "Connection", "lan-connect", "{{ value_json.state }}", tuple(Presence), about_the_line=True
    ),
    "match": Sensor(FromTable.VIEW, "Match", "table-furniture", PHASE, tuple(Phase)),
    "game": Sensor(FromTable.VIEW, "Game", "chess-rook", GAME),
    "players": Sensor(
        FromTable.VIEW, "Players", "account-group", names_template("map(attribute='name') | join(' - ')")
    ),
    "score": Sensor(FromTable.VIEW, "Score", "scoreboard", SCORES),
    "turn": Sensor(
        FromTable.VIEW,
        "On turn",
        "account-clock",
        names_template("selectattr('on_turn') | map(attribute='name') | join(', ')"),
    ),
    "winner": Sensor(FromTable.VIEW, "Winner", "trophy", WINNER),
    "arbiter": Sensor(FromTable.NEEDS, "Arbiter wanted", "hand-back-left", ARBITER, platform="binary_sensor"),
}


def discovery(club: ClubConfig, version: str) -> bytes:
    """Return the discovery payload of a table, given its club's configuration and the program's version."""
    user = club.user
    online = f"{{{{ 'online' if value_json.state == '{Presence.READY}' else 'offline' }}}}"
    there = {"availability": [{"topic": str(Topic(user, FromTable.STATUS)), "value_template": online}]}
    payload = {
        "device": {
            "identifiers": [f"captains-table-{user}"],
            "name": club.called,
            "manufacturer": PROGRAM,
            "model": f"board {club.board}" if club.board else "table",
            "sw_version": version,
        },
        "origin": {"name": PROGRAM, "sw_version": version},
        "qos": 1,
        "components": {name: _sensor(user, name, sensor, there) for name, sensor in SENSORS.items()},
    }
    return msgspec.json.encode(payload, enc_hook=as_english)


def _sensor(user: str, name: str, sensor: Sensor, there: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "platform": sensor.platform,
        "unique_id": f"captains-table-{user}-{name}",
        "name": sensor.name,
        "icon": f"mdi:{sensor.icon}",
        "state_topic": str(Topic(user, sensor.report)),
        "value_template": sensor.template,
        **({"device_class": "enum", "options": sensor.options} if sensor.options else {}),
        **({"entity_category": "diagnostic"} if sensor.about_the_line else there),
    }
