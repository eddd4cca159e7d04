"""Decides which lines the host sends to the board now: requests, acknowledgements, lights, settings, tones and pings.

Lights and settings are sent again until the board confirms them, and greeting requests until the board answers. Pings
are sent at regular intervals; tones and acknowledgements are sent once. The numbers of light frames are matched with
those that the board reports, even if another host has also sent frames.
"""

from .from_board import PROTOCOL, Hello
from .from_host import Ack, Buzz, HelloRequest, Lights, Ping, Set

ASK_MS = 300
AGAIN_MS = 150  # lights and settings are sent again after this time until the board confirms them
PING_MS = 1000


class DesiredState:
    """The desired state of the board, and the lines to send for it.

    Lights and settings are sent again until the board confirms them; tones and acknowledgements are sent once.
    """

    def __init__(self) -> None:
        self.ack: Ack | None = None
        self.whole_wanted = True  # whether the whole state is needed: the board sends it in answer to HELLO?
        self.settings: tuple[int | None, int] | None = None  # brightness (None: the board's own), debounce
        self._ask_ms = 0
        self._ping_ms = 0
        self._pings = 0
        self._buzzes: list[Buzz] = []
        self._buzz_number = 0
        self._colours = ""
        self._number = 0  # of the frame wanted; the board numbers it `_offset` higher
        self._offset: int | None = None  # None until the board has reported which frame it shows
        self._shown_number = 0
        self._lights_ms: int | None = None
        self._settings_known: list[int] | None = None
        self._settings_ms: int | None = None

    def ask(self, now_ms: int) -> None:
        """Send HELLO? now, and again every ASK_MS until a board has answered with its whole state."""
        self._ask_ms = now_ms

    def restart(self) -> None:
        """Forget what the board has confirmed, because another board is connected or the board was reset.

        Tones and an acknowledgement that were not sent yet are dropped.
        """
        self.ack = None
        self._shown_number = 0
        self._lights_ms = self._settings_ms = None
        self._settings_known = None
        self._buzzes = []

    def show(self, colours: str) -> int:
        """Set the desired light frame; return the frame's number."""
        self._number += 1
        self._colours = colours
        self._lights_ms = None
        return self._number

    def shown(self, frame_number: int) -> int | None:
        """Record that the board shows a frame, and return the number that `show` returned for the frame.

        `None` if the board was already reported to show this frame or a later one, or if another host sent the frame.

        Args:
            frame_number: the number that the board reports for the frame.
        """
        if self._offset is None:
            self._offset = frame_number  # an earlier host counted this far
        number = frame_number - self._offset
        if number > self._number:  # another host has sent frames meanwhile
            self._offset = frame_number
            self._lights_ms = None
            return None
        if number <= self._shown_number:
            return None
        self._shown_number = number
        return number

    def buzz(self, tones: list[tuple[int, int]], now_ms: int) -> None:
        """Queue tones to be sent once."""
        self._buzz_number = max(self._buzz_number + 1, now_ms)  # grows even if the host program restarts
        self._buzzes.append(Buzz(self._buzz_number, tones))

    def settings_reported(self, settings: list[int]) -> None:
        """Record the settings that the board uses."""
        self._settings_known = settings

    def due(self, hello: Hello | None, now_ms: int) -> list[str]:
        """Return the lines to send now; `hello` is the board's greeting, `None` while no board is connected."""
        lines = []
        if (hello is None or self.whole_wanted) and now_ms >= self._ask_ms:
            self._ask_ms = now_ms + ASK_MS
            lines.append(HelloRequest(PROTOCOL).line())
        if hello is None:
            return lines
        lines += [buzz.line() for buzz in self._buzzes]
        self._buzzes = []
        if self.ack is not None:
            lines.insert(0, self.ack.line())
            self.ack = None
        if self._lights_wanted(hello) and now_ms >= _again_ms(self._lights_ms):
            self._lights_ms = now_ms
            lines.append(Lights(self._number + (self._offset or 0), self._colours).line())
        if self._settings_wanted() and now_ms >= _again_ms(self._settings_ms):
            self._settings_ms = now_ms
            lines.append(Set(*self._settings()).line())
        if now_ms - self._ping_ms >= PING_MS:
            self._ping_ms = now_ms
            self._pings += 1
            lines.append(Ping(self._pings).line())
        return lines

    def due_ms(self, hello: Hello | None) -> int:
        """Return the time at which `due` must be called next; a time in the past means at once."""
        if hello is None:
            return self._ask_ms
        times = [self._ping_ms + PING_MS]
        if self.whole_wanted:
            times.append(self._ask_ms)
        if self._buzzes or self.ack is not None:
            times.append(0)
        if self._lights_wanted(hello):
            times.append(_again_ms(self._lights_ms))
        if self._settings_wanted():
            times.append(_again_ms(self._settings_ms))
        return min(times)

    def _lights_wanted(self, hello: Hello) -> bool:
        fits = len(self._colours) == hello.lights > 0
        return fits and self._offset is not None and self._shown_number < self._number

    def _settings(self) -> list[int]:
        """Return the settings to send; a setting without a desired value keeps the value that the board reported.

        Empty until the board has reported its settings.
        """
        known = self._settings_known or []
        wanted = self.settings or (None, None)
        return [known[i] if each is None else each for i, each in enumerate(wanted)] if known else []

    def _settings_wanted(self) -> bool:
        return self._settings_known is not None and self._settings_known != self._settings()


def _again_ms(sent_ms: int | None) -> int:
    """Return when to repeat a line that was last sent at `sent_ms`; 0 if it was never sent."""
    return 0 if sent_ms is None else sent_ms + AGAIN_MS
