"""Judging what the switches say, rule by rule (docs/contracts.md Contract 2)."""

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Pick, Square
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.footprint import lies_between
from captains_table.table.recognition.recognizer import Accept, AskWhich, BoardVerdict, Recover, Unmoved, Wait
from tests.table.positions import thrown, thrown_out
from tests.table.watched_board import WatchedBoard

SETTINGS = Settings()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FORK = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
ONE_VICTIM = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
ROOK = "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"
CASTLING = "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1"
EN_PASSANT = "4k3/7p/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1"
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


def asked(verdict: BoardVerdict) -> list[str]:
    assert isinstance(verdict, AskWhich), verdict
    return [candidate.id for candidate in verdict.candidates]


# --- rule 1 to 3: the cheapest story, at once or after a slide --------------------------------------------------------


def test_a_move_that_nothing_continues_is_accepted_at_once() -> None:
    assert accepted(judged(thrown(FORK, 1), "-e4 +e5")) == "e4e5"


@pytest.mark.parametrize("stop", ["a2", "a3", "a4", "a5", "a6", "a7", "b1", "c1"])
def test_a_stop_on_a_longer_way_is_accepted_when_it_was_quiet_for_the_slide_time(stop: str) -> None:
    match = thrown(ROOK, 4)
    quiet_ms, then = waits(judged(match, f"-a1 +{stop}"))
    assert quiet_ms == SETTINGS.slide_ms
    assert accepted(then) == f"a1{stop}"
    assert isinstance(judged(match, f"-a1 +{stop}", quiet_ms=299), Wait)
    assert accepted(judged(match, f"-a1 +{stop}", quiet_ms=300)) == f"a1{stop}"


@pytest.mark.parametrize("words", ["-a1 +a2 -a2 +a3 -a3 +a8", "-a1 +b1 -b1 +c1 -c1 +d1"])
def test_the_end_of_a_way_is_accepted_at_once_whatever_was_touched_on_it(words: str) -> None:
    assert accepted(judged(thrown(ROOK, 4), words)) == f"a1{words[-2:]}"


def test_a_pawns_step_waits_for_the_double_step() -> None:
    assert waits(judged(thrown(START, 1), "-e2 +e3"))[0] == 300
    assert accepted(judged(thrown(START, 1), "-e2 +e4")) == "e2e4"


def test_a_knight_slid_over_a_square_where_it_may_not_stop_is_not_guided_at_once() -> None:
    knight = "4k3/7p/8/8/8/8/8/1N2K3 w - - 0 1"
    assert waits(judged(thrown(knight, 2), "-b1 +b2")) == (700, Recover())
    assert accepted(judged(thrown(knight, 2), "-b1 +b2:90 -b2:90 +b3 -b3:90 +c3")) == "b1c3"


def test_a_king_or_rook_that_may_be_castling_waits_for_the_other() -> None:
    match = thrown(CASTLING, 5)
    assert waits(judged(match, "-h1 +f1"))[0] == 300
    assert waits(judged(match, "-e1 +f1"))[0] == 300
    assert waits(judged(match, "-e1 +g1")) == (3000, Recover())
    assert accepted(judged(match, "-e1 +g1 -h1 +f1")) == "e1g1"


@pytest.mark.parametrize("words", ["-d5 -e4 +d5", "-e4 -d5 +d5", "-e4 -d5:40 +d5:40"])
def test_a_capture_is_accepted_when_its_victim_was_lifted_and_the_square_filled_again(words: str) -> None:
    assert accepted(judged(thrown(FORK, 1), words)) == "e4d5"


def test_a_capture_with_both_victims_touched_is_believed_to_be_one_of_them_at_once() -> None:
    """Which one it was is asked before anything seals it; till then the other stays on offer."""
    board = WatchedBoard(thrown(FORK, 1)).touch("-e4 -d5 +d5 -f5 +f5")
    assert accepted(board.verdict()) in ("e4d5", "e4f5")
    assert {candidate.id for candidate in board.evidence().fitting_candidates()} == {"e4d5", "e4f5"}


