"""The arbiter at his pages, over the network as his browser goes."""

import re
from typing import Final

import httpx

from tests.support.club_process import ClubProcess
from tests.support.patience import PATIENCE_S

TOKEN: Final = re.compile(r"token=(?P<token>\S+)")


class Arbiter:
    """The arbiter of a club's first event, who goes by the address that the server printed.

    Args:
        club: the server.
    """

    def __init__(self, club: ClubProcess) -> None:
        found = TOKEN.search(club.arbiter)
        assert found is not None
        self._client = httpx.Client(base_url=club.wall, headers={"x-table-token": found["token"]}, timeout=PATIENCE_S)

    def post(self, path: str, **fields: str) -> str:
        """Send a form, and return where that leads."""
        answer = self._client.post(f"/arbiter{path}", data=fields)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def overview(self) -> str:
        """Return his first page."""
        return self._client.get("/arbiter").text

    def report(self) -> str:
        """Return the event as a tournament report."""
        return self._client.get("/arbiter/events/1/report.trf").text

    def tables(self) -> int:
        """Return how many tables have come."""
        tables: int = self._client.get("/health").json()["tables"]
        return tables

    def close(self) -> None:
        """Leave."""
        self._client.close()
