"""HTTP errors: a status and one sentence, sent as a page to people and as JSON to scripts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

NOT_FOUND: Final = 404
NOT_UNDERSTOOD: Final = 405


class Problem(Exception):
    """An HTTP error: a status, and one sentence that says what was expected."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def wants_page(request: Request) -> bool:
    """Return whether the client accepts HTML, as a browser does when it loads a page; scripts do not."""
    return "text/html" in request.headers.get("accept", "")


@dataclass(frozen=True, slots=True)
class ProblemPages:
    """Answers requests that failed: with a page to people, with JSON to scripts.

    Attributes:
        render: returns the HTML of a template, given its name and values.
        template: the name of the template of the page.
        expected: the addresses that there are, in words for scripts; people get links.
    """

    render: Callable[..., str]
    template: str
    expected: str

    def response(self, request: Request, status: int, sentence: str, *, is_lost: bool = False) -> Response:
        """Return the response for an error.

        Args:
            request: the request that failed.
            status: the HTTP status.
            sentence: what is wrong, and what was expected.
            is_lost: whether the address does not exist; the page then shows links to others.
        """
        if not wants_page(request):
            return problem_response(status, sentence)
        may_touch = request.scope.get("may_touch", False)
        return HTMLResponse(self.render(self.template, sentence=sentence, is_lost=is_lost, may_touch=may_touch), status)

    async def on_http_exception(self, request: Request, error: Exception) -> Response:
        """Answer a request to an address that does not exist, or with a method that the address does not understand."""
        if not isinstance(error, HTTPException):
            raise error
        path, status = request.url.path, error.status_code
        if status == NOT_FOUND:
            expected = "" if wants_page(request) else f": expected {self.expected}"
            return self.response(request, status, f"There is nothing at {path!r}{expected}.", is_lost=True)
        is_misunderstood = status == NOT_UNDERSTOOD
        words = f"{request.method} is not understood at {path!r}." if is_misunderstood else error.detail
        return self.response(request, status, words)


def problem_response(status: int, sentence: str) -> Response:
    """Return the response for an error as JSON: the HTTP status, and what is wrong and what was expected."""
    return JSONResponse({"error": sentence}, status)
