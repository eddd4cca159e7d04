"""Who may talk to the page: Host and Origin are checked, and beyond loopback a POST needs the token, or a seat's link.

A page open in the same browser could otherwise press our buttons (its POSTs carry its own Origin), or pretend that a
name of its own leads to our address (then the Host is not one of ours).
"""

import hmac
import ipaddress
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from captains_table.web.problems import problem_response
from captains_table.web.rights import (
    MASTER_COOKIE,
    MASTER_HEADER,
    MASTER_KEY,
    MASTER_PATH,
    MASTER_POSTS,
    NOT_FOR_SEATS,
    SEAT_COOKIE,
    SEAT_HEADER,
    SEAT_KEY,
    SEAT_PATH,
    SEAT_POSTS,
)

COOKIE = "captains-table-token"
HEADER = "x-table-token"
TOKEN = "token"  # noqa: S105 - the name of a part of the address
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - recognised here, not listened on
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # "no-referrer" would make forms send "Origin: null"
}


def is_loopback(host: str) -> bool:
    """Return whether an address to listen on can only be reached from this machine."""
    return host in LOOPBACK or host.startswith("127.")


def hosts_of(listen: str) -> frozenset[str]:
    """Return the names a page that listens on an address may be called by, ports left out."""
    if is_loopback(listen):
        return LOOPBACK | {listen}
    name = socket.gethostname().lower()
    return LOOPBACK | {name, f"{name.partition('.')[0]}.local"} | ({listen.lower()} - WILDCARDS)


class Guard:
    """An ASGI application in front of another that refuses strangers and says what the browser may load.

    Args:
        app: what is behind it.
        token: the owner's token; `None`: whoever reaches the page is the owner.
        allowed_hosts: names the page may be called by.
        master: the game master's key; `None`: there is no such page.
    """

    def __init__(
        self, app: ASGIApp, *, token: str | None, allowed_hosts: Iterable[str], master: str | None = None
    ) -> None:
        self._app = app
        self._token = token
        self._master = master
        self._hosts = frozenset(host.lower() for host in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with what is wrong with it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        offered = _in_address(scope, TOKEN)
        scope["may_touch"] = self._token is None or _is_same(offered or _kept_in(headers, HEADER, COOKIE), self._token)
        in_address = _in_address(scope, SEAT_KEY) if scope["path"] == SEAT_PATH else None
        scope["seat_key"] = in_address or _kept_in(headers, SEAT_HEADER, SEAT_COOKIE)
        in_address = _in_address(scope, MASTER_KEY) if scope["path"] == MASTER_PATH else None
        scope["is_master"] = _is_same(in_address or _kept_in(headers, MASTER_HEADER, MASTER_COOKIE), self._master)
        wrong = self._wrong(scope, headers, offered)
        answer = self._app if wrong is None else problem_response(*wrong, as_page=False)
        cookie = offered if wrong is None and self._token is not None else None

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), cookie)
            await send(message)

        await answer(scope, receive, send_guarded)

    def _wrong(self, scope: Scope, headers: Headers, offered: str | None) -> tuple[int, str] | None:
        """Return the status and the sentence a request is refused with, or None if it is welcome."""
        host = headers.get("host", "")
        if not self._is_ours(scope, host):
            return 400, f"Host {host!r} is not this table's: expected one of {', '.join(sorted(self._hosts))}."
        if self._token is not None and offered is not None and not _is_same(offered, self._token):
            return 403, "The token in the address is not this table's: use the address it printed when it started."
        if scope["method"] in {"GET", "HEAD"}:
            return None
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host.lower():
            return 403, f"Origin {origin!r} is another page: expected one of this table's own pages."
        is_masters = scope["path"].startswith(f"{MASTER_PATH}/")  # its addresses look at the key, or are not there
        return None if scope["may_touch"] or is_masters else _refusal(scope)

    def _is_ours(self, scope: Scope, host: str) -> bool:
        name = _hostname(host)
        server = scope.get("server")
        return name in self._hosts or (server is not None and _is_address(name) and name == server[0])


def _is_same(key: str | None, own: str | None) -> bool:
    """Return whether a key that was brought is the own one; takes as long for any key."""
    return key is not None and own is not None and hmac.compare_digest(key.encode(), own.encode())


def _refusal(scope: Scope) -> tuple[int, str] | None:
    """Return why somebody without the token may not do this; None where a seat's or a master's link may do."""
    if scope["is_master"] and MASTER_POSTS.fullmatch(scope["path"]):
        return None
    if scope["seat_key"] is None:
        return 403, "You are watching only: to play, open the address with the token the table printed."
    return None if SEAT_POSTS.fullmatch(scope["path"]) else (403, NOT_FOR_SEATS)


def _is_address(name: str) -> bool:
    """Return whether a host is a bare address: one that is our own cannot have been rebound to us by a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _place(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _in_address(scope: Scope, name: str) -> str | None:
    if scope["method"] not in {"GET", "HEAD"}:
        return None
    query: bytes = scope["query_string"]
    values = parse_qs(query.decode("latin-1")).get(name)
    return values[0] if values else None


def _kept_in(headers: Headers, header: str, cookie_name: str) -> str | None:
    if header in headers:
        return headers[header]
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(cookie_name)
    except CookieError:
        return None
    return str(cookie.value) if cookie else None


def _add_headers(headers: MutableHeaders, token: str | None) -> None:
    for name, value in _HEADERS.items():
        headers[name] = value
    headers.setdefault("Cache-Control", "no-cache")
    if token is not None:
        jar = SimpleCookie({COOKIE: token})
        jar[COOKIE]["path"] = "/"
        headers.append("Set-Cookie", f"{jar[COOKIE].OutputString()}; SameSite=Strict; HttpOnly")
