"""The base class and the renderer of the club's pages, the check of who may see them, and helpers for responses."""

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from captains_table.club.access import Public
from captains_table.club.event_manager import EventManager
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.words import BRIEF, MEANING, caption, counted_words, game_title, how_words, time_of_day
from captains_table.club.service import ClubService
from captains_table.club.store.arbiters import BY_TOKEN, acting_arbiter, acting_in_name_of
from captains_table.phrases import as_sentence, capitalized, message_of, say
from captains_table.table.model.view import View, view_in
from captains_table.web.page_language import page_language
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene
from captains_table.web.serving.guests import Guests
from captains_table.web.stream import BOOT

LOG_IN: Final = "/arbiter/login"
ARBITERS_ALONE: Final = say(
    "This page is the arbiter's: log in, or open the address with the token of the club's server."
)
NOT_PUBLIC: Final = say("This club does not show this page to everybody: log in to see it.")
NOTHING_YET: Final = View(prompt=(say("This table has shown nothing yet"),))

Handler = Callable[[Request], Awaitable[Response]]
Chunk = TypeVar("Chunk")


def club_renderer(club: ClubService, public: Public = Public.ALL) -> Renderer:
    """Return the renderer of the club's pages, with the functions and values that all templates use.

    Links to pages that `public` does not show to everybody are left out.
    """
    return Renderer(
        "captains_table.club.pages",
        capitalized=capitalized,
        acting_arbiter=acting_arbiter,
        boot=BOOT,
        brief=BRIEF,
        called=partial(caption, club),
        clock=time_of_day,
        club=club.title,
        counted_words=counted_words,
        how=how_words,
        meaning=MEANING,
        shows={step.value: public.shows(step) for step in Public},
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

    def called(self, user: str) -> str:
        """Return the caption of a table."""
        return caption(self.club, user)

    def scene(self, user: str, *, flipped: bool) -> Scene:
        """Return what a table shows to spectators, in the language of the page."""
        view = self.club.view_in(user, page_language())
        return Scene(view or view_in(NOTHING_YET, page_language()), flipped=flipped, watches=True)

    def page(self, template: str, status: int = 200, /, **values: object) -> Response:
        """Return a page rendered from its template, as a response with this status."""
        return HTMLResponse(self.part(template, **values), status)

    def part(self, template: str, /, **values: object) -> str:
        """Return the HTML of a part of a page, rendered from its template."""
        return self.renderer.page(f"club/{template}", **values).strip()


def may_touch(request: Request) -> bool:
    """Return whether a request may change things: it carries the club's token, or no token is needed."""
    return bool(request.scope.get("may_touch", False))


def check_access(request: Request, step: Public | None, public: Public) -> None:
    """Raise Problem unless a request may see the addresses of a step.

    Args:
        request: the request.
        step: the step; `None` for the addresses of the arbiters alone.
        public: what requests without a pass may see.
    """
    if not may_touch(request) and not public.shows(step):
        raise Problem(403, ARBITERS_ALONE if step is None else NOT_PUBLIC)


def guarded(handler: Handler, step: Public | None, public: Public) -> Handler:
    """Wrap the handler of an address of a step so that it refuses requests that may not see it.

    What the handler does is logged in the name of the arbiter. A stream ends when the arbiter's log-in does.
    """

    @wraps(handler)
    async def checked(request: Request) -> Response:
        check_access(request, step, public)
        acting = request.scope["user_name"] or (BY_TOKEN if request.scope["has_token"] else "")
        with acting_in_name_of(acting):
            response = await handler(request)
        if step is None:  # so that nobody goes back to it after the log-out
            response.headers["Cache-Control"] = "no-store"
        if isinstance(response, StreamingResponse) and may_touch(request):
            response.body_iterator = _while_allowed(request.scope["may_still_touch"], response.body_iterator)
        return response

    return checked


async def _while_allowed(is_allowed: Callable[[], bool], body: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
    async for chunk in body:
        if not is_allowed():
            return
        yield chunk


def as_file(name: str) -> dict[str, str]:
    """Return the headers that make a browser save a response as a file with this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def sentence_of(error: Exception) -> str:
    """Return an error's message as a sentence that starts with a capital letter and ends with a full stop."""
    return as_sentence(message_of(error))
