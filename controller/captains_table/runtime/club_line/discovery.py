"""What Home Assistant is told of a table, in one retained payload: a device, and what is to be seen of it.

Source: Home Assistant's MQTT discovery, "Device discovery payload". A state has at most 255 characters there.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from captains_table.reporting.topics import Report, Topic
from captains_table.runtime.club_config import ClubConfig

PROGRAM: Final = "Captain's Table"
SEATS: Final = "value_json.view.seats | default([])"

SCORES: Final = (
    "{% set told = namespace(of=[]) %}{% if value_json.view.result is defined %}"
    "{% set told.of = value_json.view.result.scores %}"
    f"{{% else %}}{{% for seat in {SEATS} %}}"
    "{% set points = seat.tallies.total | default((seat.tallies.values() | list + ['-']) | last) %}"
    "{% set told.of = told.of + [points] %}{% endfor %}{% endif %}"
    "{{ (told.of | join(' : ') or 'none')[:255] }}"
)
TEMPLATES: Final[Mapping[str, tuple[Report, str, str, str]]] = {
    "state": (Report.STATUS, "Table", "mdi:table-furniture", "{{ value_json.state }}"),
    "game": (
        Report.VIEW,
        "Game",
        "mdi:chess-rook",
        "{{ (value_json.view.title | default('', true) or 'none')[:255] }}",
    ),
    "players": (
        Report.VIEW,
        "Players",
        "mdi:account-group",
        f"{{{{ ({SEATS} | map(attribute='name') | join(' - ') or 'nobody')[:255] }}}}",
    ),
    "score": (
        Report.VIEW,
        "Score",
        "mdi:scoreboard",
        SCORES,
    ),
    "turn": (
        Report.VIEW,
        "On turn",
        "mdi:account-clock",
        f"{{{{ ({SEATS} | selectattr('on_turn') | map(attribute='name') | join(', ') or 'nobody')[:255] }}}}",
    ),
}
"""Sensor -> the report it is read from, its name, its sign, and how its state is read."""


def discovery(club: ClubConfig, version: str) -> bytes:
    """Return what Home Assistant is told of a table."""
    user = club.user
    online = "{{ 'online' if value_json.state == 'ready' else 'offline' }}"
    there = {"availability": [{"topic": str(Topic(user, Report.STATUS)), "value_template": online}]}
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
        "components": {
            "state": _sensor(user, "state"),
            **{name: _sensor(user, name) | there for name in TEMPLATES if name != "state"},
            "arbiter": {
                "platform": "binary_sensor",
                "unique_id": f"captains-table-{user}-arbiter",
                "name": "Arbiter wanted",
                "icon": "mdi:hand-back-left",
                "state_topic": str(Topic(user, Report.NEEDS)),
                "value_template": "{{ 'ON' if value_json.arbiter else 'OFF' }}",
                **there,
            },
        },
    }
    return msgspec.json.encode(payload)


def _sensor(user: str, name: str) -> dict[str, Any]:
    report, title, icon, template = TEMPLATES[name]
    return {
        "platform": "sensor",
        "unique_id": f"captains-table-{user}-{name}",
        "name": title,
        "icon": icon,
        "state_topic": str(Topic(user, report)),
        "value_template": template,
    }
