"""The only place of these tests that knows where the program keeps what it does not tell by itself."""

from typing import Any, cast

from starlette.routing import Route

from captains_table.games.registry import GAMES
from captains_table.page.app import create_app
from captains_table.table.model.events import Button
from captains_table.table.model.view import Mark, Phase
from tests.support.four_games import FOUR_GAMES

LIGHTS = frozenset(str(mark) for mark in Mark)
PHASES = frozenset(str(phase) for phase in Phase)
OTHERS_GAMES = frozenset(f"game-{key}" for key in GAMES.keys() - FOUR_GAMES.keys())  # of plug-ins
BUTTONS = frozenset(str(button) for button in Button)


def addresses() -> list[str]:
    """Return every method and address of the page; what is mounted whole has no method."""
    app = create_app(cast("Any", None))  # nothing of the table is asked until a request comes
    found = []
    for route in app.routes:
        methods = (route.methods or set()) - {"HEAD"} if isinstance(route, Route) else {"MOUNT"}
        found += [f"{method} {getattr(route, 'path', '')}" for method in methods]
    return sorted(found)
