"""The page of the board's reed switches, where a broken one can be masked; their state also as JSON."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from captains_table.page.handlers import RequestHandlers
from captains_table.phrases import say
from captains_table.table.model.events import SwitchMasked
from captains_table.table.recognition.switches import Condition
from captains_table.web import request_reader
from captains_table.web.page_language import on_page
from captains_table.web.problems import Problem
from captains_table.web.svg.switches_svg import SWITCH_WORDS, switch_label, switch_legend_svg, switches_svg


class SwitchPage(RequestHandlers):
    """The request handlers that show the state of the switches, and make the table ignore a chosen switch."""

    async def page(self, request: Request) -> Response:
        """Show all switches, and the details of the one whose square the address names."""
        reports, shape = self.table.session.referee.switch_reports(), self.table.view().shape
        name = request.query_params.get("square")
        chosen = next((report for report in reports if str(report.square) == name), None)
        return self.html(
            request,
            "switches",
            board=None if shape is None else switches_svg(shape, reports, chosen.square if chosen else None),
            reports=reports,
            chosen=chosen,
            unwell=[report for report in reports if report.condition is not Condition.GOOD],
            conditions=[
                {"name": each, "svg": switch_legend_svg(each), "words": SWITCH_WORDS[each]} for each in Condition
            ],
        )

    async def data(self, _: Request) -> Response:
        """Return the state of all switches as JSON, and what to call each in the language of the page."""
        reports = self.table.session.referee.switch_reports()
        switches = [
            {
                "square": str(report.square),
                "closed": report.closed,
                "changes": report.changes,
                "flickers": report.flickers,
                "condition": str(report.condition),
            }
            for report in reports
        ]
        labels = {str(each.square): on_page(switch_label(each)) for each in reports}
        return JSONResponse({"switches": switches, "labels": labels})

    async def mask(self, request: Request) -> None:
        """Mask the switch of a square: the table ignores the switch from now on; raises Problem without a board."""
        shape = self.table.view().shape
        if shape is None:
            raise Problem(404, say("No match with a board is played: expected one to be started first."))
        square = request_reader.read_square(await request_reader.read_json(request), shape)
        self.table.handle(SwitchMasked(square))
