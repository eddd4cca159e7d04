"""Brokers of a club on this machine: one Mosquitto, two halls bridged to a hub, or Debian's `nats-server`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from captains_table.club.setting_up.mosquitto import SETTINGS
from tests.support.mosquitto import Mosquitto
from tests.support.nats_server import NatsServer

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
"""As docs/club.md has it, but for certificates and passwords."""


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
