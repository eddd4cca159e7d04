"""The board's whole loop under CPython: fake pins on one side, the host's end of the link on the other."""

from captains_table.link.board import BoardEnd
from captains_table.link.from_board import Abilities, Hello
from captains_table.link.from_host import colour_code
from captains_table.link.host import HostEnd
from captains_table.link.link_events import (
    BoardReset,
    ButtonReported,
    EncoderReported,
    LightsShown,
    LinkEvent,
    LinkLost,
    SwitchReported,
)
from firmware.board_loop import BoardLoop, Parts
from firmware.buzzer import Buzzer
from firmware.encoder import Encoder
from firmware.lights import Lights
from firmware.matrix import Matrix
from firmware.stdio import Stdio
from tests.support.firmware_fakes import ContactPin, FakePwm, FakeStrip, FakeUsb, Wires

FILES, RANKS = 9, 8
LIGHTS = FILES * RANKS + 1
BUTTONS = ("roll", "choose")


class Table:
    """A board of 9 x 8 with a host, run in steps of a millisecond."""

    def __init__(self) -> None:
        self.wires = Wires(FILES, RANKS)
        self.buttons = [ContactPin() for _ in BUTTONS]
        self.a, self.b = ContactPin(), ContactPin()
        self.strip, self.pwm = FakeStrip(LIGHTS), FakePwm()
        self.now_ms = 0
        self.host = HostEnd()
        self.host.opened(0)
        self.start()

    def start(self, nonce: int = 1) -> None:
        """Give the board power."""
        self.usb = FakeUsb()
        parts = Parts(Matrix(self.wires.ranks, self.wires.files, lambda _: None), self.buttons)
        parts.encoder = (Encoder(), self.a, self.b)
        parts.lights = Lights(self.strip, range(LIGHTS), 100, 10_000)
        parts.buzzer = Buzzer(self.pwm)
        link = BoardEnd(Hello("1", FILES, RANKS, nonce, Abilities(LIGHTS, BUTTONS, encoder=True, buzzer=True)), 100, 8)
        self.loop = BoardLoop(
            parts, link, Stdio(self.usb, self.usb, self.usb.can_read, self.usb.can_write), debounce_ms=8
        )
        self.loop.begin()

    def run(self, how_long_ms: int, *, connected: bool = True) -> list[LinkEvent]:
        """Let time pass; return what the host was told."""
        told: list[LinkEvent] = []
        for _ in range(how_long_ms):
            self.now_ms += 1
            self.loop.step(self.now_ms)
            sent, self.usb.sent = self.usb.sent, b""
            told += self.host.receive(sent if connected else b"", self.now_ms)
            wanted = self.host.tick(self.now_ms)
            self.usb.arrived += wanted if connected else b""
        return told


def test_switches_buttons_and_encoder_reach_the_host() -> None:
    table = Table()
    table.run(300)
    table.wires.closed.add((7, 8))
    told = table.run(50)
    table.buttons[1].level = 0
    told += table.run(50)
    for table.a.level, table.b.level in ((0, 1), (0, 0), (1, 0), (1, 1)):
        told += table.run(2)
    told += table.run(50)
    (switch, button, encoder) = told
    assert isinstance(switch, SwitchReported)
    assert isinstance(button, ButtonReported)
    assert isinstance(encoder, EncoderReported)
    assert (switch.index, switch.closed, button.button, button.down, encoder.steps) == (71, True, "choose", True, 1)


def test_lights_settings_and_tones_are_carried_out() -> None:
    table = Table()
    table.run(300)
    table.host.show(colour_code(3, 0, 0) * LIGHTS)
    table.host.set(50, 20)
    table.host.buzz([(440, 300)], table.now_ms)
    told = table.run(100)
    assert told == [LightsShown(1)]
    assert table.strip.shown == [(127, 0, 0)] * LIGHTS
    assert table.pwm.sounds == 440
    table.wires.closed.add((0, 0))
    assert table.run(20) == []
    assert [type(one) for one in table.run(20)] == [SwitchReported]


def test_a_lost_link_shows_and_comes_back_with_everything_told() -> None:
    table = Table()
    table.run(300)
    table.host.show(colour_code(0, 3, 0) * LIGHTS)
    table.run(300)
    told = table.run(2000, connected=False)
    table.wires.closed.add((3, 3))
    told += table.run(2000, connected=False)
    assert told == [LinkLost()]
    assert table.strip.shown[:-1] == [(0, 0, 0)] * (LIGHTS - 1)
    told = table.run(2000)
    assert [one.index for one in told if isinstance(one, SwitchReported)] == [30]
    assert BoardReset() not in told
    assert table.strip.shown == [(0, 255, 0)] * LIGHTS


def test_a_host_that_wants_reeds_believed_sooner_makes_no_button_bounce() -> None:
    table = Table()
    table.run(300)
    table.host.set(None, 1)
    table.run(50)
    table.wires.closed.add((0, 0))
    assert [type(one) for one in table.run(3)] == [SwitchReported]
    for level in (0, 1, 0, 1, 0):
        table.buttons[0].level = level
        assert table.run(4) == []
    assert [type(one) for one in table.run(10)] == [ButtonReported]
