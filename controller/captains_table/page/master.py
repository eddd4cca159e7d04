"""The game master's page: his link, corrections, the end he makes, and the time he stops.

What he answers for others, bids and picks, goes the way of all answers (`touching`); `rights` says who he is.
"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from captains_table.games.contract import EndMatch, IllegalAction, MasterAction
from captains_table.page.watching import Watching
from captains_table.runtime.table import Table
from captains_table.table.model.events import Answered, TimersSwitched
from captains_table.table.playing.answers import BoardUnclear
from captains_table.web import request_reader
from captains_table.web.problems import Problem
from captains_table.web.rights import MASTER_PATH, check_master, check_played

Endpoint = Callable[[Request], Awaitable[Response]]
_NOT_KEPT = {"Cache-Control": "no-store"}
_UNCLEAR = "The pieces are still on the move, and nothing was corrected: have the move finished or put back first."


class Master:
    """The addresses of the game master, where a table has one.

    Args:
        table: what is played.
        watching: what is to be seen.
    """

    def __init__(self, table: Table, watching: Watching) -> None:
        self._table = table
        self._watching = watching

    def routes(self) -> list[Route]:
        """Return the game master's addresses."""
        posts: dict[str, Endpoint] = {
            f"{MASTER_PATH}/correct": self.correct,
            f"{MASTER_PATH}/end": self.end,
            f"{MASTER_PATH}/timers/{{way}}": self.switch_timers,
        }
        return [
            Route(MASTER_PATH, self.page, methods=["GET"]),
            *(Route(path, endpoint, methods=["POST"]) for path, endpoint in posts.items()),
        ]

    async def page(self, request: Request) -> Response:
        """Show the game master's page."""
        return HTMLResponse(self._watching.live_page(request), headers=_NOT_KEPT)

    async def correct(self, request: Request) -> Response:
        """Set something right."""
        check_master(request)
        return self._do(request, request_reader.read_correction(await request_reader.read_json(request)))

    async def end(self, request: Request) -> Response:
        """End the match without a winner."""
        check_master(request)
        return self._do(request, EndMatch())

    async def switch_timers(self, request: Request) -> Response:
        """Let the time to bid and to act stand still, or run on."""
        check_master(request)
        way = request.path_params["way"]
        if way not in {"stop", "start"}:
            raise Problem(404, f"Timers cannot {way!r}: expected stop or start.")
        try:
            check_played(self._table.view())
            self._table.handle(TimersSwitched(way == "start"))
        except IllegalAction as error:
            raise Problem(400, f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
        return Response(status_code=204)

    def _do(self, request: Request, action: MasterAction) -> Response:
        try:
            check_played(self._table.view())
            self._table.handle(Answered(action))
        except BoardUnclear:
            fragments = dict(self._watching.fragments(self._watching.look(request)))
            return JSONResponse({"error": _UNCLEAR, "fragments": fragments}, 409)
        except IllegalAction as error:
            raise Problem(400, f"Nothing was corrected: {error}.") from error
        return Response(status_code=204)
