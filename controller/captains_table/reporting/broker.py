"""The way to the broker: where it is, who asks, the password's file, and a line that is opened again and again."""

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
KEEPALIVE_S: Final = 15  # a broker that is gone without a word is noticed after half as much again
ANSWER_S: Final = 5.0  # within which a broker answers
CANCELLED_AGAIN_S: Final = 1.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0
STEADY_S: Final = 60.0  # a line that stood so long broke by chance: the pauses begin anew
LARGEST_PASSWORD: Final = 1024


class BrokerUnusable(ValueError):
    """What leads to the broker cannot be used; the message says which file or name, and what was expected."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker, and who asks at it.

    Attributes:
        host: its name or address.
        port: its port.
        user: as whom; empty: a broker that lets anybody in.
        password: the user's.
        tls: how it is known to be the right one; `None`: it is spoken to in the clear.
    """

    host: str
    port: int = PORT
    user: str = ""
    password: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = None


def read_password(path: Path) -> str:
    """Return the password in a file that nobody but its owner may read; raises BrokerUnusable."""
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
    """Return what trusts the brokers that the authority in a PEM file signed, and no others; raises BrokerUnusable."""
    try:
        return ssl.create_default_context(cafile=path)
    except (OSError, ssl.SSLError) as error:
        words = error.strerror or str(error)
        raise BrokerUnusable(f"{path} cannot be used ({words}): expected a certificate (PEM)") from error


class _AtOnce:
    """A loop for who is on its own thread: what it is to do soon is done at once.

    aiomqtt has a socket watched one turn of the loop later, by its number. A line that breaks in that very turn has
    closed it by then, so that the number is nobody's, or already somebody else's.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def call_soon_threadsafe(self, work: Callable[..., object], *values: object) -> None:
        """Do it."""
        work(*values)

    def __getattr__(self, name: str) -> object:
        """Return what the loop has of this name."""
        return getattr(self._loop, name)


def _note(disconnected: asyncio.Future[None]) -> None:
    """Take note of how a line ended: whoever speaks on it may never ask, and asyncio would call that a failure."""
    if not disconnected.cancelled():
        disconnected.exception()


class _Line(aiomqtt.Client):
    """A client that watches open sockets alone, and leaves none open: paho has a pair that nobody else ever closes."""

    def __init__(self, *values: Any, **named: Any) -> None:  # noqa: ANN401 - as aiomqtt has them
        super().__init__(*values, **named)
        self._outer_loop, self._thread = self._loop, threading.get_ident()
        self._loop = cast("asyncio.AbstractEventLoop", _AtOnce(self._outer_loop))
        self._disconnected.add_done_callback(_note)
        self._client.on_socket_open = partial(self._watch, self._on_socket_open)
        self._client.on_socket_register_write = partial(self._watch, self._on_socket_register_write)

    def _watch(self, watch: Callable[..., object], line: object, data: object, sock: socket.socket) -> None:
        """Have a socket watched, on the loop's own thread; while it is opened paho is on another one."""
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
        self._disconnected.add_done_callback(_note)  # another one, where the line broke as it came up
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(kind, error, trace)
        finally:
            self._client._reset_sockets()  # noqa: SLF001 - as above


class _HandedOn(asyncio.Queue[aiomqtt.Message]):
    """A queue that keeps nothing: what comes is handed on at once.

    aiomqtt takes a message out of its queue in several turns of the loop, and puts one in each turn: a flood would fill
    all memory.
    """

    def __init__(self, hand_on: Callable[[aiomqtt.Message], None]) -> None:
        super().__init__()
        self._hand_on = hand_on

    def put_nowait(self, item: aiomqtt.Message) -> None:
        self._hand_on(item)


def client(
    broker: Broker,
    identifier: str,
    will: aiomqtt.Will | None = None,
    *,
    most_waiting: int = 0,
    hand_on: Callable[[aiomqtt.Message], None] | None = None,
) -> aiomqtt.Client:
    """Return a client that is not connected yet; it remembers nothing of an earlier line.

    Args:
        broker: the broker.
        identifier: by which the broker knows the line; a second one of the same name pushes the first out.
        will: what the broker says when the line breaks.
        most_waiting: how many messages wait to be taken in, before more of them are discarded; 0: any number.
        hand_on: takes each message the moment it is read, so that no more are read than are taken; `messages` then
            yields none, and only raises when the line breaks. `None`: `messages` yields them.
    """
    return _Line(
        broker.host,
        broker.port,
        identifier=identifier,
        username=broker.user or None,
        password=broker.password or None,
        tls_context=broker.tls,
        will=will,
        queue_type=None if hand_on is None else cast("type[_HandedOn]", lambda **_: _HandedOn(hand_on)),
        keepalive=KEEPALIVE_S,
        timeout=ANSWER_S,
        clean_session=True,
        max_queued_incoming_messages=most_waiting,
        protocol=aiomqtt.ProtocolVersion.V311,  # which every broker speaks
    )


async def end_all(tasks: Collection[asyncio.Future[None]], again_s: float = CANCELLED_AGAIN_S) -> None:
    """Cancel tasks until all have ended, again after so many seconds: more than they need to end by themselves.

    Once is not enough: up to Python 3.11 `asyncio.wait_for`, by which aiomqtt waits for answers, takes no notice of a
    cancellation that comes together with the answer.
    """
    while any(not task.done() for task in tasks):
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=again_s)


async def until_one_ends(*work: Coroutine[Any, Any, None], again_s: float = CANCELLED_AGAIN_S) -> None:
    """Do several things at once until one of them ends, and raise what it raised; the others are ended as above."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await end_all(tasks, again_s)


async def hold_line(
    open_line: Callable[[], aiomqtt.Client],
    speak: Callable[[aiomqtt.Client], Awaitable[None]],
    on_loss: Callable[[str], None],
    *,
    jitter: Callable[[], float] = float,  # 0.0: none
) -> None:
    """Keep a line to a broker until it is cancelled: whenever it breaks it is opened again, later and later.

    Args:
        open_line: returns a new client.
        speak: speaks on a line that stands, for as long as it does; raises `aiomqtt.MqttError` when it breaks.
        on_loss: told why there is no line, each time one could not be opened or broke.
        jitter: returns a share, 0 to 1, of which pauses are longer: so not all tables of a club come back at once.
    """
    loop = asyncio.get_running_loop()
    pause_s = FIRST_PAUSE_S
    while True:
        began_s = loop.time()
        try:
            async with open_line() as line:
                await speak(line)
                why = "the line was closed"
        except (aiomqtt.MqttError, OSError) as error:  # paho raises ssl's and socket's own errors too
            why = str(error) or type(error).__name__
        on_loss(why)
        if loop.time() - began_s >= STEADY_S:
            pause_s = FIRST_PAUSE_S
        await asyncio.sleep(pause_s * (1 + jitter()))
        pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
