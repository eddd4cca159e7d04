"""Every panel shows the frame that was drawn, as its chip decodes the bytes that travelled over its bus.

`UPDATE_GOLDEN=1 pytest tests/devices/test_glass_panels.py` writes the pictures anew; look at them before you commit.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from luma.core.interface.serial import i2c, spi
from luma.oled.device import sh1106, ssd1306, ssd1309, ssd1322
from PIL import Image, ImageChops

from captains_table.devices.display.driver.oled import Oled, Painter
from captains_table.devices.display.driver.panels import PANELS
from captains_table.devices.display.packing import GLASS_SIZE, WIDE, pack_greys, png
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.games.contract import Die
from captains_table.table.model.view import View
from tests.support.display_views import FRAME, VIEWS, WIDE_VIEWS
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

GOLDEN = Path(__file__).parent.parent / "golden"


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


def compare(image: Image.Image, golden: Path) -> None:
    """Compare with a golden picture, or write it."""
    if os.environ.get("UPDATE_GOLDEN") == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_bytes(png(image))
    assert golden.exists(), f"{golden} is missing: write it with UPDATE_GOLDEN=1 and look at it"
    with Image.open(golden) as expected:
        difference = ImageChops.difference(image.convert("L"), expected.convert("L"))
    assert difference.getbbox() is None, f"it differs from {golden} within {difference.getbbox()}"


def shown(kind: str, view: View, *, upside_down: bool = False) -> Image.Image:
    """Return what a panel's chip shows after a view was shown."""
    bus = KINDS[kind].make_bus()
    oled = Oled(interface_to(bus), panel=PANELS[kind], upside_down=upside_down)
    oled.show(view)
    assert oled.wait_idle(PATIENCE_S)
    assert oled.fault is None
    assert bus.is_on
    oled.close()
    return bus.image()


# --- pictures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("name", ["after-a-throw", "set-up", "winner"])
def test_a_view_looks_on_every_panel_as_it_did_when_somebody_looked_at_it(kind: str, name: str) -> None:
    compare(shown(kind, WIDE_VIEWS[name]), GOLDEN / "panels" / f"{kind}-{name}.png")


@pytest.mark.parametrize("name", WIDE_VIEWS)
def test_a_view_on_the_wide_glass_looks_as_it_did_when_somebody_looked_at_it(name: str) -> None:
    compare(draw_view(WIDE_VIEWS[name], FRAME.get(name, 0), WIDE), GOLDEN / "glass-wide" / f"{name}.png")


def test_every_golden_picture_belongs_to_a_view() -> None:
    assert {golden.stem for golden in (GOLDEN / "glass-wide").glob("*.png")} == set(WIDE_VIEWS)


@pytest.mark.parametrize("name", ["after-a-throw", "keeping", "turn-start", "six-seats", "log"])
def test_the_wide_glass_uses_its_width(name: str) -> None:
    right = draw_view(WIDE_VIEWS[name], 0, WIDE).crop((192, 12, 256, 64))
    assert right.getextrema() == (0, 255)


def test_the_three_small_panels_show_the_very_same() -> None:
    pictures = {shown(kind, VIEWS["strike"]).tobytes() for kind in ("ssd1306", "ssd1309", "sh1106")}
    assert pictures == {draw_view(VIEWS["strike"]).tobytes()}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_panel_built_in_upside_down_is_sent_everything_turned(kind: str) -> None:
    turned = shown(kind, WIDE_VIEWS["strike"], upside_down=True).transpose(Image.Transpose.ROTATE_180)
    assert turned.tobytes() == shown(kind, WIDE_VIEWS["strike"]).tobytes()


# --- bytes ----------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's display, as we do not use it
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_painter_shows_the_same_as_lumas_own_display(kind: str) -> None:
    ours, lumas = KINDS[kind].make_bus(), KINDS[kind].make_bus()
    panel = PANELS[kind](interface_to(ours))
    frame = draw_view(WIDE_VIEWS["strike"], 0, panel.size)
    Painter(panel).paint(frame)
    KINDS[kind].lumas(interface_to(lumas)).display(frame.convert("RGB") if kind == "ssd1322" else frame)
    assert ours.image().tobytes() == lumas.image().tobytes()


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("seed", range(5))
def test_the_windows_always_lead_to_the_new_frame(kind: str, seed: int) -> None:
    chance = Random(seed)
    bus = KINDS[kind].make_bus()
    panel = PANELS[kind](interface_to(bus))
    painter = Painter(panel)
    width, height = panel.size
    image = draw_view(WIDE_VIEWS["after-a-throw"], 0, panel.size)
    for _ in range(4):
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
    panel = PANELS[kind](interface_to(KINDS[kind].make_bus()))
    painter = Painter(panel)
    image = draw_view(View(), 0, panel.size)
    painter.paint(image)
    image.putpixel((100, 50), 0 if image.getpixel((100, 50)) else 255)
    assert painter.paint(image) == KINDS[kind].address_bytes + KINDS[kind].grain
    assert painter.paint(image) == 0


