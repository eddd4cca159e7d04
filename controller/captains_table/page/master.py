"""The game master's page: his link, corrections, the end he makes, and the time he stops.

What he answers for others, bids and picks, goes the way of all answers (`touching`); `rights` says who he is.
"""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from captains_table.games.contract import EndMatch, MasterAction
from captains_table.page.addresses import NOT_KEPT, Addresses, allowed
from captains_table.page.rights import check_master, check_played
from captains_table.table.model.events import Answered
from captains_table.table.playing.answers import BoardUnclear
from captains_table.web import request_reader
from captains_table.web.problems import Problem

_UNCLEAR = "The pieces are still on the move, and nothing was corrected: have the move finished or put back first."


class Master(Addresses):
    """The addresses of the game master, where a table has one."""

    async def page(self, request: Request) -> Response:
        """Show the game master's page."""
        return HTMLResponse(self.watching.live_page(request), headers=NOT_KEPT)

    async def correct(self, request: Request) -> Response | None:
        """Set something right."""
        check_master(request)
        return self._do(request, request_reader.read_correction(await request_reader.read_json(request)))

    async def end(self, request: Request) -> Response | None:
        """End the match without a winner."""
        check_master(request)
        return self._do(request, EndMatch())

    async def switch_timers(self, request: Request) -> None:
        """Let the time to bid and to act stand still, or run on."""
        check_master(request)
        way = request.path_params["way"]
        if way not in {"stop", "start"}:
            raise Problem(404, f"Timers cannot {way!r}: expected stop or start.")
        self.run_timers(run=way == "start")

    def _do(self, request: Request, action: MasterAction) -> Response | None:
        with allowed("Nothing was corrected: {}"):
            check_played(self.table.view())
            try:
                self.table.handle(Answered(action))
            except BoardUnclear:
                return self.watching.conflict(request, _UNCLEAR)
        return None
