"""What the glass shows, compared pixel by pixel with pictures somebody has looked at.

`UPDATE_GOLDEN=1 pytest tests/devices/test_glass_frames.py` writes the pictures anew; look at them before you commit.
"""

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from captains_table.devices.glass import draw, png
from captains_table.devices.glass.dice import tumbling_face
from captains_table.games.contract import Die, Happening, Result, Shape, Square, parse_square
from captains_table.table.view import Menu, MenuEntry, Phase, SeatView, View, Wrong
from tests.devices.dice_views import DICE_VIEWS
from tests.devices.lobby_views import LOBBY_VIEWS

GOLDEN = Path(__file__).parent.parent / "golden" / "glass"
SEED_SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def seats(on_turn: int | None = 0, names: tuple[str, str] = ("Anne", "Bart")) -> tuple[SeatView, ...]:
    """Return two seats with tallies from the rules' worked example."""
    columns = ({"cargo": 34, "legend": 18, "total": 52}, {"cargo": 9, "legend": 3, "total": 12})
    return tuple(
        SeatView(name, tallies, on_turn=index == on_turn)
        for index, (name, tallies) in enumerate(zip(names, columns, strict=True))
    )


def lying(*faces: int | None, held: tuple[int, ...] = ()) -> tuple[Die, ...]:
    """Return Legend's six dice, the last one roman; `held` counts from 1."""
    return tuple(
        Die(face, "roman" if number == 6 else "pips", held=number in held, throws_left=2)
        for number, face in enumerate(faces, 1)
    )


def menu(*labels: str, cursor: int = 0) -> Menu:
    """Return a menu of these lines."""
    return Menu(tuple(MenuEntry(label.lower().replace(" ", "-"), label) for label in labels), cursor)


def squares(*names: str) -> tuple[Square, ...]:
    """Return squares by their names."""
    return tuple(parse_square(name) for name in names)


PLAYING = View(
    phase=Phase.PLAYING,
    game="legend",
    title="Legend ~ Ship, Captain, Crew",
    heading="Round 1 of 3",
    prompt=("Anne (White): move a piece worth up to IV",),
    seat=0,
    seats=seats(),
    dice=lying(6, 5, 4, 3, 2, 4, held=(1, 2, 3)),
    shape=Shape(8, 8),
    commitment=SEED_SHA256,
)
AFTER_A_THROW = replace(PLAYING, menu=menu("Throw again", "Summon the Genie", "Abandon the round"))
TURN_START = replace(
    PLAYING,
    prompt=("Anne (White): throw the dice",),
    dice=lying(None, None, None, None, None, None),
    menu=menu("Throw all six dice", "Throw the cargo dice", "Throw the Legend die", "Abandon the round"),
)
KEEPING = replace(
    PLAYING,
    prompt=("Which dice stay?",),
    dice=lying(6, 5, 4, 3, 2, 4),
    menu=Menu(
        (
            *(MenuEntry(str(die), f"Keep {face}", held=die < 4) for die, face in enumerate("65432", 1)),
            MenuEntry("6", "Keep IV", held=True),
            MenuEntry("throw", "Throw"),
        ),
        cursor=3,
    ),
)
HOME_RANKS = squares(*(f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)))
SETTING_UP = replace(
    PLAYING,
    phase=Phase.SETUP,
    seat=None,
    seats=seats(None),
    dice=(),
    prompt=("Set up the pieces", "Take the piece off e4", "Put the white rook on a1", "and 18 more"),
    switches=frozenset((*HOME_RANKS[:13], *squares("e4"))),
    wrong=Wrong(HOME_RANKS[13:], squares("e4")),
)
GUIDANCE = replace(
    PLAYING,
    prompt=("This is no move now", "Put the white bishop from c4 back on f1"),
    wrong=Wrong(squares("f1"), squares("c4")),
)
CONSENT = replace(
    PLAYING,
    seat=1,
    seats=seats(0),
    prompt=("Anne offers 10 for a knight",),
    menu=menu("Agree", "Refuse", cursor=1),
)
AMOUNT = replace(
    PLAYING,
    prompt=("Your price for the knight",),
    menu=Menu(tuple(MenuEntry(str(value), str(value)) for value in range(35)), cursor=10),
)
OVER = replace(PLAYING, phase=Phase.OVER, seat=None, seats=seats(None), dice=(), prompt=(), result=Result(0, (52, 12)))
LONG_NAMES = ("Bartholomew Roberts the Elder", "Žofie Nováková 海賊 Ёлка")

