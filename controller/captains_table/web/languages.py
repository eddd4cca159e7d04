"""Chooses the language of each request: as its URL says, else as its browser's user chose, asks for, or the table has.

The parameter `?lang=` and the form of the settings set a cookie, so that streams and further pages have the same one.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from captains_table.catalog.languages import find_language, language_codes
from captains_table.web.page_language import page_language_of
from captains_table.web.security import cookie_of

PARAMETER: Final = "lang"
COOKIE: Final = "captains-table-language"
AS_ASKED: Final = "browser"
"""The value of the parameter that forgets the choice: the browser's settings count again."""
YEAR_S: Final = 365 * 86_400
MOST_RANGES: Final = 20  # of a header Accept-Language; browsers send fewer


class LanguageChoice:
    """ASGI middleware that sets the language of a request's page.

    Args:
        app: the application.
        default: returns the code of the language for browsers that ask for none of ours.
        is_shared: returns whether a request is for a display that many people see: what its browser asks for is not
            asked by them.
    """

    def __init__(
        self, app: ASGIApp, default: Callable[[], str], is_shared: Callable[[Scope], bool] = lambda _: False
    ) -> None:
        self._app = app
        self._default = default
        self._is_shared = is_shared

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its language."""
        if scope["type"] != "http" or scope["path"].startswith("/static/"):  # files have no language
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        asked = parse_qs(scope["query_string"].decode("latin-1")).get(PARAMETER, [""])[-1]
        known = language_codes()
        if self._is_shared(scope):
            headers = Headers({"cookie": headers.get("cookie", "")})
        code = wanted(asked, headers, known) or self._default()

        async def send_on(sent: Message) -> None:
            if sent["type"] == "http.response.start":
                out = MutableHeaders(scope=sent)
                out.append("Vary", "Accept-Language, Cookie")
                if asked in known:
                    out.append("Set-Cookie", f"{COOKIE}={asked}; Path=/; Max-Age={YEAR_S}; SameSite=Lax")
                elif asked == AS_ASKED:
                    out.append("Set-Cookie", f"{COOKIE}=; Path=/; Max-Age=0; SameSite=Lax")
            await send(sent)

        with page_language_of(find_language(code)):
            await self._app(scope, receive, send_on)


def wanted(asked: str, headers: Headers, known: Collection[str]) -> str:
    """Return the code of the language that a request wants; empty if it wants none that is known.

    Args:
        asked: the language that the URL names; may be empty or unknown.
        headers: the request's headers, with the cookie, and the languages that the browser asks for.
        known: the codes of the known languages.
    """
    chosen = "" if asked == AS_ASKED else cookie_of(headers, COOKIE) or ""
    named = (asked, chosen, *accepted(headers.get("accept-language", "")))
    return next((code for code in named if code in known), "")


def accepted(header: str) -> Iterator[str]:
    """Yield the languages of a header Accept-Language, the preferred ones first: `de` for `de-AT`."""
    weighted = []
    for each in header.split(",")[:MOST_RANGES]:
        name, _, weight = each.strip().partition(";q=")
        try:
            weighted.append((-float(weight or 1), name.partition("-")[0].lower()))
        except ValueError:
            continue
    yield from (name for weight, name in sorted(weighted, key=lambda pair: pair[0]) if weight < 0)
