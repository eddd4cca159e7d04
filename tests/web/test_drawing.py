import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from markupsafe import escape

from captains_table.games.contract import Die, Shape, Square, Thing
from captains_table.games.registry import GAMES
from captains_table.table.model.view import Mark
from captains_table.web.svg import marks_svg, things_svg
from captains_table.web.svg.board_svg import FRAME, BoardStyle, board_svg, square_label
from captains_table.web.svg.chart_svg import shape_svg
from captains_table.web.svg.dice_svg import die_label, die_svg
from captains_table.web.svg.pieces_svg import PIECE_SIZE, piece_name, piece_svg, sprite
from tests.support.fake_table import FakeTable
from tests.support.visiting import get

SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg: str) -> list[tuple[str, str]]:
    """Return what is drawn, colours and classes left out."""
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing
    geometry = ("d", "x", "y", "cx", "cy", "r", "width", "height")
    return [(node.tag, " ".join(node.get(name, "") for name in geometry)) for node in root.iter()]


def test_every_mark_has_its_own_shape() -> None:
    drawn = {mark: shapes(marks_svg.mark_over_piece(mark)) for mark in Mark}
    assert len({str(shape) for shape in drawn.values()}) == len(Mark)
    assert set(marks_svg.MARK_WORDS) == set(Mark)


@pytest.mark.parametrize("mark", list(Mark))
def test_every_mark_is_drawn_and_said_on_its_square(mark: Mark) -> None:
    svg = board_svg(Shape(8, 8), {Square(1, 0): "N"}, {Square(1, 0): mark})
    assert f'class="mark mark-{mark}"' in svg
    assert f'aria-label="white knight on b1, {marks_svg.MARK_WORDS[mark]}"' in svg
    ET.fromstring(svg)  # noqa: S314 - our own drawing


def test_a_board_is_a_grid_of_labelled_squares_that_are_focused_where_they_can_be_touched() -> None:
    assert square_label(Square(1, 0), "N", Mark.MAY_MOVE) == "white knight on b1, may move"
    assert square_label(Square(4, 3), None, None) == "e4, empty"
    assert square_label(Square(8, 7), "z", None) == "black Z on i8"
    assert "tabindex" not in board_svg(Shape(8, 8), {}, {})
    svg = board_svg(Shape(9, 8), {}, {}, BoardStyle(touchable=True))
    for part, count in (("grid", 1), ("row", 8), ("gridcell", 72)):
        assert svg.count(f'role="{part}"') == count
    assert (svg.count('tabindex="0"'), svg.count('tabindex="-1"')) == (1, 71)


def test_white_has_a_dark_square_on_the_left() -> None:
    for flipped in (False, True):
        svg = board_svg(Shape(8, 8), {}, {}, BoardStyle(flipped=flipped))
        corner = svg[svg.index('data-square="a1"') :]
        assert re.search(r"square-(\w+)", corner)[1] == "dark"  # type: ignore[index]


@pytest.mark.parametrize("flipped", [False, True])
def test_letters_and_numbers_stand_on_the_rim_on_whichever_side_is_below(flipped: bool) -> None:  # noqa: FBT001 - a case
    svg = board_svg(Shape(9, 8), {}, {}, BoardStyle(flipped=flipped))
    drawn = re.search(r'<g class="coordinates" aria-hidden="true">(.*?)</g>', svg)
    assert drawn is not None
    found = {word: (float(x), float(y)) for x, y, word in re.findall(r'x="([\d.]+)" y="([\d.]+)">(\w)<', drawn[1])}
    assert "".join(found) == "abcdefghi12345678"
    assert all(found[file][1] > FRAME + 8 * PIECE_SIZE for file in "abcdefghi")
    assert all(found[rank][0] < FRAME for rank in "12345678")
    assert (found["a"] > found["i"], found["1"][1] < found["8"][1]) == (flipped, flipped)


def test_a_piece_that_is_wanted_is_shown_faintly() -> None:
    look = BoardStyle(ghosts={Square(0, 0): "R"})
    assert "piece ghost" in board_svg(Shape(8, 8), {}, {Square(0, 0): Mark.PUT_HERE}, look)
    assert "piece ghost" not in board_svg(Shape(8, 8), {}, {}, look)
    assert "piece ghost" in board_svg(Shape(8, 8), {}, {}, replace(look, holds=True)), "a lifted piece is seen"


