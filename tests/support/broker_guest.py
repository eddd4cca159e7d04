"""A client of a real broker that hears and says what it may, and learns what it may not."""

import contextlib
import socket
import ssl
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tests.support.patience import PATIENCE_S


class Refused(Exception):
    """The broker did not let a client in; the message is its reason."""


class Guest:
    """A line to a broker in MQTT 5, in which it gives reasons; raises Refused where the broker refuses it.

    Args:
        port: the broker's, on loopback.
        ca: the certificate of the authority to trust; `None`: in the clear.
        user, password: as whom.
        identifier: the client's own.
        will: topic and payload of the last will.
    """

    def __init__(
        self,
        port: int,
        ca: Path | None = None,
        user: str | None = None,
        password: str | None = None,
        identifier: str = "",
        will: tuple[str, bytes] | None = None,
    ) -> None:
        self.is_there = threading.Event()
        self.is_gone = threading.Event()
        self._answers: SimpleQueue[ReasonCode] = SimpleQueue()
        self._said: SimpleQueue[ReasonCode] = SimpleQueue()
        self._heard: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            identifier,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        self._client.username_pw_set(user, password)
        if ca is not None:
            self._client.tls_set_context(ssl.create_default_context(cafile=ca))
        if will is not None:
            self._client.will_set(*will, qos=1)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_publish = self._published
        self._client.on_subscribe = self._subscribed
        self._client.on_message = self._hear
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        try:
            answer = self._answers.get(timeout=PATIENCE_S)
        except Empty:
            self.leave()
            raise
        if answer.is_failure:
            self.leave()
            raise Refused(str(answer))

    def say(self, topic: str, payload: bytes = b"{}", *, retain: bool = False) -> str:
        """Say something, and return what the broker answered."""
        self._client.publish(topic, payload, qos=1, retain=retain)
        return str(self._said.get(timeout=PATIENCE_S))

    def listen(self, pattern: str) -> None:
        """Ask to hear what matches."""
        self._client.subscribe(pattern, qos=1)
        self._answers.get(timeout=PATIENCE_S)

    def hear(self) -> tuple[str, bytes]:
        """Return topic and payload of what is heard next."""
        return self._heard.get(timeout=PATIENCE_S)

    def hear_until(self, topic: str) -> list[str]:
        """Return the topics of all that is heard up to this one."""
        heard: list[str] = []
        while not heard or heard[-1] != topic:
            heard.append(self.hear()[0])
        return heard

    def heard_within(self, seconds: float) -> list[str]:
        """Return the topics of what was heard, until nothing more comes within so many seconds."""
        return [topic for topic, _ in self.payloads_within(seconds)]

    def payloads_within(self, seconds: float) -> list[tuple[str, bytes]]:
        """Return what was heard, until nothing more comes within so many seconds."""
        heard: list[tuple[str, bytes]] = []
        with contextlib.suppress(Empty):
            while True:
                heard.append(self._heard.get(timeout=seconds))
        return heard

    def vanish(self) -> None:
        """Break the line without a word, so that the broker says the last will."""
        sock = self._client.socket()
        assert isinstance(sock, socket.socket)
        sock.shutdown(socket.SHUT_RDWR)
        self.is_gone.wait(PATIENCE_S)
        self._client.loop_stop()

    def leave(self) -> None:
        """End the line."""
        self._client.disconnect()
        self._client.loop_stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def _connected(self, _c: Client, _u: Any, _f: ConnectFlags, code: ReasonCode, _p: Properties | None) -> None:  # noqa: ANN401 - paho's
        self._answers.put(code)

    def _disconnected(self, *_: object) -> None:
        self.is_gone.set()

    def _subscribed(self, _c: Client, _u: Any, _m: int, codes: list[ReasonCode], _p: Properties | None) -> None:  # noqa: ANN401 - paho's
        self._answers.put(codes[0])

    def _published(self, _c: Client, _u: Any, _m: int, code: ReasonCode, _p: Properties | None) -> None:  # noqa: ANN401 - paho's
        self._said.put(code)

    def _hear(self, _c: Client, _u: Any, message: MQTTMessage) -> None:  # noqa: ANN401 - paho's
        self._heard.put((message.topic, bytes(message.payload)))
