"""What Home Assistant is told of a table: its templates read every view that real tables showed."""

import json
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined

from captains_table.games.contract import Result
from captains_table.reporting.messages import (
    ORDERS,
    ArbiterCall,
    FromTable,
    Presence,
    Status,
    ViewMessage,
    encode,
    read_topic,
)
from captains_table.reporting.table_view import spectator_view
from captains_table.runtime.club_line.discovery import discovery
from captains_table.runtime.config import ClubConfig
from captains_table.table.model.view import Phase, SeatView, View
from tests.support.recorded_views import recorded_views, tapes

CLUB = ClubConfig(host="club.example", user="table-3", board=3, title="By the window")
LONGEST_STATE = 255
OF_A_VIEW = ("match", "game", "players", "score", "turn", "winner")
TOLD: dict[str, Any] = json.loads(discovery(CLUB, "0.1.0"))
TEMPLATES = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - Home Assistant's are not escaped


def state(component: str, message: ViewMessage | Status | ArbiterCall) -> str:
    template = TOLD["components"][component]["value_template"]
    return TEMPLATES.from_string(template).render(value_json=json.loads(encode(message)))


def seen(view: View) -> ViewMessage:
    return ViewMessage(boot="b", n=1, view=spectator_view(view))


def test_a_table_is_a_device_with_a_sensor_for_each_thing() -> None:
    assert TOLD["device"]["name"] == "By the window"
    assert TOLD["device"]["identifiers"] == ["captains-table-table-3"]
    assert set(TOLD["components"]) == {"state", "match", "game", "players", "score", "turn", "winner", "arbiter"}
    assert len({each["unique_id"] for each in TOLD["components"].values()}) == len(TOLD["components"])
    for each in TOLD["components"].values():
        topic = read_topic(each["state_topic"])
        assert topic is not None
        assert topic.kind not in ORDERS


@pytest.mark.parametrize("tape", tapes(["chess-clock", "crowns-an-auction-on-time"]))
def test_every_view_has_a_state_for_each_sensor(tape: Any) -> None:  # noqa: ANN401 - a path
    views = list(recorded_views(tape))
    for view in views[:: len(views) // 10 or 1]:
        states = {name: state(name, seen(view)) for name in OF_A_VIEW}
        assert all(0 < len(words) <= LONGEST_STATE for words in states.values()), states
        assert states["match"] == view.phase
        if view.seats:
            assert states["game"] == view.title
            assert states["players"] == " - ".join(seat.name for seat in view.seats)
            assert states["score"].count(":") == len(view.seats) - 1


def test_the_score_is_the_results_once_there_is_one() -> None:
    [*_, last] = recorded_views(tapes(["chess-mate-amended"])[0])
    assert last.result is not None
    assert state("score", seen(last)) == " : ".join(map(str, last.result.scores))


def test_who_won_is_a_player_or_shared_or_nobody_and_none_before() -> None:
    seats = (SeatView("Anne", {}, on_turn=False), SeatView("Bart", {}, on_turn=False))
    for result, words in (
        (None, "none"),
        (Result(1, (2, 5)), "Bart"),
        (Result(0, (0, 0)), "Anne"),
        (Result(None, (4, 4)), "shared"),
        (Result(None, (1, 3)), "nobody"),
    ):
        assert state("winner", seen(View(phase=Phase.OVER, seats=seats, result=result))) == words


def test_a_state_of_an_enumeration_is_one_of_its_options_as_others_are_refused_there() -> None:
    options = {name: each["options"] for name, each in TOLD["components"].items() if "options" in each}
    assert options == {"state": list(Presence), "match": list(Phase)}
    assert all(TOLD["components"][name]["device_class"] == "enum" for name in options)


def test_all_but_the_connection_is_unavailable_while_the_table_is_away() -> None:
    assert [name for name, each in TOLD["components"].items() if "availability" not in each] == ["state"]


def test_while_nobody_plays_there_is_nobody() -> None:
    states = [state(name, seen(View())) for name in OF_A_VIEW]
    assert states == ["idle", "none", "nobody", "none", "nobody", "none"]


def test_whether_a_table_is_there_and_wants_an_arbiter() -> None:
    assert state("state", Status(state=Presence.LOST)) == "lost"
    assert [state("arbiter", ArbiterCall(arbiter=wanted)) for wanted in (True, False)] == ["ON", "OFF"]
    [there] = TOLD["components"]["game"]["availability"]
    template = TEMPLATES.from_string(there["value_template"])
    assert [template.render(value_json={"state": words}) for words in ("ready", "lost")] == ["online", "offline"]
    assert FromTable.STATUS in there["topic"]
