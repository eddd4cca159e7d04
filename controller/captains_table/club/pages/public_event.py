"""The page of an event that everybody may see: this round's boards, standings, crosstable, the rounds before.

It shows what the sheet for the wall shows, and follows what the tables tell; nothing can be done there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from captains_table.club.event_desk import EventDesk, HeldEvent
from captains_table.club.events.event import Event
from captains_table.club.intake.table_state import TableState
from captains_table.club.pages.arbiter_scene import EventShown, shown_event
from captains_table.club.pages.following import Following
from captains_table.club.port import ClubPort
from captains_table.club.store.event_log import NoSuchEvent
from captains_table.club.store.store import StoreFailed
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.request_reader import read_number
from captains_table.web.serving.guests import Guests
from captains_table.web.stream import BOOT

PARTS: Final = ("round", "before", "standings", "crosstable")
"""What changes on the page by itself: elements, and the templates that draw them."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The parts of an event's page as they were drawn last, and of what."""

    event: Event
    titles: Sequence[str]
    parts: Mapping[str, str]


class PublicEvent:
    """The page of each event for whoever has no token.

    Args:
        club: whose tables play.
        events: what is held.
        renderer: draws the page.
        guests: counts who looks.
    """

    def __init__(self, club: ClubPort, events: EventDesk, renderer: Renderer, guests: Guests) -> None:
        self._club = club
        self._events = events
        self._renderer = renderer
        self._drawn: dict[int, _Drawn] = {}
        self._following: Following[int] = Following(club, guests, self.fragments)

    def routes(self) -> list[Route]:
        """Return the addresses of the events."""
        return [Route("/events/{number}", self.page, methods=["GET"])]

    async def page(self, request: Request) -> Response:
        """Show an event."""
        held = self._held(request.path_params["number"])
        shown = self._shown(held, self._club.tables())
        fragments = self.fragments(held.number)
        html = self._renderer.page(
            "club/event/page", club=self._club.title, shown=shown, fragments=fragments, boot=BOOT
        )
        return HTMLResponse(html)

    def stream(self, request: Request) -> Response:
        """Return the stream of what changes on an event's page."""
        held = self._held(request.query_params.get("public", ""))
        return self._following.stream(request, held.number)

    def fragments(self, number: int) -> Mapping[str, str]:
        """Return what changes on an event's page, by id, drawn anew only where it is another.

        Nothing once its evening was deleted, and while the club's file cannot be read: what is seen stays.
        """
        try:
            held = self._events.event(number)
        except (NoSuchEvent, StoreFailed):
            return {}
        tables = self._club.tables()
        titles, drawn = [table.title for table in tables], self._drawn.get(number)
        if drawn is None or drawn.event is not held.event or drawn.titles != titles:
            shown = self._shown(held, tables)
            parts = {part: self._renderer.page(f"club/event/{part}", shown=shown).strip() for part in PARTS}
            drawn = self._drawn[number] = _Drawn(held.event, titles, parts)
        return drawn.parts

    def _shown(self, held: HeldEvent, tables: Sequence[TableState]) -> EventShown:
        return shown_event(held, tables, self._club.now_s())

    def _held(self, number: str) -> HeldEvent:
        try:
            return self._events.event(read_number(number))
        except NoSuchEvent:
            raise Problem(404, "There is no such event: expected one of those of the evenings.") from None
