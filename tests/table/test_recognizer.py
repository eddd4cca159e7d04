"""Judging what the switches say, rule by rule (docs/contracts.md Contract 2)."""

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Pick, Square
from captains_table.table.model.match import Match
from captains_table.table.recognition.footprint import lies_between
from captains_table.table.recognition.recognizer import Accept, AskWhich, BoardVerdict, Recover, Unmoved, Wait
from tests.table.watched_board import WatchedBoard, thrown, thrown_out

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FORK = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
ONE_VICTIM = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
ROOK = "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"
CASTLING = "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1"
EN_PASSANT = "4k3/7p/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1"
KNIGHT = "4k3/7p/8/8/8/8/8/1N2K3 w - - 0 1"
SILENCE_MS = 60_000


def judged(match: Match, words: str = "", *, masked: str = "", quiet_ms: int = 0) -> BoardVerdict:
    """Return the verdict once these switches opened (`-e2`) and closed (`+e4`)."""
    return WatchedBoard(match, masked).touch(words).verdict(quiet_ms)


def accepted(verdict: BoardVerdict) -> str:
    assert isinstance(verdict, Accept), verdict
    return verdict.candidate.id


def waits(verdict: BoardVerdict) -> tuple[int, BoardVerdict]:
    assert isinstance(verdict, Wait), verdict
    return verdict.quiet_ms, verdict.then


def ids_of(verdict: BoardVerdict) -> list[str]:
    """Return the moves that are accepted or asked about; none where the way back is shown."""
    if isinstance(verdict, AskWhich):
        return sorted(candidate.id for candidate in verdict.candidates)
    return [accepted(verdict)] if verdict != Recover() else []


@pytest.mark.parametrize(
    ("fen", "die", "words", "id_"),
    [
        pytest.param(FORK, 1, "-e4 +e5", "e4e5", id="that nothing continues"),
        pytest.param(ROOK, 4, "-a1 +a2 -a2 +a3 -a3 +a8", "a1a8", id="to the end of a way"),
        pytest.param(ROOK, 4, "-a1 +b1 -b1 +c1 -c1 +d1", "a1d1", id="to the square before a piece"),
        pytest.param(START, 1, "-e2 +e4", "e2e4", id="by a double step"),
        pytest.param(KNIGHT, 2, "-b1 +b2:90 -b2:90 +b3 -b3:90 +c3", "b1c3", id="slid where it may not stop"),
        pytest.param(CASTLING, 5, "-e1 +g1 -h1 +f1", "e1g1", id="of two pieces"),
        pytest.param(FORK, 1, "-d5 -e4 +d5", "e4d5", id="by which a victim is lifted first"),
        pytest.param(FORK, 1, "-e4 -d5 +d5", "e4d5", id="by which a victim is lifted last"),
        pytest.param(FORK, 1, "-e4 -d5:40 +d5:40", "e4d5", id="by which a victim is replaced at once"),
        pytest.param(EN_PASSANT, 1, "-e5 -d5 +d6", "e5d6", id="en passant"),
    ],
)
def test_a_move_is_accepted_at_once(fen: str, die: int, words: str, id_: str) -> None:
    assert accepted(judged(thrown(fen, die), words)) == id_


WAY_BACK: list[str] = []


