"""The club's page of one table: the spectators' view of the table, with links to the wall and other tables.

The arbiter can choose on this page that the wall shows the table large.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.club_pages import may_touch
from captains_table.club.pages.live_pages import ClubLivePages
from captains_table.club.pages.tiles import Tile
from captains_table.table.model.view import View
from captains_table.web.scene import Scene

NOTHING_YET = View(prompt=("This table has shown nothing yet",))


@dataclass(frozen=True, slots=True)
class TableViewKey:
    """The user name of the table that a spectator watches, and whether the board is flipped."""

    user: str
    flipped: bool = False


class TablePage(ClubLivePages[TableViewKey]):
    """The page of one table."""

    async def table(self, request: Request) -> Response:
        """Show a table, with links to the tables before and after it; raises NoSuchTable."""
        table = self.club.table(request.path_params["user"])
        tables = self.club.tables.all()
        place = next(place for place, each in enumerate(tables) if each.user == table.user)
        return self.page(
            "followed",
            table=table,
            tile=Tile(table, None),
            before=tables[place - 1] if place else None,
            after=tables[place + 1] if place + 1 < len(tables) else None,
            fragments=self.fragments(_look(request, table)),
            may_touch=may_touch(request),
            is_chosen=self.club.shown_large == table.user,
        )

    def stream(self, request: Request) -> Response:
        """Return the stream of live updates of a table's page; raises NoSuchTable."""
        return self.follow(request, _look(request, self.club.table(request.query_params.get("table", ""))))

    async def show_large(self, request: Request) -> Response:
        """Choose the table that the club's wall shows large; if this table is chosen already, undo the choice.

        Without a choice by the arbiter, the wall chooses the table itself.
        """
        user = self.club.table(request.path_params["user"]).user
        self.club.show_large("" if self.club.shown_large == user else user)
        return RedirectResponse(f"/tables/{user}", 303)

    def fragments(self, look: TableViewKey) -> Mapping[str, str]:
        """Return the current HTML of the parts of a table's page, by element id; `look` names the table."""
        table = self.club.table(look.user)
        scene = Scene(self.club.view(look.user) or NOTHING_YET, flipped=look.flipped, watches=True)
        playing = self.programme.playing(table.pairing) if table.pairing else ""
        tile = Tile(table, None, round=playing, waiting=self.programme.waiting(look.user))
        return {**self.renderer.fragments("display", scene), "standing": self.part("standing", tile=tile)}


def _look(request: Request, table: TableState) -> TableViewKey:
    return TableViewKey(table.user, request.query_params.get("side") == "black")