def test_one_step_in_the_menu_costs_the_wide_panel_a_small_share_of_a_frame() -> None:
    view = WIDE_VIEWS["after-a-throw"]
    panel = PANELS["ssd1322"](interface_to(FakeSsd1322Bus()))
    painter = Painter(panel)
    whole = painter.paint(draw_view(view, 0, WIDE))
    assert whole == 256 * 64 // 2 + 7
    assert 0 < painter.paint(draw_view(replace(view, menu=replace(view.menu, cursor=1)), 0, WIDE)) < whole // 4


def test_greys_are_packed_without_loss_and_to_sixteen_levels() -> None:
    image = Image.frombytes("L", WIDE, bytes(index % 256 for index in range(256 * 64)))
    assert unpack_greys(pack_greys(image)).tobytes() == as_shown(image).tobytes()
    with pytest.raises(ValueError, match="256x64"):
        pack_greys(Image.new("L", GLASS_SIZE))


def test_tumbling_dice_move_on_the_wide_glass_too() -> None:
    view = replace(WIDE_VIEWS["after-a-throw"], tumbling=(0,), dice=(Die(3),))
    assert draw_view(view, 1, WIDE).tobytes() != draw_view(view, 2, WIDE).tobytes()


# --- brightness -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_dimming_tells_the_chip_its_contrast_and_sends_no_picture_again(kind: str) -> None:
    bus = KINDS[kind].make_bus()
    oled = Oled(interface_to(bus), panel=PANELS[kind])
    oled.show(VIEWS["idle"])
    assert oled.wait_idle(PATIENCE_S)
    before = bus.bytes_received
    oled.dim(0.2)
    assert oled.wait_idle(PATIENCE_S)
    assert bus.contrast == 51
    assert bus.bytes_received - before == 2
    oled.close()


def test_a_panel_that_comes_back_is_as_dim_as_it_was() -> None:
    bus = FakeSsd1322Bus()
    oled = Oled(interface_to(bus), panel=PANELS["ssd1322"])
    oled.dim(0.0)
    oled.show(VIEWS["idle"])
    assert oled.wait_idle(PATIENCE_S)
    bus.is_broken = True
    oled.show(VIEWS["winner"])
    assert oled.wait_idle(PATIENCE_S)
    assert oled.fault is not None
    bus.is_broken, bus.is_on, bus.contrast = False, False, 0x7F
    oled.show(VIEWS["winner"])
    assert oled.wait_idle(PATIENCE_S)
    assert not oled.fault
    assert bus.is_on
    assert bus.contrast == 0
    assert bus.image().tobytes() == as_shown(draw_view(VIEWS["winner"], 0, WIDE)).tobytes()
    oled.close()


# --- the fake buses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        ([0x01], "no command"),
        ([0x15, 0xAF], "needs 2 arguments more"),
    ],
)
def test_the_wide_panel_refuses_what_its_chip_does_not_know(commands: list[int], words: str) -> None:
    bus = FakeSsd1322Bus()
    with pytest.raises(UnknownCommand, match=words):
        bus.writebytes(commands)


@pytest.mark.parametrize(
    ("command", "data", "words"),
    [
        (0x15, [5, 120], "columns 5 to 120"),
        (0x75, [3, 2], "rows 3 to 2"),
        (0xA0, [0x06, 0x11], "remap"),
        (0xC1, [1, 2], "takes 1 arguments"),
    ],
)
def test_the_wide_panel_refuses_arguments_its_chip_has_no_place_for(command: int, data: list[int], words: str) -> None:
    bus = FakeSsd1322Bus()
    bus.output(24, 0)
    bus.writebytes([command])
    bus.output(24, 1)
    with pytest.raises(UnknownCommand, match=words):
        bus.writebytes(data)


def test_an_sh1106_does_not_write_on_into_the_next_page() -> None:
    bus = FakeSh1106Bus()
    bus.write_i2c_block_data(0x3C, 0x00, [0xB0, 0x02, 0x10])
    bus.write_i2c_block_data(0x3C, 0x40, [0x01] * 130)
    with pytest.raises(UnknownCommand, match="column 132"):
        bus.write_i2c_block_data(0x3C, 0x40, [0x01])
    lit = [y for y in range(64) if bus.image().getpixel((127, y))]
    assert lit == [0]