@pytest.mark.parametrize(
    ("fen", "die", "words", "wait_ms", "ids"),
    [
        *((ROOK, 4, f"-a1 +{stop}", 300, [f"a1{stop}"]) for stop in ("a2", "a7", "b1", "c1")),
        pytest.param(START, 1, "-e2 +e3", 300, ["e2e3"], id="a pawn's step may be a double one"),
        pytest.param(KNIGHT, 2, "-b1 +b2", 700, WAY_BACK, id="a knight is slid over a square where it may not stop"),
        pytest.param(CASTLING, 5, "-h1 +f1", 300, ["h1f1"], id="a rook may be castling"),
        pytest.param(CASTLING, 5, "-e1 +f1", 300, ["e1f1"], id="a king may be castling"),
        pytest.param(CASTLING, 5, "-e1 +g1", 3000, WAY_BACK, id="a king is castling"),
        pytest.param(EN_PASSANT, 1, "-e5 +d6", 3000, WAY_BACK, id="en passant needs its victim taken off"),
        pytest.param(ONE_VICTIM, 1, "-e4", 6000, ["e4d5"], id="the piece is in the hand, or the lift was not seen"),
        pytest.param(FORK, 1, "-e4", 6000, ["e4d5", "e4f5"], id="a missed lift: which piece was taken?"),
        pytest.param(ONE_VICTIM, 1, "-e4 +h4", 700, WAY_BACK, id="a piece is put where nothing goes"),
        pytest.param(ONE_VICTIM, 1, "-e1", 3000, WAY_BACK, id="a lifted piece can go nowhere"),
        pytest.param(ONE_VICTIM, 1, "+a3", 3000, WAY_BACK, id="a piece too many"),
    ],
)
def test_what_may_go_on_is_accepted_asked_about_or_guided_when_it_was_quiet_for_its_time(
    fen: str, die: int, words: str, wait_ms: int, ids: list[str]
) -> None:
    match = thrown(fen, die)
    quiet_ms, then = waits(judged(match, words))
    assert quiet_ms == wait_ms
    assert judged(match, words, quiet_ms=wait_ms - 1) == Wait(wait_ms, then)
    for verdict in (then, judged(match, words, quiet_ms=wait_ms), judged(match, words, quiet_ms=SILENCE_MS)):
        assert ids_of(verdict) == ids


def test_a_capture_with_both_victims_touched_is_believed_to_be_one_of_them_at_once() -> None:
    """Which one it was is asked before anything seals it; till then the other stays on offer."""
    board = WatchedBoard(thrown(FORK, 1)).touch("-e4 -d5 +d5 -f5 +f5")
    assert accepted(board.verdict()) in ("e4d5", "e4f5")
    assert {candidate.id for candidate in board.evidence().fitting_candidates()} == {"e4d5", "e4f5"}


def test_what_costs_less_is_believed_rather() -> None:
    board = WatchedBoard(thrown("4k3/8/8/8/3Q1p2/8/8/4K3 w - - 0 1", 6)).touch("-f4 -d4:400 +f4:400 +e4:20")
    assert accepted(board.verdict()) == "d4f4"
    assert [candidate.id for candidate in board.evidence().fitting_candidates()] == ["d4f4", "d4e4"]


def test_a_promotion_is_asked_about_at_once_with_every_piece() -> None:
    verdict = judged(thrown(PROMOTION, 1), "-a7 +a8")
    assert isinstance(verdict, AskWhich)
    assert (ids_of(verdict), verdict.sure) == (["a7a8b", "a7a8n", "a7a8q", "a7a8r"], True)


def test_a_masked_square_proves_nothing_so_a_move_over_it_is_asked_about() -> None:
    match = thrown(ONE_VICTIM, 1)
    assert ids_of(judged(match, "-e4", masked="e5", quiet_ms=3000)) == ["e4e5"]
    assert ids_of(judged(match, "-e4", masked="d5", quiet_ms=3000)) == ["e4d5"]


@pytest.mark.parametrize("words", ["-e1 +e1", "-e4 +e4 -d5 +d5", "-d5 -f5 +d5 +f5", "-e4 -e1 -d5 +d5 +e1 +e4"])
def test_a_board_as_it_began_is_unmoved_where_a_move_costs_more(words: str) -> None:
    assert judged(thrown(FORK, 1), words, quiet_ms=SILENCE_MS) == Unmoved()


def test_a_masked_square_does_not_keep_a_board_from_being_unmoved() -> None:
    assert judged(thrown(FORK, 1), "-e4", masked="e4") == Unmoved()


# --- a move that may still be changed ---------------------------------------------------------------------------------


def moved(fen: str, die: int, words: str, id_: str, *, passes: bool = False) -> WatchedBoard:
    """Return a board on which a move was recognised, as the table has it then."""
    match = (thrown_out if passes else thrown)(fen, die)
    board = WatchedBoard(match).touch(words)
    assert board.evidence().stories[0].candidate.id == id_
    match.act(Pick(id_), board.now_ms)
    board.decision.begin(match)
    return board


