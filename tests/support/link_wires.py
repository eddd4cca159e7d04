"""A board's end and a host's end with a wire between them that a test can damage, and a clock of their own."""

from collections.abc import Callable, Sequence

from captains_table.link.board import BoardEnd
from captains_table.link.from_board import Abilities, Hello
from captains_table.link.host import HostEnd
from captains_table.link.link_events import LinkEvent

FILES, RANKS = 8, 8
LIGHTS = FILES * RANKS + 1
BUTTONS = ("roll", "choose")
Damage = Callable[[bytes], bytes]


def hello(nonce: int = 0x5E3A90F1) -> Hello:
    return Hello("0.1.0", FILES, RANKS, nonce, Abilities(LIGHTS, BUTTONS, encoder=True, buzzer=True))


def untouched(data: bytes) -> bytes:
    return data


class Wire:
    """Runs both ends in steps of a millisecond; the board's clock began at another time than the host's."""

    def __init__(self, to_host: Damage = untouched, to_board: Damage = untouched) -> None:
        self.to_host = to_host
        self.to_board = to_board
        self.now_ms = 5_000_000
        self._booted_ms = self.now_ms - 700
        self.host = HostEnd()
        self.board = BoardEnd(hello(), 50, 8)
        self.told: list[LinkEvent] = []
        self.orders: list[object] = []
        self.host.opened(self.now_ms)

    @property
    def board_ms(self) -> int:
        return self.now_ms - self._booted_ms

    def reset(self, nonce: int, occupied: int = 0, down: Sequence[int] = ()) -> None:
        self.board = BoardEnd(hello(nonce), 50, 8)
        self.board.begin(occupied, list(down))
        self._booted_ms = self.now_ms

    def start_another_host(self) -> None:
        self.host = HostEnd()
        self.host.opened(self.now_ms)

    def run(self, how_long_ms: int) -> list[LinkEvent]:
        """Let time pass and bytes flow; return what the host told meanwhile."""
        told: list[LinkEvent] = []
        for _ in range(how_long_ms):
            self.now_ms += 1
            line = self.board.next_line(self.board_ms)
            data = b"" if line is None else self.to_host(line)
            if data or self.host.due_ms() <= self.now_ms:
                told += self.host.receive(data, self.now_ms)
            if sent := self.host.tick(self.now_ms):
                self.orders += self.board.receive(self.to_board(sent), self.board_ms)
        self.told += told
        return told

    def switch(self, index: int, *, closed: bool) -> None:
        self.board.switch_changed(index, closed, self.board_ms)

    def button(self, index: int, *, down: bool) -> None:
        self.board.button_changed(index, down, self.board_ms)
