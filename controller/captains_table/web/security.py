"""Access control of the page: checks the headers Host and Origin, and the token or key that a POST needs.

Without these checks another web page in the same browser could press our buttons (its POSTs carry its own Origin), or
point a host name of its own at our address (then the Host is not one of ours). The access control also refuses surplus
connections, slows down guesses of keys, and sets the cookies for keys and the security headers. It tells the
application whose keys a request carries: the owner's, the game master's or a seat's.
"""

import asyncio
import hmac
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import SplitResult, parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from captains_table.phrases import listed, say
from captains_table.web.problems import problem_response
from captains_table.web.serving.guests import Guests, block_of, caller_of
from captains_table.web.serving.limits import RETRY_AFTER_S

COOKIE = "captains-table-token"
HEADER = "x-table-token"
SEAT_COOKIE: Final = "captains-table-seat"
SEAT_KEY: Final = "key"
SEAT_PATH: Final = "/seat"
SEAT_POSTS: Final = re.compile(r"/(answer|words|player|die/\d+|board/(click|take|beside|put-back)|seat/throw)")
SESSION_COOKIE: Final = "captains-table-session"
MASTER_COOKIE: Final = "captains-table-master"
MASTER_KEY: Final = "key"
MASTER_PATH: Final = "/master"
ANSWER_PATH: Final = "/answer"
MASTER_POSTS: Final = re.compile(rf"{ANSWER_PATH}|{MASTER_PATH}/.*")
NOT_FOR_SEATS: Final = say("The link of a seat plays its own seat and no more: expected the table's owner for this.")
MONTH_S: Final = 30 * 86_400
FREE_GUESSES: Final = 10
"""The number of an address's wrong keys that are answered at once: a phone may also send the key of the last match."""
SLOW_S: Final = 2.0
"""The delay before each further wrong key is answered."""
FORGET_S: Final = 600.0
ADDRESSES: Final = 1024
"""The number of addresses whose wrong keys are remembered; the least recently used are dropped first."""
TOKEN_PARAMETER = "token"  # noqa: S105 - the name of a URL parameter
_ESCAPED: Final = re.compile(r"\\(?:([0-3][0-7]{2})|(.))")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - recognised here, not listened on
_log = logging.getLogger(__name__)
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # "no-referrer" would make forms send "Origin: null"
}


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is reachable from this machine only."""
    return host in LOOPBACK or host.startswith("127.")


@dataclass(frozen=True, slots=True)
class _KeyKind:
    """The ways in which one kind of key reaches the page.

    Attributes:
        what: the log's words for a wrong key of this kind.
        header: the HTTP header in which scripts send the key.
        cookie: the name of the cookie in which browsers send the key, without the port that is appended to the name.
        parameter: the URL parameter whose value is the key; a right key is then set as the cookie. `None`: the key is
            never taken from a URL.
        path: the only page whose URL may carry the key; `None`: the URL of any page.
        cookie_s: the lifetime of the cookie in seconds; `None`: until the browser is closed.
    """

    what: str
    header: str
    cookie: str
    parameter: str | None
    path: str | None = None
    cookie_s: int | None = None


_TOKEN_KIND = _KeyKind("a wrong token", HEADER, COOKIE, TOKEN_PARAMETER)
_SEAT_KIND = _KeyKind("a link that opens no seat", "x-seat-key", SEAT_COOKIE, SEAT_KEY, SEAT_PATH, MONTH_S)
_MASTER_KIND = _KeyKind(
    "a wrong key of the game master", "x-master-key", MASTER_COOKIE, MASTER_KEY, MASTER_PATH, MONTH_S
)

_SESSION_KIND = _KeyKind("a log-in that is over", "x-session", SESSION_COOKIE, None)


@dataclass(frozen=True, slots=True)
class LogIn:
    """How users get the owner's rights by logging in.

    Attributes:
        path: the path to which everybody may send the form for logging in.
        user_of: returns the name of the user whom a session's key logs in; empty if the session is over.
        holds_token: returns whether the owner's token is still valid, besides.
    """

    path: str
    user_of: Callable[[str], str]
    holds_token: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _SentKey:
    """The key of one kind that a request carries.

    Attributes:
        kind: the kind of the key.
        value: the key as it was sent; `None` if the request carries no key of this kind.
        is_right: whether the key is valid.
        sets_cookie: whether the response must set the cookie if the key is right: the key came in the URL, or in a
            cookie of an older version. The name of an older cookie lacks the port.
    """

    kind: _KeyKind
    value: str | None
    is_right: bool
    sets_cookie: bool = False


class Guesses:
    """The wrong keys of each sender: the first FREE_GUESSES are answered at once, further ones with a delay.

    A sender is a client's address. If a request carries both a wrong and a right key, the sender is the right key. The
    first FREE_GUESSES wrong keys are remembered, and sending one of them again does not count. FORGET_S after the first
    wrong key, the count begins anew.
    """

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[float, set[int]]] = OrderedDict()

    def wait_s(self, address: str, key: str, now: float) -> float | None:
        """Count a wrong key, and return the delay of the answer in seconds: 0 for the first FREE_GUESSES keys.

        Return `None` if the key is one of the sender's remembered wrong keys.

        Args:
            address: the sender: a right key of the same request, else the client's address or IPv6 network.
            key: the wrong key.
            now: the present time in seconds.
        """
        since, known = self._wrong.get(address, (now, set()))
        if now - since > FORGET_S:
            since, known = now, set()
        if hash(key) in known:
            return None
        self._wrong[address] = since, known
        self._wrong.move_to_end(address)
        if len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)
        if len(known) >= FREE_GUESSES:
            return SLOW_S
        known.add(hash(key))
        return 0.0


class Guard:
    """ASGI middleware that refuses unauthorised requests and surplus connections, and sets the security headers.

    It tells the application in the request's scope whether the request is the owner's (`may_touch`) or the game
    master's (`is_master`), and which key for a seat it carries, valid or not (`seat_key`, `None` without a key). It
    says whether the token is in the request (`has_token`), names the logged-in user (`user_name`; empty without a
    log-in), passes on the session's key (`session`), and offers a function that tells whether the request is still the
    owner's (`may_still_touch`).

    Args:
        app: the application behind the guard.
        token: the owner's token; `None`: everybody who reaches the page is the owner.
        hosts: returns the currently accepted host names, in lower case.
        master: the game master's key; `None`: there is no game master's page.
        opens_seat: returns whether a key opens a seat now.
        log_in: how users get the owner's rights by logging in; `None` if they cannot.
        guests: counts the connections by the valid key that their requests carry, else by their address.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None,
        hosts: Callable[[], Collection[str]],
        guests: Guests,
        master: str | None = None,
        opens_seat: Callable[[str], bool] = lambda _key: False,
        log_in: LogIn | None = None,
    ) -> None:
        self._app = app
        self._key_kinds: dict[_KeyKind, Callable[[str], bool]] = {
            _TOKEN_KIND: lambda key: _is_same(key, token) and (log_in is None or log_in.holds_token()),
            _SEAT_KIND: opens_seat,
            _MASTER_KIND: lambda key: _is_same(key, master),
            _SESSION_KIND: lambda key: bool(self._user_of(key)),
        }
        self._token = token
        self._log_in = log_in
        self._hosts = hosts
        self._guests = guests
        self._guesses = Guesses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or answer it with an error.

        Valid keys in the address of an allowed request are stored as cookies.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        keys = [_sent_key(scope, headers, kind, opens) for kind, opens in self._key_kinds.items()]
        token, seat, master, session = keys
        scope["may_touch"] = self._token is None or token.is_right or session.is_right
        scope["may_still_touch"] = lambda: self._token is None or any(map(self._is_still_right, (token, session)))
        scope["user_name"] = self._user_of(session.value)
        scope["has_token"] = token.is_right
        scope["session"] = session.value
        scope["seat_key"] = seat.value
        scope["is_master"] = master.is_right
        key = next((f"{each.kind.cookie} {each.value}" for each in keys if each.is_right), None)
        crowded = self._recognise(scope, key)
        await self._slow_down(scope, receive, keys, key)
        answer, new_cookies = self._app, [each for each in keys if each.is_right and each.sets_cookie]
        if crowded is not None:
            answer, new_cookies = crowded, []
        elif (wrong := self._wrong(scope, headers)) is not None:
            status, sentence = wrong
            answer, new_cookies = problem_response(status, sentence), []

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), scope, new_cookies)
            await send(message)

        await answer(scope, receive, send_guarded)

    def _user_of(self, session: str | None) -> str:
        return "" if self._log_in is None or session is None else self._log_in.user_of(session)

    def _is_still_right(self, key: _SentKey) -> bool:
        return key.value is not None and self._key_kinds[key.kind](key.value)

    def _recognise(self, scope: Scope, key: str | None) -> Response | None:
        """Count a connection by the key or client of its request; return a 503 response if there is no room for it.

        Args:
            scope: the scope of the request.
            key: the valid key that the request carries; `None` if it carries none.
        """
        caller = caller_of(scope)
        if caller is None:
            return None
        address = scope["client"][0]
        is_forwarded = scope["client"] != caller.client
        refusal = self._guests.recognise(caller, key, (block_of(address) or address) if is_forwarded else None)
        if refusal is None:
            return None
        sentence = say("{refusal}: ask again in {seconds} s.", refusal, RETRY_AFTER_S)
        _log.warning("%s was refused: %s ([web] connections, share).", address, refusal)
        return problem_response(503, sentence, {"Retry-After": str(RETRY_AFTER_S), "Connection": "close"})

    async def _slow_down(self, scope: Scope, receive: Receive, keys: Iterable[_SentKey], key: str | None) -> None:
        """Log the new wrong keys of a request, and wait if the sender has guessed too often.

        The wait ends early if the client disconnects. If the request also has a right key, its wrong keys count for
        that key, not for the client's address.
        """
        address = scope["client"][0] if scope.get("client") else ""
        guesser, now, longest_s = key or block_of(address) or address, asyncio.get_running_loop().time(), 0.0
        for each in keys:
            if each.value is None or each.is_right or (each.kind is _TOKEN_KIND and self._token is None):
                continue
            wait_s = self._guesses.wait_s(guesser, each.value, now)
            if wait_s is not None:
                _log.warning("%s came with %s.", address or "Somebody", each.kind.what)
                longest_s = max(longest_s, wait_s)
        with suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                while longest_s and (await receive())["type"] != "http.disconnect":
                    pass

    def _wrong(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return the HTTP status and the sentence with which a request is refused; `None` if it is allowed."""
        host = headers.get("host", "")
        if not self._is_ours(scope, host):
            known = listed(sorted(self._hosts()), ",")
            return 400, say("Host {host} is not this table's: expected one of {known}.", repr(host), known)
        token = _in_address(scope, _TOKEN_KIND)
        if self._token is not None and token and not self._key_kinds[_TOKEN_KIND](token):
            return 403, say("The token in the address is not this table's: use the address it printed when it started.")
        if scope["method"] in {"GET", "HEAD"}:
            return None
        origin = headers.get("origin")
        if origin is not None and _split(origin).netloc.lower() != host.lower():
            wrong = say("Origin {origin} is another page: expected one of this table's own pages.", repr(origin))
            return 403, wrong
        is_masters = scope["path"].startswith(f"{MASTER_PATH}/")  # its handlers check the key, or do not exist
        is_log_in = self._log_in is not None and scope["path"] == self._log_in.path
        return None if scope["may_touch"] or is_masters or is_log_in else _refusal(scope)

    def _is_ours(self, scope: Scope, host: str) -> bool:
        name = _split(f"//{host}").hostname or ""
        server = scope.get("server")
        if name in self._hosts():
            return True
        is_address = block_of(name) is not None  # DNS rebinding can forge only host names
        return is_address and server is not None and name == server[0]


def _is_same(key: str | None, own: str | None) -> bool:
    """Return whether a sent key equals our own, compared in constant time; False if either key is missing."""
    return key is not None and own is not None and hmac.compare_digest(key.encode(), own.encode())


def _refusal(scope: Scope) -> tuple[int, str] | None:
    """Return the HTTP status and the message that refuse a POST without the token; `None` if the POST is permitted.

    A POST to a path for the game master is permitted with the right key. A POST to a path for seats is permitted with
    any seat key; the handler checks that key later.
    """
    if scope["is_master"] and MASTER_POSTS.fullmatch(scope["path"]):
        return None
    if scope["seat_key"] is None:
        return 403, say("You are watching only: to play, open the address with the token the table printed.")
    return None if SEAT_POSTS.fullmatch(scope["path"]) else (403, NOT_FOR_SEATS)


def _split(address: str) -> SplitResult:
    """Return the parts of a URL, all empty if it is invalid."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _sent_key(scope: Scope, headers: Headers, kind: _KeyKind, opens: Callable[[str], bool]) -> _SentKey:
    """Return the key of one kind that a request carries: in the URL, else in the header, else in the cookie."""
    value = _in_address(scope, kind)
    sets_cookie = value is not None
    value = value or headers.get(kind.header)
    if value is None:
        value = cookie_of(headers, _cookie_name(kind, scope, headers))
        older = cookie_of(headers, kind.cookie) if value is None else None
        if older is not None and opens(older):
            # A cookie of an older version, without the port in its name, is replaced by one with it; a wrong one
            # belongs to another page.
            value, sets_cookie = older, True
    return _SentKey(kind, value, value is not None and opens(value), sets_cookie)


def _in_address(scope: Scope, kind: _KeyKind) -> str | None:
    if scope["method"] not in {"GET", "HEAD"} or kind.path not in {None, scope["path"]} or kind.parameter is None:
        return None
    query: bytes = scope["query_string"]
    values = parse_qs(query.decode("latin-1")).get(kind.parameter)
    return values[0] if values else None


def cookie_of(headers: Headers, name: str) -> str | None:
    """Return the value of a request's cookie; `None` if it has none of this name.

    The time is linear in the header's length. That of Python's own parser is quadratic before 3.11.10 and 3.12.6
    (CVE-2024-7592), which also the framework's `Request.cookies` calls: a single request could stop the page for long.
    """
    pairs = (each.partition("=") for each in headers.get("cookie", "").split(";"))
    values = [value.strip() for told, _, value in pairs if told.strip() == name]
    if not values:
        return None
    value = values[-1]
    if len(value) > 1 and value[0] == value[-1] == '"':
        return _ESCAPED.sub(lambda found: chr(int(found[1], 8)) if found[1] else found[2], value[1:-1])
    return value


def _cookie_name(kind: _KeyKind, scope: Scope, headers: Headers) -> str:
    """Return a cookie's name with the page's port appended, because browsers send a host's cookies to all its ports."""
    try:
        port = urlsplit(f"//{headers.get('host', '')}").port
    except ValueError:
        port = None
    return f"{kind.cookie}-{port or (443 if scope['scheme'] == 'https' else 80)}"


def _add_headers(headers: MutableHeaders, scope: Scope, new_cookies: Iterable[_SentKey]) -> None:
    headers.update(_HEADERS)
    headers.setdefault("Cache-Control", "no-cache")
    for each in new_cookies:
        name = _cookie_name(each.kind, scope, Headers(scope=scope))
        headers.append("Set-Cookie", _cookie_text(name, str(each.value), each.kind.cookie_s, scope))


def _cookie_text(name: str, value: str, seconds: int | None, scope: Scope) -> str:
    jar = SimpleCookie({name: value})
    jar[name]["path"] = "/"
    jar[name]["httponly"] = True
    jar[name]["samesite"] = "Strict"
    if seconds is not None:
        jar[name]["max-age"] = seconds
    if scope["scheme"] == "https":
        jar[name]["secure"] = True
    return jar[name].OutputString()


def session_cookie(scope: Scope, key: str, seconds: int) -> str:
    """Return the header Set-Cookie that logs a browser in by a session's key for some seconds."""
    return _cookie_text(_cookie_name(_SESSION_KIND, scope, Headers(scope=scope)), key, seconds, scope)


def forgetting_cookies(scope: Scope) -> Iterable[str]:
    """Return the headers Set-Cookie by which a browser forgets its session and the owner's token."""
    of_port = [_cookie_name(kind, scope, Headers(scope=scope)) for kind in (_SESSION_KIND, _TOKEN_KIND)]
    return [_cookie_text(name, "", 0, scope) for name in (*of_port, COOKIE)]
