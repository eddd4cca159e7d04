"""A client of a real broker that hears and says what it may, and learns what it may not."""

import contextlib
import socket
import ssl
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.support.patience import PATIENCE_S


class Refused(Exception):
    """The broker did not let a client in; the message is its reason."""


class Guest:
    """A line to a broker, in MQTT 5 because it gives reasons; raises Refused where the broker refuses it.

    Args:
        port: the broker's, on loopback.
        ca: the certificate of the authority to trust; `None`: in the clear.
        user, password: as whom.
        identifier: the client's own.
        will: topic and payload of the last will.
        protocol: the version that is spoken.
    """

    def __init__(
        self,
        port: int,
        ca: Path | None = None,
        user: str | None = None,
        password: str | None = None,
        identifier: str = "",
        will: tuple[str, bytes] | None = None,
        protocol: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5,
    ) -> None:
        self.is_gone = threading.Event()
        self._answers: SimpleQueue[str] = SimpleQueue()
        self._said: SimpleQueue[str] = SimpleQueue()
        self._heard: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._client = Client(CallbackAPIVersion.VERSION2, identifier, protocol=protocol, reconnect_on_failure=False)
        self._client.username_pw_set(user, password)
        if ca is not None:
            self._client.tls_set_context(ssl.create_default_context(cafile=ca))
        if will is not None:
            self._client.will_set(*will, qos=1)
        self._client.on_connect = lambda _c, _u, _f, code, _p: self._answers.put(str(code))
        self._client.on_subscribe = lambda _c, _u, _m, codes, _p: self._answers.put(str(codes[0]))
        self._client.on_publish = lambda _c, _u, _m, code, _p: self._said.put(str(code))
        self._client.on_message = lambda _c, _u, message: self._heard.put((message.topic, bytes(message.payload)))
        self._client.on_disconnect = lambda *_: self.is_gone.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        try:
            answer = self._answers.get(timeout=PATIENCE_S)
        except Empty:
            self.leave()
            raise
        if answer != "Success":
            self.leave()
            raise Refused(answer)

    def say(self, topic: str, payload: bytes = b"{}", *, retain: bool = False) -> str:
        """Say something, and return what the broker answered."""
        self._client.publish(topic, payload, qos=1, retain=retain)
        return self._said.get(timeout=PATIENCE_S)

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

    def heard_within(self, seconds: float) -> list[tuple[str, bytes]]:
        """Return topics and payloads of what was heard, until nothing more comes within so many seconds."""
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
