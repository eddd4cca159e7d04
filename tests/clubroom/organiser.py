"""Holds an event over the arbiter's pages, as a script may: enters players, pairs one round after the other."""

import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Final

from tests.clubroom.programme import Contest

ANSWER_S: Final = 10.0
PAUSE_S: Final = 3.0  # between one look whether a round is over and the next
PLAYER: Final = re.compile(r'name="(?P<field>player-\d+)"')
CONFLICT: Final = 409


class Organiser:
    """Who holds an event.

    Args:
        arbiter: the address of the arbiter's pages, with the token.
        contest: what is held.
    """

    def __init__(self, arbiter: str, contest: Contest) -> None:
        found = urllib.parse.urlsplit(arbiter)
        ((_, self._token),) = urllib.parse.parse_qsl(found.query)
        self._pages = f"{found.scheme}://{found.netloc}/arbiter"
        self._contest = contest
        self._event = ""
        self._looked_s = 0.0

    def open_event(self) -> None:
        """Make the event and enter its players; its tables must be there."""
        contest = self._contest
        for name in contest.players:
            self._post("/players", {"name": name})
        options = {f"option-{name}": value for name, value in contest.options.items()}
        made = {"title": contest.title, "game": contest.game, "system": "swiss", "rounds": str(contest.rounds)}
        self._event = urllib.parse.urlsplit(self._post("/new", {**made, **options})).path.removeprefix("/arbiter")
        entered = dict.fromkeys(PLAYER.findall(self._get(self._event)), "on")
        self._post(f"{self._event}/enter", entered)

    def look_after(self) -> None:
        """Pair the next round and give it to the tables, as soon as the one before is over."""
        now = time.monotonic()
        if now - self._looked_s < PAUSE_S:
            return
        self._looked_s = now
        try:
            self._post(f"{self._event}/pair", {})
            self._post(f"{self._event}/publish", {})
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != CONFLICT:  # the round goes on, or was the last
                raise

    def _get(self, path: str) -> str:
        with urllib.request.urlopen(self._request(path), timeout=ANSWER_S) as answer:
            return str(answer.read().decode())

    def _post(self, path: str, fields: Mapping[str, str]) -> str:
        """Send a form, and return the address of the page it leads to."""
        body = urllib.parse.urlencode(fields).encode()
        with urllib.request.urlopen(self._request(path, body), timeout=ANSWER_S) as answer:
            return str(answer.url)

    def _request(self, path: str, body: bytes | None = None) -> urllib.request.Request:
        return urllib.request.Request(f"{self._pages}{path}", body, {"X-Table-Token": self._token})
