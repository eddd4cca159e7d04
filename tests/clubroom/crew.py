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
SEAT: Final = re.compile(r'data-seat="(?P<seat>\d+)"')


class Crew:
    """Those who play at one table.

    Args:
        address: the table's page, without a slash at its end.
        play: what they play where the club has paired nobody.
        looked_at_s: how long a result is left standing.
    """

    def __init__(self, address: str, play: Play, looked_at_s: float = LOOKED_AT_S) -> None:
        self.matches = 0
        self.address = address
        self._play = play
        self._looked_at_s = looked_at_s
        self._over_since: float | None = None

    def look_after(self) -> None:
        """Begin what is to be begun; a table that does not answer just now is looked after the next time."""
        try:
            self._look_after(json.loads(self._get("/health")))
        except (OSError, urllib.error.HTTPError):  # it starts, or ends
            return

    def _look_after(self, health: Mapping[str, Any]) -> None:
        if health["phase"] not in {"over", "lobby", "idle"}:
            self._over_since = None
            return
        now = time.monotonic()
        self._over_since = now if self._over_since is None else self._over_since
        if self.matches and now - self._over_since < self._looked_at_s:
            return
        pairing = PAIRING.search(self._get("/table"))
        if pairing is None:
            self._begin(self._play)
        else:
            self._post("/answer", {"revision": health["revision"], "action": {"type": "pick", "id": pairing["id"]}})
            started = json.loads(self._get("/health"))
            self._seat(MINDS[started["game"]], len(set(SEAT.findall(self._get("/table")))))
        self.matches += 1
        self._over_since = None

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
