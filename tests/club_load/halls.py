"""Brokers of a club on this machine, and real tables at them, at which computers play."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from captains_table.club.setting_up.mosquitto import SETTINGS
from captains_table.reporting.messages import MatchReport, ViewMessage, decode, read_topic
from tests.clubroom.room import TABLE
from tests.support.listening_process import AddressedProcess, ListeningProcess, free_port
from tests.support.mosquitto import Mosquitto
from tests.support.tools import program

QUEUES: Final = tuple(line for line in SETTINGS.splitlines() if line.startswith("max_queued_"))
"""How many messages wait for a busy client, as at any club."""
OPEN: Final = ("allow_anonymous true", *QUEUES)
BRIDGE: Final = (
    *OPEN,
    "connection {name}",  # the hub knows a bridge by this and the host's name, and has one of each
    "address 127.0.0.1:{hub}",
    "cleansession true",
    "notifications false",
    "bridge_protocol_version mqttv311",
    "restart_timeout 1 1",
    "topic captains-table/+/view out 1",
    "topic captains-table/+/status out 1",
    "topic captains-table/+/needs out 1",
    "topic captains-table/+/result out 1",
    "topic homeassistant/device/captains-table/+/config out 1",
    "topic captains-table/+/club/acknowledged in 1",
    "topic captains-table/+/club/pairings in 1",
)
"""As docs/club-setup.md has it, but for certificates and passwords."""


NATS_SETTINGS: Final = """\
listen: "127.0.0.1:{own}"
server_name: "club"
jetstream {{ store_dir: "{folder}/jetstream" }}
mqtt {{ listen: "127.0.0.1:{port}" }}
"""


class NatsServer(ListeningProcess):
    """A NATS server on loopback.

    Args:
        folder: where its configuration, its log and what it keeps are.
        settings: further lines of its configuration.
    """

    def __init__(self, folder: Path, settings: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        file, port = folder / "nats.conf", free_port()
        own = NATS_SETTINGS.format(own=free_port(), port=port, folder=folder)
        file.write_text(own + "".join(f"{line}\n" for line in settings), encoding="utf-8")
        command = program("nats-server", f"{os.environ['PATH']}:/usr/sbin")
        super().__init__((command, "-c", file), folder / "nats.log", port)


class Brokers(StrEnum):
    """Which brokers a club has."""

    ONE = "one Mosquitto"
    BRIDGED = "two Mosquittos bridged to a third"
    NATS = "nats-server speaking MQTT"


@dataclass(frozen=True, slots=True)
class Halls:
    """Brokers that run.

    Attributes:
        server_port: where the club's server is.
        table_ports: where tables are.
        pids: what is measured, by name.
    """

    server_port: int
    table_ports: Sequence[int]
    pids: Mapping[str, int]


@contextmanager
def halls(brokers: Brokers, folder: Path) -> Iterator[Halls]:
    """Have brokers run, on loopback and for anybody."""
    with ExitStack() as stack:
        if brokers is Brokers.NATS:
            nats = stack.enter_context(NatsServer(folder / "nats"))
            yield Halls(nats.port, (nats.port,), {"broker": nats.process.pid})
            return
        hub = stack.enter_context(Mosquitto(folder / "broker", OPEN))
        if brokers is Brokers.ONE:
            yield Halls(hub.port, (hub.port,), {"broker": hub.process.pid})
            return
        leaves = [
            stack.enter_context(Mosquitto(folder / name, [line.format(hub=hub.port, name=name) for line in BRIDGE]))
            for name in ("hall-a", "hall-b")
        ]
        pids = {f"broker of hall {name}": leaf.process.pid for name, leaf in zip("AB", leaves, strict=True)}
        yield Halls(hub.port, [leaf.port for leaf in leaves], {"broker, the hub": hub.process.pid, **pids})


USER: Final = "daemon-{number}"
TABLE_SETTINGS: Final = """\
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


def heard_of(users: Sequence[str], said: Iterable[tuple[str, bytes]]) -> dict[str, Heard]:
    """Return what was heard of some tables, by all topics and payloads that were."""
    found = {user: Heard() for user in users}
    for name, payload in said:
        topic = read_topic(name)
        assert topic is not None
        heard = found[topic.user]
        match decode(topic.kind, payload):
            case MatchReport() as outcome:
                heard.results.add(outcome.match)
            case ViewMessage() as seen:
                heard.left_out += seen.n - heard.n - 1 if seen.boot == heard.boot else 0
                heard.views += 1
                heard.boot, heard.n = seen.boot, seen.n
    return found


@contextmanager
def daemons(users: Sequence[str], ports: Sequence[int], board: int, folder: Path) -> Iterator[list[AddressedProcess]]:
    """Have real tables run, which say in the end that they leave.

    Args:
        users: as whom they speak.
        ports: of brokers; the tables are spread over them.
        board: the number of the first.
        folder: where they keep everything.
    """
    tables: list[AddressedProcess] = []
    with ExitStack() as stack:
        for place, user in enumerate(users):
            own = folder / user
            own.mkdir(parents=True)
            port = ports[place % len(ports)]
            text = TABLE_SETTINGS.format(state=own / "state", port=port, user=user, board=board + place)
            (own / "table.toml").write_text(text)
            process = AddressedProcess(["run", own / "table.toml"], folder / "logs", user, TABLE)
            tables.append(stack.enter_context(process))
        yield tables
        for table in tables:
            table.ask_to_stop()
