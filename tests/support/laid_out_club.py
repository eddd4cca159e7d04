"""A club's folder as `club init` lays it out: its broker, the settings of its server, and everybody's way to it."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from captains_table.reporting.broker import read_password
from tests.support.broker_guest import Guest
from tests.support.listening_process import free_port
from tests.support.mosquitto import BrokerProcess

WEB: Final = re.compile(r"\[web\]\nhost = .*\nport = .*")
HTTPS: Final = re.compile(r"https_port = \d+ ")


class LaidOutClub:
    """A club's folder with so many tables from a first number on; its broker is to be started.

    Args:
        folder: where the club's own folder, and the broker's log, are made.
        tables: how many there are.
        first: the number of the first.
        now: when it is laid out; `None`: now.
    """

    def __init__(self, folder: Path, tables: int, first: int = 1, now: datetime | None = None) -> None:
        self.port = free_port()
        self.log = folder / "logs"
        self.folder = folder / "the club's own"
        setup = ClubSetup(self.folder, tables=tables, hosts=("127.0.0.1",), port=self.port, first=first)
        lay_out(setup, now or datetime.now(UTC))

    def config(self, host: str = "127.0.0.1", port: int = 0) -> Path:
        """Return the settings of the club's server, whose pages are there; port 0: at any that is free."""
        config = self.folder / "config.toml"
        settings = WEB.sub(f'[web]\nhost = "{host}"\nport = {port}', config.read_text())
        config.write_text(HTTPS.sub("https_port = 0 ", settings))
        return config

    def broker(self) -> BrokerProcess:
        """Start the broker, by the very settings that Mosquitto has in its conf.d."""
        return BrokerProcess(self.log, (f"include_dir {self.folder / 'broker'}",), self.port)

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
