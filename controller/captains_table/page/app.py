"""The table's web application (Starlette): its routes, its error responses, and the handlers of its general pages.

These pages show the table, the journal, records and rules, and start, resume and export matches. Further handlers serve
the pieces' drawings, the display's picture and a health check.
"""

from collections.abc import Awaitable, Callable, Iterator

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from captains_table import catalog
from captains_table.catalog import DEFAULT_GAME
from captains_table.games.common.board_sizes import misfit
from captains_table.games.contract import BadOption
from captains_table.games.registry import GAMES, UnknownGame
from captains_table.page.design_pages import DesignPages
from captains_table.page.handlers import REFUSAL_STATUS, RequestHandlers, match_number, redirect_after_post
from captains_table.page.live_pages import LivePages, if_readable
from captains_table.page.play_requests import PlayRequests
from captains_table.page.record_scene import ranking_tables, result_tables
from captains_table.page.reviews import ReviewPages
from captains_table.page.seats import MasterPages, SeatPages
from captains_table.page.switches import SwitchPage
from captains_table.page.verify_page import VerifyPage
from captains_table.phrases import listed, message, message_of, say
from captains_table.runtime.table import Table
from captains_table.table.meanings import meanings_at
from captains_table.table.model.settings import PACES
from captains_table.table.model.view import Phase
from captains_table.web import match_form, request_reader
from captains_table.web.languages import LanguageChoice
from captains_table.web.page_language import on_page
from captains_table.web.problems import Problem, ProblemPages, wants_page
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.security import MASTER_PATH, SEAT_PATH, Guard
from captains_table.web.serving.guests import Guests
from captains_table.web.static_files import STATIC, StaticFolder, drawing_response
from captains_table.web.svg import pieces_svg

Endpoint = Callable[[Request], Awaitable[Response]]
PostHandler = Callable[[Request], Awaitable[Response | None]]
WELL_KNOWN = ("/", "/table", "/new", "/designs", "/matches", "/records", "/rules")
MOST_NAMES = 200  # how many names a field suggests


def create_app(
    table: Table,
    *,
    token: str | None = None,
    reach: PageReach | None = None,
    guests: Guests | None = None,
    master: str | None = None,
    restart: str = "",
) -> Starlette:
    """Return the web application of a table.

    Args:
        table: the table that is shown and played on.
        token: the owner's token, which permits every POST. A seat's key and the game master's key permit some POSTs.
            `None`: everybody who reaches the page is the owner.
        reach: the addresses and host names of the page; `None`: the page is reachable from this machine only.
        guests: counts connections and event streams; `None`: with the default limits.
        master: the game master's key; `None`: there is no game master's page.
        restart: the command that starts the table anew for other devices too; empty if its configuration says that.
    """
    guests, reach = guests or Guests(), reach or PageReach("127.0.0.1", 0)

    def opens_seat(key: str) -> bool:
        return table.seats is not None and table.seats.seat_of(key) is not None

    renderer = Renderer(
        pace=lambda: table.view().pace,
        board_words=lambda: table.session.board_words(),  # noqa: PLW0108 - set once the board is known
        is_playing=lambda: table.view().phase not in {Phase.IDLE, Phase.OVER},
    )
    addresses = listed([*WELL_KNOWN, "/verify"], "or")
    problems = ProblemPages(renderer.page, "problem", addresses, REFUSAL_STATUS)
    app = Starlette(
        routes=[
            *_routes(LivePages(table, renderer, guests, reach), master, restart),
            Mount("/static", StaticFolder(directory=STATIC)),
        ],
        middleware=[
            Middleware(LanguageChoice, default=lambda: table.session.settings.language),
            Middleware(Guard, token=token, hosts=reach.hosts, guests=guests, master=master, opens_seat=opens_seat),
        ],
        exception_handlers=problems.handlers(),
    )
    app.state.guests = guests
    return app


