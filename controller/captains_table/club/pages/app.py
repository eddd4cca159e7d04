"""The club's pages as a Starlette application: which address does what."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from captains_table import web
from captains_table.club.event_desk import EventDesk
from captains_table.club.pages.arbiter import Arbiter
from captains_table.club.pages.evenings import Evenings
from captains_table.club.pages.followed import Followed
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.public_event import PublicEvent
from captains_table.club.pages.seasons import Halls, Seasons
from captains_table.club.pages.wall import Link, Wall
from captains_table.club.port import ClubPort
from captains_table.club.store.store import StoreFailed
from captains_table.web.problems import Problem, problem_response, wants_page
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.security import Guard
from captains_table.web.serving.guests import Guests
from captains_table.web.svg import pieces_svg

TEMPLATES = "captains_table.club.pages"
EVENINGS = Link("/evenings", "Evenings")
HALL = Link("/hall", "Hall of fame")
ARBITER = Link("/arbiter", "Arbiter", guarded=True)
BACK = ("/", "Back to the wall")
_DAY_S = 86_400

_log = logging.getLogger(__name__)


def create_app(
    club: ClubPort,
    *,
    programme: Programme | None = None,
    held: EventDesk | None = None,
    token: str | None = None,
    reach: PageReach | None = None,
    guests: Guests | None = None,
) -> Starlette:
    """Return the club's pages.

    Args:
        club: what is shown.
        programme: the events that are held, as the wall shows them; `None` for none.
        held: the same, as the arbiter holds them; `None`: there are no pages for him.
        token: what a POST must bring, in a cookie or the header X-Table-Token; `None` on loopback.
        reach: how the pages are reached, and by which names; `None`: by this machine alone.
        guests: counts who is there; `None` for the limits that hold where nothing is configured.
    """
    renderer, guests = Renderer(TEMPLATES), guests or Guests()
    links = (EVENINGS, HALL, *(() if held is None else (ARBITER,)))
    wall = Wall(club, renderer, guests, programme, links)
    followed = Followed(club, renderer, guests, programme)
    seasons = Seasons(club)
    halls = Halls(club, seasons, renderer)
    remembering = (wall.forget_news, *(() if held is None else (held.forget,)))
    evenings = Evenings(club, seasons, renderer, programme, remembering)
    arbiter = None if held is None else Arbiter(club, held, renderer, guests)
    public = None if held is None else PublicEvent(club, held, renderer, guests)
    streams = {"table": followed.stream}
    if arbiter is not None and public is not None:
        streams |= {"event": arbiter.event_pages.stream, "public": public.stream}
    app = Starlette(
        routes=[
            *wall.routes(),
            *followed.routes(),
            *halls.routes(),
            *evenings.routes(),
            *(() if arbiter is None else arbiter.routes()),
            *(() if public is None else public.routes()),
            *_OfNoPage(club, streams, wall).routes(),
            Mount("/static/club", StaticFiles(directory=Path(__file__).parent / "static")),
            Mount("/static", StaticFiles(directory=Path(web.__path__[0]) / "static")),
        ],
        middleware=[Middleware(Guard, token=token, hosts=(reach or PageReach("127.0.0.1", 0)).hosts, guests=guests)],
        exception_handlers={
            Problem: _on_problem,
            HTTPException: _on_http_exception,
            StoreFailed: _on_store_failed,
            ClientDisconnect: _on_disconnect,
        },
    )
    app.state.guests = guests
    return app


class _OfNoPage:
    """What belongs to no page alone: the stream of changes, the art of the pieces, and how the server is.

    Args:
        club: whose server it is.
        streams: of the pages that are known by something in the query, by its name.
        wall: streams to whoever names none of them.
    """

    def __init__(self, club: ClubPort, streams: Mapping[str, Callable[[Request], Response]], wall: Wall) -> None:
        self._club = club
        self._streams = streams
        self._wall = wall

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/events", self.events, methods=["GET"]),
            Route("/pieces.svg", self.sprite, methods=["GET"]),
            Route("/pieces/{file}", self.picture, methods=["GET"]),
            Route("/health", self.health, methods=["GET"]),
        ]

    async def events(self, request: Request) -> Response:
        """Stream what changes on a page."""
        stream = next((stream for name, stream in self._streams.items() if name in request.query_params), None)
        return self._wall.stream(request) if stream is None else stream(request)

    async def sprite(self, request: Request) -> Response:  # noqa: ARG002 - there is one sprite
        """Hand out the art of the pieces."""
        return _drawing(pieces_svg.sprite())

    async def picture(self, request: Request) -> Response:
        """Hand out one piece's art."""
        drawing = pieces_svg.pictures().get(request.path_params["file"])
        if drawing is None:
            raise Problem(404, "There is no such piece: expected one such as white-king.svg.")
        return _drawing(drawing)

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - whoever asks may know
        """Say that the pages answer, how many tables there are, and how many views came of them."""
        taken = self._club.taken()
        return JSONResponse(
            {
                "status": "ok",
                "line": self._club.line().is_up,
                "tables": len(self._club.tables()),
                "views": taken.views,
                "left_out": taken.left_out,
            }
        )


def _drawing(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": f"public, max-age={_DAY_S}"})


async def _on_problem(request: Request, error: Exception) -> Response:
    if not isinstance(error, Problem):
        raise error
    return problem_response(error.status, error.sentence, as_page=wants_page(request), back=BACK)


async def _on_http_exception(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    path = request.url.path
    sentence = {
        404: f"There is nothing at {path!r}: expected / for the wall, or a table's page.",
        405: f"{request.method} is not understood at {path!r}.",
    }.get(error.status_code, error.detail)
    return problem_response(error.status_code, sentence, as_page=wants_page(request), back=BACK)


async def _on_store_failed(request: Request, error: Exception) -> Response:
    """Answer whoever needs the club's file while the disk does not give or take it: the wall goes on."""
    _log.warning("The club's file failed, %s %s: %s", request.method, request.url.path, error)
    if request.method not in {"GET", "HEAD"}:
        sentence = f"The club's file cannot be written, and nothing was changed: {error}."
        return problem_response(507, sentence, as_page=wants_page(request), back=BACK)
    sentence = (
        f"What the club keeps cannot be read: {error}. The tables play on, and hold their results until they are kept. "
        "Expected a disk of the club's server that can be read: look at it, then try again."
    )
    return problem_response(503, sentence, as_page=wants_page(request), back=BACK)


async def _on_disconnect(request: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody reads the answer
    """Answer whoever went away while he was asking: it goes nowhere, and is no error of the club's."""
    return Response(status_code=400)
