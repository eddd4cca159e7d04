"""One table of the club, followed in full: what spectators see at the table itself, and the way back to the wall."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.arbiters_alone import for_the_arbiter
from captains_table.club.pages.following import Following
from captains_table.club.pages.programme import Programme
from captains_table.club.pages.tiles import Tile
from captains_table.club.pages.words import time_of_day
from captains_table.club.port import ClubPort, NoSuchTable
from captains_table.table.model.view import View
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene
from captains_table.web.serving.guests import Guests
from captains_table.web.stream import BOOT

NOTHING_YET = View(prompt=("This table has shown nothing yet",))


@dataclass(frozen=True, slots=True)
class TableLook:
    """A table somebody looks at, and from which side."""

    user: str
    flipped: bool = False


class Followed:
    """The page of one table.

    Args:
        club: whose table it is.
        renderer: draws it.
        guests: counts who looks.
        programme: the events that are held.
    """

    def __init__(self, club: ClubPort, renderer: Renderer, guests: Guests, programme: Programme | None = None) -> None:
        self._club = club
        self._renderer = renderer
        self._programme = programme or Programme()
        self._following: Following[TableLook] = Following(club, guests, self.fragments)

    def routes(self) -> list[Route]:
        """Return the addresses of tables."""
        return [
            Route("/tables/{user}", self.page, methods=["GET"]),
            Route("/tables/{user}/large", for_the_arbiter(self.show_large), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Show a table."""
        user = request.path_params["user"]
        table = self._table(user)
        look = self._look(request, user)
        tables = self._club.tables()
        place = next(place for place, each in enumerate(tables) if each.user == user)
        html = self._renderer.page(
            "club/followed",
            table=table,
            tile=Tile(table, None),
            before=tables[place - 1] if place else None,
            after=tables[place + 1] if place + 1 < len(tables) else None,
            fragments=self.fragments(look),
            may_touch=request.scope.get("may_touch", False),
            is_chosen=self._club.shown_large() == user,
            boot=BOOT,
        )
        return HTMLResponse(html)

    def stream(self, request: Request) -> Response:
        """Return the stream of what changes at a table."""
        user = request.query_params.get("table", "")
        self._table(user)
        return self._following.stream(request, self._look(request, user))

    async def show_large(self, request: Request) -> Response:
        """Have the wall show a table large, or, where it does already, the most exciting again."""
        user = request.path_params["user"]
        self._table(user)
        self._club.show_large("" if self._club.shown_large() == user else user)
        return RedirectResponse(f"/tables/{user}", 303)

    def fragments(self, look: TableLook) -> Mapping[str, str]:
        """Return what is to be seen of a table now, by id."""
        table = self._club.table(look.user)
        scene = Scene(self._club.view(look.user) or NOTHING_YET, flipped=look.flipped, watches=True)
        tile = Tile(
            table,
            None,
            away=time_of_day(table.away_since_s),
            asked=time_of_day(table.needs_since_s),
            round=self._programme.playing(table.pairing) if table.pairing else "",
            waiting=self._programme.waiting(look.user),
        )
        standing = self._renderer.page("club/standing", tile=tile).strip()
        return {**self._renderer.fragments("display", scene), "standing": standing}

    def _table(self, user: str) -> TableState:
        try:
            return self._club.table(user)
        except NoSuchTable:
            raise Problem(404, "No such table has reported here: expected one of those on the wall.") from None

    def _look(self, request: Request, user: str) -> TableLook:
        return TableLook(user, request.query_params.get("side") == "black")
