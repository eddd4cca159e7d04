"""Somebody who plays at the real daemon by requests alone, and remembers what was acknowledged and what was shown."""

import contextlib
import http.client
import json
import re
import socket
import threading
from dataclasses import dataclass, field
from itertools import pairwise

from tests.siege.attack import Fault, Found
from tests.support.patience import PATIENCE_S

PICK = re.compile(r'data-pick="([^"]+)"')
REVISION = re.compile(r'data-revision="(\d+)"')
DIE = re.compile(r'(?:role="img"|aria-pressed="\w+") aria-label="((?:die \d|roman die): [^"]*)"')
TOGGLE = re.compile(r'class="toggle[^"]*" data-die="(\d)"')
LAST_THROW = 'class="dice last-throw"'  # what is shown for a moment longer than the match has it
CHOOSES = 'class="ask ask-keep"'
TAG = re.compile("<[^>]*>")
ROUND = re.compile(r"Round (\d+) of")
LOBBY = "New match by a form"  # once a match is over the lobby asks, and counts its own questions
REVISIONS_A_MATCH = 1 << 20

Deed = tuple[str, ...]
"""What one request does to the match, in the words of the journal's entry."""


class Gone(Exception):
    """The daemon does not answer any more."""


class Refused(Found):
    """The daemon answered that something cannot be done."""

    def __init__(self, what: object, status: int, text: str) -> None:
        super().__init__(Fault.WRONG, f"{what} was refused with {status}: {text[:300]}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page or a message of the event stream showed: how far the match was, and the dice as they lay."""

    revision: int
    dice: tuple[str, ...]

    @property
    def match(self) -> int:
        return self.revision // REVISIONS_A_MATCH

    @property
    def seq(self) -> int:
        """How many actions and take-backs it had."""
        return self.revision % REVISIONS_A_MATCH


@dataclass(frozen=True, slots=True)
class Page:
    """What the page offered when it was looked at; `throwable`: the dice some of which stay, while that is chosen."""

    revision: int | None
    offers: tuple[str, ...]
    dice: tuple[str, ...]
    round: int
    throwable: tuple[int, ...]
    prompt: str = ""
    wrong: bool = False


@dataclass
class Memory:
    """What a person was told while one daemon lived."""

    done: list[Deed] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)


def prompt_of(html: str) -> str:
    _, _, after = html.partition('id="prompt"')
    return " ".join(TAG.sub(" ", after.partition("</section>")[0].partition(">")[2]).split())


class HttpPerson:
    """One connection to play on, and one event stream that is read to its last byte."""

    def __init__(self, port: int) -> None:
        self.memory = Memory()
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._stream = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self._stream.sendall(b"GET /events?page=table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self._received = bytearray()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while data := self._stream.recv(1 << 16):
                self._received += data

    def hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        """Hear the stream out to its end, and keep what it showed."""
        self._http.close()
        self._listener.join(PATIENCE_S)
        self._stream.close()
        text = self._received.decode()
        for before, line in pairwise(["", *text.split("\n")]):
            is_named = before.startswith("event: ")  # what is heard, and beats
            if line.startswith("data: ") and line.endswith("}") and not is_named:
                with contextlib.suppress(ValueError):  # a line that was cut off was not shown
                    self._note("".join(json.loads(line.removeprefix("data: ")).values()))

    def _note(self, html: str) -> None:
        revision = REVISION.search(html)
        dice = tuple(DIE.findall(html))
        if revision and dice and LOBBY not in html and LAST_THROW not in html:
            self.memory.shown.append(Shown(int(revision[1]), dice))

    # --- requests ---------------------------------------------------------------------------------------------------

    def _request(self, method: str, path: str, body: object = None) -> tuple[int, str]:
        """Return status and text of an answer that came whole; raises Gone."""
        payload = None if body is None else json.dumps(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            self._http.request(method, path, payload, headers)
            answer = self._http.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Gone(str(error)) from error

    def look(self) -> Page:
        _, html = self._request("GET", "/table")
        self._note(html)
        revision, found = REVISION.search(html), ROUND.search(html)
        return Page(
            revision=int(revision[1]) if revision else None,
            offers=tuple(PICK.findall(html)),
            dice=tuple(DIE.findall(html)),
            round=int(found[1]) if found else 0,
            throwable=tuple(map(int, TOGGLE.findall(html))) if CHOOSES in html else (),
            prompt=prompt_of(html),
            wrong='data-post="/board/set-up"' in html,
        )

    def touch(self, path: str, body: object = None) -> None:
        """Press, lift or place something; raises Refused."""
        status, text = self._request("POST", path, body)
        if status >= http.HTTPStatus.BAD_REQUEST:
            raise Refused(path, status, text)

    # --- what is done -----------------------------------------------------------------------------------------------

    def answer(self, page: Page, action: dict[str, object], deed: Deed) -> None:
        """Answer what a page asks; once that is acknowledged, it is done."""
        status, text = self._request("POST", "/answer", {"revision": page.revision, "action": action})
        if status != http.HTTPStatus.NO_CONTENT:
            raise Refused(action, status, text)
        self.memory.done.append(deed)

    def pick(self, page: Page, id_: str) -> None:
        self.answer(page, {"type": "pick", "id": id_}, ("pick", id_))

    def new_match(self, fields: dict[str, str]) -> None:
        status, text = self._request("POST", "/new", fields)
        if status != http.HTTPStatus.NO_CONTENT:
            raise Refused("a new match", status, text)
        self.memory.done.append(("started",))
