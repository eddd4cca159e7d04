"""HTTP errors: a status and one sentence, sent as a page to people and as JSON to scripts."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response


class Problem(Exception):
    """An HTTP error: a status, and one sentence that says what was expected."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def wants_page(request: Request) -> bool:
    """Return whether the client accepts HTML, as a browser does when it loads a page; scripts do not."""
    return "text/html" in request.headers.get("accept", "")


def problem_response(
    status: int, sentence: str, *, as_page: bool, back: tuple[str, str] = ("/table", "Back to the table")
) -> Response:
    """Return the response for an error.

    Args:
        status: the HTTP status.
        sentence: what is wrong, and what was expected.
        as_page: whether to send a page for people; otherwise JSON for scripts.
        back: the address and the text of the page's link back.
    """
    if not as_page:
        return JSONResponse({"error": sentence}, status)
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<title>Captain\'s Table</title><script src="/static/settings.js"></script>'
        '<link rel="stylesheet" href="/static/style.css"><link rel="stylesheet" href="/static/settings.css">'
        '<body class="page-problem">'
        f'<main class="sheet"><h1>Off the chart</h1><p>{escape(sentence)}</p><p><a class="button" href="{back[0]}">'
        f"{back[1]}</a></p></main>",
        status,
    )
