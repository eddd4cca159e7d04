"""The base class of the page's request handlers, and helpers for redirects, match numbers and refusals.

A refusal becomes an HTTP error with a status and a sentence.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from captains_table.games.contract import IllegalAction
from captains_table.games.crowns.designs import BadDesign
from captains_table.page.live_pages import LivePages
from captains_table.page.permissions import check_played
from captains_table.phrases import as_sentence, message_of, say
from captains_table.runtime.match_archive import CannotRead, CannotResume
from captains_table.runtime.match_control import NoLesson, NoSuchPairing
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

REFUSAL_STATUS: Final[Mapping[type[Exception], int]] = {
    BadDesign: 400,
    NoSuchPiece: 404,
    CannotAnalyse: 409,
    CannotResume: 409,
    NameTaken: 409,
    NoLesson: 409,
    NoSuchPairing: 409,
    CannotKeep: 503,
    CannotRead: 503,
    TableStopped: 503,
}
"""The HTTP status for each exception by which the table refuses a request with a sentence."""


@dataclass(eq=False)
class RequestHandlers:
    """The base class of a group of request handlers.

    Attributes:
        table: the table that is shown and played on.
        renderer: renders templates.
        watching: renders the live pages.
        reach: the addresses by which other devices reach the page.
    """

    table: Table
    renderer: Renderer
    watching: LivePages
    reach: PageReach

    def html(self, request: Request, page: str, status: int = 200, **values: object) -> Response:
        """Return a page as a response, rendered from the template `page` with these values."""
        return HTMLResponse(self.renderer.page(page, may_touch=request.scope["may_touch"], **values), status)

    def run_timers(self, *, run: bool) -> None:
        """Restart the timers for bidding and acting, or stop them; raises Problem if no match is being played.

        Args:
            run: whether to restart the timers.
        """
        with refusing_as_problem():
            check_played(self.table.view())
            self.table.handle(TimersSwitched(run))


def redirect_after_post(request: Request, page: str) -> Response | None:
    """Return the response to a form that was carried out: a redirect for a browser, `None` for a script."""
    return RedirectResponse(page, 303) if wants_page(request) else None


@contextmanager
def match_number(number: str) -> Iterator[int]:
    """Yield the match number in an address; raises Problem if it is no number.

    If the code below `with` raises NoSuchMatch or NoSuchForm, raise a Problem with status 404 instead.
    """
    known = request_reader.read_number(number)
    try:
        yield known
    except NoSuchMatch:
        wrong = say("There is no match {number}: expected a number from the list of matches.", known)
        raise Problem(404, wrong) from None
    except NoSuchForm as error:
        raise Problem(404, as_sentence(message_of(error))) from error


@contextmanager
def refusing_as_problem(
    words: str = "{reason}", refused: tuple[type[Exception], ...] = (IllegalAction,)
) -> Iterator[None]:
    """Turn an exception from the `with` block into a Problem with status 400.

    Args:
        words: the message, in which `{reason}` stands for the exception's own.
        refused: the exceptions that become a Problem.
    """
    try:
        yield
    except refused as error:
        raise Problem(400, as_sentence(say(words, reason=message_of(error)))) from error
