"""Judging the squares occupied and touched, rule by rule (docs/architecture.md Contract 2)."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captains_table.games.contract import Pick, Square
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.candidates import candidates
from captains_table.table.recognition.footprint import lies_between
from captains_table.table.recognition.recognizer import Accept, Evidence, Recover, Unmoved, Verdict, Wait, Which, judge
from captains_table.table.recognition.touches import Touches
from tests.support.positions import squares, thrown, thrown_out

SETTINGS = Settings()
FORK = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
ONE_VICTIM = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
ROOK = "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"
CASTLING = "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1"
EN_PASSANT = "4k3/7p/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTION = "4k3/P6p/8/8/8/8/8/4K3 w - - 0 1"
SILENCE_MS = 60_000


def judged(
    match: Match,
    lifted: str = "",
    placed: str = "",
    touched: str = "",
    *,
    missed: str = "",
    masked: str = "",
    quiet_ms: int = 0,
) -> Verdict:
    """Return the verdict on a board with these squares emptied and filled; both count as touched, and others may be."""
    home = frozenset(match.pieces())
    occupied = home - squares(lifted) | squares(placed)
    seen = squares(f"{lifted} {placed} {touched}") - squares(missed)
    evidence = Evidence(home, occupied, touches(seen, occupied), masked=squares(masked))
    return judge(evidence, candidates(match), SETTINGS, quiet_ms)


def touches(touched: Iterable[Square], occupied: frozenset[Square]) -> Touches:
    """Return that all these squares were emptied, then those that are occupied filled."""
    found = Touches()
    for square in touched:
        found.note(square, closed=False, at_ms=0)
    for square in occupied & frozenset(touched):
        found.note(square, closed=True, at_ms=100)
    return found


def accepted(verdict: Verdict) -> str:
    assert isinstance(verdict, Accept), verdict
    return verdict.candidate.id


def waits(verdict: Verdict) -> tuple[int, Accept | Which | Recover]:
    assert isinstance(verdict, Wait), verdict
    return verdict.quiet_ms, verdict.then


def asked(verdict: Verdict) -> list[str]:
    assert isinstance(verdict, Which), verdict
    return [candidate.id for candidate in verdict.candidates]


# --- rule 1 to 3: what fits, what was touched, at once or after a slide -----------------------------------------------


def test_a_move_that_nothing_continues_is_accepted_at_once() -> None:
    assert accepted(judged(thrown(FORK, 1), "e4", "e5")) == "e4e5"


@pytest.mark.parametrize("stop", ["a2", "a3", "a4", "a5", "a6", "a7", "b1", "c1"])
def test_a_stop_on_a_longer_way_is_accepted_when_it_was_quiet_for_the_slide_time(stop: str) -> None:
    match = thrown(ROOK, 4)
    quiet_ms, then = waits(judged(match, "a1", stop))
    assert quiet_ms == SETTINGS.slide_ms
    assert accepted(then) == f"a1{stop}"
    assert isinstance(judged(match, "a1", stop, quiet_ms=299), Wait)
    assert accepted(judged(match, "a1", stop, quiet_ms=300)) == f"a1{stop}"


@pytest.mark.parametrize("end", ["a8", "d1"])
def test_the_end_of_a_way_is_accepted_at_once_whatever_was_touched_on_it(end: str) -> None:
    assert accepted(judged(thrown(ROOK, 4), "a1", end, touched="a2 a3 b1 c1")) == f"a1{end}"


def test_a_pawns_step_waits_for_the_double_step() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert waits(judged(thrown(start, 1), "e2", "e3"))[0] == 300
    assert accepted(judged(thrown(start, 1), "e2", "e4")) == "e2e4"


def test_a_knight_slid_over_a_square_where_it_may_not_stop_is_not_guided_at_once() -> None:
    knight = "4k3/7p/8/8/8/8/8/1N2K3 w - - 0 1"
    quiet_ms, then = waits(judged(thrown(knight, 2), "b1", "b2"))
    assert quiet_ms == 700
    assert then == Recover()
    assert accepted(judged(thrown(knight, 2), "b1", "c3", touched="b2 b3")) == "b1c3"


def test_a_king_or_rook_that_may_be_castling_waits_for_the_other() -> None:
    match = thrown(CASTLING, 5)
    assert waits(judged(match, "h1", "f1"))[0] == 300
    assert waits(judged(match, "e1", "f1"))[0] == 300
    assert waits(judged(match, "e1", "g1")) == (3000, Recover())
    assert accepted(judged(match, "e1 h1", "g1 f1")) == "e1g1"


def test_a_capture_is_accepted_when_the_victim_was_touched() -> None:
    match = thrown(FORK, 1)
    assert accepted(judged(match, "e4", "", touched="d5")) == "e4d5"
    assert accepted(judged(match, "e4", "", touched="f5")) == "e4f5"


def test_a_capture_with_both_victims_touched_is_asked_about_at_once() -> None:
    assert sorted(asked(judged(thrown(FORK, 1), "e4", "", touched="d5 f5"))) == ["e4d5", "e4f5"]


def test_en_passant_needs_all_three_squares() -> None:
    match = thrown(EN_PASSANT, 1)
    assert accepted(judged(match, "e5 d5", "d6")) == "e5d6"
    assert waits(judged(match, "e5", "d6"))[0] == 3000


def test_a_promotion_is_asked_about_at_once_with_every_piece() -> None:
    assert sorted(asked(judged(thrown(PROMOTION, 1), "a7", "a8"))) == ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]


# --- rule 4: something untouched --------------------------------------------------------------------------------------


def test_a_lifted_piece_with_one_capture_is_in_the_hand_and_asked_about_after_six_seconds() -> None:
    match = thrown(ONE_VICTIM, 1)
    for quiet_ms in (0, 300, 5999):
        timeout, then = waits(judged(match, "e4", quiet_ms=quiet_ms))
        assert timeout == 6000
        assert asked(then) == ["e4d5"]
    assert asked(judged(match, "e4", quiet_ms=6000)) == ["e4d5"]


def test_however_long_it_lasts_an_untouched_victim_is_never_taken_without_asking() -> None:
    assert isinstance(judged(thrown(ONE_VICTIM, 1), "e4", quiet_ms=SILENCE_MS), Which)


def test_a_missed_lift_asks_which_piece_was_taken() -> None:
    assert sorted(asked(judged(thrown(FORK, 1), "e4", quiet_ms=6000))) == ["e4d5", "e4f5"]


def test_a_move_whose_start_was_never_seen_is_asked_about() -> None:
    match = thrown(ONE_VICTIM, 1)
    assert waits(judged(match, "e4", "e5", missed="e4"))[0] == 3000
    assert asked(judged(match, "e4", "e5", missed="e4", quiet_ms=3000)) == ["e4e5"]


def test_a_masked_square_proves_nothing_so_a_move_over_it_is_asked_about() -> None:
    match = thrown(ONE_VICTIM, 1)
    assert sorted(asked(judged(match, "e4", masked="e5", quiet_ms=3000))) == ["e4d5", "e4e5"]


# --- rule 5: j'adoube -------------------------------------------------------------------------------------------------


def test_a_board_as_it_began_is_unmoved_whatever_was_touched() -> None:
    assert judged(thrown(FORK, 1), touched="e4 d5 f5 e1", quiet_ms=SILENCE_MS) == Unmoved()


def test_a_masked_square_does_not_keep_a_board_from_being_unmoved() -> None:
    assert judged(thrown(FORK, 1), "e4", masked="e4") == Unmoved()


# --- rule 6: nothing fits ---------------------------------------------------------------------------------------------


def test_a_piece_put_where_nothing_goes_is_guided_after_the_guide_time() -> None:
    assert waits(judged(thrown(ONE_VICTIM, 1), "e4", "h4")) == (700, Recover())
    assert judged(thrown(ONE_VICTIM, 1), "e4", "h4", quiet_ms=700) == Recover()


def test_a_lifted_piece_that_can_go_nowhere_is_guided_after_the_ask_time() -> None:
    assert waits(judged(thrown(ONE_VICTIM, 1), "e1")) == (3000, Recover())


def test_a_difference_that_is_part_of_an_option_is_given_the_ask_time() -> None:
    assert waits(judged(thrown(CASTLING, 5), "e1", "g1")) == (3000, Recover())
    assert waits(judged(thrown(EN_PASSANT, 1), "e5", "d6"))[0] == 3000


def test_a_piece_too_many_is_guided_after_the_ask_time() -> None:
    assert waits(judged(thrown(ONE_VICTIM, 1), "", "a3")) == (3000, Recover())


# --- a move that may still be changed ---------------------------------------------------------------------------------


def moved(fen: str, die: int, id_: str, *, passes: bool = False) -> Match:
    match = (thrown_out if passes else thrown)(fen, die)
    match.act(Pick(id_), 0)
    return match


@pytest.mark.parametrize("passes", [False, True])
def test_the_way_back_is_a_candidate_until_the_move_is_sealed(passes: bool) -> None:  # noqa: FBT001 - a case
    match = moved(ONE_VICTIM, 1, "e4e5", passes=passes)
    assert accepted(judged(match, "e5", "e4")) == "take-back"


@pytest.mark.parametrize("passes", [False, True])
def test_another_choice_is_a_candidate_until_the_move_is_sealed(passes: bool) -> None:  # noqa: FBT001 - a case
    match = moved(ROOK, 4, "a1a3", passes=passes)
    assert accepted(judged(match, "a3", "d1")) == "a1d1"
    assert waits(judged(match, "a3", "a5"))[0] == 300


def test_a_lifted_piece_is_no_capture_after_its_move_either() -> None:
    match = moved(ONE_VICTIM, 1, "e4e5")
    timeout, then = waits(judged(match, "e5"))
    assert timeout == 6000
    assert asked(then) == ["e4d5"]


def test_a_take_back_needs_all_its_squares_touched() -> None:
    match = moved(ONE_VICTIM, 1, "e4d5")
    assert accepted(judged(match, "", "e4", touched="d5")) == "take-back"
    assert asked(judged(match, "", "e4", quiet_ms=3000)) == ["take-back"]


def test_another_choice_needs_all_its_squares_touched() -> None:
    match = moved(ONE_VICTIM, 1, "e4d5")
    assert accepted(judged(match, "", "e5", touched="d5")) == "e4e5"
    assert asked(judged(match, "", "e5", quiet_ms=3000)) == ["e4e5"]


def test_a_sealed_move_has_no_way_back() -> None:
    match = moved(ONE_VICTIM, 1, "e4e5")
    match.act(Pick("done"), 0)
    assert judged(match, "e5", "e4", quiet_ms=SILENCE_MS) == Recover()


# --- in general -------------------------------------------------------------------------------------------------------

ANY_SQUARE = st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda pair: Square(*pair))
MATCHES = [thrown(FORK, 1), thrown(CASTLING, 6), thrown(EN_PASSANT, 6), thrown(PROMOTION, 6), moved(ROOK, 4, "a1a4")]


@given(st.sampled_from(MATCHES), st.sets(ANY_SQUARE, max_size=4), st.sets(ANY_SQUARE, max_size=6), st.integers(0, 4000))
def test_only_what_fits_and_was_wholly_touched_is_ever_accepted(
    match: Match, flipped: set[Square], touched: set[Square], quiet_ms: int
) -> None:
    home = frozenset(match.pieces())
    evidence = Evidence(home, home ^ flipped, touches(touched, home ^ flipped))
    verdict = judge(evidence, candidates(match), SETTINGS, quiet_ms)
    assert isinstance(verdict, Unmoved) == (not flipped)
    if isinstance(verdict, Accept):
        assert verdict.candidate.occupied == evidence.occupied
        assert verdict.candidate.footprint.changed <= touched


@given(ANY_SQUARE, ANY_SQUARE, ANY_SQUARE)
def test_between_is_the_same_from_both_ends(start: Square, square: Square, end: Square) -> None:
    if square not in (start, end):
        assert lies_between(start, square, end) == lies_between(end, square, start)
