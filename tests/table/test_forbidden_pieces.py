"""A piece that may not be moved says why the moment it is lifted; nothing else about the board changes by that."""

from typing import Any

import pytest

from tests.support.playing import played

LEGEND = "game legend Anne Bart\ndice 1 1 1 1 1 {die}\npress roll\n"
CHESS = 'game captains-chess Anne Bart "fen={fen}"\n'
AT_ONCE = "+50"  # after the switch has settled, long before anything is judged


def lifted(begun: str, square: str) -> dict[str, Any]:
    """Return what is to be seen right after a piece was lifted."""
    tape = played(f"{begun}lift {square}\n{AT_ONCE} expect phase playing\n")
    assert tape.err == ""
    return tape.final


@pytest.mark.parametrize(
    ("die", "square", "mark", "words"),
    [
        (1, "g1", "not-this-die", "The knight needs a II: put it back on g1"),
        (6, "f1", "put-here", "The bishop is blocked: put it back on f1"),
        (6, "b8", "put-here", "That knight is Bart's: put it back on b8"),
    ],
)
def test_a_lifted_piece_that_has_no_move_says_why_at_once_and_is_marked(
    die: int, square: str, mark: str, words: str
) -> None:
    final = lifted(LEGEND.format(die=die), square)
    assert final["prompt"] == [words, final["ask"]["prompt"]]
    assert final["wrong"] == {"missing": [], "extra": []}
    assert final["lights"][square] == mark
    assert "may-move" in final["lights"].values()


def test_before_the_throw_a_lifted_piece_asks_for_it() -> None:
    final = lifted("game legend Anne Bart\n", "e2")
    assert final["prompt"][0] == "Throw the Legend die before you move: put it back on e2"


@pytest.mark.parametrize(
    ("fen", "square", "words"),
    [
        ("4k4/9/9/4r4/9/9/4N4/4K4 w - - 0 1", "e2", "The knight shields its king: put it back on e2"),
        ("4k4/9/9/4r4/9/9/9/N3K4 w - - 0 1", "a1", "The king is in check: put it back on a1"),
        ("4k4/8p/9/9/9/9/9/NR2K4 w - - 0 1", "e8", "That king is Bart's: put it back on e8"),
    ],
)
def test_a_piece_that_may_not_leave_its_king_says_so(fen: str, square: str, words: str) -> None:
    assert lifted(CHESS.format(fen=fen), square)["prompt"][0] == words


def test_a_piece_that_may_move_be_taken_or_change_its_move_is_no_mistake() -> None:
    duel = 'game legend Anne Bart "fen=4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"\ndice 1 1 1 1 1 1\npress roll\n'
    for square in ("e4", "d5"):
        assert lifted(duel, square)["prompt"][0] == "Anne (White), Legend die I: move a pawn"
    made = LEGEND.format(die=6) + "lift e2\nplace e4\n"
    for square in ("e4", "g1"):
        assert lifted(made, square)["prompt"][0] == "Anne (White): your move is made"


def test_the_reason_stays_until_the_piece_is_back() -> None:
    held = LEGEND.format(die=1) + "lift g1\n+8000 expect pieces.g1 N\n"
    assert played(held).final["prompt"] == ["The knight needs a II", "Put the white knight on g1"]
    back = played(held + "place g1\nlift e2\nplace e4\n")
    assert back.final["pieces"]["e4"] == "P"
    assert back.actions[-1]["action"] == {"type": "pick", "id": "e2e4"}


@pytest.mark.parametrize(
    ("square", "words"),
    [
        ("c1", ["The captain moves as a knight, or one step straight"]),
        ("d1", ["A crowned bishop may also take one step straight"]),
        ("e2", ["A bishop on the last rank is crowned: it may also take one step straight"]),
    ],
)
def test_a_lifted_piece_that_chess_does_not_have_says_how_it_moves(square: str, words: list[str]) -> None:
    begun = CHESS.format(fen="4k4/8p/9/9/9/9/4N4/2C+BK4 w - - 0 9")
    assert lifted(begun, square)["prompt"] == ["Anne (White): your move", *words]
