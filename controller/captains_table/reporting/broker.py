"""The MQTT client of tables and club: broker address, password file, TLS settings, and automatic reconnection.

The client works around faults of the MQTT library aiomqtt. Two helpers run tasks side by side and cancel them reliably.
"""

import asyncio
import socket
import ssl
import stat
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

import aiomqtt

PORT: Final = 1883
TLS_PORT: Final = 8883
KEEPALIVE_S: Final = 15  # a broker that vanished is noticed after 1.5 times this
ANSWER_S: Final = 5.0  # how long to wait for a broker's answer
CANCELLED_AGAIN_S: Final = 1.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
STEADY_S: Final = 60.0  # after a connection of this length the backoff starts anew
LARGEST_PASSWORD: Final = 1024


class BrokerUnusable(ValueError):
    """A file with the broker's password or certificate authority cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address, and the credentials for it.

    Attributes:
        host: its name or address.
        port: its port.
        user: the user name; empty if the broker admits anybody.
        password: the user's password.
        tls: the TLS settings that authenticate the broker; `None` if the connection is not encrypted.
    """

    host: str
    port: int = PORT
    user: str = ""
    password: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = None


def read_password(path: Path) -> str:
    """Return the password in a file.

    Raises:
        BrokerUnusable: the file cannot be read, others than its owner may access it, or its content is not one line of
            at most `LARGEST_PASSWORD` characters.
    """
    try:
        with path.open(encoding="utf-8") as file:
            mode = path.stat().st_mode
            if mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BrokerUnusable(
                    f"{path} may be read by others (mode {stat.S_IMODE(mode):04o}): expected 0600 (chmod 600 {path})"
                )
            password = file.read(LARGEST_PASSWORD + 1).strip("\n")
    except OSError as error:
        raise BrokerUnusable(f"{path} cannot be read ({error.strerror}): expected a file with the password") from error
    except UnicodeDecodeError as error:
        raise BrokerUnusable(f"{path} is no text: expected a file with the password") from error
    if not password or len(password) > LARGEST_PASSWORD or "\n" in password:
        raise BrokerUnusable(f"{path}: expected one line with the password")
    return password


def read_authority(path: Path) -> ssl.SSLContext:
    """Return TLS settings that trust only brokers with a certificate signed by the certificate authority in a PEM file.

    Raises:
        BrokerUnusable: the file cannot be read, or has no certificate.
    """
    try:
        return ssl.create_default_context(cafile=path)
    except (OSError, ssl.SSLError) as error:
        words = error.strerror or str(error)
        raise BrokerUnusable(f"{path} cannot be used ({words}): expected a certificate (PEM)") from error


