"""The OLED behind the `Glass` port: what travels over the bus, and what happens when the bus is slow or broken."""

import errno
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from threading import Event, Semaphore
from types import SimpleNamespace

import pytest
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from captains_table.devices.display.driver import oled as oled_module
from captains_table.devices.display.driver.oled import Oled, Painter
from captains_table.devices.display.driver.panels import Ssd1306
from captains_table.devices.display.packing import pack_pages
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.games.contract import Die
from captains_table.table.model.view import Menu, MenuEntry, Phase, SeatView, View
from tests.support.display_views import ACTING, AUCTION
from tests.support.fake_panels import FakeSsd1306Bus, NobodyAnswers, UnknownCommand, unpack
from tests.support.patience import PATIENCE_S

FULL_FRAME = 1024
ADDRESS_BYTES = 6  # SSD1306: two commands with two arguments each

MENU = Menu((MenuEntry("throw-again", "Throw again"), MenuEntry("done", "End the turn")), 0)
VIEW = View(
    phase=Phase.PLAYING,
    heading="Round 1 of 3",
    prompt=("Anne: your move is made",),
    seat=0,
    seats=(
        SeatView("Anne", {"cargo": 9, "legend": 3}, on_turn=True),
        SeatView("Bart", {"cargo": 0, "legend": 4}, on_turn=False),
    ),
    dice=(*(Die(face) for face in (6, 5, 4, 3, 2)), Die(4, "roman")),
    menu=MENU,
)
NEXT_LINE = replace(VIEW, menu=replace(MENU, cursor=1))
OTHER = replace(VIEW, prompt=("Anne: throw the dice",))
TUMBLING = replace(VIEW, tumbling=(0, 1, 2, 3, 4, 5))


class SlowBus(FakeSsd1306Bus):
    """A bus that takes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = Event()
        self.let_go = Event()

    def write_i2c_block_data(self, address: int, mode: int, data: Sequence[int]) -> None:
        self.reached.set()
        assert self.let_go.wait(PATIENCE_S)
        super().write_i2c_block_data(address, mode, data)


class FlakyBus(FakeSsd1306Bus):
    """A bus that fails after some more blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks_left: int | None = None

    def write_i2c_block_data(self, address: int, mode: int, data: Sequence[int]) -> None:
        if self.blocks_left is not None:
            if self.blocks_left == 0:
                raise OSError(errno.EIO, "the cable is off")
            self.blocks_left -= 1
        super().write_i2c_block_data(address, mode, data)

    def lose_power(self) -> None:
        """Forget everything, as a panel does that was unplugged."""
        self.write_i2c_block_data(0x3C, 0x00, [0xAE, 0x21, 0, 127, 0x22, 0, 7])
        self.write_i2c_block_data(0x3C, 0x40, [0xA5] * FULL_FRAME)
        self.blocks_left = 0


def shown_on(bus: FakeSsd1306Bus, *views: View) -> Oled:
    """Return an OLED on a bus that has shown these views, one after the other."""
    oled = Oled(i2c(bus=bus))
    for view in views:
        oled.show(view)
        assert oled.wait_idle(PATIENCE_S)
    return oled


# --- the painter ----------------------------------------------------------------------------------------------------


def test_packing_a_frame_loses_nothing() -> None:
    image = draw_view(VIEW)
    assert unpack(pack_pages(image)).tobytes() == image.tobytes()


@pytest.mark.parametrize("image", [Image.new("1", (64, 128)), Image.new("L", (128, 64))])
def test_only_a_frame_of_one_bit_and_the_right_size_is_packed(image: Image.Image) -> None:
    with pytest.raises(ValueError, match="128x64"):
        pack_pages(image)


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's display, as we do not use it
def test_the_painter_shows_the_same_as_lumas_own_display() -> None:
    ours, lumas = FakeSsd1306Bus(), FakeSsd1306Bus()
    Painter(Ssd1306(i2c(bus=ours))).paint(draw_view(VIEW))
    ssd1306(i2c(bus=lumas)).display(draw_view(VIEW))
    assert ours.image().tobytes() == lumas.image().tobytes() == draw_view(VIEW).tobytes()


def test_the_first_frame_is_sent_whole_and_the_same_one_again_not_at_all() -> None:
    bus = FakeSsd1306Bus()
    painter = Painter(Ssd1306(i2c(bus=bus)))
    before = bus.bytes_received
    assert painter.paint(draw_view(VIEW)) == FULL_FRAME + ADDRESS_BYTES == bus.bytes_received - before
    assert painter.paint(draw_view(VIEW)) == 0


def test_a_single_pixel_costs_one_byte_and_its_address() -> None:
    bus = FakeSsd1306Bus()
    painter = Painter(Ssd1306(i2c(bus=bus)))
    image = Image.new("1", (128, 64))
    painter.paint(image)
    image.putpixel((100, 50), 1)
    assert painter.paint(image) == ADDRESS_BYTES + 1
    assert bus.image().tobytes() == image.tobytes()


