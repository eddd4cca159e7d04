"""The page as a Starlette application: which address does what."""

from collections.abc import Awaitable, Callable, Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from captains_table import catalog
from captains_table.catalog import DEFAULT_GAME
from captains_table.games.common.board_sizes import misfit
from captains_table.games.contract import BadOption
from captains_table.games.registry import GAMES, UnknownGame
from captains_table.page.designing import Designing
from captains_table.page.master import Master
from captains_table.page.reviews import Reviews
from captains_table.page.seats import Seats
from captains_table.page.switches import Switches
from captains_table.page.touching import Touching
from captains_table.page.verifying import Verifying
from captains_table.page.watching import Watching
from captains_table.runtime.match_archive import CannotRead, CannotResume
from captains_table.runtime.match_desk import NoSuchPairing
from captains_table.runtime.table import Table
from captains_table.runtime.table_loop import TableStopped
from captains_table.storage.exports import NoSuchForm
from captains_table.table.lobby.match_setup import Paired, Start
from captains_table.table.model.entries import NoSuchMatch
from captains_table.web import match_form, request_reader
from captains_table.web.problems import Problem, problem_response, wants_page
from captains_table.web.reach import PageReach
from captains_table.web.render import STATIC, Renderer
from captains_table.web.security import Guard
from captains_table.web.serving.guests import Guests
from captains_table.web.svg import pieces_svg

Endpoint = Callable[[Request], Awaitable[Response]]
_DAY_S = 86_400
WELL_KNOWN = ("/", "/table", "/new", "/designs", "/matches", "/records", "/rules")
MOST_NAMES = 200  # that a field proposes


def create_app(
    table: Table,
    *,
    token: str | None = None,
    reach: PageReach | None = None,
    guests: Guests | None = None,
    master: str | None = None,
) -> Starlette:
    """Return the page of a table.

    Args:
        table: what is shown and played on.
        token: what a POST must bring, in a cookie or the header X-Table-Token; None on loopback.
        reach: how the page is reached, and by which names; None: by this machine alone.
        guests: counts who is there; None for the limits that hold where nothing is configured.
        master: the game master's key; `None`: there is no page of his.
    """
    renderer = Renderer()
    guests, reach = guests or Guests(), reach or PageReach("127.0.0.1", 0)

    def opens_seat(key: str) -> bool:
        return table.seats is not None and table.seats.seat_of(key) is not None

    watching = Watching(table, renderer, guests, reach)
    static = Mount("/static", StaticFiles(directory=STATIC))
    app = Starlette(
        routes=[
            *_Pages(table, renderer, watching).routes(),
            *Touching(table, watching).routes(),
            *Seats(table, renderer, watching, reach, master).routes(),
            *(() if master is None else Master(table, watching).routes()),
            *Switches(table, renderer).routes(),
            *Reviews(table, renderer, reach).routes(),
            *Verifying(table, renderer).routes(),
            *Designing(table, renderer).routes(),
            static,
        ],
        middleware=[
            Middleware(Guard, token=token, hosts=reach.hosts, guests=guests, master=master, opens_seat=opens_seat)
        ],
        exception_handlers={
            Problem: _on_problem,
            HTTPException: _on_http_exception,
            TableStopped: _on_unavailable,
            CannotRead: _on_unavailable,
            ClientDisconnect: _on_disconnect,
        },
    )
    app.state.guests = guests
    return app