def _routes(watching: LivePages, master: str | None, restart: str) -> Iterator[Route]:
    """Yield all routes of the page; if two of them match an address, the first one answers."""
    common = (watching.table, watching.renderer, watching, watching.reach)
    pages, touching, switches, reviews = (
        _Pages(*common),
        PlayRequests(*common),
        SwitchPage(*common),
        ReviewPages(*common),
    )
    verifying, designing = VerifyPage(*common), DesignPages(*common)
    seats, game_master = SeatPages(*common, master, restart), MasterPages(*common)
    gets: dict[str, Endpoint] = {
        **dict.fromkeys(("/", "/table", SEAT_PATH), watching.page),
        "/play": pages.play,
        "/new": pages.new,
        "/matches": pages.matches,
        "/records": pages.records,
        "/rules": pages.rules_index,
        "/rules/{game}": pages.rules,
        "/games/{game}.svg": pages.picture,
        "/pieces.svg": pages.sprite,
        "/glass.png": pages.glass,
        "/meaning": pages.meaning,
        "/events": watching.events,
        "/export/{file}": pages.export,
        "/health": pages.health,
        "/seats": seats.links,
        "/switches": switches.page,
        "/switches.json": switches.data,
        "/coach": reviews.coach,
        "/matches/current": reviews.current,
        "/matches/{number}": reviews.page,
        "/matches/{number}/moment": reviews.moment,
        "/matches/{number}/progress": reviews.progress,
        "/matches/{number}/result.svg": reviews.picture,
        "/verify": verifying.form,
        "/matches/{number}/verify": verifying.own,
        "/designs": designing.listed,
        "/designs/draw": designing.draw,
        "/designs/draw.json": designing.redraw,
        "/designs/signs": designing.signs,
    }
    posts: dict[str, PostHandler] = {
        "/new": pages.start,
        "/matches/{number}/resume": pages.resume,
        "/leave": pages.leave,
        "/lessons/{game}": touching.begin_lesson,
        "/lesson/{way}": touching.act_in_lesson,
        "/answer": touching.answer,
        "/button/{button}/{way}": touching.button,
        "/die/{die}": touching.toggle,
        "/words": touching.give_words,
        "/player": touching.seat_player,
        "/advice": touching.advise,
        "/pace/{pace}": pages.set_pace,
        "/timers/start": touching.start_timers,
        "/arbiter/{way}": touching.call_arbiter,
        "/board/click": touching.click,
        "/board/take": touching.take,
        "/board/beside": touching.beside,
        "/board/put-back": touching.put_back,
        "/board/set-up": touching.set_up,
        "/board/noise/{state}": touching.make_noisy,
        "/board/mask": switches.mask,
        "/seat/throw": seats.throw,
        "/seats/{seat}/renew": seats.renew,
        "/seats/{seat}/revoke": seats.revoke,
        "/verify": verifying.verify,
        "/designs/save": designing.save,
        "/designs/delete": designing.delete,
    }
    if master is not None:
        gets[MASTER_PATH] = watching.page
        posts |= {
            f"{MASTER_PATH}/correct": game_master.correct,
            f"{MASTER_PATH}/end": game_master.end,
            f"{MASTER_PATH}/timers/{{way}}": game_master.switch_timers,
        }
    yield from (Route(path, endpoint, methods=["GET"]) for path, endpoint in gets.items())
    yield from (Route(path, _answered(deed), methods=["POST"]) for path, deed in posts.items())


def _answered(deed: PostHandler) -> Endpoint:
    """Return an endpoint that calls the handler `deed`; it answers with status 204 if the handler has no response."""

    async def endpoint(request: Request) -> Response:
        return await deed(request) or Response(status_code=204)

    return endpoint


