"""What each story of a board costs (docs/recognition.md), to the recogniser and to the judge of `make prove`.

The judge knows nothing of the recogniser: both have to come to the same prices.
"""

import ast

import pytest

from captains_table.games.contract import Pick, parse_square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.recognition.recognizer import AskWhich
from tests.prove.offers import ends_of
from tests.prove.stories.history import Change, History
from tests.prove.stories.judge import verdict
from tests.support.documents import ROOT
from tests.table.watched_board import GAP_MS, NOTHING, WatchedBoard, squares, thrown

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PAWNS = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
ROOK = "4k3/n7/8/8/8/8/4K3/R6b w - - 0 1"
QUEEN = "4k3/8/8/8/3Q1p2/8/8/4K3 w - - 0 1"
LAST_STEP = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
CROWNS = ("a7a8q", "a7a8r", "a7a8b", "a7a8n")
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
CASTLING = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "8/k3P3/8/8/8/8/8/4K3 w - - 0 1"
PROMOTED = ("e7e8q", "e7e8r", "e7e8b", "e7e8n")
VICTIM_CHANGED = "-a1 -a7:400 +a7:600 -h1:600 +h1:400"
STRAIGHTENED = "-e4 -d5:400 +d5:400 +e4:800"
TAKEN_BACK = "-d5 -e4 +d5 -d5:1500 +d5:500 +e4:500"
OTHER_TAKEN = "-f5:5000 -e4:400 +f5:400"
CROWN_FIRST = "4k4/r8/9/9/9/9/8K/2Rb5 w - - 0 1"
NEXT_VICTIM = "4k4/9/1p7/9/9/9/8K/R8 w - - 0 1"
ROOK_AND_KNIGHT = "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1"


def chess(fen: str) -> Match:
    return Match(MatchStarted("captains-chess", ("Anne", "Bart"), {"fen": fen}))


def board(fen: str, masked: str = "") -> WatchedBoard:
    return WatchedBoard(thrown(fen, 6), masked)


def judged(
    fen: str, words: str, masked: str = "", *, forgets: bool = False, said: tuple[int, str] | None = None
) -> dict[str, float]:
    """Return the stories that fit to the judge, each by its moves, and what they cost.

    Args:
        fen: the position; one of nine files is Captain's Chess.
        words: switches that open (`-e2`) and close (`+e4`), a second after the one before, or so many ms: `+e4:20`.
        masked: the switches that say nothing.
        forgets: whether a story begins afresh where its pieces stand as before.
        said: which move somebody said was made, by how many lifts and set-downs there had been then.
    """
    match = chess(fen) if "9" in fen else thrown(fen, 6)
    changes, now_ms = list[Change](), 0
    for word in words.split():
        square, _, after_ms = word[1:].partition(":")
        now_ms += int(after_ms or GAP_MS)
        changes.append(Change(now_ms, parse_square(square), closed=word[0] == "+"))
    before, ends = match.pieces(), ends_of(match.game, match.state)
    known = None if said is None else (said[0], next(end.pieces for end in ends if end.id == said[1]))
    history = History(changes, before.keys(), squares(masked), known)
    found = verdict(before, history, ends, forgets=forgets)
    return {"-".join(path) or NOTHING: found.costs[path] for path in found.fitting()}


