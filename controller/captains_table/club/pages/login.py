"""The log-in page of the arbiters, logging out, and what slows down those who guess passwords."""

import asyncio
import logging
import math
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.club.pages.club_pages import LOG_IN, ClubPages
from captains_table.club.store.arbiters import NOBODYS_HASH, SESSION_S, Arbiters, is_password
from captains_table.phrases import say
from captains_table.web.request_reader import read_fields
from captains_table.web.security import forgetting_cookies, is_loopback, session_cookie
from captains_table.web.serving.guests import LOOPBACK_ADDRESSES, block_of

FREE_ATTEMPTS: Final = 5
"""So many attempts are answered at once; after each further one the next has to wait, twice as long each time."""
LONGEST_WAIT_S: Final = 300.0
LONGEST_WAIT_OF_NAME_S: Final = 30.0
FORGET_S: Final = 3600.0
REMEMBERED: Final = 1024
"""The number of addresses and names whose attempts are remembered; the least recent are dropped first."""
MOST_AT_ONCE: Final = 8
"""So many passwords may wait to be checked; they are checked one after the other, as each takes 16 MiB and a core.

Those from a trusted address (`LoginAttempts.is_trusted`) may always wait.
"""
WRONG: Final = say("There is no arbiter of this name with this password.")
Value = TypeVar("Value")
_log = logging.getLogger(__name__)


class LoginAttempts:
    """Slows down guesses: counts the attempts of each address, and those on each name.

    A name's waiting time is shorter, and does not count for an address that is trusted with the name. So there nobody
    else can keep an arbiter out.
    """

    def __init__(self) -> None:
        self._failed: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def wait_s(self, address: str, name: str, now_s: float) -> float:
        """Count an attempt and return 0, or return how many seconds to wait before it may be made.

        The attempt counts as failed until `succeed` is called.

        Args:
            address: the client's address or IPv6 network.
            name: the name to log in by, in lower case.
            now_s: the present time in seconds.
        """
        limits = {(address, ""): LONGEST_WAIT_S}
        if not self.is_trusted(address, name):
            limits["", name] = LONGEST_WAIT_OF_NAME_S
        waits = [self._wait_s(key, longest_s, now_s) for key, longest_s in limits.items()]
        if max(waits) > 0:
            return max(waits)
        for key in limits:
            count, at_s = self._failed.get(key, (0, now_s))
            _remember(self._failed, key, (1 if now_s - at_s > FORGET_S else count + 1, now_s))
        return 0.0

    def is_trusted(self, address: str, name: str) -> bool:
        """Return whether others' attempts do not concern an address: the name has logged in there, or it is our own."""
        return (address, name) in self._known or address in LOOPBACK_ADDRESSES

    def succeed(self, address: str, name: str) -> None:
        """Forget the attempts of an address, and those on the name that has just logged in from it."""
        self._failed.pop((address, ""), None)
        self._failed.pop(("", name), None)
        _remember(self._known, (address, name), None)

    def _wait_s(self, key: tuple[str, str], longest_s: float, now_s: float) -> float:
        count, at_s = self._failed.get(key, (0, now_s))
        if count < FREE_ATTEMPTS:
            return 0.0
        return at_s + min(2.0 ** min(count - FREE_ATTEMPTS, 30), longest_s) - now_s


def _remember(memory: OrderedDict[tuple[str, str], Value], key: tuple[str, str], value: Value) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)


def is_private(request: Request) -> bool:
    """Return whether nobody on the network can read a request: it is encrypted, or does not leave this machine."""
    client = "" if request.client is None else request.client.host
    return request.url.scheme == "https" or (is_loopback(client) and is_loopback(request.url.hostname or ""))


@dataclass(eq=False)
class Login(ClubPages):
    """The pages on which arbiters log in and out.

    Attributes:
        arbiters: the arbiters and their sessions.
        https_port: the port of the encrypted pages; 0 if this server has none.
    """

    arbiters: Arbiters
    https_port: int = 0
    _attempts: LoginAttempts = field(init=False, default_factory=LoginAttempts)
    _checker: ThreadPoolExecutor = field(init=False, default_factory=lambda: ThreadPoolExecutor(1, "scrypt"))
    _waiting: int = field(init=False, default=0)

    async def form(self, request: Request, wrong: str = "", status: int = 200) -> Response:
        """Show the form for logging in; without encryption, show in its place how to get it.

        Args:
            request: the request.
            wrong: why the last attempt failed; empty if there was none.
            status: the HTTP status of the response.
        """
        if is_private(request):
            return self.page("arbiter/login", status, wrong=wrong, is_private=True)
        host = request.url.hostname or ""
        host = f"[{host}]" if ":" in host else host
        encrypted = f"https://{host}:{self.https_port}{LOG_IN}" if self.https_port else ""
        return self.page("arbiter/login", 403, wrong=wrong, is_private=False, encrypted=encrypted)

    async def log_in(self, request: Request) -> Response:
        """Begin a session if name and password are right; otherwise show the form with the reason."""
        if not is_private(request):
            return await self.form(request)
        fields = await read_fields(request)
        name = " ".join(fields.get("name", "").split())
        client = "" if request.client is None else request.client.host
        attempt = (client if client in LOOPBACK_ADDRESSES else block_of(client) or client, name.lower())
        if self._waiting >= MOST_AT_ONCE and not self._attempts.is_trusted(*attempt):
            return await self.form(
                request, say("Many are logging in at the same time: try again in a few seconds."), 503
            )
        wait_s = self._attempts.wait_s(*attempt, asyncio.get_running_loop().time())
        if wait_s > 0:
            return await self.form(request, say("Too many attempts: try again in {seconds} s.", math.ceil(wait_s)), 429)
        key = await self._session(name, fields.get("password", ""))
        if key is None:
            _log.warning("%s tried to log in by a wrong name or password.", client)
            return await self.form(request, WRONG, 403)
        self._attempts.succeed(*attempt)
        response = RedirectResponse("/arbiter", 303)
        response.headers["Set-Cookie"] = session_cookie(request.scope, key, int(SESSION_S))
        return response

    async def log_out(self, request: Request) -> Response:
        """End the session, and let the browser forget it, and the token too."""
        self.arbiters.end_session(request.scope["session"] or "")
        response = RedirectResponse(LOG_IN, 303)
        for cookie in forgetting_cookies(request.scope):
            response.headers.append("Set-Cookie", cookie)
        return response

    async def _session(self, name: str, password: str) -> str | None:
        """Return the key of a new session; `None` if the name or the password is wrong."""
        known = self.arbiters.password_of(name)
        self._waiting += 1
        try:
            checked = partial(is_password, password, known or NOBODYS_HASH)
            is_right = await asyncio.get_running_loop().run_in_executor(self._checker, checked)
        finally:
            self._waiting -= 1
        return self.arbiters.begin_session(name, known, self.club.now_s()) if known is not None and is_right else None
