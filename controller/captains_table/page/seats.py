"""Seats: the page of whoever holds the link of one, and the page on which the table's owner finds them."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from captains_table.page.callers import seat_shown
from captains_table.page.watching import Watching
from captains_table.runtime.seat_desk import NoSuchSeat, SeatDesk, SeatLink
from captains_table.runtime.table import Table
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased
from captains_table.web import request_reader
from captains_table.web.joining import qr_picture
from captains_table.web.problems import Problem
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.rights import (
    MASTER_KEY,
    MASTER_PATH,
    SEAT_KEY,
    SEAT_PATH,
    check_throw,
)
from captains_table.web.scene import has_turn

Endpoint = Callable[[Request], Awaitable[Response]]
_NOT_KEPT = {"Cache-Control": "no-store"}


class Seats:
    """The addresses about seats.

    Args:
        table: what is played.
        renderer: draws pages.
        watching: what is to be seen.
        reach: how others reach the page.
        master: the game master's key; `None`: the table has no page of his.
    """

    def __init__(
        self, table: Table, renderer: Renderer, watching: Watching, reach: PageReach, master: str | None
    ) -> None:
        self._table = table
        self._renderer = renderer
        self._watching = watching
        self._reach = reach
        self._master = master

    def routes(self) -> list[Route]:
        """Return the addresses about seats."""
        posts: dict[str, Endpoint] = {
            "/seat/throw": self.throw,
            "/seats/{seat}/renew": self.renew,
            "/seats/{seat}/revoke": self.revoke,
        }
        return [
            Route(SEAT_PATH, self.seat, methods=["GET"]),
            Route("/seats", self.links, methods=["GET"]),
            *(Route(path, endpoint, methods=["POST"]) for path, endpoint in posts.items()),
        ]

    # --- whoever holds a link ---------------------------------------------------------------------------------------

    async def seat(self, request: Request) -> Response:
        """Show the table to a seat."""
        return HTMLResponse(self._watching.live_page(request), headers=_NOT_KEPT)

    async def throw(self, request: Request) -> Response:
        """Let the dice of a seat tumble as long as its player held his button, and fall; or press the clock."""
        body = await request_reader.read_json(request)
        held_ms = request_reader.read_held_ms(body)
        revision = request_reader.read_revision(body) if "revision" in body else None
        seat = seat_shown(request, self._table)
        check_throw(self._table.view(), seat, revision)
        self._table.handle(ButtonPressed(Button.ROLL))
        try:
            await asyncio.sleep(held_ms / 1000)
        finally:
            view = self._table.view()
            if view.tumbling and has_turn(view, seat):  # unless somebody at the table let them fall
                self._table.handle(ButtonReleased(Button.ROLL))
        return Response(status_code=204)

    # --- the table's owner ------------------------------------------------------------------------------------------

    async def links(self, request: Request) -> Response:
        """Show the owner the link of every seat, as an address and as a picture for phones."""
        if not request.scope["may_touch"]:
            raise Problem(403, "The links are for the table's owner: expected the token that the table printed.")
        keys, base = self._table.seats, self._reach.base(request)
        seats = [] if keys is None else [_shown(link, base) for link in keys.links()]
        html = self._renderer.page(
            "seats",
            seats=seats,
            master=None
            if self._master is None or not base
            else _picture(f"{base.rstrip('/')}{MASTER_PATH}?{MASTER_KEY}={self._master}"),
            can_be_reached=keys is not None,
            has_network=bool(base),
            view=self._table.view(),
        )
        return HTMLResponse(html, headers=_NOT_KEPT)

    async def renew(self, request: Request) -> Response:
        """Draw a new link for a seat: the one it had opens it no more."""
        self._change(request, lambda keys, seat: keys.renew(seat))
        return RedirectResponse("/seats", 303)

    async def revoke(self, request: Request) -> Response:
        """Take the link of a seat back."""
        self._change(request, lambda keys, seat: keys.revoke(seat))
        return RedirectResponse("/seats", 303)

    def _change(self, request: Request, change: Callable[[SeatDesk, int], None]) -> None:
        keys, seat = self._table.seats, request.path_params["seat"]
        if keys is None:
            raise Problem(
                409,
                "This page is for this machine alone and has no links to seats: expected one that others can reach.",
            )
        known = {str(link.seat): link.seat for link in keys.links() if not link.is_absent}
        try:
            change(keys, known[seat])
        except (KeyError, NoSuchSeat):
            expected = f"one of {', '.join(known)}" if known else "a match to be on the table"
            raise Problem(404, f"There is no seat {seat!r}: expected {expected}.") from None
        self._watching.send_away()


def _shown(link: SeatLink, base: str) -> dict[str, object]:
    """Return what the page shows of a seat; no address without a network."""
    if link.key is None or not base:
        return {"link": link, "address": None, "picture": None}
    return {"link": link, **_picture(f"{base.rstrip('/')}{SEAT_PATH}?{SEAT_KEY}={link.key}")}


def _picture(address: str) -> dict[str, object]:
    """Return an address as one reads it, and as a phone's camera does."""
    return {"address": address, "picture": qr_picture(address)}