class _ImmediateLoop:
    """A wrapper of an event loop, used on the loop's own thread: it runs threadsafe callbacks immediately.

    With the plain loop, aiomqtt would register a socket's file descriptor one turn of the loop later. If the connection
    broke in that turn, the socket would be closed already, and the descriptor would be free or that of another socket.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def call_soon_threadsafe(self, work: Callable[..., object], *values: object) -> None:
        """Run the callback now instead of scheduling it."""
        work(*values)

    def __getattr__(self, name: str) -> object:
        """Return the attribute of the wrapped loop."""
        return getattr(self._loop, name)


def _retrieve_exception(disconnected: asyncio.Future[None]) -> None:
    """Retrieve the exception that ended a connection, so that asyncio does not log it as never retrieved."""
    if not disconnected.cancelled():
        disconnected.exception()


class _Client(aiomqtt.Client):
    """An aiomqtt client that never watches a closed socket, and closes all of paho's sockets at the end.

    paho itself leaves a pair of sockets open.
    """

    def __init__(self, *values: Any, **named: Any) -> None:  # noqa: ANN401 - as aiomqtt has them
        super().__init__(*values, **named)
        self._outer_loop, self._thread = self._loop, threading.get_ident()
        self._loop = cast("asyncio.AbstractEventLoop", _ImmediateLoop(self._outer_loop))
        self._disconnected.add_done_callback(_retrieve_exception)
        self._client.on_socket_open = partial(self._watch, self._on_socket_open)
        self._client.on_socket_register_write = partial(self._watch, self._on_socket_register_write)

    def _watch(self, watch: Callable[..., object], line: object, data: object, sock: socket.socket) -> None:
        """Register a socket with `watch` on the event loop's thread, unless the socket was closed in the meantime.

        While paho connects, it calls this method on a different thread. The method then schedules the registration on
        the event loop's thread.
        """
        if threading.get_ident() != self._thread:
            self._outer_loop.call_soon_threadsafe(self._watch, watch, line, data, sock)
        elif sock.fileno() >= 0:
            watch(line, data, sock)

    async def __aenter__(self) -> Self:
        try:
            await super().__aenter__()
        except BaseException:
            self._client._reset_sockets()  # noqa: SLF001 - there is no public way
            raise
        self._disconnected.add_done_callback(_retrieve_exception)  # may be another future by now
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            self._client._reset_sockets()  # noqa: SLF001 - as above


class _CallbackQueue(asyncio.Queue[aiomqtt.Message]):
    """A queue that stores nothing: each message is passed to a callback at once.

    With a normal queue, a flood of messages would fill the memory: aiomqtt adds a message in each turn of the loop, but
    needs several turns to take one out.
    """

    def __init__(self, on_message: Callable[[aiomqtt.Message], None]) -> None:
        super().__init__()
        self._on_message = on_message

    def put_nowait(self, item: aiomqtt.Message) -> None:
        self._on_message(item)


def mqtt_client(
    broker: Broker,
    identifier: str,
    will: aiomqtt.Will | None = None,
    *,
    most_waiting: int = 0,
    on_message: Callable[[aiomqtt.Message], None] | None = None,
) -> aiomqtt.Client:
    """Return a client that is not connected yet; its session will be clean, without state of earlier connections.

    Args:
        broker: the broker.
        identifier: the MQTT client id; a second connection with the same id closes the first one.
        will: the last will, which the broker publishes when the connection breaks.
        most_waiting: how many messages may wait in the queue before further ones are discarded; 0: any number.
        on_message: called with each message as soon as it is read, so that no messages queue up;
            the client's iterator `messages` then yields nothing, and only raises when the connection breaks. `None`:
            the iterator yields the messages.
    """
    return _Client(
        broker.host,
        broker.port,
        identifier=identifier,
        username=broker.user or None,
        password=broker.password or None,
        tls_context=broker.tls,
        will=will,
        queue_type=None if on_message is None else cast("type[_CallbackQueue]", lambda **_: _CallbackQueue(on_message)),
        keepalive=KEEPALIVE_S,
        timeout=ANSWER_S,
        clean_session=True,
        max_queued_incoming_messages=most_waiting,
        protocol=aiomqtt.ProtocolVersion.V311,  # supported by every broker
    )


async def cancel_all(tasks: Collection[asyncio.Future[None]], again_s: float = CANCELLED_AGAIN_S) -> None:
    """Cancel tasks, again every `again_s` seconds, and return when all have ended.

    Cancelling once is not enough. aiomqtt waits for answers by `asyncio.wait_for`. Up to Python 3.11, this function
    loses a cancellation that coincides with the answer.
    """
    while any(not task.done() for task in tasks):
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=again_s)


async def until_one_ends(*work: Coroutine[Any, Any, None], again_s: float = CANCELLED_AGAIN_S) -> None:
    """Run coroutines until one ends, then cancel the others with `cancel_all`.

    If a coroutine ended with an exception, raise that exception.
    """
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await cancel_all(tasks, again_s)


async def keep_connected(
    open_line: Callable[[], aiomqtt.Client],
    speak: Callable[[aiomqtt.Client], Awaitable[None]],
    on_loss: Callable[[str], None],
    *,
    jitter: Callable[[], float] = float,  # 0.0: none
) -> None:
    """Keep a connection to a broker open until cancelled: reopen it whenever it ends, after pauses that grow.

    Args:
        open_line: returns a new client.
        speak: uses the connection as long as it lasts; raises `aiomqtt.MqttError` when the connection breaks. If the
            function returns, the connection is closed and reopened.
        on_loss: called with the reason each time the connection cannot be opened, breaks, or is closed.
        jitter: returns the share (0 to 1) by which the next pause is lengthened, so that not all tables of a club
            reconnect at once.
    """
    loop = asyncio.get_running_loop()
    pause_s = FIRST_PAUSE_S
    while True:
        began_s = loop.time()
        try:
            async with open_line() as line:
                await speak(line)
                why = "the line was closed"
        except (aiomqtt.MqttError, OSError) as error:  # paho also raises errors of ssl and socket
            why = str(error) or type(error).__name__
        on_loss(why)
        if loop.time() - began_s >= STEADY_S:
            pause_s = FIRST_PAUSE_S
        await asyncio.sleep(pause_s * (1 + jitter()))
        pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
