"""What Home Assistant is told of a table: its templates read every view that real tables showed."""

import json
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined

from captains_table.reporting.messages import Needs, Presence, Seen, Status, written
from captains_table.reporting.table_view import table_view
from captains_table.reporting.topics import ORDERS, Report, read_topic
from captains_table.runtime.club_config import ClubConfig
from captains_table.runtime.club_line.discovery import discovery
from captains_table.table.model.view import View
from tests.support.recorded_views import recorded_views, tapes

CLUB = ClubConfig(host="club.example", user="table-3", board=3, title="By the window")
LONGEST_STATE = 255
TOLD: dict[str, Any] = json.loads(discovery(CLUB, "0.1.0"))
TEMPLATES = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - Home Assistant's are not escaped


def state(component: str, message: Seen | Status | Needs) -> str:
    """Return what Home Assistant makes of a report."""
    template = TOLD["components"][component]["value_template"]
    return TEMPLATES.from_string(template).render(value_json=json.loads(written(message)))


def seen(view: View) -> Seen:
    return Seen(boot="b", n=1, view=table_view(view))


def test_a_table_is_a_device_with_a_sensor_for_each_thing() -> None:
    assert TOLD["device"]["name"] == "By the window"
    assert TOLD["device"]["identifiers"] == ["captains-table-table-3"]
    assert set(TOLD["components"]) == {"state", "game", "players", "score", "turn", "arbiter"}
    assert len({each["unique_id"] for each in TOLD["components"].values()}) == len(TOLD["components"])
    for each in TOLD["components"].values():
        topic = read_topic(each["state_topic"])
        assert topic is not None
        assert topic.kind not in ORDERS


@pytest.mark.parametrize("tape", tapes(["whole-round", "chess-clock", "worked-example", "crowns-an-auction-on-time"]))
def test_every_view_has_a_state_for_each_sensor(tape: Any) -> None:  # noqa: ANN401 - a path
    views = list(recorded_views(tape))
    for view in views[:: len(views) // 10 or 1]:
        states = {name: state(name, seen(view)) for name in ("game", "players", "score", "turn")}
        assert all(0 < len(words) <= LONGEST_STATE for words in states.values()), states
        if view.seats:
            assert states["game"] == view.title
            assert states["players"] == " - ".join(seat.name for seat in view.seats)
            assert states["score"].count(":") == len(view.seats) - 1


def test_the_score_is_the_results_once_there_is_one() -> None:
    [*_, last] = recorded_views(tapes(["chess-mate-amended"])[0])
    assert last.result is not None
    assert state("score", seen(last)) == " : ".join(map(str, last.result.scores))


def test_while_nobody_plays_there_is_nobody() -> None:
    assert [state(name, seen(View())) for name in ("game", "players", "score", "turn")] == [
        "none",
        "nobody",
        "none",
        "nobody",
    ]


def test_whether_a_table_is_there_and_wants_an_arbiter() -> None:
    assert state("state", Status(state=Presence.LOST)) == "lost"
    assert [state("arbiter", Needs(arbiter=wanted)) for wanted in (True, False)] == ["ON", "OFF"]
    [there] = TOLD["components"]["game"]["availability"]
    template = TEMPLATES.from_string(there["value_template"])
    assert [template.render(value_json={"state": words}) for words in ("ready", "lost")] == ["online", "offline"]
    assert Report.STATUS in there["topic"]
