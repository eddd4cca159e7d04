"""The base class and the renderer of the club's pages, the check of the club's token, and helpers for responses."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from captains_table.club.event_manager import EventManager
from captains_table.club.events.standings import points_text
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.words import BRIEF, MEANING, caption, counted_words, game_title, how_words, time_of_day
from captains_table.club.service import ClubService
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.serving.guests import Guests
from captains_table.web.stream import BOOT

ARBITERS_ALONE: Final = "This page is the arbiter's: open the address with the token that the club's server printed."

Handler = Callable[[Request], Awaitable[Response]]


def club_renderer(club: ClubService) -> Renderer:
    """Return the renderer of the club's pages, with the functions and values that all templates use."""
    return Renderer(
        "captains_table.club.pages",
        boot=BOOT,
        brief=BRIEF,
        called=partial(caption, club),
        clock=time_of_day,
        club=club.title,
        counted_words=counted_words,
        how=how_words,
        in_points=points_text,
        meaning=MEANING,
        title_of=game_title,
    )


@dataclass(eq=False)
class ClubPages:
    """The base class of a group of the club's pages.

    Attributes:
        club: the club that is shown.
        programme: the club's events, as the wall shows them.
        renderer: renders the templates.
        guests: counts and limits connections.
    """

    club: ClubService
    programme: Programme
    renderer: Renderer
    guests: Guests

    @property
    def events(self) -> EventManager:
        """The club's events and players, which the arbiter's pages change."""
        return self.programme.events

    def page(self, template: str, status: int = 200, /, **values: object) -> Response:
        """Return a page rendered from its template, as a response with this status."""
        return HTMLResponse(self.renderer.page(f"club/{template}", **values), status)

    def part(self, template: str, /, **values: object) -> str:
        """Return the HTML of a part of a page, rendered from its template."""
        return self.renderer.page(f"club/{template}", **values).strip()


def may_touch(request: Request) -> bool:
    """Return whether a request may change things: it carries the club's token, or no token is needed."""
    return bool(request.scope.get("may_touch", False))


def check_arbiter(request: Request) -> None:
    """Check that a request carries the club's token or that no token is needed; raises Problem otherwise."""
    if not may_touch(request):
        raise Problem(403, ARBITERS_ALONE)


def for_the_arbiter(handler: Handler) -> Handler:
    """Wrap a handler so that it refuses requests without the club's token, if the club requires the token."""

    @wraps(handler)
    async def guarded(request: Request) -> Response:
        check_arbiter(request)
        return await handler(request)

    return guarded


def as_file(name: str) -> dict[str, str]:
    """Return the headers that make a browser save a response as a file with this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def sentence_of(error: Exception) -> str:
    """Return an error's message as a sentence that starts with a capital letter and ends with a full stop."""
    words = str(error)
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"