PRICES = pytest.mark.parametrize(
    ("fen", "words", "expected"),
    [
        pytest.param(START, "-e2 +e4", {"e2e4": 0}, id="a move costs nothing"),
        pytest.param(PAWNS, "-d5 -e4 +d5", {"e4d5": 0}, id="a capture costs nothing and its rival two, so one fits"),
        pytest.param(PAWNS, "-e4 -d5 +d5", {"e4d5": 0}, id="with the piece lifted first as well"),
        pytest.param(START, "-g1 +g1 -g1 +f3", {"g1f3": 0.5}, id="the mover set home costs a half"),
        pytest.param(START, "-g1 +g1 -g1 +g1 -g1 +g1 -g1 +f3", {"g1f3": 0.5}, id="however often"),
        pytest.param(START, "-b1 +b1 -e2 +e4", {"e2e4": 1}, id="another piece straightened costs one"),
        pytest.param(START, "-b1 +b1 -b1 +b1 -e2 +e4", {"e2e4": 1}, id="however often it is"),
        pytest.param(START, "-b1 +b1 -g1 +g1 -e2 +e4", {"e2e4": 2}, id="each piece costs"),
        pytest.param(START, "-b1 +a3 -a3 +c3", {"b1c3": 1}, id="the mover tried elsewhere costs one"),
        pytest.param(START, "-b1 +a3 -a3 +c3 -c3 +a3 -a3 +c3", {"b1c3": 1}, id="on one square only once"),
        pytest.param(START, "-b1 +b4 -b4 +c3", {"b1c3": 2}, id="set where it may not go it costs two"),
        pytest.param(PAWNS, "-d5 +h8 -h8 -e4 +d5", {"e4d5": 2}, id="so does a victim set down"),
        pytest.param(PAWNS, "-d5 -e4 +d5 +a8", {"e4d5": 2}, id="and while it stands there"),
        pytest.param(PAWNS, "-e4 +e4", {"nothing": 0.5}, id="nothing was played"),
        pytest.param(LAST_STEP, "+a8 -a7", dict.fromkeys(CROWNS, 0), id="the piece a pawn becomes may be set first"),
        pytest.param(LAST_STEP, "+c5 -c5 +a8 -a7", dict.fromkeys(CROWNS, 2), id="set elsewhere it costs two"),
        pytest.param(START, "-e2 +e4 +d4:60", {"e2e4": 0.5}, id="an echo within 60 ms costs a half"),
        pytest.param(START, "-e2 +e4 +d4:61", {"e2e4": 1}, id="after that one"),
        pytest.param(START, "-e2 +e4 +d4:120", {"e2e4": 1}, id="up to 120 ms"),
        pytest.param(START, "-e2 +e4 +d4:121", {"e2e4": 2}, id="after that two"),
        pytest.param(START, "-e2 +e4 +d4:250", {"e2e4": 2}, id="up to 250 ms"),
        pytest.param(START, "-e2 +d4 +e4:20", {"e2e4": 0.5}, id="the echo may come first"),
        pytest.param(START, "-e2 +e3 -e3 +e4", {"e2e4": 0}, id="a rest on the way costs nothing"),
        pytest.param(QUEEN, "-d4 +c5 -c5:500 +d6", {"d4d6": 0}, id="nor does a slide in a bow"),
        pytest.param(ROOK_AND_KNIGHT, "-b1 +a2 -a2:500 +c3", {"b1c3": 0}, id="of a leaper round its leap"),
        pytest.param(QUEEN, "-d4 +c5 -c5:700 +d6", {"d4d6": 1}, id="a rest beside the way is a try"),
        pytest.param(QUEEN, "-d4:30 +d4:30 -d4:30 +d6", {"d4d6": 0}, id="rocking when lifted costs nothing"),
        pytest.param(QUEEN, "-d4 +d6 -d6:30 +d6:30", {"d4d6": 0}, id="nor rocking when set down"),
        pytest.param(KINGS, "-e1 +e2 -e2:400 +d1", {"e1d1": 1}, id="a bow is no way back"),
        pytest.param(PAWNS, "-e4", {"nothing": 1, "e4d5": 2, "e4f5": 2}, id="in the hand one, an unseen victim two"),
        pytest.param(PAWNS, "-d5 -e4 +d5 +e4", {"nothing": 1.5}, id="a taken piece left on the first square: three"),
        pytest.param(PAWNS, "-d5 -e4 +d5 +e4 -e4", {"e4d5": 2, "nothing": 2.5}, id="taken off again it was misplaced"),
        pytest.param(QUEEN, "-f4 -d4:400 +f4:400 +d4:600 -d4", {"d4f4": 2, "nothing": 2.5}, id="on any first square"),
        pytest.param(QUEEN, "-f4 -d4:400 +f4:400 +e4:20 -e4:3000", {"d4f4": 0.5}, id="an echo goes with its piece"),
        pytest.param(ROOK_AND_KNIGHT, "-a1 -b1 +b1 +a1", {"nothing": 1.5}, id="of two put home one was meant to move"),
        pytest.param(PAWNS, STRAIGHTENED, {"nothing": 1.5}, id="a victim straightened and the piece put home"),
        pytest.param(PAWNS, f"{STRAIGHTENED} {OTHER_TAKEN}", {"e4f5": 1.5}, id="then another taken"),
        pytest.param(PAWNS, TAKEN_BACK, {"nothing": 1.5}, id="a capture taken back"),
        pytest.param(PAWNS, f"{TAKEN_BACK} {OTHER_TAKEN}", {"e4f5": 1.5}, id="then another made"),
        pytest.param(START, "-e2 +e4 +d4:251", {}, id="a switch that closes later is no echo"),
        pytest.param(START, "-e2 +e4 +g4:20", {}, id="nor is one that closes elsewhere"),
        pytest.param(START, "-b1 -g1 +g1 +b1 -e2 +e4", {"e2e4": 2}, id="like pieces changed places: straightened"),
        pytest.param(CASTLING, "-a1 -e1 +c1 +d1", {"e1c1": 0}, id="castling costs nothing in any order"),
        pytest.param(EN_PASSANT, "-e5 -d5 +d6", {"e5d6": 0}, id="nor does en passant"),
        pytest.param(PROMOTION, "-e7 +e8", dict.fromkeys(PROMOTED, 0), id="nor does a promotion"),
        pytest.param(PROMOTION, "+e8 -e7", dict.fromkeys(PROMOTED, 0), id="with the new piece set first"),
        pytest.param(PROMOTION, "-e7 +e8 -e8 +e8", dict.fromkeys(PROMOTED, 0), id="or set after the pawn"),
        pytest.param(ROOK, "-a1 -a7:400 +a7:600", {"a1a7": 0}, id="a victim touched last"),
        pytest.param(ROOK, VICTIM_CHANGED, {"a1a7": 1, "a1h1": 1}, id="another victim touched first: both cost one"),
        pytest.param(QUEEN, "-f4 -d4:400 +f4:400 +e4:20", {"d4f4": 0.5, "d4e4": 1}, id="across the border: two fit"),
        pytest.param(QUEEN, "-f4 -d4:400 +f4:400 +e4:600", {"d4e4": 1, "d4f4": 2}, id="a victim set down: two fit"),
    ],
)


