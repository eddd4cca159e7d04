"""The arbiter of a club's server, over the network as a browser goes."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import httpx

from tests.support.club_process import ClubProcess
from tests.support.patience import PATIENCE_S

TOKEN: Final = re.compile(r"token=(?P<token>\S+)")


class Arbiter:
    """The arbiter of a club's first event, who has the token that the server printed.

    Args:
        club: the server.

    Attributes:
        pages: asks for any page with that token.
    """

    def __init__(self, club: ClubProcess) -> None:
        found = TOKEN.search(club.arbiter)
        assert found is not None
        self.pages = httpx.Client(base_url=club.wall, headers={"x-table-token": found["token"]}, timeout=PATIENCE_S)

    def post(self, path: str, **fields: str) -> str:
        """Send a form, and return where that leads."""
        answer = self.pages.post(f"/arbiter{path}", data=fields)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def make_swiss(
        self, title: str, game: str, rounds: int, players: Sequence[str], options: Mapping[str, str] | None = None
    ) -> None:
        """Make the first event, and enter new players, the best rated first."""
        for place, name in enumerate(players, 1):
            self.post("/players", name=name, rating=str(2000 - 10 * place))
        chosen = {f"option-{name}": value for name, value in (options or {}).items()}
        self.post("/new", title=title, game=game, system="swiss", rounds=str(rounds), forfeit_min="0", **chosen)
        self.post("/events/1/enter", **{f"player-{number}": "yes" for number in range(1, len(players) + 1)})

    def overview(self) -> str:
        """Return the arbiter's first page."""
        return self.pages.get("/arbiter").text

    def report(self) -> str:
        """Return the event as a tournament report."""
        return self.pages.get("/arbiter/events/1/report.trf").text

    def close(self) -> None:
        """Ask for no more pages."""
        self.pages.close()
