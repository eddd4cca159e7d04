"""Plays at a table over its page, as a script may: begins matches, and lets computers play for those who sit there."""

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

from tests.clubroom.programme import MINDS, Play

LOOKED_AT_S: Final = 8.0  # for so long a result is seen at the table
ANSWER_S: Final = 10.0
PAIRING: Final = re.compile(r'data-pick="(?P<id>pairing-[^"]+)"')
PAIR: Final = 2
OVER: Final = "over"
IDLE: Final = {OVER, "lobby", "idle"}


class Crew:
    """Those who play at one table.

    Args:
        address: the table's page, without a slash at its end.
        play: what they play where the club has paired nobody.
        waits_s: how long they wait for the club to pair somebody at their table, before they play on their own.
    """

    def __init__(self, address: str, play: Play, waits_s: float = 0.0) -> None:
        self.address = address
        self._play = play
        self._waits_s = waits_s
        self._idle_since: float | None = None

    def look_after(self) -> None:
        """Begin what is to be begun; a table that does not answer just now is looked after the next time."""
        try:
            self._look_after(json.loads(self._get("/health")))
        except (OSError, urllib.error.HTTPError):  # it starts, or ends
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
        if health["phase"] == OVER and idle_s < LOOKED_AT_S:
            return
        pairing = PAIRING.search(self._get("/table"))
        if pairing is not None:
            self._begin_pairing(pairing["id"], health["revision"])
        elif idle_s >= self._waits_s:
            self._begin(self._play)

    def _begin_pairing(self, id_: str, revision: int) -> None:
        self._post("/answer", {"revision": revision, "action": {"type": "pick", "id": id_}})
        game = json.loads(self._get("/health"))["game"]
        self._seat(MINDS[game], PAIR)

    def _begin(self, play: Play) -> None:
        names = {f"name{seat}": name for seat, name in enumerate(play.players, start=1)}
        self._post("/new", {"game": play.game, **names, **play.options})
        self._seat(play.mind, len(play.players))

    def _seat(self, mind: str, seats: int) -> None:
        for seat in range(seats):
            self._post("/player", {"seat": seat, "player": mind})

    def _get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=ANSWER_S) as answer:
            return str(answer.read().decode())

    def _post(self, path: str, body: Mapping[str, object]) -> None:
        request = urllib.request.Request(
            f"{self.address}{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Accept": "application/json"},
        )
        urllib.request.urlopen(request, timeout=ANSWER_S).close()
