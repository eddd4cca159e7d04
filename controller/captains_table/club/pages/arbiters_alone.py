"""What all of the arbiter's pages have in common: nobody else gets an answer, and what is wrong is a sentence."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from captains_table.club.pages.words import time_of_day
from captains_table.club.port import ClubPort
from captains_table.club.store.event_log import NoSuchEvent, NoSuchPlayer
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer

ARBITERS_ALONE: Final = "This page is the arbiter's: open the address with the token that the club's server printed."

Handler = Callable[[Request], Awaitable[Response]]


def check_arbiter(request: Request) -> None:
    """Raise Problem where a request does not bring the club's token."""
    if not request.scope.get("may_touch", False):
        raise Problem(403, ARBITERS_ALONE)


def for_the_arbiter(handler: Handler) -> Handler:
    """Return a handler that answers nobody but who has the club's token."""

    @wraps(handler)
    async def guarded(request: Request) -> Response:
        check_arbiter(request)
        try:
            return await handler(request)
        except (NoSuchEvent, NoSuchPlayer) as error:
            raise Problem(404, sentence_of(error)) from error

    return guarded


def arbiters_routes(ways: list[tuple[str, Handler, str]]) -> list[Route]:
    """Return the arbiter's addresses: below `/arbiter`, who answers, and by which verb."""
    return [Route(f"/arbiter{path}", for_the_arbiter(handler), methods=[verb]) for path, handler, verb in ways]


class ArbitersPages:
    """Draws the arbiter's pages.

    Args:
        club: whose pages they are.
        renderer: draws them.
    """

    def __init__(self, club: ClubPort, renderer: Renderer) -> None:
        self._club = club
        self._renderer = renderer

    def page(self, name: str, status: int = 200, **values: object) -> Response:
        """Return a page by its template."""
        values = {"title": self._club.title, "clock": time_of_day, **values}
        return HTMLResponse(self._renderer.page(f"club/arbiter/{name}", **values), status)


def sentence_of(error: Exception) -> str:
    """Return what an error says as a sentence."""
    words = str(error)
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"
