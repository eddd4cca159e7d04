"""The OLED behind the `Glass` port: what travels over the bus, and what happens when the bus is slow or broken."""

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from threading import Semaphore
from types import SimpleNamespace

import pytest
from luma.core.interface.serial import i2c
from PIL import Image

from captains_table.devices.display.driver import oled as oled_module
from captains_table.devices.display.driver.oled import Oled, Painter
from captains_table.devices.display.driver.panels import Ssd1306
from captains_table.devices.display.packing import pack_pages
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.table.model.view import View
from tests.support.display_views import ACTING, AUCTION, VIEWS
from tests.support.fake_panels import FakeSsd1306Bus
from tests.support.patience import PATIENCE_S

FULL_FRAME = 1024
ADDRESS_BYTES = 6  # SSD1306: two commands with two arguments each

VIEW, TUMBLING = VIEWS["after-a-throw"], VIEWS["tumbling"]
NEXT_LINE = replace(VIEW, menu=replace(VIEW.menu, cursor=1))


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


OpenOled = Callable[..., Oled]


@pytest.fixture
def open_oled() -> Iterator[OpenOled]:
    """Return what opens an OLED on a bus and shows views on it; it is closed after the test."""
    with ExitStack() as stack:

        def open_on(bus: FakeSsd1306Bus, *views: View, on_frame: Callable[[], None] | None = None) -> Oled:
            oled = Oled(i2c(bus=bus), on_frame=on_frame)
            stack.callback(oled.close)
            for view in views:
                show(oled, view)
            return oled

        yield open_on


def show(oled: Oled, view: View) -> None:
    """Show a view and wait until it stands on the panel."""
    oled.show(view)
    assert oled.wait_idle(PATIENCE_S)


# --- the painter ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("image", [Image.new("1", (64, 128)), Image.new("L", (128, 64))])
def test_only_a_frame_of_one_bit_and_the_right_size_is_packed(image: Image.Image) -> None:
    with pytest.raises(ValueError, match="128x64"):
        pack_pages(image)


@pytest.mark.parametrize(
    ("lit", "windows"),
    [
        ([0, 128, 7 * 128 + 127], [(0, 0, 0, 1), (127, 127, 7, 7)]),  # two neighbours, and one far from them
        ([3 * 128 + 5, 3 * 128 + 90], [(5, 5, 3, 3), (90, 90, 3, 3)]),
        (range(FULL_FRAME), Ssd1306.memory.whole()),
    ],
)
def test_windows_far_apart_stay_apart_neighbours_are_joined_and_no_frame_costs_more_than_the_whole(
    lit: Sequence[int], windows: list[tuple[int, int, int, int]]
) -> None:
    after = bytearray(FULL_FRAME)
    for place in lit:
        after[place] = 0xFF
    assert Ssd1306.memory.changed(bytes(FULL_FRAME), bytes(after)) == windows


def test_the_first_frame_is_sent_whole_and_the_same_one_again_not_at_all() -> None:
    bus = FakeSsd1306Bus()
    painter = Painter(Ssd1306(i2c(bus=bus)))
    before = bus.bytes_received
    assert painter.paint(draw_view(VIEW)) == FULL_FRAME + ADDRESS_BYTES == bus.bytes_received - before
    assert painter.paint(draw_view(VIEW)) == 0


# --- the worker -----------------------------------------------------------------------------------------------------


def test_a_view_that_is_shown_stands_on_the_panel_which_is_on_and_is_sent_once(open_oled: OpenOled) -> None:
    bus = FakeSsd1306Bus()
    oled = open_oled(bus)
    assert bus.bytes_received == 0
    show(oled, VIEW)
    assert bus.is_on
    assert bus.image().tobytes() == draw_view(VIEW).tobytes() == oled.shown().tobytes()
    assert (oled.frames_sent, oled.fault) == (1, None)
    sent = bus.bytes_received
    show(oled, VIEW)
    assert bus.bytes_received == sent


def test_dice_tumble_by_themselves_until_another_view_is_shown(open_oled: OpenOled) -> None:
    frames = Semaphore(0)
    bus = FakeSsd1306Bus()
    oled = open_oled(bus, on_frame=frames.release)
    oled.show(TUMBLING)
    for _ in range(4):
        assert frames.acquire(timeout=PATIENCE_S)
    show(oled, VIEW)
    assert oled.frames_sent >= 5
    assert bus.image().tobytes() == draw_view(VIEW).tobytes()


