"""Lights and buttons that are wired otherwise than their profile says, as it corrects them."""

import pytest

from captains_table.devices.lights.led_driver import Max7219Driver
from captains_table.devices.pico.light_frames import LightFrames
from captains_table.devices.wiring_corrections import NO_CORRECTIONS, WiringCorrections
from captains_table.games.contract import Shape, Square, parse_square
from captains_table.link.from_board import Abilities, Hello
from captains_table.link.from_host import DARK
from captains_table.link.host import HostEnd
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, SwitchChanged
from captains_table.table.model.view import Mark
from tests.support.fake_chips import FakeMax7219Modules

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
A1, B1 = parse_square("a1"), parse_square("b1")
SWAPPED = {A1: B1, B1: A1}


class FramesSent(HostEnd):
    """A host's end that keeps what it is to show."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def show(self, codes: str) -> int:
        self.shown.append(codes)
        return super().show(codes)


def test_a_button_that_is_wired_as_another_one_says_what_it_really_is() -> None:
    turned = WiringCorrections(buttons={"next": "previous", "previous": "next"})
    assert turned.event(ButtonPressed(Button.NEXT)) == ButtonPressed(Button.PREVIOUS)
    assert turned.event(ButtonReleased(Button.PREVIOUS)) == ButtonReleased(Button.NEXT)
    assert turned.event(ButtonPressed(Button.ROLL)) == ButtonPressed(Button.ROLL)
    assert turned.event(SwitchChanged(A1, True)) == SwitchChanged(A1, True)  # noqa: FBT003 - as the event has it
    assert NO_CORRECTIONS.event(ButtonPressed(Button.NEXT)) == ButtonPressed(Button.NEXT)


def test_a_pico_is_sent_the_light_that_really_shines_under_a_square() -> None:
    end = FramesSent()
    frames = LightFrames(end, SWAPPED)
    hello = Hello("0.2", 8, 8, 1, Abilities(64, (), False, False))  # noqa: FBT003 - neither encoder nor buzzer
    frames.begin(hello)
    frames.light({A1: Mark.TARGET})
    frames.send(hello, 0)
    (codes,) = end.shown
    assert [index for index, code in enumerate(codes) if code != DARK] == [1]


def test_a_module_lights_the_dot_that_really_shines_under_a_square() -> None:
    dots = FakeMax7219Modules(1)
    there = {real: wired for wired, real in SWAPPED.items()}
    driver = Max7219Driver(dots, Shape(8, 8), by_wiring=lambda square: there.get(square, square))
    driver.show({A1: (255, 0, 0)})
    assert dots.lit() == {(B1.file, 7)}
    driver.show({Square(4, 3): (255, 0, 0)})
    assert dots.lit() == {(4, 4)}