VIEWS = {
    "idle": View(prompt=("Press the button to begin",)),
    "idle-menu": View(
        prompt=("Which game?",),
        menu=menu("Legend", "Ship, Captain, Crew", "Swashbuckle", "Captain's Chess", "Crowns", cursor=1),
    ),
    "set-up": SETTING_UP,
    "turn-start": TURN_START,
    "after-a-throw": AFTER_A_THROW,
    "keeping": KEEPING,
    "tumbling": replace(PLAYING, prompt=("The dice fall",), tumbling=(3, 4, 5)),
    "guidance": GUIDANCE,
    "not-under-this-die": replace(
        PLAYING,
        prompt=("Ra1-a4: A rook needs a IV; the Legend die shows II", "Put the white rook from a4 back on a1"),
        wrong=Wrong(squares("a1"), squares("a4")),
    ),
    "guidance-in-three-steps": replace(
        GUIDANCE,
        prompt=("This is no move now", "Take the piece off c4", "Take the piece off d4", "Put the white king on e1"),
        wrong=Wrong(squares("e1"), squares("c4", "d4")),
    ),
    "guidance-without-a-reason": replace(GUIDANCE, prompt=("Take the white bishop off c4",)),
    "guidance-with-menu": replace(
        GUIDANCE,
        prompt=("Ng1-f3: A knight needs a II; the Legend die shows I", "Put the white knight from f3 back on g1"),
        wrong=Wrong(squares("g1"), squares("f3")),
        menu=AFTER_A_THROW.menu,
    ),
    "restoring": replace(
        SETTING_UP,
        phase=Phase.RESTORING,
        seat=0,
        prompt=("The board differs from the match", "Put the white pawn from e4 back on e2"),
        wrong=Wrong(squares("e2"), squares("e4")),
    ),
    "consent": CONSENT,
    "amount": AMOUNT,
    "treasure": replace(
        PLAYING,
        prompt=("Hidden treasure! Throw for it",),
        dice=(*PLAYING.dice, Die(None, extra=True), Die(None, extra=True)),
        news=(Happening("legend", 0, 5, "Anne gains 5 legend"),),
    ),
    "genie": replace(
        PLAYING,
        prompt=("The Genie carries your king",),
        dice=(*PLAYING.dice, Die(5, extra=True), Die(3, extra=True)),
        menu=menu("King to f4", "King to d6"),
    ),
    "settlement": replace(
        TURN_START,
        seat=1,
        seats=seats(1),
        heading="Round 2 of 3",
        prompt=("Bart (White): throw the dice",),
        news=(Happening("settlement", 0, 9, "Bart pays 9 to Anne for captures worth 23"),),
    ),
    "strike": replace(
        PLAYING,
        prompt=("Your move is made",),
        news=(Happening("legend", 0, 4, "Anne gains 4 legend"), Happening("strike", 0, 1, "Anne strikes the king")),
        menu=menu("Throw again", "End the turn", cursor=1),
    ),
    "winner": OVER,
    "shared": replace(OVER, result=Result(None, (34, 34))),
    "long-names": replace(
        AFTER_A_THROW,
        seats=seats(0, LONG_NAMES),
        prompt=(f"{LONG_NAMES[0]} (White): move a piece worth up to IV",),
    ),
    "long-winner": replace(OVER, seats=seats(None, LONG_NAMES)),
    "six-seats": replace(
        TURN_START,
        title="Swashbuckle",
        heading="Turn 4 of 16",
        shape=None,
        seats=tuple(
            SeatView(name, {"nest": 30, "bilge": 20 * index, "total": 30 + 20 * index}, on_turn=index == 0)
            for index, name in enumerate(("Anne", "Bart", "Cora", "Dirk", "Edith", "Finn"))
        ),
        prompt=("Anne: throw the dice",),
        dice=tuple(Die(face) for face in (6, 6, 1, 2, 5)),
        menu=Menu(),
    ),
    "chess-without-dice": replace(
        PLAYING,
        title="Crowns",
        heading="",
        dice=(),
        seats=tuple(SeatView(name, {}, on_turn=name == "Anne") for name in ("Anne", "Bart")),
        prompt=("Anne (White): your move",),
        menu=menu("Offer a draw", "Resign"),
        faults=("Switch e4 does not answer",),
    ),
    "fault": replace(TURN_START, menu=Menu(), faults=("The board's link is lost",)),
}
VIEWS |= DICE_VIEWS | LOBBY_VIEWS
FRAME = {"tumbling": 3}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_looks_as_it_did_when_somebody_looked_at_it(name: str) -> None:
    image = draw(VIEWS[name], FRAME.get(name, 0))
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
    image = draw(VIEWS[name])
    assert (image.mode, image.size) == ("1", (128, 64))


def test_tumbling_dice_change_from_frame_to_frame() -> None:
    frames = [draw(VIEWS["tumbling"], frame).tobytes() for frame in range(7)]
    assert all(before != after for before, after in pairwise(frames))


def test_a_tumbling_die_shows_another_face_each_frame() -> None:
    faces = [tumbling_face(frame, 2) for frame in range(24)]
    assert all(before != after for before, after in pairwise(faces))
    assert set(faces) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("name", sorted(set(VIEWS) - {"tumbling"}))
def test_a_view_without_tumbling_dice_stands_still(name: str) -> None:
    assert draw(VIEWS[name], 0).tobytes() == draw(VIEWS[name], 5).tobytes()


def test_the_cursor_is_seen_wherever_it_stands_in_a_long_menu() -> None:
    frames = {
        draw(replace(KEEPING, menu=Menu(KEEPING.menu.entries, cursor))).tobytes()
        for cursor in range(len(KEEPING.menu.entries))
    }
    assert len(frames) == len(KEEPING.menu.entries)


@pytest.mark.parametrize("name", ["", " ", "\x00\n", "海賊", "😀" * 40, "W" * 60, "Ünal Šárka Øystein", "Ольга"])
def test_no_name_stops_the_glass(name: str) -> None:
    for view in (PLAYING, OVER, SETTING_UP):
        named = replace(view, seats=seats(0, (name, "Bart")), prompt=(f"{name} (White): move a piece",))
        assert draw(named).size == (128, 64)


def test_a_picture_is_enlarged_pixel_by_pixel(tmp_path: Path) -> None:
    file = tmp_path / "idle.png"
    file.write_bytes(png(draw(VIEWS["idle"]), scale=4))
    with Image.open(file) as enlarged:
        assert enlarged.size == (512, 256)
        assert enlarged.resize((128, 64), Image.Resampling.NEAREST).tobytes() == draw(VIEWS["idle"]).tobytes()
