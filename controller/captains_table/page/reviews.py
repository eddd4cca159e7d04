"""A match looked back on: its page, each moment of it for the page's script, and the way to the match in hand."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from captains_table.games.registry import not_installed
from captains_table.page.review_scene import ReviewScene
from captains_table.runtime.reviews import CannotAnalyse, Review
from captains_table.runtime.table import Table
from captains_table.table.history.review import Decision
from captains_table.table.model.entries import NoSuchMatch
from captains_table.web import request_reader
from captains_table.web.problems import Problem
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer

Endpoint = Callable[[Request], Awaitable[Response]]
_LONGEST_NUMBER = 9


class Reviews:
    """The addresses about one match.

    Args:
        table: whose matches they are.
        renderer: draws pages.
        reach: how others reach the page.
    """

    def __init__(self, table: Table, renderer: Renderer, reach: PageReach) -> None:
        self._table = table
        self._renderer = renderer
        self._reach = reach

    def routes(self) -> list[Route]:
        """Return the addresses about one match; who looks changes nothing."""
        gets: dict[str, Endpoint] = {
            "/matches/current": self.current,
            "/matches/{number}": self.page,
            "/matches/{number}/moment": self.moment,
        }
        return [Route(path, endpoint, methods=["GET"]) for path, endpoint in gets.items()]

    async def current(self, request: Request) -> Response:  # noqa: ARG002 - there is one match in hand at most
        """Lead to the match in hand, or to the list."""
        number = next((match.number for match in self._table.matches.listed() if match.is_current), None)
        return RedirectResponse("/matches" if number is None else f"/matches/{number}", 303)

    async def page(self, request: Request) -> Response:
        """Show a match: its result, a moment of it, its charts."""
        review = await self._review(request)
        if review.story is None:
            return HTMLResponse(self._renderer.page("review_unread", review=review, why=_why_not(review)))
        decisions = await self._decisions(review, request)
        scene = _scene(review, request, decisions)
        base = self._reach.base(request) or str(request.base_url)
        html = await run_in_threadpool(
            self._renderer.page,
            "review",
            review=review,
            scene=scene,
            link=f"{base.rstrip('/')}/matches/{review.number}",
        )
        return HTMLResponse(html)

    async def moment(self, request: Request) -> Response:
        """Return one moment of a match, for a page that shows the match already."""
        review = await self._review(request)
        if review.story is None:
            raise Problem(409, _why_not(review))
        return HTMLResponse(self._renderer.page("review_moment", scene=_scene(review, request)))

    async def _decisions(self, review: Review, request: Request) -> Sequence[Decision] | None:
        """Return what each decision cost, where that is asked for; raises Problem."""
        if "judged" not in request.query_params:
            return None
        try:
            return await self._table.reviews.analyse(review.number)
        except CannotAnalyse as error:
            raise Problem(409, str(error)) from error

    async def _review(self, request: Request) -> Review:
        number = request_reader.read_number(request.path_params["number"])
        try:
            review = await self._table.reviews.review(number)
        except NoSuchMatch:
            raise no_such_match(number) from None
        return replace(review, is_current=self._table.matches.current == number)


def no_such_match(number: int) -> Problem:
    """Return what is said of a number that no match has."""
    return Problem(404, f"There is no match {number}: expected a number from the list of matches.")


def _why_not(review: Review) -> str:
    if review.damage is not None and not review.game:
        return f"Match {review.number} is {review.damage}."
    return f"{review.why_not or not_installed(review.game)}."


def _scene(review: Review, request: Request, decisions: Sequence[Decision] | None = None) -> ReviewScene:
    """Return what a request looks at: the moment it names, or else the last; raises Problem."""
    assert review.story is not None  # noqa: S101 - whoever calls has looked
    last = len(review.story.moments)
    text = request.query_params.get("at", str(last))
    is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER
    if not is_number or int(text) > last:
        raise Problem(404, f"Match {review.number} has no moment {text[:40]!r}: expected 0 to {last}.")
    is_flipped = request.query_params.get("side") == "black"
    return ReviewScene(review, review.story, int(text), decisions, flipped=is_flipped)