def test_pages_turn_by_themselves_though_the_seconds_before_the_bell_go_by(
    open_oled: OpenOled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anything else that changes begins with the first page."""
    now_s = 100.0
    monkeypatch.setattr(oled_module, "time", SimpleNamespace(monotonic=lambda: now_s))
    bus = FakeSsd1306Bus()
    oled = open_oled(bus, AUCTION)
    assert bus.image().tobytes() == draw_view(AUCTION, 0).tobytes()
    for second in range(41, 35, -1):
        now_s += 1
        ticked = replace(AUCTION, bell_seconds=second)
        show(oled, ticked)
        assert bus.image().tobytes() == draw_view(ticked, (42 - second) // 3).tobytes()
    turned = replace(ticked, menu=replace(AUCTION.menu, cursor=1))
    show(oled, turned)
    assert bus.image().tobytes() == draw_view(turned, 0).tobytes()


def test_a_page_turns_while_nothing_happens_at_all(open_oled: OpenOled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oled_module, "PAGE_S", 0.05)
    frames = Semaphore(0)
    bus = FakeSsd1306Bus()
    oled = open_oled(bus, on_frame=frames.release)
    oled.show(ACTING)
    for _ in range(5):
        assert frames.acquire(timeout=PATIENCE_S)


@pytest.mark.parametrize("blocks", [0, 2])
def test_a_bus_that_fails_at_once_or_within_a_frame_is_a_fault_and_the_next_view_is_painted_whole(
    blocks: int, open_oled: OpenOled
) -> None:
    bus = FlakyBus()
    oled = open_oled(bus, VIEW)
    bus.write_i2c_block_data(0x3C, 0x00, [0xAE, 0x21, 0, 127, 0x22, 0, 7])  # it forgets all, as one that was unplugged
    bus.write_i2c_block_data(0x3C, 0x40, [0xA5] * FULL_FRAME)
    bus.blocks_left = blocks
    show(oled, NEXT_LINE)
    assert oled.fault is not None
    assert "does not answer" in oled.fault
    assert oled.shown().tobytes() == draw_view(VIEW).tobytes()
    bus.blocks_left = None
    show(oled, NEXT_LINE)
    assert oled.fault is None
    assert bus.is_on
    assert bus.image().tobytes() == draw_view(NEXT_LINE).tobytes()


def test_tumbling_dice_do_not_hammer_a_bus_that_is_broken(open_oled: OpenOled) -> None:
    bus = FlakyBus()
    bus.blocks_left = 0
    oled = open_oled(bus, TUMBLING)
    assert oled._again_s == Oled.retry_s


def test_closing_switches_the_panel_off_and_ends_the_worker(open_oled: OpenOled) -> None:
    bus = FakeSsd1306Bus()
    oled = open_oled(bus, TUMBLING)
    oled.close()
    assert not bus.is_on
    assert not oled._thread.is_alive()
    received = bus.bytes_received
    oled.show(VIEW)
    oled.close()
    assert oled.wait_idle(PATIENCE_S)
    assert bus.bytes_received == received


def test_lumas_own_farewell_at_the_end_of_the_process_sends_nothing_after_closing(open_oled: OpenOled) -> None:
    bus = FakeSsd1306Bus()
    oled = open_oled(bus, VIEW)
    oled.close()
    received = bus.bytes_received
    assert isinstance(oled._panel, Ssd1306)
    oled._panel.cleanup()
    assert bus.bytes_received == received


# --- the fake bus ---------------------------------------------------------------------------------------------------


def test_data_fills_its_window_row_by_row_and_begins_again() -> None:
    bus = FakeSsd1306Bus()
    bus.write_i2c_block_data(0x3C, 0x00, [0x21, 10, 11, 0x22, 1, 2])
    bus.write_i2c_block_data(0x3C, 0x40, [0x02, 0x02, 0x02, 0x02, 0x01])
    image = bus.image()
    lit = [(x, y) for y in range(64) for x in range(128) if image.getpixel((x, y))]
    assert lit == [(10, 8), (11, 9), (10, 17), (11, 17)]
