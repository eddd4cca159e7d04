"""What the glass shows, compared pixel by pixel with pictures somebody has looked at.

`UPDATE_GOLDEN=1 pytest tests/devices/test_glass_frames.py` writes the pictures anew; look at them before you commit.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from captains_table.devices.display.packing import GLASS_SIZE, WIDE, png
from captains_table.devices.display.screens.dice_row import tumbling_face
from captains_table.devices.display.screens.draw_view import draw_view, view_page_count as drawn_pages
from captains_table.devices.display.screens.result_screen import rows_below_cup, scores_of_page
from captains_table.devices.display.screens.standing_screen import standing_page, standings_page_count
from captains_table.devices.display.screens.wide_screens import ROWS
from captains_table.table.model.view import Menu, MenuEntry
from tests.support.display_views import CROWNS_VIEWS, FRAME, KEEPING, OVER, PLAYING, SETTING_UP, VIEWS, seats
from tests.support.party import PARTY, ended

GOLDEN = Path(__file__).parent.parent / "golden" / "glass"


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_looks_as_it_did_when_somebody_looked_at_it(name: str) -> None:
    image = draw_view(VIEWS[name], FRAME.get(name, 0))
    golden = GOLDEN / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_bytes(png(image))
    assert golden.exists(), f"{golden} is missing: write it with UPDATE_GOLDEN=1 and look at it"
    with Image.open(golden) as expected:
        difference = ImageChops.difference(image.convert("L"), expected.convert("L"))
    assert difference.getbbox() is None, f"{name} differs from {golden} within {difference.getbbox()}"


def test_every_golden_picture_belongs_to_a_view() -> None:
    assert {golden.stem for golden in GOLDEN.glob("*.png")} == set(VIEWS)


@pytest.mark.parametrize("name", VIEWS)
def test_a_frame_is_one_bit_deep_and_as_large_as_the_glass(name: str) -> None:
    image = draw_view(VIEWS[name])
    assert (image.mode, image.size) == ("1", (128, 64))


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
    assert [score for _, _, score in named] == sorted((score for _, _, score in named), reverse=True)
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
