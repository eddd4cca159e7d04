"""Every panel shows the frame that was drawn, as its chip decodes the bytes that travelled over its bus."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from luma.core.interface.serial import i2c, spi
from luma.oled.device import sh1106, ssd1306, ssd1309, ssd1322
from PIL import Image

from captains_table.devices.display.driver.oled import Oled, Painter
from captains_table.devices.display.driver.panels import PANELS
from captains_table.devices.display.packing import GLASS_SIZE, WIDE, pack_greys
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.table.model.view import View
from tests.support.display_views import VIEWS, WIDE_VIEWS
from tests.support.effort import effort
from tests.support.fake_panels import (
    FakePanel,
    FakeSh1106Bus,
    FakeSsd1306Bus,
    FakeSsd1309Bus,
    FakeSsd1322Bus,
    UnknownCommand,
    unpack_greys,
)
from tests.support.patience import PATIENCE_S


@dataclass(frozen=True)
class Kind:
    """A panel, the fake bus it hangs on, luma's own driver, and what opens a window of its memory."""

    make_bus: Callable[[], FakePanel]
    lumas: Callable[[Any], Any]
    address_bytes: int
    grain: int = 1


KINDS = {
    "ssd1306": Kind(FakeSsd1306Bus, ssd1306, 6),
    "ssd1309": Kind(FakeSsd1309Bus, ssd1309, 6),
    "sh1106": Kind(FakeSh1106Bus, sh1106, 3),
    "ssd1322": Kind(FakeSsd1322Bus, lambda bus: ssd1322(bus, mode="RGB"), 7, 2),
}


def interface_to(bus: FakePanel) -> Any:  # noqa: ANN401 - luma has no types
    """Return luma's interface to a fake bus."""
    return spi(spi=bus, gpio=bus) if isinstance(bus, FakeSsd1322Bus) else i2c(bus=bus)


@contextmanager
def showing(kind: str, view: View, *, upside_down: bool = False) -> Iterator[tuple[FakePanel, Oled]]:
    """Yield a bus and the panel on it that shows a view."""
    bus = KINDS[kind].make_bus()
    with closing(Oled(interface_to(bus), panel=PANELS[kind], upside_down=upside_down)) as oled:
        show(oled, view)
        assert oled.fault is None
        assert bus.is_on
        yield bus, oled


def show(oled: Oled, view: View) -> None:
    """Show a view and wait until it stands on the panel."""
    oled.show(view)
    assert oled.wait_idle(PATIENCE_S)


def shown(kind: str, view: View, *, upside_down: bool = False) -> Image.Image:
    """Return what a panel's chip shows after a view was shown."""
    with showing(kind, view, upside_down=upside_down) as (bus, _):
        return bus.image()


def painter_on(kind: str) -> tuple[FakePanel, Painter, tuple[int, int]]:
    """Return a bus, what paints on the panel on it, and the size of that."""
    bus = KINDS[kind].make_bus()
    panel = PANELS[kind](interface_to(bus))
    return bus, Painter(panel), panel.size


# --- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("name", ["after-a-throw", "strike"])
def test_every_panel_shows_a_view_as_it_was_drawn(kind: str, name: str) -> None:
    view = WIDE_VIEWS[name]
    assert shown(kind, view).tobytes() == as_shown(draw_view(view, 0, PANELS[kind].size)).tobytes()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_panel_built_in_upside_down_is_sent_everything_turned(kind: str) -> None:
    turned = shown(kind, WIDE_VIEWS["strike"], upside_down=True).transpose(Image.Transpose.ROTATE_180)
    assert turned.tobytes() == shown(kind, WIDE_VIEWS["strike"]).tobytes()


