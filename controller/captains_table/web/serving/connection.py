"""One connection of the page: uvicorn's, with a deadline for everything that the other side has to do.

uvicorn itself closes only connections that rest after an answer. Here every request must come in whole in time, and
every answer must be taken off.
"""

import asyncio
import logging
from typing import Final

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from captains_table.web.serving.guests import Guests, Standing

_log = logging.getLogger(__name__)
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\n\r\n%s"
)


class Connection(H11Protocol):
    """A connection that is counted, and closed when the other side keeps it waiting.

    Args:
        config: uvicorn's.
        state: what all connections of a server share, uvicorn's.
        guests: counts it until it ends.
        at_home: whether it comes from this machine.
    """

    def __init__(self, config: Config, state: ServerState, guests: Guests, *, at_home: bool) -> None:
        super().__init__(config=config, server_state=state, app_state={})
        self.at_home = at_home
        self.standing = Standing.IDLE
        self.since = self.loop.time()
        self._guests = guests
        self._deadline: asyncio.TimerHandle | None = None
        self._is_cut = False

    def cut(self) -> None:
        """End the connection at once, whatever is on its way."""
        self._is_cut = True
        if self.transport is not None:
            self.transport.abort()

    # --- what the transport says ------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        if self._is_cut:
            transport.abort()
            return
        limits = self._guests.limits
        self._allow(min(limits.request_s, limits.idle_s))  # nothing was asked yet, so there is nothing to wait for

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self._guests.leave(self)
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        self._settle()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._unset_keepalive_if_required()  # uvicorn's own, which any byte would stop
        self._settle()

    def pause_writing(self) -> None:
        """Wait for the other side to take something off."""
        super().pause_writing()
        if self.standing is Standing.ANSWERING:
            self._allow(self._guests.limits.idle_s)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        super().resume_writing()
        if self.standing is Standing.ANSWERING:
            self._stop_waiting()

    def shutdown(self) -> None:
        """Close after the answer that is being given; whoever takes nothing off, or has not asked all, is cut."""
        stalled = self.flow is not None and self.flow.write_paused
        if stalled or self.conn.their_state is h11.SEND_BODY:
            self.cut()
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Say that a request cannot be read, unless an answer is under way already."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.abort()
        self._answer_no_more()

    # --- deadlines --------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Set the deadline that goes with what the connection is about now."""
        standing = self._standing_now()
        if standing is self.standing:
            return
        self.standing, self.since = standing, self.loop.time()
        limits = self._guests.limits
        match standing:
            case Standing.READING:
                self._allow(limits.request_s)
            case Standing.IDLE | Standing.LEAVING:
                self._allow(limits.idle_s)
            case Standing.ANSWERING:
                self._stop_waiting()

    def _standing_now(self) -> Standing:
        if self.transport.is_closing():
            return Standing.LEAVING
        if self.conn.their_state is h11.SEND_BODY:
            return Standing.READING
        if self.conn.their_state is h11.IDLE:
            return Standing.READING if self.conn.trailing_data[0] else Standing.IDLE
        return Standing.ANSWERING

    def _allow(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """Close: the other side kept us waiting; say so if it has begun to ask and was not answered."""
        answered = self.cycle is not None and self.cycle.response_started and not self._asks_anew()
        if self.standing is Standing.READING and not answered:
            _log.warning("A request did not come in whole within %g s: closed.", self._guests.limits.request_s)
            words = b"The request did not come in whole within %g s." % self._guests.limits.request_s
            self.transport.write(_TOO_SLOW % (len(words), words))
            self.transport.close()
        self.transport.abort()
        self._answer_no_more()

    def _answer_no_more(self) -> None:
        """Let the page, if it is reading the request still, find that nobody waits for its answer."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _asks_anew(self) -> bool:
        return bool(self.cycle.response_complete) and self.conn.our_state is h11.IDLE
