"""What is wrong with a request: one sentence, as a page for people and as JSON for scripts."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response


class Problem(Exception):
    """A request that cannot be served: the status and one sentence that says what was expected."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def wants_page(request: Request) -> bool:
    """Return whether a person is looking: a browser that asks for a page, not our script or a tool."""
    return "text/html" in request.headers.get("accept", "")


def problem_response(
    status: int, sentence: str, *, as_page: bool, back: tuple[str, str] = ("/table", "Back to the table")
) -> Response:
    """Return the answer to a request that cannot be served; a page leads back to an address, in these words."""
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
