"""Somebody who plays at the real daemon by requests alone, and remembers what was acknowledged and what was shown.

`LegendPlayer` plays Legend so toward what is to be struck: a throw, a move, a take-back or a settlement.
"""

import contextlib
import http.client
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from tests.siege.attack import Fault, Found
from tests.support.patience import PATIENCE_S

PICK = re.compile(r'data-pick="([^"]+)"')
REVISION = re.compile(r'data-revision="(\d+)"')
DIE = re.compile(r'(?:role="img"|aria-pressed="\w+") aria-label="((?:die \d|roman die): [^"]*)"')
TOGGLE = re.compile(r'class="toggle[^"]*" data-die="(\d)"')
LAST_THROW = 'class="dice last-throw"'  # what is shown for a moment longer than the match has it
CHOOSES = 'class="ask ask-keep"'
ROUND = re.compile(r"Round (\d+) of")
LOBBY = 'class="result"'  # once a match is over the lobby asks, and counts its own questions
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


class Shown(NamedTuple):
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


class Page(NamedTuple):
    """What the page offered when it was looked at; `throwable`: the dice some of which stay, while that is chosen."""

    revision: int | None
    offers: tuple[str, ...]
    round: int
    throwable: tuple[int, ...]
    wrong: bool

    @property
    def steps(self) -> list[str]:
        return [id_ for id_ in self.offers if id_ in STEPS]

    @property
    def keeping(self) -> Deed:
        """To keep all dice but one, which falls again."""
        return ("keep", *map(str, self.throwable[1:]))


@dataclass
class Memory:
    """What a person was told while one daemon lived."""

    done: list[Deed] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)


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
            round=int(found[1]) if found else 0,
            throwable=tuple(map(int, TOGGLE.findall(html))) if CHOOSES in html else (),
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


# --- toward what is to be struck --------------------------------------------------------------------------------------

KINDS: Final = ("throw", "move", "take-back", "settlement")
TURNS_OF_PATIENCE: Final = 4
KINGS: Final = {"d4e5", "d5e4"}
STEPS: Final = {f"{file}{start}{file}{end}" for file in "agh" for start, end in ((2, 3), (3, 4), (7, 6), (6, 5))}
FIELDS: Final = {
    "game": "legend",
    "name1": "Anne",
    "name2": "Bart",
    # Pawns stand by to take either king, so that a settlement is never far; any Legend die lets a pawn move.
    "fen": "8/p1p3pp/8/3pk3/3PK3/8/P1P3PP/8 w - - 0 1",
}
CLICKS_SHARE: Final = 0.3


class Act(NamedTuple):
    """Something that can be done now; its way, a held `press`, an `answer` or `clicks`, says how long it takes."""

    deed: Deed
    way: str
    do: Callable[[], None]


class LegendPlayer:
    """Plays toward what is to be struck, and remembers what was done in this turn."""

    def __init__(self, person: HttpPerson, rng: random.Random) -> None:
        self._person = person
        self._rng = rng
        self._moved = ""
        self._took_king = False
        self._turns_without_a_step = 0

    def way_to(self, kind: str, page: Page) -> Act | None:
        """Return what is wanted if it can be done now; else take a step toward it."""
        wanted = self._wanted(kind, page)
        if wanted is None:
            self._step(kind, page)
        return wanted

    def _wanted(self, kind: str, page: Page) -> Act | None:  # noqa: PLR0911 - one table, one line each
        if page.wrong:
            return None
        match kind:
            case "throw" if page.throwable:
                return Act(page.keeping, "answer", partial(self._keep, page))
            case "throw" if "roll" in page.offers:
                return Act(("pick", "roll"), "press", partial(self._hold_roll, self._rng.uniform(0, 0.03)))
            case "throw" if "throw-again" in page.offers and self._rng.random() < CLICKS_SHARE:
                return self._answer(page, "throw-again")
            case "move" if page.steps:
                id_ = self._rng.choice(page.steps)
                if self._rng.random() < CLICKS_SHARE:
                    return Act(("pick", id_), "clicks", partial(self._click, id_[:2], id_[2:], ("pick", id_)))
                return self._answer(page, id_)
            case "take-back" if self._moved and not page.steps:
                back = partial(self._click, self._moved[2:], self._moved[:2], ("taken-back",))
                return Act(("taken-back",), "clicks", back)
            case "settlement" if self._took_king and "done" in page.offers:
                return self._answer(page, "done")
        return None

    def _answer(self, page: Page, id_: str) -> Act:
        return Act(("pick", id_), "answer", partial(self._person.pick, page, id_))

    def play_on(self) -> None:
        """Do whatever comes next: throw, move, and end the turn."""
        page = self._person.look()
        if page.steps and not page.wrong:
            self._person.pick(page, self._rng.choice(page.steps))
        else:
            self._step("", page)

    def _step(self, kind: str, page: Page) -> None:
        kings = [id_ for id_ in page.offers if id_ in KINGS and page.round == 1]
        if self._is_hopeless(kind, page):
            self._turns_without_a_step = 0
            self._person.new_match(FIELDS | {"rounds": self._rng.choice("12")})
        elif page.wrong:  # a round is over: the next one begins with the pieces set up
            self._person.touch("/board/set-up")
        elif page.throwable:
            self._keep(page)
        elif "roll" in page.offers:
            self._moved, self._took_king = "", False
            self._hold_roll(0.01)
        elif kind == "settlement" and kings and not self._took_king:
            self._took_king = True
            self._person.pick(page, kings[0])
        elif page.steps and kind == "take-back":
            self._turns_without_a_step = 0
            self._moved = self._rng.choice(page.steps)
            self._person.pick(page, self._moved)
        elif "done" in page.offers:
            self._turns_without_a_step += 1
            self._person.pick(page, "done")
        elif page.steps:
            self._person.pick(page, self._rng.choice(page.steps))
        else:
            raise Found(Fault.WRONG, f"nothing can be done: {page}")

    def _is_hopeless(self, kind: str, page: Page) -> bool:
        """Return whether another match is needed: this one is over, too far on, or has run out of pawns to move."""
        if "rematch" in page.offers or not (page.offers or page.throwable):
            return True
        return self._turns_without_a_step >= TURNS_OF_PATIENCE or (kind == "settlement" and page.round > 1)

    def _hold_roll(self, held_s: float) -> None:
        self._person.touch("/button/roll/press")
        time.sleep(held_s)
        self._person.touch("/button/roll/release")
        self._person.memory.done.append(("pick", "roll"))

    def _keep(self, page: Page) -> None:
        action: dict[str, object] = {"type": "keep", "dice": list(page.throwable[1:])}
        self._person.answer(page, action, page.keeping)

    def _click(self, start: str, end: str, deed: Deed) -> None:
        """Lift a piece and put it down, and look until the table has understood."""
        before = self._person.look()
        for square in (start, end):
            self._person.touch("/board/click", {"square": square})
        deadline = time.monotonic() + PATIENCE_S
        while self._person.look().revision == before.revision:
            if time.monotonic() > deadline:
                raise Found(Fault.HANG, f"{deed} was never understood")
            time.sleep(0.02)
        self._person.memory.done.append(deed)
