"""The way to the page on the glass: a phone's camera reads it off every panel."""

import pytest
import zxingcpp
from hypothesis import given, settings, strategies as st
from PIL import Image

from captains_table.devices.display.packing import GLASS_SIZE, WIDE
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.table.model.view import Menu, MenuEntry, View

AROUND = 20  # pixels of dark glass and case around what is lit


def read(view: View, size: tuple[int, int]) -> list[str]:
    """Return what a camera makes of a frame."""
    frame = draw_view(view, 0, size).convert("L")
    seen = Image.new("L", (frame.width + 2 * AROUND, frame.height + 2 * AROUND))
    seen.paste(frame, (AROUND, AROUND))
    return [code.text for code in zxingcpp.read_barcodes(seen.resize((seen.width * 4, seen.height * 4)))]


@pytest.mark.parametrize("size", [GLASS_SIZE, WIDE])
@settings(max_examples=25, deadline=None)
@given(address=st.ip_addresses(v=4), port=st.sampled_from([80, 8377, 65535]))
def test_whatever_address_a_table_has_is_read(size: tuple[int, int], address: object, port: int) -> None:
    joining = f"http://{address}:{port}/table"
    assert read(View(joining=joining), size) == [joining]


@pytest.mark.parametrize("size", [GLASS_SIZE, WIDE])
def test_an_address_too_long_for_a_code_that_is_read_is_written(size: tuple[int, int]) -> None:
    view = View(joining=f"http://{'a' * 40}.example.org:8377/table")
    assert read(view, size) == []
    assert draw_view(view, 0, size).getbbox() is not None


def test_once_it_is_gone_the_menu_is_what_is_seen() -> None:
    menu = Menu((MenuEntry("game-legend", "Legend"),), 0)
    shown = View(joining="http://192.0.2.7:8377/table", menu=menu)
    assert draw_view(shown).tobytes() != draw_view(View(menu=menu)).tobytes()