@PRICES
def test_each_price_of_the_recogniser(fen: str, words: str, expected: dict[str, float]) -> None:
    assert board(fen).touch(words).fitting() == expected


@PRICES
def test_each_price_of_the_judge(fen: str, words: str, expected: dict[str, float]) -> None:
    assert judged(fen, words) == expected


# --- the recogniser -------------------------------------------------------------------------------------------------


def test_a_victim_put_back_with_the_piece_in_the_hand_costs_two_and_left_on_its_takers_square_three() -> None:
    costs = board(PAWNS).touch("-d5 -e4 +d5").costs()
    assert (costs["nothing"], costs["e4d5"]) == (2, 0)
    assert board(PAWNS).touch("-d5 -e4 +d5 +e4").costs() == {"nothing": 1.5, "e4d5": 3}


@pytest.mark.parametrize(("early_ms", "cost"), [(60, 0), (61, 0.5), (120, 0.5), (121, 1), (160, 1), (161, None)])
def test_a_slid_piece_may_reach_the_next_switch_before_it_leaves_the_last_one(
    early_ms: int, cost: float | None
) -> None:
    costs = board(START).touch(f"+e3 -e2:{early_ms} -e3 +e4").costs()
    assert costs.get("e2e4") == cost if cost is not None else costs.get("e2e4", 9) > 2


@pytest.mark.parametrize(("closed_ms", "cost"), [(60, 0), (61, 0.5)])
def test_a_switch_next_to_a_piece_that_closed_only_briefly_was_passed_by_it(closed_ms: int, cost: float) -> None:
    assert board(START).touch(f"-e2 +e4 +d4:20 -d4:{closed_ms}").costs()["e2e4"] == cost


def test_a_crown_set_on_what_it_takes_is_no_piece_left_there() -> None:
    match = chess("3k2r2/9/4B4/9/9/K8/9/2N3r2 w - - 5 1")
    found = WatchedBoard(match).touch("-g8 -e6 +g8:300")
    assert found.fitting() == {"e6g8+": 0}
    assert not found.evidence().stories[0].ending.strays


def test_a_silent_square_costs_nothing_whatever_was_done_there_or_comes_from_or_goes_to_it() -> None:
    assert board(PAWNS, masked="d5").touch("-e4").costs()["e4d5"] == 0
    nervous = board(PAWNS, masked="d5").touch("-e4 -d5 +d5 -d5 +d5")
    assert nervous.costs() == board(PAWNS, masked="d5").touch("-e4").costs()
    assert board(QUEEN, masked="d4").touch("+d6").costs()["d4d6"] == 0
    assert board(QUEEN, masked="d6").touch("-d4").costs()["d4d6"] == 0


def test_what_is_believed_first_is_cheapest_and_leaves_fewest_pieces_in_the_hand() -> None:
    stories = board(QUEEN).touch("-f4 -d4:400 +f4:400 +e4:20").evidence().stories
    assert [story.candidate.id for story in stories][:2] == ["d4f4", "d4e4"]
    assert [story.rank for story in stories] == sorted(story.rank for story in stories)


