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

from captains_table.web.serving.guests import KEY_S, Guests, Rank, Standing, plain
from captains_table.web.serving.limits import RETRY_AFTER_S

_log = logging.getLogger(__name__)
ARRIVAL_S: Final = 0.005  # within which what was sent with a call comes, where the sender's processor is busy too
_LATE: Final = (
    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: {length}\r\n\r\n{words}"
)


class Connection(H11Protocol):
    """A connection that is counted, and closed when the other side keeps it waiting.

    Args:
        config: uvicorn's.
        state: what all connections of a server share, uvicorn's.
        guests: counts it until it ends.
        rank: as what it is counted at first.
        holder: for whom.
    """

    def __init__(self, config: Config, state: ServerState, guests: Guests, rank: Rank, holder: str) -> None:
        super().__init__(config=config, server_state=state, app_state={"caller": self})
        self.rank = rank
        self.holder = holder
        self.standing = Standing.ARRIVING
        self.since = self.loop.time()
        self._guests = guests
        self._deadline: asyncio.TimerHandle | None = None
        self._is_cut = False

    def settle_in(self) -> None:
        """Be given the time that a connection has which may stay, and no longer a newcomer's."""
        self.standing, self.since = self._standing_now(), self.loop.time()
        self._set_deadline()

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
        if self.client is not None:
            self.client = (plain(self.client[0]), self.client[1])
        limits = self._guests.limits
        patience_s = min(limits.request_s, limits.idle_s)  # nothing was asked yet, so there is nothing to wait for
        self._allow(min(patience_s, KEY_S) if self.rank is Rank.NEWCOMER else patience_s)
        self.loop.call_later(ARRIVAL_S, self._arrive)  # what is there by then is read before

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
        if self.standing is Standing.ANSWERING and self.rank is not Rank.NEWCOMER:
            self._allow(self._guests.limits.idle_s)

    def resume_writing(self) -> None:
        """Go on with the answer."""
        super().resume_writing()
        if self.standing is Standing.ANSWERING and self.rank is not Rank.NEWCOMER:
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

    def _arrive(self) -> None:
        """Rest, unless something was read; the deadline stays."""
        if self.standing is Standing.ARRIVING and self.conn.their_state is h11.IDLE:
            self.standing = Standing.IDLE

    def _settle(self) -> None:
        """Set the deadline that goes with what the connection is about now."""
        standing = self._standing_now()
        if standing is self.standing:
            return
        self.standing, self.since = standing, self.loop.time()
        if self.rank is not Rank.NEWCOMER:  # who has its one deadline for all it does
            self._set_deadline()

    def _set_deadline(self) -> None:
        limits = self._guests.limits
        match self.standing:
            case Standing.READING:
                self._allow(limits.request_s)
            case Standing.ARRIVING | Standing.IDLE | Standing.LEAVING:
                self._allow(limits.idle_s)
            case Standing.ANSWERING:
                self._stop_waiting()

    def _standing_now(self) -> Standing:
        is_newcomer = self.rank is Rank.NEWCOMER
        if self.transport.is_closing() or (is_newcomer and self.standing is Standing.LEAVING):
            return Standing.LEAVING
        if is_newcomer and self.conn.their_state is not h11.IDLE:
            return Standing.ARRIVING  # what it brought is looked at next
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
        if self.rank is Rank.NEWCOMER and not (
            answered or self.standing is Standing.IDLE or self.transport.is_closing()
        ):
            words = f"As many connections are open as are served here at once: ask again in {RETRY_AFTER_S} s."
            self._say_late(f"503 Service Unavailable\r\nRetry-After: {RETRY_AFTER_S}", words)
        elif not answered and self.standing is Standing.READING:
            _log.warning("A request did not come in whole within %g s: closed.", self._guests.limits.request_s)
            words = f"The request did not come in whole within {self._guests.limits.request_s:g} s."
            self._say_late("408 Request Timeout", words)
        self.transport.abort()
        self._answer_no_more()

    def _say_late(self, status: str, words: str) -> None:
        self.transport.write(_LATE.format(status=status, length=len(words), words=words).encode("ascii"))
        self.transport.close()

    def _answer_no_more(self) -> None:
        """Let the page, if it is reading the request still, find that nobody waits for its answer."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _asks_anew(self) -> bool:
        return bool(self.cycle.response_complete) and self.conn.our_state is h11.IDLE
