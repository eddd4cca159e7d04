"""Assembles the club's pages into a Starlette application, with routes and error handlers.

The module itself serves the pictures of pieces and the health check, and selects the stream of a page's live updates.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Scope

from captains_table.club.access import Public
from captains_table.club.pages.arbiter import Arbiter
from captains_table.club.pages.club_pages import (
    LOG_IN,
    ClubPages,
    Handler,
    check_access,
    club_renderer,
    guarded,
    may_touch,
    sentence_of,
)
from captains_table.club.pages.evenings import Evenings
from captains_table.club.pages.event_pages import EventPages, PublicEvent
from captains_table.club.pages.live_games import LiveGames
from captains_table.club.pages.login import Login
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.seasons import Halls, Seasons
from captains_table.club.pages.table_page import Overlay, TablePage
from captains_table.club.pages.wall import Wall
from captains_table.club.service import ClubService
from captains_table.club.store.arbiters import Arbiters
from captains_table.club.store.store import NoSuch, StoreFailed
from captains_table.phrases import message_of, say
from captains_table.web.languages import LanguageChoice
from captains_table.web.problems import NOT_FOUND, Problem, ProblemPages
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.security import Guard, LogIn
from captains_table.web.serving.guests import Guests
from captains_table.web.static_files import STATIC, StaticFolder, drawing_response
from captains_table.web.svg import pieces_svg

Stream = Callable[[Request], Response]
_log = logging.getLogger(__name__)


def create_app(  # noqa: PLR0913 - what the server's configuration says
    club: ClubService,
    programme: Programme,
    *,
    token: str | None = None,
    public: Public = Public.ALL,
    https_port: int = 0,
    reach: PageReach | None = None,
    guests: Guests | None = None,
    language: str = "en",
) -> Starlette:
    """Return the application with the club's pages.

    Args:
        club: the club that is shown.
        programme: the club's events.
        token: the club's token, which the arbiter's pages and every POST require in a cookie or the header
            X-Table-Token, unless an arbiter is logged in; `None` if no request needs a token.
        public: what requests may see without a token or a log-in.
        https_port: the port of the encrypted pages; 0 if this server has none.
        reach: the addresses and names of the pages; `None` if they are reachable only from this machine.
        guests: counts and limits connections; `None` for the default limits.
        language: the code of the club's language.
    """
    guests, reach, renderer = guests or Guests(), reach or PageReach("127.0.0.1", 0), club_renderer(club, public)
    arbiters = Arbiters(club.store.database)
    parts = (club, programme, renderer, guests)
    login = Login(*parts, arbiters, https_port)
    expected = say("/ for the wall, or a table's page")
    problems = _Problems(renderer.page, "club/problem", expected, {NoSuch: NOT_FOUND}, sentence_of)
    app = Starlette(
        routes=[
            *_routes(parts, login, public, reach),
            Mount("/static/club", StaticFolder(directory=Path(__file__).parent / "static")),
            Mount("/static", StaticFolder(directory=STATIC)),
        ],
        middleware=[
            Middleware(LanguageChoice, default=lambda: language, is_shared=_is_of_wall),
            Middleware(
                Guard,
                token=token,
                hosts=reach.hosts,
                guests=guests,
                log_in=LogIn(
                    LOG_IN,
                    lambda key: arbiters.arbiter_of(key, club.now_s()),
                    lambda: not arbiters.is_token_revoked(),
                ),
            ),
        ],
        exception_handlers=problems.handlers() | {StoreFailed: problems.on_store_failed},
    )
    app.state.guests = guests
    return app


def _routes(
    parts: tuple[ClubService, Programme, Renderer, Guests], login: Login, shown_to_all: Public, reach: PageReach
) -> Iterator[Route]:
    """Yield all routes, each with the check of who may see it; those of the step `None` are the arbiters' alone.

    `parts` is what every group of pages (`ClubPages`) has. The middleware `Guard` requires the club's token or a log-in
    for every POST, except for logging in.
    """
    seasons = Seasons(login.club)
    wall, followed, events = Wall(*parts, reach), TablePage(*parts), EventPages(*parts)
    arbiter, halls, evenings = Arbiter(*parts), Halls(*parts, seasons), Evenings(*parts, seasons)
    public, live, overlay = PublicEvent(*parts), LiveGames(*parts), Overlay(*parts)
    streams: dict[str, tuple[Public | None, Stream]] = {
        "": (Public.WALL, wall.stream),
        "table": (Public.WALL, followed.stream),
        "event": (None, events.stream),
        "public": (Public.EVENTS, public.stream),
        "overlay": (Public.NOTHING, overlay.stream),  # an overlay asks for its own secret
    }
    others = _SharedRoutes(*parts, shown_to_all, streams)
    gets: dict[Public | None, dict[str, Handler]] = {
        Public.NOTHING: {
            LOG_IN: login.form,
            "/health": others.health,
            "/pieces.svg": others.sprite,
            "/pieces/{file}": others.picture,
            "/tables/{user}/overlay": overlay.page_of_table,
            "/events": others.changes,  # each stream has a step of its own
        },
        Public.WALL: {"/": wall.wall, "/tables/{user}": followed.table},
        Public.EVENTS: {"/events/{number}": public.event, "/live/{number}.pgn": live.pgn},
        Public.ALL: {
            "/evenings": evenings.all,
            "/evenings/{number}": evenings.one,
            "/evenings/{number}/exports.zip": evenings.exports,
            "/results/{seal}": evenings.result,
            "/results/{seal}/export.json": evenings.export,
            "/hall": halls.hall,
            "/hall/{game}": halls.hall,
            "/players": halls.player,
        },
        None: {
            "/arbiter": arbiter.overview,
            "/arbiter/players": arbiter.players,
            "/arbiter/players/{player}/forget": arbiter.forgetting,
            "/arbiter/strike": arbiter.proposed_strike,
            "/arbiter/tables": arbiter.tables,
            "/arbiter/new": events.new,
            "/arbiter/report": events.report,
            "/arbiter/events/{number}": events.event,
            "/arbiter/events/{number}/settings": events.settings,
            "/arbiter/events/{number}/by-hand": events.pair_by_hand,
            "/arbiter/events/{number}/sheet": events.sheet,
            "/arbiter/events/{number}/report.trf": events.trf,
            "/arbiter/events/{number}/games.zip": events.games,
        },
    }
    posts: dict[str, Handler] = {
        "/tables/{user}/large": followed.show_large,
        "/tables/{user}/overlay/renew": followed.renew_overlay,
        "/evenings/{number}/delete": evenings.delete,
        LOG_IN: login.log_in,
        "/arbiter/logout": login.log_out,
        "/arbiter/evening": arbiter.begin_evening,
        "/arbiter/calls/{user}": arbiter.answer,
        "/arbiter/results/{match}": arbiter.correct,
        "/arbiter/strike": arbiter.strike,
        "/arbiter/strikes/{strike}/back": arbiter.take_back,
        "/arbiter/listen": arbiter.listen,
        "/arbiter/overlapping": arbiter.take_overlapping,
        "/arbiter/tables/{user}": arbiter.name_table,
        "/arbiter/players": arbiter.add_player,
        "/arbiter/players/several": arbiter.add_players,
        "/arbiter/players/ratings": arbiter.ratings,
        "/arbiter/players/{player}": arbiter.change_player,
        "/arbiter/players/{player}/carry": arbiter.carry,
        "/arbiter/players/{player}/forget": arbiter.forget,
        "/arbiter/new": events.make,
        "/arbiter/report": events.read_report,
        "/arbiter/events/{number}/{deed}": events.do,
    }
    for step, handlers in gets.items():
        for path, handler in handlers.items():
            yield Route(path, guarded(handler, step, shown_to_all), methods=["GET"])
    for path, handler in posts.items():
        yield Route(path, guarded(handler, Public.NOTHING if path == LOG_IN else None, shown_to_all), methods=["POST"])


def _is_of_wall(scope: Scope) -> bool:
    return scope["path"] == "/" or (scope["path"] == "/events" and b"page=wall" in scope["query_string"])


@dataclass(eq=False)
class _SharedRoutes(ClubPages):
    """Addresses that belong to no single page: live updates, pictures of pieces, and the health check.

    Attributes:
        public: what requests may see without a token or a log-in.
        streams: each page's stream and its step, by the name of the query parameter that selects it; empty for the
            wall's stream, which requests without any of these parameters get.
    """

    public: Public
    streams: Mapping[str, tuple[Public | None, Stream]]

    async def changes(self, request: Request) -> Response:
        """Stream the updates of the page that a query parameter names; without a name, those of the wall page."""
        step, stream = self.streams[next((name for name in self.streams if name and name in request.query_params), "")]
        check_access(request, step, self.public)
        return stream(request)

    async def sprite(self, request: Request) -> Response:
        """Send the pictures of all pieces as one SVG."""
        return drawing_response(request, pieces_svg.sprite())

    async def picture(self, request: Request) -> Response:
        """Send the picture of one piece as SVG; raises Problem if there is no such piece."""
        drawing = pieces_svg.pictures().get(request.path_params["file"])
        if drawing is None:
            raise Problem(404, say("There is no such piece: expected one such as white-king.svg."))
        return drawing_response(request, drawing)

    async def health(self, request: Request) -> Response:
        """Return as JSON whether the broker is connected, and the numbers of tables, received views and lost views.

        Those who may not see the wall learn only that the server answers.
        """
        if not (self.public.shows(Public.WALL) or may_touch(request)):
            return JSONResponse({"status": "ok"})
        taken = self.club.tables.taken
        return JSONResponse(
            {
                "status": "ok",
                "line": self.club.line.is_up,
                "tables": len(self.club.tables.all()),
                "views": taken.views,
                "left_out": taken.left_out,
            }
        )


class _Problems(ProblemPages):
    """Answers requests that fail or that the club refuses."""

    async def on_store_failed(self, request: Request, error: Exception) -> Response:
        """Log and answer a request that failed because the database cannot be read or written."""
        _log.warning("The club's file failed, %s %s: %s", request.method, request.url.path, error)
        if request.method not in {"GET", "HEAD"}:
            words = say("The club's file cannot be written, and nothing was changed: {reason}.", message_of(error))
            return self.response(request, 507, words)
        sentence = say(
            "What the club keeps cannot be read: {reason}. The tables play on, and hold their results until they are "
            "kept. Expected a disk of the club's server that can be read: look at it, then try again.",
            message_of(error),
        )
        return self.response(request, 503, sentence)
