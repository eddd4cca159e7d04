"""A club's evening in one folder: a real Mosquitto, the club's server and tables, each a process of its own."""

import re
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from typing import Final, Self

from captains_table.club.setting_up.settings_files import table_settings
from tests.clubroom.crew import LOOKED_AT_S, Crew
from tests.clubroom.programme import Contest, Play
from tests.support.club_process import Arbiter, ClubProcess
from tests.support.laid_out_club import LaidOutClub
from tests.support.listening_process import AddressedProcess, NotThere

TABLE: Final = re.compile(r"^The table is at (?P<address>http://[^/]+)/table", re.MULTILINE)
ROUND_S: Final = 0.5
PAIRED_WITHIN_S: Final = 120.0
PAUSE_S: Final = 3.0  # between one look whether a round is over and the next
SHORT_PAUSE_S: Final = 0.5  # of this, and of looking at a result, where matches are short
CONFLICT, SEE_OTHER = 409, 303

TABLE_SETTINGS: Final = """\
[table]
state_dir = {state}

[web]
port = 0

"""


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
        self._contest = contest
        self._short = short
        self._arbiter: Arbiter | None = None
        self._looked_s = 0.0
        self.tables: list[AddressedProcess] = []
        self.crews: list[Crew] = []
        self.laid_out = LaidOutClub(folder, len(plays))
        with ExitStack() as stack:
            self.broker = stack.enter_context(self.laid_out.broker())
            config = self.laid_out.config(host, port)
            self.club = stack.enter_context(ClubProcess(config, self.laid_out.log))
            self._stack = stack.pop_all()
        self._plays = plays

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
        """Hold the event, if there is one, once the club has heard of all tables.

        If the club is too slow to answer, the evening goes on without an event, and says so.
        """
        event = self._contest
        if event is None:
            return
        self.club.wait_until(self._has_all_tables, lambda: "it misses tables")
        arbiter = Arbiter(self.club)
        try:
            arbiter.make_swiss(event.title, event.game, event.rounds, event.players, event.options)
        except (OSError, HTTPException) as error:
            print(f"There is no event, as the club did not answer in time: {error}", file=sys.stderr)
        else:
            self._arbiter = arbiter

    def is_open(self) -> bool:
        """Return whether the club's server runs; raises NotThere where it failed, with what it wrote.

        Ctrl-C reaches all processes of a terminal, and may reach the server before this one.
        """
        code = self.club.process.poll()
        if code:
            raise NotThere(f"the club's server ended with {code}: {self.club.complaints}")
        return code is None

    def look_after(self) -> None:
        """Look after every table once, and after the event; what does not answer just now is asked the next time."""
        if self._arbiter is not None and time.monotonic() - self._looked_s >= (
            SHORT_PAUSE_S if self._short else PAUSE_S
        ):
            self._looked_s = time.monotonic()
            with suppress(OSError, HTTPException):
                self._pair(self._arbiter)
        for crew in self.crews:
            crew.look_after()
        time.sleep(ROUND_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End everything: the tables at once, then server and broker."""
        for table in self.tables:
            table.ask_to_stop()
        self._stack.close()

    def _has_all_tables(self) -> bool:
        with suppress(OSError, HTTPException):
            return self.club.health()["tables"] >= len(self.tables)
        return False

    def _pair(self, arbiter: Arbiter) -> None:
        """Pair the next round and give it to the tables, as soon as the one before is over."""
        for button in ("pair", "publish"):
            answer = arbiter.pages.post(f"/arbiter/events/1/{button}")
            if answer.status_code == CONFLICT:  # the round goes on, or was the last
                return
            if answer.status_code != SEE_OTHER:
                raise HTTPException(answer.text)

    def _crew(self, number: int) -> Crew:
        held_at = 0 if self._contest is None else self._contest.tables
        waits_s = PAIRED_WITHIN_S if number <= held_at else 0.0
        looks_s = SHORT_PAUSE_S if self._short else LOOKED_AT_S
        return Crew(self.tables[number - 1].address(), self._plays[number - 1], waits_s, looks_s)

    def _table(self, number: int) -> AddressedProcess:
        own = self.laid_out.folder / "tables" / f"table-{number}"
        settings = table_settings(f"table-{number}", number, "localhost", self.laid_out.port, PurePosixPath(own))
        config = own / "table.toml"
        config.write_text(
            TABLE_SETTINGS.format(state=f'"{own / "state"}"') + settings.replace("names = false", "names = true")
        )
        return AddressedProcess(["run", config], self.laid_out.log, f"table-{number}", TABLE)