def test_one_step_in_the_menu_costs_a_small_share_of_a_frame() -> None:
    bus = FakeSsd1306Bus()
    painter = Painter(Ssd1306(i2c(bus=bus)))
    painter.paint(draw_view(VIEW))
    sent = painter.paint(draw_view(NEXT_LINE))
    assert 0 < sent < FULL_FRAME // 4
    assert bus.image().tobytes() == draw_view(NEXT_LINE).tobytes()


def test_windows_far_apart_stay_apart_and_neighbours_are_joined() -> None:
    before = bytes(FULL_FRAME)
    after = bytearray(before)
    after[0] = after[128] = after[7 * 128 + 127] = 1
    assert Ssd1306.memory.changed(before, bytes(after)) == [(0, 0, 0, 1), (127, 127, 7, 7)]


def test_what_did_not_change_between_two_places_of_a_page_is_not_sent() -> None:
    after = bytearray(FULL_FRAME)
    after[3 * 128 + 5] = after[3 * 128 + 90] = 1
    assert Ssd1306.memory.changed(bytes(FULL_FRAME), bytes(after)) == [(5, 5, 3, 3), (90, 90, 3, 3)]


@pytest.mark.parametrize("seed", range(20))
def test_the_windows_always_lead_to_the_new_frame(seed: int) -> None:
    chance = Random(seed)
    bus = FakeSsd1306Bus()
    painter = Painter(Ssd1306(i2c(bus=bus)))
    image = draw_view(VIEW)
    for _ in range(4):
        painter.paint(image)
        assert bus.image().tobytes() == image.tobytes()
        for _ in range(chance.randrange(1, 60)):
            image.putpixel((chance.randrange(128), chance.randrange(64)), chance.randrange(2))


def test_a_frame_never_costs_more_than_the_whole_one() -> None:
    windows = Ssd1306.memory.changed(bytes(FULL_FRAME), b"\xff" * FULL_FRAME)
    assert windows == Ssd1306.memory.whole()


# --- the worker -----------------------------------------------------------------------------------------------------


def test_what_is_shown_stands_on_the_panel_which_is_on() -> None:
    bus = FakeSsd1306Bus()
    oled = shown_on(bus, VIEW)
    assert bus.is_on
    assert bus.image().tobytes() == draw_view(VIEW).tobytes() == oled.shown().tobytes()
    assert (oled.frames_sent, oled.fault) == (1, None)
    oled.close()


def test_nothing_is_sent_before_the_first_view() -> None:
    bus = FakeSsd1306Bus()
    oled = Oled(i2c(bus=bus))
    assert bus.bytes_received == 0
    oled.close()


def test_the_same_view_again_sends_nothing() -> None:
    bus = FakeSsd1306Bus()
    oled = shown_on(bus, VIEW)
    before = bus.bytes_received
    oled.show(VIEW)
    assert oled.wait_idle(PATIENCE_S)
    assert bus.bytes_received == before
    oled.close()


def test_show_returns_while_the_bus_is_stuck_and_only_the_latest_view_is_drawn_after_it() -> None:
    bus = SlowBus()
    oled = Oled(i2c(bus=bus))
    oled.show(VIEW)
    assert bus.reached.wait(PATIENCE_S)
    for view in (OTHER, NEXT_LINE, TUMBLING, OTHER):
        oled.show(view)  # returns although the worker hangs on the bus, or the test would time out here
    assert not oled.wait_idle(0)
    bus.let_go.set()
    assert oled.wait_idle(PATIENCE_S)
    assert bus.image().tobytes() == draw_view(OTHER).tobytes()
    assert oled.frames_sent == 2
    oled.close()


def test_dice_tumble_by_themselves_until_another_view_is_shown() -> None:
    frames = Semaphore(0)
    bus = FakeSsd1306Bus()
    oled = Oled(i2c(bus=bus), on_frame=frames.release)
    oled.show(TUMBLING)
    for _ in range(4):
        assert frames.acquire(timeout=PATIENCE_S)
    oled.show(VIEW)
    assert oled.wait_idle(PATIENCE_S)
    assert oled.frames_sent >= 5
    assert bus.image().tobytes() == draw_view(VIEW).tobytes()
    oled.close()