# --- the next player's move -----------------------------------------------------------------------------------------


def after(fen: str, words: str, id_: str) -> WatchedBoard:
    """Return a board of Captain's Chess once a move is believed that everything touched so far explains."""
    match = chess(fen)
    board = WatchedBoard(match).touch(words)
    assert board.fitting() == {id_: 0}
    match.act(Pick(id_), board.now_ms)
    board.decision.begin(match)
    assert board.fitting() == {"nothing": 0}
    return board


def test_what_the_next_player_takes_may_be_set_down_on_the_board() -> None:
    board = after(NEXT_VICTIM, "-a1 +a5:400", "a1a5")
    board.touch("-a5:3000 +a3:400 -b6:600 +a5:300")
    assert board.fitting() == {"b6a5": 2}
    assert board.touch("-a3:1500").fitting() == {"b6a5": 2}


def test_a_crown_set_first_is_the_next_players_move() -> None:
    board = after(CROWN_FIRST, "-d1 -c1:400 +d1:400", "c1d1")
    assert board.touch("+a1:3000 -a7:500").fitting() == {"a7a1+": 0}


def test_a_move_taken_back_costs_what_putting_things_home_costs() -> None:
    board = after(NEXT_VICTIM, "-a1 +a5:400", "a1a5")
    assert board.touch("-a5 +a1:400").fitting() == {"take-back": 1.5}  # tried on a5, then set home
    assert board.touch("-a1 +a4").fitting() == {"a1a4": 1.5}


def test_who_clears_the_board_makes_no_move_and_may_still_say_what_was_played() -> None:
    """The costs of all orders of so many pieces would take minutes to compute."""
    whole = Match(MatchStarted("chess", ("Anne", "Bart"), {}))
    first_eight = "-a1 -b1 -c1 -d1 -e1 -f1 -g1 -h1"
    back = "+a1 +b1 +c1 +d1 +e1 +f1 +g1 +h1"
    assert WatchedBoard(whole).touch(f"{first_eight} {back} -e2 +e4").costs()["e2e4"] > 0
    board = WatchedBoard(whole).touch(f"{first_eight} -a2")
    assert board.costs() == {}
    verdict_after_all = board.touch(f"{back} +a2 -e2 +e4").verdict(quiet_ms=60_000)
    assert isinstance(verdict_after_all, AskWhich)
    assert [each.id for each in verdict_after_all.candidates] == ["e2e4"]


# --- the judge ------------------------------------------------------------------------------------------------------


def test_the_judge_knows_nothing_of_the_recogniser() -> None:
    for path in (ROOT / "tests/prove/stories").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("captains_table"):
                assert node.module == "captains_table.games.contract", path.name


def test_to_the_judge_nothing_rests_on_a_masked_switch() -> None:
    assert judged(PAWNS, "-e4", masked="d5")["e4d5"] == 0
    assert judged(PAWNS, "-e4 -d5 +d5 -d5 +d5", masked="d5") == judged(PAWNS, "-e4", masked="d5")


def test_a_story_may_begin_afresh_where_its_pieces_stand_as_before() -> None:
    lines = "-d5 -e4 +d5 -d5 +e4 +d5 -f5 -e4 +f5"
    assert judged(PAWNS, lines) == {"e4f5": 1.5}
    assert judged(PAWNS, lines, forgets=True) == {"e4f5": 0}


def test_no_story_contradicts_what_was_said() -> None:
    lines = VICTIM_CHANGED
    assert judged(ROOK, lines) == {"a1a7": 1, "a1h1": 1}
    assert judged(ROOK, lines, said=(3, "a1a7")) == {"a1a7": 1}
    assert judged(ROOK, f"{lines} -a7 +a7", said=(5, "a1h1")) == {"a1h1": 1}


def test_to_the_judge_a_crown_set_first_is_the_next_players_move() -> None:
    lines = "-d1 -c1:400 +d1:400 +a1:3000"
    assert judged(CROWN_FIRST, lines) == {"c1a1": 1, "c1d1": 2}
    assert judged(CROWN_FIRST, f"{lines} -a7:500") == {"c1d1-a7a1+": 0}


def test_to_the_judge_the_next_player_may_set_what_they_take_down_on_the_board() -> None:
    lines = "-a1 +a5:400 -a5:3000 +a3:400 -b6:600 +a5:300"
    assert judged(NEXT_VICTIM, lines) == {"a1a5-b6a5": 2}
    assert judged(NEXT_VICTIM, f"{lines} -a3:1500") == {"a1a5-b6a5": 2}
