"""A club's evening in one folder: a real Mosquitto, the club's server and tables, each a process of its own."""

import re
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final, Self

from captains_table.club.setting_up.club_folder import ClubSetup, lay_out
from captains_table.club.setting_up.settings_files import table_settings
from tests.clubroom.crew import LOOKED_AT_S, Crew
from tests.clubroom.programme import Contest, Play
from tests.support.club_arbiter import Arbiter
from tests.support.club_process import ClubProcess
from tests.support.listening_process import AddressedProcess, NotThere, free_port
from tests.support.mosquitto import ClubBroker
from tests.support.patience import PATIENCE_S

TABLE: Final = re.compile(r"^The table is at (?P<address>http://[^/]+)/table", re.MULTILINE)
WEB: Final = re.compile(r"\[web\]\nhost = .*\nport = .*")
ROUND_S: Final = 0.5
PAIRED_WITHIN_S: Final = 120.0
PAUSE_S: Final = 3.0  # between one look whether a round is over and the next
SHORT_PAUSE_S: Final = 0.5  # of this, and of looking at a result, where matches are short
CONFLICT: Final = 409

TABLE_SETTINGS: Final = """\
[table]
state_dir = {state}

[web]
port = 0

"""


class Organiser:
    """Holds an event over the arbiter's pages, as a script may: enters players, pairs one round after the other.

    Args:
        club: the server; the event's tables have come.
        contest: the event.
        pause_s: between one look whether a round is over and the next.
    """

    def __init__(self, club: ClubProcess, contest: Contest, pause_s: float) -> None:
        self._arbiter = Arbiter(club)
        self._pause_s = pause_s
        self._looked_s = 0.0
        self._arbiter.make_swiss(contest.title, contest.game, contest.rounds, contest.players, contest.options)

    def close(self) -> None:
        """Leave the event as it is."""
        self._arbiter.close()

    def look_after(self) -> None:
        """Pair the next round and give it to the tables, as soon as the one before is over."""
        if time.monotonic() - self._looked_s < self._pause_s:
            return
        self._looked_s = time.monotonic()
        for button in ("pair", "publish"):
            answer = self._arbiter.pages.post(f"/arbiter/events/1/{button}")
            if answer.status_code == CONFLICT:  # the round goes on, or was the last
                return
            assert answer.status_code == 303, answer.text


class Room:
    """A club at work; `look_after` lets its tables go on playing.

    Args:
        folder: where all of it is kept; an empty one.
        plays: what is played at each table.
        host: the address the wall listens on.
        port: its port; 0 takes any that is free.
        contest: the event that is held; `None`: none.
        short: whether results are looked at for a moment only.
    """

    def __init__(
        self,
        folder: Path,
        plays: Sequence[Play],
        host: str = "127.0.0.1",
        port: int = 0,
        contest: Contest | None = None,
        *,
        short: bool = False,
    ) -> None:
        self._logs = folder / "logs"
        self.club_folder = folder / "club"
        self._contest = contest
        self._short = short
        self._organiser: Organiser | None = None
        self.tables: list[AddressedProcess] = []
        self.crews: list[Crew] = []
        broker_port = free_port()
        lay_out(
            ClubSetup(self.club_folder, tables=len(plays), hosts=("localhost",), port=broker_port), datetime.now(UTC)
        )
        config = self.club_folder / "config.toml"
        config.write_text(WEB.sub(f'[web]\nhost = "{host}"\nport = {port}', config.read_text()))
        with ExitStack() as stack:
            self.broker = stack.enter_context(ClubBroker(self._logs, self.club_folder / "broker", broker_port))
            self.club = stack.enter_context(ClubProcess(config, self._logs))
            self._stack = stack.pop_all()
        self._plays = plays
        self._port = broker_port

    def open_tables(self) -> None:
        """Start all tables, and wait until each of them is there."""
        for number in range(1, len(self._plays) + 1):
            self.tables.append(self._stack.enter_context(self._table(number)))
        self.crews.extend(self._crew(number) for number in range(1, len(self._plays) + 1))

    def open_again(self, number: int) -> None:
        """Start a table that ended, and wait until it is there."""
        self.tables[number - 1] = self._stack.enter_context(self._table(number))
        self.crews[number - 1] = self._crew(number)

    def open_event(self) -> None:
        """Hold the event, if there is one, once the club has heard of all tables."""
        if self._contest is not None:
            self._wait_for_tables()
            pause_s = SHORT_PAUSE_S if self._short else PAUSE_S
            self._organiser = self._stack.enter_context(closing(Organiser(self.club, self._contest, pause_s)))

    def look_after(self) -> None:
        """Look after every table once, and after the event."""
        if self._organiser is not None:
            self._organiser.look_after()
        for crew in self.crews:
            crew.look_after()
        time.sleep(ROUND_S)

    def close(self) -> None:
        """End everything: the tables at once, then server and broker."""
        for table in self.tables:
            table.ask_to_stop()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait_for_tables(self) -> None:
        until = time.monotonic() + PATIENCE_S
        while self.club.health()["tables"] < len(self.tables):
            if time.monotonic() > until:
                raise NotThere("the tables are there, and the club has not heard of all of them")
            time.sleep(ROUND_S)

    def _crew(self, number: int) -> Crew:
        held_at = 0 if self._contest is None else self._contest.tables
        waits_s = PAIRED_WITHIN_S if number <= held_at else 0.0
        looks_s = SHORT_PAUSE_S if self._short else LOOKED_AT_S
        crew = Crew(self.tables[number - 1].address(), self._plays[number - 1], waits_s, looks_s)
        return self._stack.enter_context(closing(crew))

    def _table(self, number: int) -> AddressedProcess:
        own = self.club_folder / "tables" / f"table-{number}"
        settings = table_settings(f"table-{number}", number, "localhost", self._port, PurePosixPath(own))
        config = own / "table.toml"
        config.write_text(
            TABLE_SETTINGS.format(state=f'"{own / "state"}"') + settings.replace("names = false", "names = true")
        )
        return AddressedProcess(["run", config], self._logs, f"table-{number}", TABLE)
