"""The club's pages as a Starlette application: which address does what."""

from collections.abc import Iterable
from html import escape

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.port import ClubPort
from captains_table.web.security import LOOPBACK, Guard
from captains_table.web.serving.guests import Guests


def create_app(
    club: ClubPort,
    *,
    token: str | None = None,
    allowed_hosts: Iterable[str] = LOOPBACK,
    guests: Guests | None = None,
) -> Starlette:
    """Return the club's pages.

    Args:
        club: what is shown.
        token: what a POST must bring, in a cookie or the header X-Table-Token.
        allowed_hosts: names the pages may be called by, ports left out; see `security.hosts_of`.
        guests: counts who is there; `None` for the limits that hold where nothing is configured.
    """

    async def tables(request: Request) -> Response:  # noqa: ARG001 - everybody sees the same
        """List the tables."""
        rows = "".join(f"<li>{escape(_words(table))}</li>" for table in club.tables())
        title = escape(club.title)
        head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        return HTMLResponse(f"{head}<h1>{title}</h1><ol>{rows}</ol>")

    async def health(request: Request) -> Response:  # noqa: ARG001 - whoever asks may know
        """Say that the pages answer, and how many tables there are."""
        return JSONResponse({"status": "ok", "tables": len(club.tables()), "line": club.line().is_up})

    app = Starlette(
        routes=[Route("/", tables, methods=["GET"]), Route("/health", health, methods=["GET"])],
        middleware=[Middleware(Guard, token=token, allowed_hosts=allowed_hosts)],
    )
    app.state.guests = guests or Guests()
    return app


def _words(table: TableState) -> str:
    """Return in words where a table stands."""
    glance = table.glance
    seats = [] if glance is None else [seat.name for seat in glance.seats]
    parts = (table.title, glance and glance.heading, " v ".join(seats), "away" if table.is_away else "")
    return ", ".join(part for part in parts if part)
