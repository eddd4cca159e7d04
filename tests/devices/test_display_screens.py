"""What the display shows, compared pixel by pixel with pictures somebody has looked at.

`UPDATE_GOLDEN=1 pytest tests/devices` writes the pictures anew; look at them before you commit.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import zxingcpp
from hypothesis import given, settings, strategies as st
from PIL import Image, ImageChops

from captains_table.devices.display.packing import GLASS_SIZE, WIDE, png
from captains_table.devices.display.screens.canvas import Canvas
from captains_table.devices.display.screens.dice_row import tumbling_face
from captains_table.devices.display.screens.draw_view import draw_view, view_page_count as drawn_pages
from captains_table.devices.display.screens.header import fitted_name
from captains_table.devices.display.screens.menu_lines import draw_menu
from captains_table.devices.display.screens.result_screen import rows_below_cup, scores_of_page
from captains_table.devices.display.screens.standing_screen import standing_page, standings_page_count
from captains_table.devices.display.screens.text import SMALL, short_name
from captains_table.devices.display.screens.wide_screens import ROWS
from captains_table.phrases import say
from captains_table.table.model.view import Menu, MenuEntry, SeatView, View
from tests.support.display_views import (
    CROWNS_VIEWS,
    FRAME,
    KEEPING,
    OVER,
    PLAYING,
    SETTING_UP,
    VIEWS,
    WIDE_VIEWS,
    seats,
)
from tests.support.effort import effort
from tests.support.party import PARTY, ended

GOLDEN = Path(__file__).parents[1] / "golden"
EVERY_VIEW = [("glass", "1", GLASS_SIZE, name) for name in VIEWS] + [
    ("glass-wide", "L", WIDE, name) for name in WIDE_VIEWS
]


@pytest.mark.parametrize(("folder", "mode", "size", "name"), EVERY_VIEW)
def test_a_view_looks_as_it_did_when_somebody_looked_at_it(
    folder: str, mode: str, size: tuple[int, int], name: str
) -> None:
    image = draw_view(WIDE_VIEWS[name] if size == WIDE else VIEWS[name], FRAME.get(name, 0), size)
    assert (image.mode, image.size) == (mode, size)
    golden = GOLDEN / folder / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_bytes(png(image))
    assert golden.exists(), f"{golden} is missing: write it with UPDATE_GOLDEN=1 and look at it"
    with Image.open(golden) as expected:
        difference = ImageChops.difference(image.convert("L"), expected.convert("L"))
    assert difference.getbbox() is None, f"it differs from {golden} within {difference.getbbox()}"


@pytest.mark.parametrize(("folder", "views"), [("glass", VIEWS), ("glass-wide", WIDE_VIEWS)])
def test_every_golden_picture_belongs_to_a_view(folder: str, views: Mapping[str, View]) -> None:
    assert {golden.stem for golden in (GOLDEN / folder).glob("*.png")} == set(views)


def test_tumbling_dice_change_from_frame_to_frame() -> None:
    frames = [draw_view(VIEWS["tumbling"], frame).tobytes() for frame in range(7)]
    assert all(before != after for before, after in pairwise(frames))


def test_a_tumbling_die_shows_another_face_each_frame() -> None:
    faces = [tumbling_face(frame, 2) for frame in range(24)]
    assert all(before != after for before, after in pairwise(faces))
    assert set(faces) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("name", sorted(set(VIEWS) - {"tumbling"} - set(FRAME) - set(CROWNS_VIEWS)))
def test_a_view_without_tumbling_dice_stands_still(name: str) -> None:
    assert draw_view(VIEWS[name], 0).tobytes() == draw_view(VIEWS[name], 5).tobytes()


def test_the_cursor_is_seen_wherever_it_stands_in_a_long_menu() -> None:
    frames = {
        draw_view(replace(KEEPING, menu=Menu(KEEPING.menu.entries, cursor))).tobytes()
        for cursor in range(len(KEEPING.menu.entries))
    }
    assert len(frames) == len(KEEPING.menu.entries)


@pytest.mark.parametrize("name", ["", " ", "\x00\n", "海賊", "😀" * 40, "W" * 60, "Ünal Šárka Øystein", "Ольга"])
def test_no_name_stops_the_glass(name: str) -> None:
    for view in (PLAYING, OVER, SETTING_UP):
        named = replace(view, seats=seats(0, (name, "Bart")), prompt=(f"{name} (White): move a piece",))
        assert draw_view(named).size == (128, 64)


@pytest.mark.parametrize("room", [24, 36, 60])
def test_names_on_the_glass_differ_and_fit_however_little_room_they_have(room: int) -> None:
    party = [SeatView(f"Captain {number}", {"total": 3}, on_turn=False) for number in range(1, 15)]
    shown = [fitted_name(seat, party, room) for seat in party]
    assert len(set(shown)) == len(party)
    assert all(SMALL.width(name) <= room for name in shown)
    menu = Menu(tuple(MenuEntry(seat.name, f"{seat.name}: raise to 300 and more", name=seat.name) for seat in party), 0)
    pictures = [Canvas() for _ in party]
    for cursor, canvas in enumerate(pictures):
        draw_menu(canvas, replace(menu, entries=menu.entries[cursor:] + menu.entries[:cursor]), 0, 1)
    assert len({canvas.image.crop((0, 0, 100, 9)).tobytes() for canvas in pictures}) == len(party)


def test_a_picture_is_enlarged_pixel_by_pixel(tmp_path: Path) -> None:
    file = tmp_path / "idle.png"
    file.write_bytes(png(draw_view(VIEWS["idle"]), scale=4))
    with Image.open(file) as enlarged:
        assert enlarged.size == (512, 256)
        assert enlarged.resize((128, 64), Image.Resampling.NEAREST).tobytes() == draw_view(VIEWS["idle"]).tobytes()


@pytest.mark.parametrize(("size", "room"), [(GLASS_SIZE, 3), (WIDE, 5)])
@pytest.mark.parametrize("buttons", [(), ("Another one", "Leave")])
def test_the_pages_of_a_result_name_all_thirty_two_once_the_best_first(
    size: tuple[int, int], room: int, buttons: Sequence[str]
) -> None:
    menu = Menu(tuple(MenuEntry(label, label) for label in buttons), 0 if buttons else None)
    view = ended(replace(OVER, menu=menu))
    rows = ROWS if size == WIDE else rows_below_cup(view, size[0])
    named = [line for frame in range(drawn_pages(view, size)) for line in scores_of_page(view, rows, frame)]
    assert sorted(seat.name for _, seat, _ in named) == sorted(PARTY)
    assert [int(score) for *_, score in named] == sorted((int(score) for *_, score in named), reverse=True)
    assert (named[0][0], named[-1][0]) == ("1. ", "32. ")
    assert len(scores_of_page(view, rows, 0)) >= room
    assert all(len(scores_of_page(view, rows, frame)) <= rows for frame in range(9)), "names have room"
    frames = [draw_view(view, frame, size).tobytes() for frame in range(drawn_pages(view, size) + 1)]
    assert len(set(frames)) == drawn_pages(view, size), "each page is another picture"
    assert frames[0] == frames[-1], "and after the last comes the first"


def test_a_result_that_has_room_stands_still_and_has_no_places() -> None:
    assert [drawn_pages(OVER, size) for size in (GLASS_SIZE, WIDE)] == [1, 1]
    assert [place for place, _, _ in scores_of_page(OVER, 4, 3)] == ["", ""]


def test_the_pages_of_a_standing_name_all_fourteen_players_once() -> None:
    for view, first in ((VIEWS["crowns-auction"], 0), (VIEWS["crowns-acting"], 1)):
        pages = [standing_page(view, frame) for frame in range(standings_page_count(view))]
        assert pages == [None] * first + [0, 1, 2]
        frames = {draw_view(view, frame).tobytes() for frame in range(standings_page_count(view))}
        assert len(frames) == len(pages)
        assert draw_view(view, standings_page_count(view)).tobytes() == draw_view(view, 0).tobytes()


# --- the address for phones -----------------------------------------------------------------------------------------

AROUND = 20  # pixels of dark glass and case around what is lit


def read(view: View, size: tuple[int, int]) -> list[str]:
    """Return what a camera makes of a frame."""
    frame = draw_view(view, 0, size).convert("L")
    seen = Image.new("L", (frame.width + 2 * AROUND, frame.height + 2 * AROUND))
    seen.paste(frame, (AROUND, AROUND))
    return [code.text for code in zxingcpp.read_barcodes(seen.resize((seen.width * 4, seen.height * 4)))]


@pytest.mark.slow
@pytest.mark.parametrize("size", [GLASS_SIZE, WIDE])
@settings(max_examples=effort(10, 200), deadline=None)
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


def test_names_are_shown_by_their_short_forms_unless_two_of_them_would_look_alike() -> None:
    apart = (say("Take the whole move back¦Take back"), say("Throw the Legend die again¦Throw again"))
    alike = (say("Take the whole move back¦Back"), say("Turn the whole board back¦Back"))
    assert [short_name(name, apart, 80) for name in apart] == ["Take back", "Throw again"]
    one, other = (short_name(name, alike, 80) for name in alike)
    assert one != other
    assert max(SMALL.width(one), SMALL.width(other)) <= 80
