"""What of the contract between table and club Debian's `nats-server` keeps, as a broker in Mosquitto's place."""

import asyncio
import contextlib
import socket
from pathlib import Path

import aiomqtt
import pytest

from captains_table.reporting.broker import Broker, mqtt_client
from captains_table.reporting.messages import ANY_USER, FromTable, Presence, Status, Topic, decode, encode
from tests.club_load.halls import NatsServer
from tests.support.patience import PATIENCE_S

ACCESS = """\
authorization {
  users: [
    { user: "table-1", password: "one", permissions: {
        publish: ["captains-table.table-1.*", "$MQTT.>"], subscribe: ["captains-table.table-1.club.*", "$MQTT.>"] } }
    { user: "club", password: "all" }
  ]
}
"""
LOST = encode(Status(state=Presence.LOST, board=1))
STATUS = str(Topic("table-1", FromTable.STATUS))


@pytest.mark.slow
def test_what_is_retained_and_last_wills_are_told_and_told_again_to_who_asks_again(tmp_path: Path) -> None:
    async def scene(port: int) -> None:
        async with asyncio.timeout(PATIENCE_S), mqtt_client(Broker("127.0.0.1", port), "club") as club:
            table = mqtt_client(Broker("127.0.0.1", port), "table", aiomqtt.Will(STATUS, LOST, 1, retain=True))
            with contextlib.suppress(aiomqtt.MqttError):
                async with table:
                    await table.publish(STATUS, encode(Status(state=Presence.READY, board=1)), 1, retain=True)
                    line = table._client.socket()
                    assert isinstance(line, socket.socket)
                    line.shutdown(socket.SHUT_RDWR)
                    await table._disconnected
            for again in (False, True):
                await club.subscribe([(str(Topic(ANY_USER, kind)), 1) for kind in FromTable])
                async for message in club.messages:
                    assert isinstance(message.payload, bytes)
                    status = decode(FromTable.STATUS, message.payload)
                    assert isinstance(status, Status)
                    if status.state is Presence.LOST and (message.retain or not again):
                        break

    with NatsServer(tmp_path) as broker:
        asyncio.run(scene(broker.port))


@pytest.mark.slow
def test_a_table_writes_its_own_topics_alone(tmp_path: Path) -> None:
    """Where Mosquitto has one pattern for all tables, NATS has permissions for each user."""

    async def scene(port: int) -> None:
        async with (
            asyncio.timeout(PATIENCE_S),
            mqtt_client(Broker("127.0.0.1", port, "club", "all"), "club") as club,
            mqtt_client(Broker("127.0.0.1", port, "table-1", "one"), "table-1") as table,
        ):
            await club.subscribe([(str(Topic(ANY_USER, kind)), 1) for kind in FromTable])
            await table.publish(
                str(Topic("table-2", FromTable.VIEW)), b"forged", 1
            )  # it is not said that it was refused
            await table.publish(str(Topic("table-1", FromTable.VIEW)), b"own", 1)
            async for message in club.messages:
                assert (str(message.topic), message.payload) == (str(Topic("table-1", FromTable.VIEW)), b"own")
                break

    with NatsServer(tmp_path, [ACCESS]) as broker:
        asyncio.run(scene(broker.port))
