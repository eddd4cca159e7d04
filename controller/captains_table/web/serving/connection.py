"""One HTTP connection of the page: uvicorn's protocol with deadlines for the client.

uvicorn itself closes only connections that are idle after a response. Here each request must arrive in time, and each
response must be read in time. The connection also has a rank, a holder and a phase: by these it is counted, and may be
closed to make room for others. A connection beyond the limits has one short deadline.
"""

import asyncio
import logging
from typing import Any, Final

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from captains_table.web.serving.guests import KEY_S, ConnectionPhase, Guests, Rank, normal_address
from captains_table.web.serving.limits import RETRY_AFTER_S

_log = logging.getLogger(__name__)
ARRIVAL_S: Final = 0.005  # within which data sent right after connecting arrives, even from a busy machine
_ERROR: Final = (
    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: {length}\r\n\r\n{words}"
)


class Connection(H11Protocol):
    """A connection that is counted, and closed when the client is too slow.

    Args:
        config: uvicorn's configuration.
        state: uvicorn's state, shared by all connections of a server.
        guests: counts the connection until it ends.
        rank: the category in which the connection is counted at first.
        holder: the address or IPv6 network whose limit applies to the connection at first; "" for a trusted proxy,
            which has no limit of its own.

    Attributes:
        connecting: the task that makes the connection, including the TLS handshake; `cut` cancels it.
    """

    def __init__(self, config: Config, state: ServerState, guests: Guests, rank: Rank, holder: str) -> None:
        super().__init__(config=config, server_state=state, app_state={"caller": self})
        self.rank = rank
        self.holder = holder
        self.standing = ConnectionPhase.ARRIVING
        self.since = self.loop.time()
        self._guests = guests
        self._deadline: asyncio.TimerHandle | None = None
        self._is_cut = False
        self.connecting: asyncio.Task[Any] | None = None

    def settle_in(self) -> None:
        """Apply the normal deadlines from now on, instead of those for a new connection."""
        self.standing, self.since = self._standing_now(), self.loop.time()
        self._set_deadline()

    def cut(self) -> None:
        """Close the connection at once, even during a response."""
        self._is_cut = True
        if self.transport is not None:
            self.transport.abort()
        elif self.connecting is not None:
            self.connecting.cancel()

    # --- callbacks of the transport ---------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of the first request; close the connection at once if `cut` was already called."""
        super().connection_made(transport)
        if self._is_cut:
            transport.abort()
            return
        if self.client is not None:
            self.client = (normal_address(self.client[0]), self.client[1])
        self.standing, self.since = ConnectionPhase.ARRIVING, self.loop.time()  # a TLS handshake may have gone before
        limits = self._guests.limits
        patience_s = min(limits.request_s, limits.idle_s)  # nothing was requested yet
        self._allow(min(patience_s, KEY_S) if self.rank is Rank.NEWCOMER else patience_s)
        self.loop.call_later(ARRIVAL_S, self._arrive)  # data that is there by then is read first

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._guests.leave(self)
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data from the client; if the data begin a new phase, start the deadline of this phase."""
        super().data_received(data)
        self._settle()

    def on_response_complete(self) -> None:
        """Start the deadline of the next request."""
        super().on_response_complete()
        self._unset_keepalive_if_required()  # uvicorn's own timer, which any byte would stop
        self._settle()

    def pause_writing(self) -> None:
        """Start the deadline within which the client must read the response.

        A connection of rank NEWCOMER keeps the deadline of its first request.
        """
        super().pause_writing()
        if self.standing is ConnectionPhase.ANSWERING and self.rank is not Rank.NEWCOMER:
            self._allow(self._guests.limits.idle_s)

    def resume_writing(self) -> None:
        """Continue the response, and cancel the deadline for reading the response.

        A connection that came while there was no room (rank NEWCOMER) keeps the deadline of its first request.
        """
        super().resume_writing()
        if self.standing is ConnectionPhase.ANSWERING and self.rank is not Rank.NEWCOMER:
            self._stop_waiting()

    def shutdown(self) -> None:
        """Close the connection after the current response.

        Close it at once if the client does not read the response, or has not sent the whole body of its request.
        """
        stalled = self.flow is not None and self.flow.write_paused
        if stalled or self.conn.their_state is h11.SEND_BODY:
            self.cut()
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Answer 400 to an unreadable request; if a response has begun already, close the connection instead."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.abort()
        self._answer_no_more()

    # --- deadlines --------------------------------------------------------------------------------------------------

    def _arrive(self) -> None:
        """Mark a new connection as idle if the client has sent nothing yet; do not change the deadline."""
        if self.standing is ConnectionPhase.ARRIVING and self.conn.their_state is h11.IDLE:
            self.standing = ConnectionPhase.IDLE

    def _settle(self) -> None:
        """Start the deadline of the connection's new phase, if the phase has changed.

        A connection of the rank `NEWCOMER` keeps its first deadline.
        """
        standing = self._standing_now()
        if standing is self.standing:
            return
        self.standing, self.since = standing, self.loop.time()
        if self.rank is not Rank.NEWCOMER:  # a newcomer has a single deadline
            self._set_deadline()

    def _set_deadline(self) -> None:
        limits = self._guests.limits
        match self.standing:
            case ConnectionPhase.READING:
                self._allow(limits.request_s)
            case ConnectionPhase.ARRIVING | ConnectionPhase.IDLE | ConnectionPhase.LEAVING:
                self._allow(limits.idle_s)
            case ConnectionPhase.ANSWERING:
                self._stop_waiting()

    def _standing_now(self) -> ConnectionPhase:
        is_newcomer = self.rank is Rank.NEWCOMER
        if self.transport.is_closing() or (is_newcomer and self.standing is ConnectionPhase.LEAVING):
            return ConnectionPhase.LEAVING
        if is_newcomer and self.conn.their_state is not h11.IDLE:
            return ConnectionPhase.ARRIVING  # the key in its request is checked next
        if self.conn.their_state is h11.SEND_BODY:
            return ConnectionPhase.READING
        if self.conn.their_state is h11.IDLE:
            return ConnectionPhase.READING if self.conn.trailing_data[0] else ConnectionPhase.IDLE
        return ConnectionPhase.ANSWERING

    def _allow(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """Close the connection after a missed deadline, in some cases after an error response.

        An error response is sent only if no response has begun. A newcomer gets status 503 if its request has begun to
        arrive. Any other client gets status 408 if its request did not arrive completely.
        """
        answered = self.cycle is not None and self.cycle.response_started and not self._asks_anew()
        if self.rank is Rank.NEWCOMER and not (
            answered or self.standing is ConnectionPhase.IDLE or self.transport.is_closing()
        ):
            words = f"As many connections are open as are served here at once: ask again in {RETRY_AFTER_S} s."
            self._send_error(f"503 Service Unavailable\r\nRetry-After: {RETRY_AFTER_S}", words)
        elif not answered and self.standing is ConnectionPhase.READING:
            _log.warning("A request did not arrive completely within %g s: closed.", self._guests.limits.request_s)
            words = f"The request did not come in whole within {self._guests.limits.request_s:g} s."
            self._send_error("408 Request Timeout", words)
        self.transport.abort()
        self._answer_no_more()

    def _send_error(self, status: str, words: str) -> None:
        self.transport.write(_ERROR.format(status=status, length=len(words), words=words).encode("ascii"))
        self.transport.close()

    def _answer_no_more(self) -> None:
        """Tell the application that the client is gone; the application may still be reading the request."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _asks_anew(self) -> bool:
        return bool(self.cycle.response_complete) and self.conn.our_state is h11.IDLE