def test_the_sprite_has_each_piece_once_in_each_set_all_different_and_no_inline_style() -> None:
    """The content security policy forbids style attributes."""
    symbols = list(ET.fromstring(sprite()).iter(f"{SVG}symbol"))  # noqa: S314 - our own drawing
    letters = ["P", "N", "B", "R", "Q", "K", "C", "G", "+B", "+R"]
    names = [piece_name(each).replace(" ", "-") for letter in letters for each in (letter, letter.lower())]
    assert sorted(str(symbol.get("id")) for symbol in symbols) == sorted(names)
    for shown in ("var(--pieces-drawn, inline)", "var(--pieces-letters, none)"):
        sets = [[part for part in symbol if part.get("display") == shown] for symbol in symbols]
        assert all(len(parts) == 1 for parts in sets)
        assert len({ET.tostring(parts[0]) for parts in sets}) == len(symbols) == 20
    written = {symbol.get("id"): "".join(symbol.itertext()) for symbol in symbols}
    assert (written["white-knight"], written["black-crowned-rook"]) == ("N", "R")
    for letter, name in (("C", "white-captain"), ("+B", "white-crowned-bishop"), ("+r", "black-crowned-rook")):
        assert f'href="/pieces.svg#{name}"' in piece_svg(letter)
    assert "style=" not in sprite()


def test_a_piece_without_art_is_a_disc_with_its_letter() -> None:
    assert ">X</text>" in piece_svg("x")
    assert "disc-black" in piece_svg("x")
    assert "&lt;" in piece_svg("<")


def test_a_die_shows_as_many_pips_as_its_face_or_its_numeral() -> None:
    assert [die_svg(Die(face)).count('class="pip"') for face in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert ">IV</text>" in die_svg(Die(4, "roman"))
    assert die_label(6, Die(4, "roman")) == "roman die: IV"


def test_a_seat_has_the_same_mark_in_charts_as_in_the_log() -> None:
    for seat, shape in enumerate(("<rect", "<circle")):
        [sign] = [sign["svg"] for sign in things_svg.SIGNS if f"log-{seat}" in sign["svg"]]
        assert (shape in sign, shape in shape_svg(seat)) == (True, True)


def test_held_unthrown_and_tumbling_dice_differ_in_shape() -> None:
    assert 'class="pin"' in die_svg(Die(5, held=True))
    assert die_label(3, Die(5, held=True)) == "die 3: 5, held"
    assert 'class="pip"' not in die_svg(Die(None))
    assert die_label(1, Die(None)) == "die 1: not thrown"
    assert ">?</text>" in die_svg(Die(5), tumbling=True)
    assert die_label(2, Die(5), tumbling=True) == "die 2: tumbling"


# --- what lies on squares -------------------------------------------------------------------------------------------


def crowns_square(*things: Thing, piece: str = "1") -> str:
    look = BoardStyle(things={Square(0, 0): things})
    return board_svg(Shape(1, 1), {Square(0, 0): piece} if piece else {}, {}, look)


def test_a_token_that_has_levelled_up_differs_in_shape_and_is_said_to_have() -> None:
    plain, levelled = crowns_square(), crowns_square(Thing.LEVELLED_UP)
    assert shapes(plain) != shapes(levelled)
    assert 'aria-label="token 1 on a1, levelled up"' in levelled
    assert levelled.index('class="thing"') < levelled.index('class="piece disc'), "beneath the token, around it"


def test_every_thing_on_a_square_has_a_shape_of_its_own() -> None:
    drawn = {thing: str(shapes(crowns_square(thing, piece=""))) for thing in Thing}
    alike = {Thing.WHITE_CROWN, Thing.BLACK_CROWN}  # where they are and who holds them is what counts
    assert len(set(drawn.values())) == len(drawn) - len(alike) + 1
    assert str(shapes(crowns_square(piece=""))) not in drawn.values()
    assert "<title>a ring: one gold for who lands there</title>" in crowns_square(Thing.RING), "for the pointer"


def test_the_key_explains_every_thing_of_crowns_and_introduces_the_captain() -> None:
    legends = things_svg.game_legends()
    assert legends["captains-chess"][0]["words"] == "captain: leaps like a knight, or steps one square straight"
    words = "; ".join(sign["words"] for sign in legends["crowns"])
    for said in ("levelled up", "White's crown", "Black's crown", "ring", "half", "gold pawn", "red pawn", "token of"):
        assert said in words


def test_marks_are_in_the_key_of_the_table() -> None:
    html = get(FakeTable(), "/table").text
    shown = html.partition('<ul class="marks-key">')[2].partition("</ul>")[0]
    assert shown.count('class="key-square"') == len(list(Mark))
    for game, legend in things_svg.game_legends().items():
        words = [escape(sign["words"]) for sign in legend]
        shown = html.partition(f"<h3>{escape(GAMES[game].title)}</h3>")[2].partition("</ul>")[0]
        assert [word for word in words if word in shown] == words
        assert shown.count('class="key-square"') == len(legend)
