"""HTTP errors: a status and one sentence, sent as a page to people and as JSON to scripts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ExceptionHandler

from captains_table.phrases import message, message_of, say
from captains_table.web.page_language import on_page

NOT_FOUND: Final = 404
NOT_UNDERSTOOD: Final = 405


class Problem(HTTPException):
    """An HTTP error: a status, and one sentence that says what was expected."""

    def __str__(self) -> str:
        return self.detail


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
        refusals: the status for each exception by which a request is refused.
        words: returns the sentence for such an exception.
    """

    render: Callable[..., str]
    template: str
    expected: str
    refusals: Mapping[type[Exception], int]
    words: Callable[[Exception], str] = message_of

    def handlers(self) -> dict[type[Exception], ExceptionHandler]:
        """Return the handler of each exception that a request may raise."""
        return {
            HTTPException: self._on_http_exception,
            ClientDisconnect: _on_disconnect,
            **dict.fromkeys(self.refusals, self._on_refused),
        }

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
        shown = {"sentence": sentence, "status": status, "is_lost": is_lost}
        may_touch = request.scope.get("may_touch", False)
        return HTMLResponse(self.render(self.template, may_touch=may_touch, **shown), status)

    async def _on_http_exception(self, request: Request, error: Exception) -> Response:
        """Answer a problem, or a request to an address that does not exist or does not understand the method."""
        if not isinstance(error, HTTPException):
            raise error
        path, status, sentence = request.url.path, error.status_code, error.detail
        is_lost = status == NOT_FOUND and not isinstance(error, Problem)
        if is_lost:
            words = (
                message("There is nothing at {path}.")
                if wants_page(request)
                else message("There is nothing at {path}: expected {expected}.")
            )
            sentence = say(words, path=repr(path), expected=self.expected)
        elif status == NOT_UNDERSTOOD:
            sentence = say("{method} is not understood at {path}.", request.method, repr(path))
        return self.response(request, status, sentence, is_lost=is_lost)

    async def _on_refused(self, request: Request, error: Exception) -> Response:
        status = next(self.refusals[kind] for kind in type(error).__mro__ if kind in self.refusals)
        return self.response(request, status, self.words(error))


async def _on_disconnect(request: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody reads the answer
    """Return a response to a client that disconnected during its request; nobody reads it, and nothing is logged."""
    return Response(status_code=400)


def problem_response(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response for an error as JSON: the HTTP status, and what is wrong and what was expected."""
    return JSONResponse({"error": on_page(sentence)}, status, headers)
