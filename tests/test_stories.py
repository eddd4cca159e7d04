"""What the judge of `make prove` says of what settled: each price, and who fits when on the tapes of other hands."""

import ast
from pathlib import Path

import pytest

from tests.prove import stories
from tests.support.told_stories import costs, told

PAWNS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
ROOK = "4k3/n7/8/8/8/8/4K3/R6b w - - 0 1"
QUEEN = "4k3/8/8/8/3Q1p2/8/8/4K3 w - - 0 1"
KNIGHT = "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1"
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def test_the_judge_knows_nothing_of_the_recogniser() -> None:
    for path in Path(stories.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("captains_table"):
                assert node.module == "captains_table.games.contract", path.name


@pytest.mark.parametrize(
    ("fen", "lines", "expected"),
    [
        pytest.param("", "-e2 +e4", {"e2e4": 0}, id="a move costs nothing"),
        pytest.param(PAWNS, "-d5 -e4 +d5", {"e4d5": 0}, id="a capture costs nothing, its rival two"),
        pytest.param(PAWNS, "-e4 -d5 +d5", {"e4d5": 0}, id="with the piece lifted first as well"),
        pytest.param("", "-g1 +g1 -g1 +g1 -g1 +f3", {"g1f3": 0.5}, id="put home, however often, costs a half"),
        pytest.param("", "-b1 +b1 -e2 +e4", {"e2e4": 1}, id="another piece straightened costs one"),
        pytest.param("", "-b1 +b1 -b1 +b1 -e2 +e4", {"e2e4": 1}, id="however often"),
        pytest.param("", "-b1 +b1 -g1 +g1 -e2 +e4", {"e2e4": 2}, id="each piece"),
        pytest.param("", "-b1 +a3 -a3 +c3", {"b1c3": 1}, id="tried on another legal square costs one"),
        pytest.param("", "-b1 +b4 -b4 +c3", {"b1c3": 2}, id="set where it may not go costs two"),
        pytest.param(PAWNS, "-d5 +h8 -h8 -e4 +d5", {"e4d5": 2}, id="so does a victim set down"),
        pytest.param(PAWNS, "-d5 -e4 +d5 +a8", {"e4d5": 2}, id="also while it stands there"),
        pytest.param(PAWNS, "-e4", {"nothing": 1, "e4d5": 2, "e4f5": 2}, id="in the hand one, an unseen victim two"),
        pytest.param(PAWNS, "-e4 +e4", {"nothing": 0.5}, id="nothing was played"),
        pytest.param(PAWNS, "-d5 -e4 +d5 +e4", {"nothing": 1.5}, id="a taken piece left on the first square: three"),
        pytest.param("", "-e2 +e4 +d4:60", {"e2e4": 0.5}, id="an echo within 60 ms costs a half"),
        pytest.param("", "-e2 +e4 +d4:120", {"e2e4": 1}, id="within 120 ms one"),
        pytest.param("", "-e2 +e4 +d4:250", {"e2e4": 2}, id="within 250 ms two"),
        pytest.param("", "-e2 +e4 +d4:251", {}, id="later it is none"),
        pytest.param("", "-e2 +e4 +g4:20", {}, id="nor is a square that is not beside"),
        pytest.param("", "-e2 +d4 +e4:20", {"e2e4": 0.5}, id="it may come first"),
        pytest.param("", "-e2 +e3 -e3 +e4", {"e2e4": 0}, id="a rest on the way costs nothing"),
        pytest.param(KINGS, "-e1 +e2 -e2:400 +d1", {"e1d1": 1}, id="a bow is no way back"),
        pytest.param(QUEEN, "-d4 +c5 -c5:500 +d6", {"d4d6": 0}, id="a slide in a bow costs nothing"),
        pytest.param(KNIGHT, "-b1 +a2 -a2:500 +c3", {"b1c3": 0}, id="nor that of a leaper"),
        pytest.param(QUEEN, "-d4 +c5 -c5:700 +d6", {"d4d6": 1}, id="a rest beside the way does"),
        pytest.param(QUEEN, "-d4:30 +d4:30 -d4:30 +d6", {"d4d6": 0}, id="rocking costs nothing"),
        pytest.param(QUEEN, "-d4 +d6 -d6:30 +d6:30", {"d4d6": 0}, id="nor when it is set"),
    ],
)
def test_each_price(fen: str, lines: str, expected: dict[str, float]) -> None:
    assert costs(told(fen, lines)) == expected


def test_nothing_rests_on_a_masked_switch() -> None:
    assert costs(told(PAWNS, "-e4", masked=["d5"]))["e4d5"] == 0
    assert costs(told(PAWNS, "-e4 -d5 +d5 -d5 +d5", masked=["d5"])) == costs(told(PAWNS, "-e4", masked=["d5"]))


def test_castling_and_en_passant_and_promotion_in_any_order() -> None:
    assert costs(told("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-a1 -e1 +c1 +d1")) == {"e1c1": 0}
    assert costs(told("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "-e5 -d5 +d6")) == {"e5d6": 0}
    promoted = dict.fromkeys(["e7e8b", "e7e8n", "e7e8q", "e7e8r"], 0)
    for lines in ("-e7 +e8", "+e8 -e7", "-e7 +e8 -e8 +e8"):
        assert costs(told("8/k3P3/8/8/8/8/8/4K3 w - - 0 1", lines)) == promoted


def test_like_pieces_that_changed_places_were_straightened() -> None:
    assert costs(told("", "-b1 -g1 +g1 +b1 -e2 +e4")) == {"e2e4": 2}


def test_a_story_may_begin_afresh_where_its_pieces_stand_as_before() -> None:
    lines = "-d5 -e4 +d5 -d5 +e4 +d5 -f5 -e4 +f5"
    assert costs(told(PAWNS, lines)) == {"e4f5": 1.5}
    assert costs(told(PAWNS, lines, forgets=True)) == {"e4f5": 0}


def test_a_victim_changed_with_the_piece_in_the_hand() -> None:
    assert costs(told(ROOK, "-a1 -a7:400 +a7:600")) == {"a1a7": 0}
    assert costs(told(ROOK, "-a1 -a7:400 +a7:600 -h1:600 +h1:400")) == {"a1a7": 1, "a1h1": 1}


def test_a_victim_straightened_and_the_piece_put_home() -> None:
    assert costs(told(PAWNS, "-e4 -d5:400 +d5:400 +e4:800")) == {"nothing": 1.5}
    assert costs(told(PAWNS, "-e4 -d5:400 +d5:400 +e4:800 -f5 -e4:400 +f5:400")) == {"e4f5": 1.5}


def test_a_capture_taken_back_then_the_other_one() -> None:
    lines = "-d5 -e4 +d5 -d5:1500 +d5:500 +e4:500"
    assert costs(told(PAWNS, lines)) == {"nothing": 1.5}
    assert costs(told(PAWNS, f"{lines} -f5:5000 -e4:400 +f5:400")) == {"e4f5": 1.5}


def test_no_story_contradicts_what_was_said() -> None:
    lines = "-a1 -a7:400 +a7:600 -h1:600 +h1:400"
    assert costs(told(ROOK, lines)) == {"a1a7": 1, "a1h1": 1}
    assert costs(told(ROOK, lines, said=(3, "a1a7"))) == {"a1a7": 1}
    assert costs(told(ROOK, f"{lines} -a7 +a7", said=(5, "a1h1"))) == {"a1h1": 1}


def test_a_capture_across_the_border() -> None:
    assert costs(told(QUEEN, "-f4 -d4:400 +f4:400 +e4:20")) == {"d4f4": 0.5, "d4e4": 1}
    assert costs(told(QUEEN, "-f4 -d4:400 +f4:400 +e4:20 -e4:3000")) == {"d4f4": 0.5}


def test_a_captured_piece_set_down_on_the_board() -> None:
    assert costs(told(QUEEN, "-f4 -d4:400 +f4:400 +e4:600")) == {"d4e4": 1, "d4f4": 2}
    assert costs(told(QUEEN, "-f4 -d4:400 +f4:400 +d4:600 -d4")) == {"d4f4": 2, "nothing": 2.5}


def test_a_crown_set_first_is_the_next_players_move() -> None:
    fen = "4k4/r8/9/9/9/9/8K/2Rb5 w - - 0 1"
    lines = "-d1 -c1:400 +d1:400 +a1:3000"
    assert costs(told(fen, lines, key="captains-chess")) == {"c1a1": 1, "c1d1": 2}
    assert costs(told(fen, f"{lines} -a7:500", key="captains-chess")) == {"c1d1-a7a1+": 0}


def test_the_next_player_sets_what_he_takes_down_on_the_board() -> None:
    fen = "4k4/9/1p7/9/9/9/8K/R8 w - - 0 1"
    lines = "-a1 +a5:400 -a5:3000 +a3:400 -b6:600 +a5:300"
    assert costs(told(fen, lines, key="captains-chess")) == {"a1a5-b6a5": 2}
    assert costs(told(fen, f"{lines} -a3:1500", key="captains-chess")) == {"a1a5-b6a5": 2}