@pytest.mark.parametrize("passes", [False, True])
def test_the_way_back_is_a_candidate_until_the_move_is_sealed(passes: bool) -> None:  # noqa: FBT001 - a case
    board = moved(ONE_VICTIM, 1, "-e4 +e5", "e4e5", passes=passes).touch("-e5 +e4")
    quiet_ms, then = waits(board.verdict())
    assert (quiet_ms, accepted(then)) == (300, "take-back")


@pytest.mark.parametrize("passes", [False, True])
def test_another_choice_is_a_candidate_until_the_move_is_sealed(passes: bool) -> None:  # noqa: FBT001 - a case
    assert accepted(moved(ROOK, 4, "-a1 +a3", "a1a3", passes=passes).touch("-a3 +d1").verdict()) == "a1d1"
    assert waits(moved(ROOK, 4, "-a1 +a3", "a1a3", passes=passes).touch("-a3 +a5").verdict())[0] == 300


def test_a_lifted_piece_is_no_capture_after_its_move_either() -> None:
    """The pawn on d5 was never touched: three seconds later the table shows where to put what is in the hand."""
    assert waits(moved(ONE_VICTIM, 1, "-e4 +e5", "e4e5").touch("-e5").verdict()) == (3000, Recover())


@pytest.mark.parametrize("words", ["-d5 +e4 +d5", "-d5 +d5 +e4"], ids=["its own piece first", "the victim first"])
def test_a_capture_taken_back_is_withdrawn_whatever_is_set_back_first(words: str) -> None:
    quiet_ms, then = waits(moved(ONE_VICTIM, 1, "-d5 -e4 +d5", "e4d5").touch(words).verdict())
    assert (quiet_ms, accepted(then)) == (300, "take-back")


def test_a_captured_piece_set_where_its_taker_came_from_withdraws_the_move_until_it_is_taken_off() -> None:
    board = moved(ONE_VICTIM, 1, "-d5 -e4 +d5", "e4d5").touch("+e4")
    quiet_ms, then = waits(board.verdict())
    assert (quiet_ms, accepted(then)) == (300, "take-back")
    assert board.touch("-e4").verdict() == Unmoved()


def test_another_choice_is_told_by_the_whole_history() -> None:
    board = moved(ONE_VICTIM, 1, "-d5 -e4 +d5", "e4d5").touch("-d5 +e5 +d5")
    assert accepted(board.verdict()) == "e4e5"


def test_a_sealed_move_has_no_way_back() -> None:
    board = moved(ONE_VICTIM, 1, "-e4 +e5", "e4e5")
    match = board.decision.match
    assert match is not None
    match.act(Pick("done"), board.now_ms)
    board.decision.begin(match)
    assert board.touch("-e5 +e4").verdict(SILENCE_MS) == Recover()


# --- in general -------------------------------------------------------------------------------------------------------

SQUARES = st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda pair: Square(*pair))
POSITIONS = st.sampled_from([(FORK, 1), (CASTLING, 6), (EN_PASSANT, 6), (PROMOTION, 6), (ROOK, 4)])
PAUSES = st.sampled_from([20, 90, 300, 1000])


@given(POSITIONS, st.lists(st.tuples(SQUARES, PAUSES), max_size=10), st.integers(0, 4000))
def test_only_what_the_switches_say_now_and_touches_explain_is_ever_accepted(
    position: tuple[str, int], flipped: list[tuple[Square, int]], quiet_ms: int
) -> None:
    match = thrown(*position)
    board, occupied = WatchedBoard(match), set(match.pieces())
    for square, after_ms in flipped:
        board.touch(f"{'-' if square in occupied else '+'}{square}:{after_ms}")
        occupied ^= {square}
    verdict = board.verdict(quiet_ms)
    if isinstance(verdict, Accept):
        best = board.evidence().stories[0]
        assert best.candidate is verdict.candidate
        assert verdict.candidate.occupied | best.ending.echoes | best.ending.strays == occupied
        assert verdict.candidate.footprint.left <= {square for square, _ in flipped}
        assert all(best.rank <= story.rank for story in board.evidence().stories)
    elif occupied == match.pieces().keys() and not board.evidence().stories:
        assert verdict == Unmoved()


@given(SQUARES, SQUARES, SQUARES)
def test_between_is_the_same_from_both_ends(start: Square, square: Square, end: Square) -> None:
    if square not in (start, end):
        assert lies_between(start, square, end) == lies_between(end, square, start)