def test_pages_turn_by_themselves_though_the_seconds_before_the_bell_go_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything else that changes begins with the first page."""
    now_s = 100.0
    monkeypatch.setattr(oled_module, "time", SimpleNamespace(monotonic=lambda: now_s))
    bus = FakeSsd1306Bus()
    oled = shown_on(bus, AUCTION)
    assert bus.image().tobytes() == draw_view(AUCTION, 0).tobytes()
    for second in range(41, 35, -1):
        now_s += 1
        ticked = replace(AUCTION, bell_seconds=second)
        oled.show(ticked)
        assert oled.wait_idle(PATIENCE_S)
        assert bus.image().tobytes() == draw_view(ticked, (42 - second) // 3).tobytes()
    turned = replace(ticked, menu=replace(AUCTION.menu, cursor=1))
    oled.show(turned)
    assert oled.wait_idle(PATIENCE_S)
    assert bus.image().tobytes() == draw_view(turned, 0).tobytes()
    oled.close()


def test_a_page_turns_while_nothing_happens_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oled_module, "PAGE_S", 0.05)
    frames = Semaphore(0)
    bus = FakeSsd1306Bus()
    oled = Oled(i2c(bus=bus), on_frame=frames.release)
    oled.show(ACTING)
    for _ in range(5):
        assert frames.acquire(timeout=PATIENCE_S)
    oled.close()


def test_a_bus_that_fails_is_a_fault_and_the_next_view_is_painted_whole() -> None:
    bus = FlakyBus()
    oled = shown_on(bus, VIEW)
    bus.lose_power()
    oled.show(NEXT_LINE)
    assert oled.wait_idle(PATIENCE_S)
    assert oled.fault is not None
    assert "does not answer" in oled.fault
    assert oled.shown().tobytes() == draw_view(VIEW).tobytes()
    bus.blocks_left = None
    oled.show(NEXT_LINE)
    assert oled.wait_idle(PATIENCE_S)
    assert oled.fault is None
    assert bus.is_on
    assert bus.image().tobytes() == draw_view(NEXT_LINE).tobytes()
    oled.close()


def test_a_bus_that_fails_in_the_middle_of_a_frame_recovers_too() -> None:
    bus = FlakyBus()
    oled = shown_on(bus, VIEW)
    bus.blocks_left = 2
    oled.show(OTHER)
    assert oled.wait_idle(PATIENCE_S)
    assert oled.fault is not None
    bus.blocks_left = None
    before = bus.bytes_received
    oled.show(VIEW)
    assert oled.wait_idle(PATIENCE_S)
    assert bus.bytes_received - before > FULL_FRAME
    assert bus.image().tobytes() == draw_view(VIEW).tobytes()
    oled.close()


def test_a_glass_that_is_not_there_at_the_start_is_a_fault_and_no_error() -> None:
    oled = shown_on(FakeSsd1306Bus(address=0x3D), VIEW)
    assert oled.fault is not None
    assert oled.frames_sent == 0
    oled.close()


def test_tumbling_dice_do_not_hammer_a_bus_that_is_broken() -> None:
    bus = FlakyBus()
    bus.blocks_left = 0
    oled = shown_on(bus, TUMBLING)
    assert oled._again_s == Oled.retry_s
    oled.close()


def test_closing_switches_the_panel_off_and_ends_the_worker() -> None:
    bus = FakeSsd1306Bus()
    oled = shown_on(bus, TUMBLING)
    oled.close()
    assert not bus.is_on
    assert not oled._thread.is_alive()
    received = bus.bytes_received
    oled.show(VIEW)
    oled.close()
    assert oled.wait_idle(PATIENCE_S)
    assert bus.bytes_received == received


def test_closing_on_a_broken_bus_says_so_and_ends_the_worker() -> None:
    bus = FlakyBus()
    oled = shown_on(bus, VIEW)
    bus.blocks_left = 0
    oled.close()
    assert not oled._thread.is_alive()
    assert oled.fault is not None
    assert "switched off" in oled.fault


def test_lumas_own_farewell_at_the_end_of_the_process_sends_nothing_after_closing() -> None:
    bus = FakeSsd1306Bus()
    oled = shown_on(bus, VIEW)
    oled.close()
    received = bus.bytes_received
    assert isinstance(oled._panel, Ssd1306)
    oled._panel.cleanup()
    assert bus.bytes_received == received


# --- the fake bus ---------------------------------------------------------------------------------------------------


def test_nobody_answers_at_another_address() -> None:
    with pytest.raises(NobodyAnswers, match="0x3D"):
        FakeSsd1306Bus().write_i2c_block_data(0x3D, 0x00, [0xAF])


@pytest.mark.parametrize(
    ("mode", "data", "words"),
    [
        (0x00, [0x01], "no command"),
        (0x00, [0x21, 0], "needs 2 arguments"),
        (0x00, [0x20, 0x02], "memory mode 2"),
        (0x00, [0x21, 5, 128], "columns 5 to 128"),
        (0x00, [0x22, 3, 2], "pages 3 to 2"),
        (0x80, [0xAF], "control byte"),
    ],
)
def test_what_the_panel_would_not_understand_is_an_error(mode: int, data: list[int], words: str) -> None:
    with pytest.raises(UnknownCommand, match=words):
        FakeSsd1306Bus().write_i2c_block_data(0x3C, mode, data)


def test_data_fills_its_window_row_by_row_and_begins_again() -> None:
    bus = FakeSsd1306Bus()
    bus.write_i2c_block_data(0x3C, 0x00, [0x21, 10, 11, 0x22, 1, 2])
    bus.write_i2c_block_data(0x3C, 0x40, [0x02, 0x02, 0x02, 0x02, 0x01])
    lit = [(x, y) for y in range(64) for x in range(128) if bus.image().getpixel((x, y))]
    assert lit == [(10, 8), (11, 9), (10, 17), (11, 17)]
