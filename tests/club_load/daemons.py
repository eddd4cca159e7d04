"""Real tables among the crowd: daemons at which computers play, and what is heard of them at the broker."""

import threading
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from captains_table.reporting.messages import FromTable, MatchReport, Topic, ViewMessage, decode, read_topic
from tests.clubroom.crew import Crew
from tests.clubroom.programme import plays_for
from tests.clubroom.room import TABLE
from tests.support.listening_process import AddressedProcess
from tests.support.patience import PATIENCE_S

USER: Final = "daemon-{number}"
SETTINGS: Final = """\
[table]
state_dir = "{state}"

[web]
port = 0

[club]
host = "127.0.0.1"
port = {port}
user = "{user}"
board = {board}
names = true
"""


@dataclass(slots=True)
class Heard:
    """What was heard of a table: its views, those left out between them, and the last one's number; its results."""

    boot: str = ""
    views: int = 0
    left_out: int = 0
    n: int = 0
    results: set[str] = field(default_factory=set)


class Witness:
    """Hears what some tables say, as the club's server does.

    Args:
        port: the broker's, on loopback.
        users: the tables.
    """

    def __init__(self, port: int, users: Sequence[str]) -> None:
        self.heard = {user: Heard() for user in users}
        self._listens = threading.Semaphore(0)
        self._client = Client(CallbackAPIVersion.VERSION2, "witness")
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda *_: self._listens.release()
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        if users:
            self._listens.acquire(timeout=PATIENCE_S)

    def close(self) -> None:
        """Hear no more."""
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: Client, *_: object) -> None:
        topics = [(str(Topic(user, kind)), 1) for user in self.heard for kind in (FromTable.VIEW, FromTable.RESULT)]
        if topics:
            client.subscribe(topics)

    def _hear(self, _c: Client, _u: Any, message: MQTTMessage) -> None:  # noqa: ANN401 - paho's
        topic = read_topic(message.topic)
        if topic is None:
            return
        heard = self.heard[topic.user]
        match decode(topic.kind, bytes(message.payload)):
            case MatchReport() as outcome:
                heard.results.add(outcome.match)
            case ViewMessage() as seen:
                heard.left_out += seen.n - heard.n - 1 if seen.boot == heard.boot else 0
                heard.views += 1
                heard.boot, heard.n = seen.boot, seen.n


class Daemons:
    """Real tables at play.

    Args:
        users: as whom they speak.
        ports: of brokers; the tables are spread over them.
        board: the number of the first.
        folder: where they keep everything.
    """

    def __init__(self, users: Sequence[str], ports: Sequence[int], board: int, folder: Path) -> None:
        self.crews: list[Crew] = []
        self._processes: list[AddressedProcess] = []
        with ExitStack() as stack:
            for place, user in enumerate(users):
                own = folder / user
                own.mkdir(parents=True)
                port = ports[place % len(ports)]
                text = SETTINGS.format(state=own / "state", port=port, user=user, board=board + place)
                (own / "table.toml").write_text(text)
                process = AddressedProcess(["run", own / "table.toml"], folder / "logs", user, TABLE)
                self._processes.append(stack.enter_context(process))
            for process, play in zip(self._processes, plays_for(len(users)), strict=True):
                self.crews.append(stack.enter_context(closing(Crew(process.address(), play))))
            self._stack = stack.pop_all()

    @property
    def pids(self) -> tuple[int, ...]:
        """Their processes."""
        return tuple(process.process.pid for process in self._processes)

    def look_after(self) -> None:
        """Begin a new match at each table whose match is over."""
        for crew in self.crews:
            crew.look_after()

    def close(self) -> None:
        """End all of them; they say that they leave."""
        for process in self._processes:
            process.ask_to_stop()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