def test_what_costs_less_is_believed_rather() -> None:
    board = WatchedBoard(thrown("4k3/8/8/8/3Q1p2/8/8/4K3 w - - 0 1", 6)).touch("-f4 -d4:400 +f4:400 +e4:20")
    assert accepted(board.verdict()) == "d4f4"
    assert [candidate.id for candidate in board.evidence().fitting_candidates()] == ["d4f4", "d4e4"]


def test_en_passant_needs_its_victim_taken_off() -> None:
    match = thrown(EN_PASSANT, 1)
    assert accepted(judged(match, "-e5 -d5 +d6")) == "e5d6"
    assert waits(judged(match, "-e5 +d6"))[0] == 3000


def test_a_promotion_is_asked_about_at_once_with_every_piece() -> None:
    verdict = judged(thrown(PROMOTION, 1), "-a7 +a8")
    assert sorted(asked(verdict)) == ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]
    assert isinstance(verdict, AskWhich)
    assert verdict.sure


# --- rule 4: a piece in the hand, or a lift that was not seen ---------------------------------------------------------


def test_a_lifted_piece_with_one_capture_is_in_the_hand_and_asked_about_after_six_seconds() -> None:
    match = thrown(ONE_VICTIM, 1)
    for quiet_ms in (0, 300, 5999):
        timeout, then = waits(judged(match, "-e4", quiet_ms=quiet_ms))
        assert timeout == 6000
        assert asked(then) == ["e4d5"]
    assert asked(judged(match, "-e4", quiet_ms=6000)) == ["e4d5"]


def test_however_long_it_lasts_an_untouched_victim_is_never_taken_without_asking() -> None:
    assert isinstance(judged(thrown(ONE_VICTIM, 1), "-e4", quiet_ms=SILENCE_MS), AskWhich)


def test_a_missed_lift_asks_which_piece_was_taken() -> None:
    assert sorted(asked(judged(thrown(FORK, 1), "-e4", quiet_ms=6000))) == ["e4d5", "e4f5"]


def test_a_masked_square_proves_nothing_so_a_move_over_it_is_asked_about() -> None:
    match = thrown(ONE_VICTIM, 1)
    assert asked(judged(match, "-e4", masked="e5", quiet_ms=3000)) == ["e4e5"]
    assert asked(judged(match, "-e4", masked="d5", quiet_ms=3000)) == ["e4d5"]


# --- rule 5: j'adoube -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["-e1 +e1", "-e4 +e4 -d5 +d5", "-d5 -f5 +d5 +f5", "-e4 -e1 -d5 +d5 +e1 +e4"])
def test_a_board_as_it_began_is_unmoved_where_a_move_costs_more(words: str) -> None:
    assert judged(thrown(FORK, 1), words, quiet_ms=SILENCE_MS) == Unmoved()


def test_a_masked_square_does_not_keep_a_board_from_being_unmoved() -> None:
    assert judged(thrown(FORK, 1), "-e4", masked="e4") == Unmoved()


# --- rule 6: nothing fits ---------------------------------------------------------------------------------------------


def test_a_piece_put_where_nothing_goes_is_guided_after_the_guide_time() -> None:
    assert waits(judged(thrown(ONE_VICTIM, 1), "-e4 +h4")) == (700, Recover())
    assert judged(thrown(ONE_VICTIM, 1), "-e4 +h4", quiet_ms=700) == Recover()


def test_a_lifted_piece_that_can_go_nowhere_is_guided_after_the_ask_time() -> None:
    assert waits(judged(thrown(ONE_VICTIM, 1), "-e1")) == (3000, Recover())


def test_a_difference_that_is_part_of_an_option_is_given_the_ask_time() -> None:
    assert waits(judged(thrown(CASTLING, 5), "-e1 +g1")) == (3000, Recover())
    assert waits(judged(thrown(EN_PASSANT, 1), "-e5 +d6"))[0] == 3000


def test_a_piece_too_many_is_guided_after_the_ask_time() -> None:
    assert waits(judged(thrown(ONE_VICTIM, 1), "+a3")) == (3000, Recover())


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