class _Pages:
    """What can be looked at, and starting and resuming matches."""

    def __init__(self, table: Table, renderer: Renderer, watching: Watching) -> None:
        self._table = table
        self._renderer = renderer
        self._watching = watching

    def routes(self) -> list[Route]:
        """Return the addresses of everything that is a page, a picture or a file."""
        gets: dict[str, Endpoint] = {
            "/": self.live,
            "/table": self.live,
            "/new": self.new,
            "/matches": self.matches,
            "/records": self.records,
            "/rules": self.rules_index,
            "/rules/{game}": self.rules,
            "/pieces.svg": self.sprite,
            "/glass.png": self.glass,
            "/events": self._watching.events,
            "/export/{file}": self.export,
            "/health": self.health,
        }
        posts: dict[str, Endpoint] = {"/new": self.start, "/matches/{number}/resume": self.resume}
        return [
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in gets.items()),
            *(Route(path, endpoint, methods=["POST"]) for path, endpoint in posts.items()),
        ]

    async def live(self, request: Request) -> Response:
        """Show the table, to spectators or to be played on."""
        return HTMLResponse(self._watching.live_page(request))

    async def new(self, request: Request) -> Response:
        """Show the form for a new match."""
        given = request_reader.merged(request.query_params.multi_items())
        return self._form(given.get("game", DEFAULT_GAME), given, "")

    def _form(self, key: str, given: dict[str, str], error: str, status: int = 200) -> Response:
        game = match_form.chosen_game(key)
        known_names, rematch, paired = self._remembered()
        proposed = match_form.proposed(given, game)
        html = self._renderer.page(
            "new",
            game=game,
            given=proposed,
            shelves=match_form.shelves(game, proposed, self._table.designs.choices),
            rows=match_form.rows(given, game),
            computers=match_form.computers(game.key),
            against=match_form.against_computer(game, known_names),
            shown=match_form.fields_shown(given, game),
            is_growing=match_form.PLAYERS in given,
            known_names=known_names,
            rematch=rematch,
            rematch_names=() if rematch is None else match_form.shown_names(rematch),
            paired=paired,
            error=error,
            view=self._table.view(),
            seat_hints=catalog.entry_of(game.key).seat_hints,
            misfits={each.key: words for each in GAMES.values() if (words := misfit(each, self._table.board_shape))},
        )
        return HTMLResponse(html, status)

    def _remembered(self) -> tuple[Sequence[str], Start | None, Sequence[Paired]]:
        """Return who played here, how the last match may be played again, and what the club wants to be played.

        A form needs none of it.
        """
        try:
            table = self._table
            return table.archive.known_names()[:MOST_NAMES], table.archive.last_start(), table.matches.paired()
        except CannotRead:
            return (), None, ()

    async def start(self, request: Request) -> Response:
        """Start a match from the form's fields."""
        fields = await request_reader.read_fields(request)
        if match_form.PAIRING in fields:
            return self._begin_paired(request, fields[match_form.PAIRING])
        game = match_form.chosen_game(fields.get("game", ""))
        try:
            names = match_form.read_names(fields, game)
            options = match_form.read_options(fields, game)
            self._table.matches.new_match(game.key, names, options)
        except (Problem, BadOption, UnknownGame) as error:
            sentence = str(error)
            if wants_page(request):
                return self._form(game.key, fields, sentence, 400)
            raise Problem(400, sentence) from error
        return _done(request, "/table")

    def _begin_paired(self, request: Request, pairing: str) -> Response:
        """Start what the club wants to be played; raises Problem."""
        try:
            self._table.matches.begin_paired(pairing)
        except (NoSuchPairing, CannotResume) as error:
            raise Problem(409, str(error)) from error
        except (BadOption, UnknownGame) as error:
            raise Problem(400, f"The club's pairing cannot be played here: {error}.") from error
        return _done(request, "/table")

    async def matches(self, request: Request) -> Response:  # noqa: ARG002 - every match is everybody's to see
        """List the matches in the journal."""
        return HTMLResponse(self._renderer.page("matches", matches=self._table.matches.listed()))

    async def records(self, request: Request) -> Response:  # noqa: ARG002 - records are there to be seen
        """Show ranks, wins and solitaire bests."""
        return HTMLResponse(self._renderer.page("records", records=self._table.archive.standings()))

    async def resume(self, request: Request) -> Response:
        """Take up a match again."""
        number = request_reader.read_number(request.path_params["number"])
        try:
            self._table.matches.resume(number)
        except NoSuchMatch:
            raise _no_such_match(number) from None
        except CannotResume as error:
            raise Problem(409, str(error)) from error
        return _done(request, "/table")

    async def export(self, request: Request) -> Response:
        """Hand out a match as a file."""
        file: str = request.path_params["file"]
        stem, _, form = file.rpartition(".")
        media_types = catalog.media_types()
        if form not in media_types:
            *others, last = (f".{known}" for known in media_types)
            expected = f"{', '.join(others)} or {last}" if others else last
            raise Problem(404, f"There is no export {file!r}: expected a match's number and {expected}.")
        number = request_reader.read_number(stem)
        try:
            text = self._table.archive.export(number, form)
        except NoSuchMatch:
            raise _no_such_match(number) from None
        except NoSuchForm as error:
            raise Problem(404, f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
        headers = {"Content-Disposition": f'attachment; filename="match-{number}.{form}"'}
        return PlainTextResponse(text, media_type=media_types[form], headers=headers)

    async def rules_index(self, request: Request) -> Response:  # noqa: ARG002 - everybody may read the rules
        """List the games whose rules are told here."""
        return HTMLResponse(self._renderer.page("rules_index"))

    async def rules(self, request: Request) -> Response:
        """Explain a game."""
        game: str = request.path_params["game"]
        html = self._renderer.rules(game)
        if html is None:
            known = ", ".join(self._renderer.games_with_rules())
            of = GAMES[game].title if game in GAMES else repr(game)
            raise Problem(404, f"There are no rules of {of} here: expected one of {known}.")
        return HTMLResponse(html)

    async def sprite(self, request: Request) -> Response:  # noqa: ARG002 - there is one sprite
        """Hand out the art of the pieces."""
        headers = {"Cache-Control": f"public, max-age={_DAY_S}"}
        return Response(pieces_svg.sprite(), media_type="image/svg+xml", headers=headers)

    async def glass(self, request: Request) -> Response:  # noqa: ARG002 - there is one glass
        """Hand out the picture on the glass."""
        return Response(self._table.display_png(), media_type="image/png", headers={"Cache-Control": "no-store"})

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - whoever asks may know
        """Say that the page answers, and where the table stands."""
        view = self._table.view()
        return JSONResponse({"status": "ok", "phase": view.phase, "game": view.game, "revision": view.revision})


def _no_such_match(number: int) -> Problem:
    return Problem(404, f"There is no match {number}: expected a number from the list of matches.")


def _done(request: Request, page: str) -> Response:
    """Return the answer to a form: the page to go to, or nothing for a script."""
    return RedirectResponse(page, 303) if wants_page(request) else Response(status_code=204)


async def _on_problem(request: Request, error: Exception) -> Response:
    if not isinstance(error, Problem):
        raise error
    return problem_response(error.status, error.sentence, as_page=wants_page(request))


async def _on_http_exception(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    path = request.url.path
    sentence = {
        404: f"There is nothing at {path!r}: expected one of {', '.join(WELL_KNOWN)} or /verify.",
        405: f"{request.method} is not understood at {path!r}.",
    }.get(error.status_code, error.detail)
    return problem_response(error.status_code, sentence, as_page=wants_page(request))


async def _on_unavailable(request: Request, error: Exception) -> Response:
    return problem_response(503, str(error), as_page=wants_page(request))


async def _on_disconnect(request: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody reads the answer
    """Answer whoever went away while he was asking: it goes nowhere, and is no error of the table's."""
    return Response(status_code=400)
