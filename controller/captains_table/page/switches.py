"""The health of the switches, as a page for people and as JSON for `captains-table doctor`."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from captains_table.runtime.table import Table
from captains_table.table.model.events import SwitchMasked
from captains_table.table.recognition.switches import Condition
from captains_table.web import request_reader
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.svg.switches_svg import WORDS, key_svg, switches_svg

Endpoint = Callable[[Request], Awaitable[Response]]


class Switches:
    """Looking at the switches, and declaring one dead."""

    def __init__(self, table: Table, renderer: Renderer) -> None:
        self._table = table
        self._renderer = renderer

    def routes(self) -> list[Route]:
        """Return the addresses about switches."""
        gets: dict[str, Endpoint] = {"/switches": self.page, "/switches.json": self.data}
        return [
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in gets.items()),
            Route("/board/mask", self.mask, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Show the board of switches, and what is known about the one that is looked at."""
        reports, shape = self._table.session.referee.switch_reports(), self._table.view().shape
        name = request.query_params.get("square")
        chosen = next((report for report in reports if str(report.square) == name), None)
        html = self._renderer.page(
            "switches",
            board=None if shape is None else switches_svg(shape, reports, chosen.square if chosen else None),
            reports=reports,
            chosen=chosen,
            unwell=[report for report in reports if report.condition is not Condition.GOOD],
            conditions=[{"name": each, "svg": key_svg(each), "words": WORDS[each]} for each in Condition],
            may_touch=request.scope["may_touch"],
        )
        return HTMLResponse(html)

    async def data(self, request: Request) -> Response:  # noqa: ARG002 - whoever asks may know
        """Return the same as JSON."""
        reports = [
            {
                "square": str(report.square),
                "closed": report.closed,
                "changes": report.changes,
                "flickers": report.flickers,
                "condition": str(report.condition),
            }
            for report in self._table.session.referee.switch_reports()
        ]
        return JSONResponse({"switches": reports})

    async def mask(self, request: Request) -> Response:
        """Let a switch say nothing from now on."""
        shape = self._table.view().shape
        if shape is None:
            raise Problem(404, "No match with a board is played: expected one to be started first.")
        square = request_reader.read_square(await request_reader.read_json(request), shape)
        self._table.handle(SwitchMasked(square))
        return Response(status_code=204)
