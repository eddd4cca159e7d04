"""The requests of the pages of seats and of the game master, and the owner's page with the links to those pages.

The requests throw for a seat, renew or revoke a link, correct or end the match, and stop or restart the timers.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.games.contract import EndMatch, MasterAction
from captains_table.page.handlers import RequestHandlers, refusing_as_problem
from captains_table.page.live_pages import NO_STORE
from captains_table.page.permissions import NO_LINKS, check_master, check_played, check_throw, seat_of_key
from captains_table.phrases import listed, message, say
from captains_table.runtime.seat_links import NoSuchSeat, SeatLinks
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.playing.answers import BoardUnclear
from captains_table.web import request_reader
from captains_table.web.joining import qr_picture
from captains_table.web.problems import Problem
from captains_table.web.scene import has_turn
from captains_table.web.security import MASTER_KEY, MASTER_PATH, SEAT_KEY, SEAT_PATH

_UNCLEAR = say("The pieces are still on the move, and nothing was corrected: have the move finished or put back first.")


@dataclass(eq=False)
class SeatPages(RequestHandlers):
    """The request handlers for the throws of seats, and for the links that open the seats' pages.

    Attributes:
        master: the game master's key; `None`: the table has no game master's page.
        restart: the command that starts the table anew for other devices too; empty if its configuration says that.
    """

    master: str | None
    restart: str

    # --- players with a link ----------------------------------------------------------------------------------------

    async def throw(self, request: Request) -> None:
        """Hold the table's roll button for as long as the player held the page's button: throw dice or press the clock.

        Raises Problem if the request's key opens no seat, or if the seat may not throw.
        """
        body = await request_reader.read_json(request)
        held_ms = request_reader.read_held_ms(body)
        revision = request_reader.read_revision(body) if "revision" in body else None
        seat = seat_of_key(request, self.table)
        check_throw(self.table.view(), seat, revision)
        self.table.handle(ButtonPressed(Button.ROLL))
        try:
            await asyncio.sleep(held_ms / 1000)
        finally:
            view = self.table.view()
            if view.tumbling and has_turn(view, seat):  # unless somebody has released the button at the table
                self.table.handle(ButtonReleased(Button.ROLL))

    # --- the table's owner ------------------------------------------------------------------------------------------

    async def links(self, request: Request) -> Response:
        """Show the owner the links of all seats and of the game master, as text and as QR codes."""
        if not request.scope["may_touch"]:
            raise Problem(403, say("The links are for the table's owner: expected the token that the table printed."))
        keys, base = self.table.seats, self.reach.base(request)
        links = [] if keys is None else keys.links()
        response = self.html(
            request,
            "seats",
            seats=[{"link": link, "address": None} | _pictured(base, SEAT_PATH, SEAT_KEY, link.key) for link in links],
            master=_pictured(base, MASTER_PATH, MASTER_KEY, self.master),
            can_be_reached=keys is not None,
            restart=self.restart,
            has_network=bool(base),
            view=self.table.view(),
        )
        response.headers.update(NO_STORE)
        return response

    async def renew(self, request: Request) -> Response:
        """Issue a new key for a seat; the old link becomes invalid."""
        return self._change(request, SeatLinks.renew)

    async def revoke(self, request: Request) -> Response:
        """Invalidate the link of a seat."""
        return self._change(request, SeatLinks.revoke)

    def _change(self, request: Request, change: Callable[[SeatLinks, int], None]) -> Response:
        keys, seat = self.table.seats, request.path_params["seat"]
        if keys is None:
            raise Problem(409, NO_LINKS)
        known = {str(link.seat): link.seat for link in keys.links() if not link.is_absent}
        try:
            change(keys, known[seat])
        except (KeyError, NoSuchSeat):
            words = (
                message("There is no seat {seat}: expected one of {known}.")
                if known
                else message("There is no seat {seat}: expected a match to be on the table.")
            )
            raise Problem(404, say(words, seat=repr(seat), known=listed(list(known), ","))) from None
        self.watching.send_away()
        return RedirectResponse("/seats", 303)


class MasterPages(RequestHandlers):
    """The request handlers of what the game master's page sends, if the table has one.

    The bids and answers that the game master gives for players are handled by `PlayRequests`.
    """

    async def correct(self, request: Request) -> Response | None:
        """Apply a correction to the match; raises Problem if the correction is refused.

        Return `None` on success. While pieces are being moved, do nothing and return a response with status 409 and
        the page's fragments.
        """
        check_master(request)
        return self._do(request, request_reader.read_correction(await request_reader.read_json(request)))

    async def end(self, request: Request) -> Response | None:
        """End the match without a winner; raises Problem if no match is being played.

        Return `None` on success. While pieces are being moved, do nothing and return a response with status 409 and
        the page's fragments.
        """
        check_master(request)
        return self._do(request, EndMatch())

    async def switch_timers(self, request: Request) -> None:
        """Stop or restart the timers for bidding and acting."""
        check_master(request)
        way = request.path_params["way"]
        if way not in {"stop", "start"}:
            raise Problem(404, say("Timers cannot {way}: expected stop or start.", repr(way)))
        self.run_timers(run=way == "start")

    def _do(self, request: Request, action: MasterAction) -> Response | None:
        with refusing_as_problem(message("Nothing was corrected: {reason}")):
            check_played(self.table.view())
            try:
                self.table.handle(Answered(action))
            except BoardUnclear:
                return self.watching.conflict(request, _UNCLEAR)
        return None


def _pictured(base: str, path: str, parameter: str, key: str | None) -> dict[str, object]:
    """Return the address of the page that a key opens, as text and as a QR code; empty without a key or a network.

    Args:
        base: the page's base URL for other devices; empty without a network.
        path: the path that the key opens.
        parameter: the URL parameter for the key.
        key: the key; `None` if there is none.
    """
    if key is None or not base:
        return {}
    address = f"{base.rstrip('/')}{path}?{parameter}={key}"
    return {"address": address, "picture": qr_picture(address)}
