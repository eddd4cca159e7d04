"""The broker of a club that `club init` laid out, and everybody's way to it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from captains_table.reporting.broker import read_password
from tests.support.broker_guest import Guest
from tests.support.listening_process import free_port
from tests.support.mosquitto import ClubBroker


class LaidOutClub:
    """A club's folder with so many tables from a first number on; its broker is to be started.

    Args:
        folder: where the club's own folder, and the broker's log, are made.
        tables: how many there are.
        first: the number of the first.
    """

    def __init__(self, folder: Path, tables: int, first: int = 1) -> None:
        self.port = free_port()
        self.log = folder / "log"
        self.folder = folder / "the club's own"
        lay_out(
            ClubSetup(self.folder, tables=tables, hosts=("127.0.0.1",), port=self.port, first=first), datetime.now(UTC)
        )

    def broker(self) -> ClubBroker:
        """Start the broker."""
        return ClubBroker(self.log, self.folder / "broker", self.port)

    @property
    def ca(self) -> Path:
        """The certificate of the authority."""
        return self.folder / "ca.crt"

    def password(self, user: str) -> str:
        """Return the password of a table, the server or the display."""
        own = self.folder / "tables" / user / "password"
        return read_password(own if own.exists() else self.folder / f"{user}-password")

    def guest(self, user: str, **how: Any) -> Guest:  # noqa: ANN401 - as a Guest takes it
        """Return somebody who comes in as a user."""
        return Guest(self.port, self.ca, user, self.password(user), **how)