# --- bytes ----------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's display, as we do not use it
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_painter_shows_the_same_as_lumas_own_display(kind: str) -> None:
    lumas = KINDS[kind].make_bus()
    ours, painter, size = painter_on(kind)
    frame = draw_view(WIDE_VIEWS["strike"], 0, size)
    painter.paint(frame)
    KINDS[kind].lumas(interface_to(lumas)).display(frame.convert("RGB") if kind == "ssd1322" else frame)
    assert ours.image().tobytes() == lumas.image().tobytes()


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_windows_always_lead_to_the_new_frame(kind: str) -> None:
    chance = Random(1)
    bus, painter, (width, height) = painter_on(kind)
    image = draw_view(WIDE_VIEWS["after-a-throw"], 0, (width, height))
    for _ in range(effort(20, 400)):
        before = bus.bytes_received
        sent = painter.paint(image)
        assert bus.bytes_received - before == sent
        assert bus.image().tobytes() == as_shown(image).tobytes()
        for _ in range(chance.randrange(1, 60)):
            image.putpixel((chance.randrange(width), chance.randrange(height)), chance.choice((0, 255)))


def as_shown(image: Image.Image) -> Image.Image:
    """Return a frame with its greys rounded to the sixteen that the wide panel has."""
    return image if image.mode == "1" else image.point([grey // 16 * 17 for grey in range(256)])


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_single_pixel_costs_one_address_and_what_it_stands_for(kind: str) -> None:
    _, painter, size = painter_on(kind)
    image = draw_view(View(), 0, size)
    painter.paint(image)
    image.putpixel((100, 50), 0 if image.getpixel((100, 50)) else 255)
    assert painter.paint(image) == KINDS[kind].address_bytes + KINDS[kind].grain
    assert painter.paint(image) == 0


@pytest.mark.parametrize(("kind", "whole"), [("ssd1306", 1024 + 6), ("ssd1322", 256 * 64 // 2 + 7)])
def test_one_step_in_the_menu_costs_a_small_share_of_a_frame(kind: str, whole: int) -> None:
    view = WIDE_VIEWS["after-a-throw"]
    _, painter, size = painter_on(kind)
    assert painter.paint(draw_view(view, 0, size)) == whole
    assert 0 < painter.paint(draw_view(replace(view, menu=replace(view.menu, cursor=1)), 0, size)) < whole // 4


def test_greys_are_packed_without_loss_and_to_sixteen_levels() -> None:
    image = Image.frombytes("L", WIDE, bytes(index % 256 for index in range(256 * 64)))
    assert unpack_greys(pack_greys(image)).tobytes() == as_shown(image).tobytes()
    with pytest.raises(ValueError, match="256x64"):
        pack_greys(Image.new("L", GLASS_SIZE))


# --- brightness -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_dimming_tells_the_chip_its_contrast_and_sends_no_picture_again(kind: str) -> None:
    with showing(kind, VIEWS["idle"]) as (bus, oled):
        before = bus.bytes_received
        oled.dim(0.2)
        assert oled.wait_idle(PATIENCE_S)
        assert bus.contrast == 51
        assert bus.bytes_received - before == 2


def test_a_panel_that_comes_back_is_as_dim_as_it_was() -> None:
    with showing("ssd1322", VIEWS["idle"]) as (bus, oled):
        assert isinstance(bus, FakeSsd1322Bus)
        oled.dim(0.0)
        bus.is_broken = True
        show(oled, VIEWS["winner"])
        assert oled.fault is not None
        bus.is_broken, bus.is_on, bus.contrast = False, False, 0x7F
        show(oled, VIEWS["winner"])
        assert not oled.fault
        assert bus.is_on
        assert bus.contrast == 0
        assert bus.image().tobytes() == as_shown(draw_view(VIEWS["winner"], 0, WIDE)).tobytes()


# --- the fake buses -------------------------------------------------------------------------------------------------


def test_an_sh1106_does_not_write_on_into_the_next_page() -> None:
    bus = FakeSh1106Bus()
    bus.write_i2c_block_data(0x3C, 0x00, [0xB0, 0x02, 0x10])
    bus.write_i2c_block_data(0x3C, 0x40, [0x01] * 130)
    with pytest.raises(UnknownCommand, match="column 132"):
        bus.write_i2c_block_data(0x3C, 0x40, [0x01])
    image = bus.image()
    assert [y for y in range(64) if image.getpixel((127, y))] == [0]
