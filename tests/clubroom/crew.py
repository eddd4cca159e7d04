"""Plays at a table over its page, as a script may: begins matches, and lets computers play for all players."""

import re
import time
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, Final

from tests.clubroom.programme import MINDS, Play
from tests.support.pages import Answer, Pages

LOOKED_AT_S: Final = 8.0  # for so long a result is seen at the table
ANSWER_S: Final = 10.0
PAIRING: Final = re.compile(r'data-pick="(?P<id>pairing-[^"]+)"')
PAIR: Final = 2
OVER: Final = "over"
IDLE: Final = {OVER, "lobby", "idle"}


class Crew:
    """The players at one table.

    Args:
        address: the table's page, without a slash at its end.
        play: what they play where the club has paired nobody.
        waits_s: how long they wait for the club to pair somebody at their table, before they play on their own.
        looks_s: how long they look at a result.
    """

    def __init__(self, address: str, play: Play, waits_s: float = 0.0, looks_s: float = LOOKED_AT_S) -> None:
        self.address = address
        self._table = Pages(address, {"Accept": "application/json"}, ANSWER_S)
        self._play = play
        self._waits_s = waits_s
        self._looks_s = looks_s
        self._idle_since: float | None = None

    def look_after(self) -> None:
        """Begin a match where none goes on; a table that does not answer just now is looked after the next time."""
        try:
            self._look_after(self._health())
        except (OSError, HTTPException):  # it starts, or ends
            return

    def call_arbiter(self, *, wanted: bool) -> None:
        """Ask for an arbiter, or for none any more."""
        self._post(f"/arbiter/{'call' if wanted else 'release'}", {})

    def _look_after(self, health: Mapping[str, Any]) -> None:
        if health["phase"] not in IDLE:
            self._idle_since = None
            return
        now = time.monotonic()
        self._idle_since = now if self._idle_since is None else self._idle_since
        idle_s = now - self._idle_since
        if health["phase"] == OVER and idle_s < self._looks_s:
            return
        pairing = PAIRING.search(_checked(self._table.get("/table")).text)
        if pairing is not None:
            self._begin_pairing(pairing["id"], health["revision"])
        elif idle_s >= self._waits_s:
            self._begin(self._play)

    def _begin_pairing(self, id_: str, revision: int) -> None:
        self._post("/answer", {"revision": revision, "action": {"type": "pick", "id": id_}})
        self._seat(MINDS[self._health()["game"]], PAIR)

    def _begin(self, play: Play) -> None:
        names = {f"name{seat}": name for seat, name in enumerate(play.players, start=1)}
        self._post("/new", {"game": play.game, **names, **play.options})
        self._seat(play.mind, len(play.players))

    def _seat(self, mind: str, seats: int) -> None:
        for seat in range(seats):
            self._post("/player", {"seat": seat, "player": mind})

    def _health(self) -> Mapping[str, Any]:
        health: Mapping[str, Any] = _checked(self._table.get("/health")).json()
        return health

    def _post(self, path: str, body: Mapping[str, object]) -> None:
        _checked(self._table.post_json(path, body))


def _checked(answer: Answer) -> Answer:
    """Return an answer; raises HTTPException where it is an error."""
    if answer.status_code >= HTTPStatus.BAD_REQUEST:
        raise HTTPException(answer.text)
    return answer
