"""The club's page of one table: the spectators' view of the table, with links to the wall and other tables.

The arbiter can choose on this page that the wall shows the table large. The module also serves a table's overlay: a
transparent page for programs that mix the picture of a video stream.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.club_pages import ClubLivePages, may_touch
from captains_table.club.pages.tiles import Tile
from captains_table.phrases import message, say
from captains_table.web.problems import Problem

PIECES: Final = ("board", "clocks", "names")
"""The pieces of an overlay."""
THEMES: Final = ("dark", "light")
OTHER_OVERLAY: Final = say("This is not the overlay's address: the arbiter finds the present one on the table's page.")


@dataclass(frozen=True, slots=True)
class TableViewKey:
    """The table that a spectator watches (its user name), and whether the board is flipped.

    `secret` is what an overlay was opened with; empty for the table's page.
    """

    user: str
    flipped: bool = False
    secret: str = ""


class TablePage(ClubLivePages[TableViewKey]):
    """The page of one table."""

    async def table(self, request: Request) -> Response:
        """Show a table, with links to the tables before and after it; raises NoSuchTable."""
        table = self.club.table(request.path_params["user"])
        tables = self.club.tables.all()
        place = next(place for place, each in enumerate(tables) if each.user == table.user)
        secret = self.club.overlay_secrets.get(table.user, "") if may_touch(request) else ""
        return self.page(
            "followed",
            table=table,
            before=tables[place - 1] if place else None,
            after=tables[place + 1] if place + 1 < len(tables) else None,
            fragments=self.fragments(_look(request, table)),
            may_touch=may_touch(request),
            is_chosen=self.club.shown_large == table.user,
            overlay=secret and f"{request.base_url}tables/{table.user}/overlay?secret={secret}",
        )

    async def renew_overlay(self, request: Request) -> Response:
        """Give a table's overlay a new address; the old one opens nothing any more."""
        user = self.club.table(request.path_params["user"]).user
        secret = secrets.token_urlsafe(16)
        self.club.store.renew_overlay(user, secret)
        self.club.overlay_secrets[user] = secret
        return RedirectResponse(f"/tables/{user}#overlay", 303)

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
        scene = self.scene(look.user, flipped=look.flipped)
        playing = self.programme.playing(table.pairing) if table.pairing else ""
        tile = Tile(table, None, round=playing, waiting=self.programme.waiting(look.user))
        return {**self.renderer.fragments("display", scene), "standing": self.part("standing", tile=tile)}


class Overlay(ClubLivePages[TableViewKey]):
    """The overlays of tables: board, names and clocks on a transparent ground, for whoever has the secret address."""

    async def page_of_table(self, request: Request) -> Response:
        """Show a table's overlay.

        Raises:
            Problem: the address has a wrong secret, or asks for an unknown piece or theme.
        """
        query = request.query_params
        look = self._checked(request.path_params["user"], query)
        pieces, theme = query.get("show", ",".join(PIECES)).split(","), query.get("theme", THEMES[0])
        if not {*pieces} <= {*PIECES} or theme not in THEMES:
            words = message("show= with some of {pieces}, and theme= with one of {themes}")
            expected = say(words, pieces=", ".join(PIECES), themes=", ".join(THEMES))
            raise Problem(400, say("There is no such overlay: expected {expected}.", expected))
        return self.page("overlay", look=look, pieces=pieces, theme=theme, fragments=self.fragments(look))

    def stream(self, request: Request) -> Response:
        """Return the stream of live updates of an overlay; raises Problem if the secret is wrong."""
        return self.follow(request, self._checked(request.query_params.get("overlay", ""), request.query_params))

    def _checked(self, user: str, query: Mapping[str, str]) -> TableViewKey:
        look = TableViewKey(user, query.get("side") == "black", query.get("secret", ""))
        if not self._opens(look):
            raise Problem(403, OTHER_OVERLAY)
        return look

    def _opens(self, look: TableViewKey) -> bool:
        secret = self.club.overlay_secrets.get(look.user, "")
        return bool(secret) and hmac.compare_digest(secret.encode(), look.secret.encode())

    def fragments(self, look: TableViewKey) -> Mapping[str, str]:
        """Return the current HTML of the parts of an overlay, by element id.

        The result is empty once the secret is renewed, and while the table is unknown; pages then keep their picture.
        """
        if not self._opens(look) or self.club.tables.find(look.user) is None:
            return {}
        scene = self.scene(look.user, flipped=look.flipped)
        seats = scene.view.seats
        upper, lower = (seats[:1], seats[1:]) if look.flipped else (seats[1:], seats[:1])
        return {
            "board": self.renderer.fragments("display", scene)["board"],
            "upper": self.part("overlay_players", seats=upper),
            "lower": self.part("overlay_players", seats=lower),
        }


def _look(request: Request, table: TableState) -> TableViewKey:
    return TableViewKey(table.user, request.query_params.get("side") == "black")
