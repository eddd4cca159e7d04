"""The page of an event that everybody may see: this round's boards, standings, crosstable, the rounds before.

It shows what the sheet for the wall shows, and follows what the tables tell; nothing can be done there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from captains_table.club.events.event import Event
from captains_table.club.pages.arbiter_scene import shown_event
from captains_table.club.pages.following import FollowedPages
from captains_table.club.store.event_log import NoSuchEvent
from captains_table.club.store.store import StoreFailed
from captains_table.web.request_reader import read_number

PARTS: Final = ("round", "before", "standings", "crosstable")
"""What changes on the page by itself: elements, and the templates that draw them."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The parts of an event's page as they were drawn last, and of what."""

    event: Event
    titles: Sequence[str]
    parts: Mapping[str, str]


@dataclass(eq=False)
class PublicEvent(FollowedPages[int]):
    """The page of each event for whoever has no token."""

    _drawn: dict[int, _Drawn] = field(init=False, default_factory=dict)

    async def event(self, request: Request) -> Response:
        """Show an event."""
        held = self.events.event(read_number(request.path_params["number"]))
        shown = shown_event(held, self.club.tables.all(), self.club.now_s())
        return self.page("event/page", fragments=self.fragments(held.number), **shown)

    def stream(self, request: Request) -> Response:
        """Return the stream of what changes on an event's page."""
        held = self.events.event(read_number(request.query_params.get("public", "")))
        return self.follow(request, held.number)

    def fragments(self, look: int) -> Mapping[str, str]:
        """Return what changes on an event's page, by id, drawn anew only where it is another.

        Nothing once its evening was deleted, and while the club's file cannot be read: what is seen stays.
        """
        try:
            held = self.events.event(look)
        except (NoSuchEvent, StoreFailed):
            return {}
        tables = self.club.tables.all()
        titles, drawn = [table.title for table in tables], self._drawn.get(look)
        if drawn is None or drawn.event is not held.event or drawn.titles != titles:
            shown = shown_event(held, tables, self.club.now_s())
            parts = {part: self.part(f"event/{part}", **shown) for part in PARTS}
            drawn = self._drawn[look] = _Drawn(held.event, titles, parts)
        return drawn.parts
