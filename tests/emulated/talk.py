"""The host's end of the link to an emulated Pico, on the Pico's own time."""

from captains_table.link.host import HostEnd
from captains_table.link.link_events import LinkEvent
from tests.emulated.pico import EmulatedPico


class EmulatedTalk:
    """Talks to a Pico that has power."""

    def __init__(self, pico: EmulatedPico) -> None:
        self._pico = pico
        self.host = HostEnd()
        self.host.opened(self._now_ms)

    def until_told(self, kind: type[LinkEvent]) -> LinkEvent:
        """Talk until something of this kind is told; return it."""
        told: list[LinkEvent] = []
        self._pico.until(lambda: any(isinstance(one, kind) for one in self._exchange(told)))
        return next(one for one in told if isinstance(one, kind))

    def for_s(self, seconds: float) -> None:
        """Talk for so long of the Pico's time."""
        end = self._pico.now_s + seconds
        self._pico.until(lambda: self._exchange([]) is None or self._pico.now_s >= end)

    @property
    def _now_ms(self) -> int:
        return int(self._pico.now_s * 1000)

    def _exchange(self, told: list[LinkEvent]) -> list[LinkEvent]:
        """Hear and answer once; return what was told, with what is new."""
        heard, self._pico.said = self._pico.said, b""
        told += self.host.receive(heard, self._now_ms)
        if wanted := self.host.tick(self._now_ms):
            self._pico.send(wanted)
        return told
