"""The pages that review a match as a whole or at one moment, and a redirect to the review of the current match."""

from collections.abc import Sequence
from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from captains_table.games.contract import IllegalAction
from captains_table.games.registry import not_installed
from captains_table.page.handlers import RequestHandlers, match_number
from captains_table.page.permissions import seat_of_key
from captains_table.page.review_scene import OtherLine, ReviewScene
from captains_table.phrases import message_of, say
from captains_table.runtime.reviews import Review
from captains_table.table.history.review import JudgedDecision, MatchReview
from captains_table.web.page_language import on_page
from captains_table.web.problems import Problem
from captains_table.web.request_reader import whole_number

LONGEST_LINE = 20  # moves


class ReviewPages(RequestHandlers):
    """The request handlers of match reviews; none of them changes anything at the table."""

    async def current(self, request: Request) -> Response:  # noqa: ARG002 - there is at most one current match
        """Redirect to the review of the current match, or to the list of matches if there is no current match."""
        number = next((match.number for match in self.table.matches.listed() if match.is_current), None)
        return RedirectResponse("/matches" if number is None else f"/matches/{number}", 303)

    async def coach(self, request: Request) -> Response:
        """Return as JSON what the last finished turn was worth; with status 204 if nothing is said about it.

        Raises Problem for spectators.
        """
        if not request.scope["may_touch"]:
            seat_of_key(request, self.table)
        session = self.table.session
        match, club = session.match, session.club_state()
        is_silent = match is None or session.teaches is not None or (club is not None and club.is_paired)
        found = None if match is None or is_silent else await self.table.coach.last_turn(match)
        if found is None:
            return Response(status_code=204)
        return JSONResponse({name: on_page(value) for name, value in found._asdict().items()})

    async def page(self, request: Request) -> Response:
        """Show the review of a match: its result, one of its moments, its charts, and on request its judged decisions.

        A match that cannot be replayed gets a page with the reason.
        """
        review = await self._review(request)
        if review.story is None:
            return self.html(request, "review_unread", review=review, why=_why_not(review))
        is_judged = "judged" in request.query_params
        decisions = await self.table.reviews.analyse(review.number) if is_judged else None
        scene = _scene(review, request, decisions)
        base = self.reach.base(request) or str(request.base_url)
        link = f"{base.rstrip('/')}/matches/{review.number}"
        return await run_in_threadpool(self.html, request, "review", review=review, scene=scene, link=link)

    async def moment(self, request: Request) -> Response:
        """Return one moment of a match, for a review page that is already open.

        Raises Problem if the match has no such moment or cannot be replayed.
        """
        return self.html(request, "review_moment", scene=_scene(await self._review(request), request))

    async def progress(self, request: Request) -> Response:
        """Return as JSON how many actions of a match were judged, and of how many; status 204 if none is judged now."""
        with match_number(request.path_params["number"]) as number:
            found = self.table.reviews.progress(number)
        return Response(status_code=204) if found is None else JSONResponse({"done": found[0], "of": found[1]})

    async def picture(self, request: Request) -> Response:
        """Return the result of a match as an SVG picture to keep; raises Problem if there is no result to draw."""
        review = await self._review(request)
        scene = _scene(review, request)
        result = scene.story.result
        if result is None:
            raise Problem(409, say("Match {number} is not over: expected a finished match.", review.number))
        svg = await run_in_threadpool(scene.picture, result)
        headers = {"Content-Disposition": f'attachment; filename="match-{review.number}.svg"'}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def _review(self, request: Request) -> Review:
        with match_number(request.path_params["number"]) as number:
            review = await self.table.reviews.review(number)
            return replace(review, is_current=self.table.matches.current == number)


def _why_not(review: Review) -> str:
    if review.damage is not None and not review.game:
        return say("Match {number} is {damage}.", review.number, review.damage)
    return say("{sentence}.", review.why_not or not_installed(review.game))


def _scene(review: Review, request: Request, decisions: Sequence[JudgedDecision] | None = None) -> ReviewScene:
    """Return the review of a match at one moment: the moment with the number `at` in the request, or the last moment.

    The board is shown from Black's side if the request has `side=black`. Raises Problem if the match has no moment with
    the requested number, or if it cannot be replayed.
    """
    if review.story is None:
        raise Problem(409, _why_not(review))
    last = len(review.story.moments)
    text = request.query_params.get("at", str(last))
    at = whole_number(text, last)
    if at is None:
        wrong = say("Match {number} has no moment {text}: expected 0 to {last}.", review.number, repr(text[:40]), last)
        raise Problem(404, wrong)
    is_flipped = request.query_params.get("side") == "black"
    line = _line(review.story, at, request)
    return ReviewScene(review, review.story, at, decisions, line, is_flipped)


def _line(story: MatchReview, at: int, request: Request) -> OtherLine | None:
    """Return the other line that a request asks for in place of a moment; `None` if it asks for none.

    The request names its moves in `line`, joined by dots, and how many of them are shown in `ply`. Raises Problem if
    they cannot be made there.
    """
    text, number = request.query_params.get("line", ""), request.query_params.get("ply", "1")
    ids = text.split(".")[:LONGEST_LINE]
    if not text or not at:
        return None
    ply = whole_number(number, len(ids))
    if not ply:
        wrong = say("The line has no move {ply}: expected 1 to {last}.", repr(number[:40]), len(ids))
        raise Problem(404, wrong)
    try:
        played = story.played_on(story.moments[at - 1].place, ids)
    except IllegalAction as error:
        raise Problem(404, say("The line cannot be played there: {reason}.", message_of(error))) from error
    return OtherLine(tuple(ids), tuple(label for label, _ in played), played[ply - 1][1], ply)
