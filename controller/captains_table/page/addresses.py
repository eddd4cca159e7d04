"""What all addresses of the page stand on, and how they refuse what cannot be done."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from captains_table.games.contract import IllegalAction
from captains_table.games.crowns.designs import BadDesign
from captains_table.page.rights import check_played
from captains_table.page.watching import Watching
from captains_table.runtime.match_archive import CannotRead, CannotResume
from captains_table.runtime.match_desk import NoSuchPairing
from captains_table.runtime.reviews import CannotAnalyse
from captains_table.runtime.table import Table
from captains_table.runtime.table_loop import TableStopped
from captains_table.storage.design_file import CannotKeep, NameTaken, NoSuchPiece
from captains_table.storage.exports import NoSuchForm
from captains_table.table.model.entries import NoSuchMatch
from captains_table.table.model.events import TimersSwitched
from captains_table.web import request_reader
from captains_table.web.problems import Problem, wants_page
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer

NOT_KEPT: Final = {"Cache-Control": "no-store"}
REFUSED: Final[Mapping[type[Exception], int]] = {
    BadDesign: 400,
    NoSuchPiece: 404,
    CannotAnalyse: 409,
    CannotResume: 409,
    NameTaken: 409,
    NoSuchPairing: 409,
    CannotKeep: 503,
    CannotRead: 503,
    TableStopped: 503,
}
"""The status of the answer where the table refuses something in a sentence."""


@dataclass(eq=False)
class Addresses:
    """Addresses about one matter.

    Attributes:
        table: what is shown and played on.
        renderer: draws pages.
        watching: what is to be seen.
        reach: how others reach the page.
    """

    table: Table
    renderer: Renderer
    watching: Watching
    reach: PageReach

    def html(self, request: Request, page: str, status: int = 200, **values: object) -> Response:
        """Return a page as an answer."""
        return HTMLResponse(self.renderer.page(page, may_touch=request.scope["may_touch"], **values), status)

    def run_timers(self, *, run: bool) -> None:
        """Let the time to bid and to act stand still, or run on; raises Problem."""
        with allowed("{}"):
            check_played(self.table.view())
            self.table.handle(TimersSwitched(run))


def onward(request: Request, page: str) -> Response | None:
    """Return the answer to a form that was obeyed: the page to go to, or nothing for a script."""
    return RedirectResponse(page, 303) if wants_page(request) else None


@contextmanager
def match_of(number: str) -> Iterator[int]:
    """Give the number of a match that an address names; raises Problem where the table has none, or cannot write it."""
    known = request_reader.read_number(number)
    try:
        yield known
    except NoSuchMatch:
        raise Problem(404, f"There is no match {known}: expected a number from the list of matches.") from None
    except NoSuchForm as error:
        raise Problem(404, _sentence(str(error))) from error


@contextmanager
def allowed(words: str, refused: tuple[type[Exception], ...] = (IllegalAction,)) -> Iterator[None]:
    """Raise Problem with a sentence in these words, `{}` the reason, where the match does not allow something."""
    try:
        yield
    except refused as error:
        raise Problem(400, _sentence(words.format(error))) from error


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