class _Pages(RequestHandlers):
    """The request handlers that show matches, records and rules, and that start, resume and export matches.

    They also serve the pieces' drawings, the display's picture and a health check.
    """

    async def play(self, request: Request) -> Response:
        """Redirect to the table; from a match at the table and after a match, to the games that may be played next."""
        phase, from_table = self.table.view().phase, request.query_params.get("from") == "table"
        to_games = phase is Phase.OVER or (from_table and phase is not Phase.IDLE)
        return RedirectResponse("/new" if to_games else "/table", 303)

    async def new(self, request: Request) -> Response:
        """Show the first screen; or the form for a new match of a game, filled in as the address says."""
        given = request_reader.merged(request.query_params.multi_items())
        if not given:
            return self.html(request, "choose", first=self.watching.first_screen(), view=self.table.view())
        return self._form(request, given.get("game", DEFAULT_GAME), given, "")

    def _form(
        self, request: Request, key: str, given: dict[str, str], error: str, status: int = 200, *, refused: str = ""
    ) -> Response:
        game = match_form.chosen_game(key)
        proposed = match_form.field_values(given, game)
        return self.html(
            request,
            "new",
            status,
            game=game,
            given=proposed,
            shelves=match_form.grouped_choices(game, proposed, self.table.designs.choices),
            rows=match_form.player_rows(given, game),
            computers=match_form.computers(game.key),
            card=self.watching.card(game),
            shown=match_form.fields_shown(given, game),
            is_growing=match_form.PLAYERS in given,
            has_wishes=not given.keys().isdisjoint(option.name for option in game.options),
            known_names=if_readable(self.table.archive.known_names)[:MOST_NAMES],
            error=error,
            refused=refused,
            opens_more=match_form.opens_more(given, game, refused),
            view=self.table.view(),
            seat_hints=catalog.entry_of(game.key).seat_hints,
            misfits={each.key: words for each in GAMES.values() if (words := misfit(each, self.table.board_shape))},
        )

    async def start(self, request: Request) -> Response | None:
        """Start the match that the form's fields describe, or begin the match of a pairing that the club assigned."""
        fields = await request_reader.read_fields(request)
        if match_form.PAIRING in fields:
            return self._begin_paired(request, fields[match_form.PAIRING])
        game = match_form.chosen_game(fields.get("game", ""))
        try:
            names = match_form.read_names(fields, game)
            options = match_form.read_option_fields(fields, game)
            self.table.matches.new_match(game.key, names, options)
        except (Problem, BadOption, UnknownGame) as error:
            sentence = message_of(error)
            if wants_page(request):
                refused = error.option if isinstance(error, BadOption) else ""
                return self._form(request, game.key, fields, sentence, 400, refused=refused)
            raise Problem(400, sentence) from error
        return redirect_after_post(request, "/table")

    def _begin_paired(self, request: Request, pairing: str) -> Response | None:
        """Start or resume the match of a pairing that the club assigned.

        Raises NoSuchPairing, CannotResume, CannotRead or Problem.
        """
        try:
            self.table.matches.begin_paired(pairing)
        except (BadOption, UnknownGame) as error:
            wrong = say("The club's pairing cannot be played here: {reason}.", message_of(error))
            raise Problem(400, wrong) from error
        return redirect_after_post(request, "/table")

    async def leave(self, request: Request) -> None:  # noqa: ARG002 - the address has no parameters
        """Leave the match for the lobby, where it can be resumed."""
        if not self.table.matches.leave_if_clear():
            raise Problem(409, say("Say first which move was made: the match is left right after your answer."))

    async def set_pace(self, request: Request) -> None:
        """Let computers and dice go at the pace in the address from now on."""
        pace: str = request.path_params["pace"]
        if pace not in PACES:
            known = listed(list(PACES), ",")
            raise Problem(404, say("There is no pace {pace}: expected one of {known}.", repr(pace), known))
        self.table.matches.set_pace(pace)

    async def matches(self, request: Request) -> Response:
        """List the matches in the journal."""
        return self.html(request, "matches", matches=self.table.matches.listed())

    async def records(self, request: Request) -> Response:
        """Show rankings, wins and best solitaire results."""
        standings = self.table.archive.standings()
        return self.html(
            request,
            "records",
            rankings=list(ranking_tables(standings)),
            wins=list(result_tables(standings.tallies, standings.computers)),
            alone=list(result_tables(standings.solitaire, standings.computers)),
            missing=standings.missing,
        )

    async def resume(self, request: Request) -> Response | None:
        """Resume the match whose number is in the address."""
        with match_number(request.path_params["number"]) as number:
            self.table.matches.resume(number)
        return redirect_after_post(request, "/table")

    async def export(self, request: Request) -> Response:
        """Return a match as a file to download; its number and format are in the address."""
        file: str = request.path_params["file"]
        stem, _, form = file.rpartition(".")
        media_types = catalog.media_types()
        if form not in media_types:
            known = listed([f".{known}" for known in media_types], "or")
            words = message("There is no export {file}: expected a match's number and {endings}.")
            raise Problem(404, say(words, file=repr(file), endings=known))
        with match_number(stem) as number:
            text = self.table.archive.export(number, form)
        headers = {"Content-Disposition": f'attachment; filename="match-{number}.{form}"'}
        return PlainTextResponse(text, media_type=media_types[form], headers=headers)

    async def rules_index(self, request: Request) -> Response:
        """List the games whose rules can be read here."""
        return self.html(request, "rules_index")

    async def rules(self, request: Request) -> Response:
        """Show the rules of a game."""
        game: str = request.path_params["game"]
        fits = game in GAMES and misfit(GAMES[game], self.table.board_shape) is None
        html = self.renderer.rules(game, self.watching.card(GAMES[game]) if fits else None)
        if html is None:
            known = listed(self.renderer.games_with_rules(), ",")
            of = GAMES[game].title if game in GAMES else repr(game)
            raise Problem(404, say("There are no rules of {game} here: expected one of {known}.", of, known))
        return HTMLResponse(html)

    async def picture(self, request: Request) -> Response:
        """Return the picture of a game."""
        entry = catalog.find_entry(request.path_params["game"])
        if entry is None or entry.picture is None:
            raise Problem(404, say("There is no such picture: expected the key of a game that has one."))
        return drawing_response(request, entry.picture.read())

    async def sprite(self, request: Request) -> Response:
        """Return the drawings of the pieces as one SVG sprite."""
        return drawing_response(request, pieces_svg.sprite())

    async def meaning(self, request: Request) -> Response:
        """Return as JSON what the thing means that the address names, such as `die 3`, and where its rules are."""
        view, of = self.table.view(), request.query_params.get("of", "")
        try:
            found = meanings_at(view, of)
        except ValueError as error:
            wrong = say("Nothing called {name} is shown: {reason}.", repr(of[:40]), message_of(error))
            raise Problem(400, wrong) from error
        rules = f"/rules/{view.game}" if self.renderer.has_rules(view.game) else ""
        sentences = [{part: on_page(words) for part, words in each._asdict().items()} for each in found]
        return JSONResponse({"sentences": sentences, "rules": rules})

    async def glass(self, request: Request) -> Response:  # noqa: ARG002 - there is one glass
        """Return the picture that the table's own display shows, as a PNG."""
        return Response(self.table.display_png(), media_type="image/png", headers={"Cache-Control": "no-store"})

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - anybody may ask
        """Return the health check as JSON: the status "ok", and the table's phase, game and revision."""
        view = self.table.view()
        return JSONResponse({"status": "ok", "phase": view.phase, "game": view.game, "revision": view.revision})
