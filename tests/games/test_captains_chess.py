"""Captain's Chess rule by rule, and the clock (docs/rules/captains-chess.md)."""

import pytest

from captains_table.games.captains_chess.fen import START_FEN, parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.games.common.time_control import parse_clock
from captains_table.games.contract import BadOption, IllegalAction, Result, TimeControl, TimeUp, parse_square
from tests.support.captains_chess_play import (
    ANNE,
    BART,
    CASTLES,
    GAME,
    LOST,
    SHARED,
    WON,
    fen_of,
    moves_from,
    offered,
    play,
    result,
    seat,
    start,
    told,
)
from tests.support.effort import effort

BARE_KINGS = "4k4/9/9/9/9/9/9/4K4"

# --- perft --------------------------------------------------------------------------------


def perft(position: CaptainsPosition, depth: int) -> int:
    if depth == 1:
        return len(position.moves)
    return sum(perft(position.play(move), depth - 1) for move in position.moves.values())


@pytest.mark.parametrize(("depth", "count"), [(1, 24), (2, 576), (3, 15_309), (4, 405_465)][: effort(3, 4)])
def test_from_the_start_there_are_as_many_lines_as_the_rules_say(depth: int, count: int) -> None:
    assert perft(parse_fen(START_FEN), depth) == count


# --- C1: the board ----------------------------------------------------------------------------------------------------


def test_c1_the_pieces_stand_as_the_rules_say() -> None:
    pieces = GAME.pieces(GAME.start(["Anne", "Bart"], {}))
    assert "".join(pieces[parse_square(f"{file}1")] for file in "abcdefghi") == "RNBQKBCNR"
    assert "".join(pieces[parse_square(f"{file}8")] for file in "abcdefghi") == "rncbkqbnr"
    assert sum(piece == "P" for piece in pieces.values()) == 9


@pytest.mark.parametrize(
    "fen",
    [
        START_FEN,
        "r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R b Kq - 12 40",
        "4k4/9/9/1pP6/9/9/9/4K4 w - b6 0 2",
    ],
)
def test_c1_a_fen_is_written_as_it_was_read(fen: str) -> None:
    assert parse_fen(fen).fen() == fen


def test_c1_rights_that_are_not_borne_out_are_dropped() -> None:
    assert parse_fen("r3k3r/9/9/9/9/9/9/1R2K3R w KQkq - 0 1").fen().split()[2] == "Kkq"
    assert parse_fen("4k4/9/9/1p7/9/9/9/4K4 w - b6 0 2").fen().split()[3] == "-"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        *(("4k4/9/9/9/9/9/9/4K4", "1 fields"), ("4k4/9/9/9/9/9/4K4 w", "7 ranks")),
        *(("4k4/9/9/9/9/9/8/4K4 w", "8 squares"), ("4k4/9/9/9/9/9/x8/4K4 w", "'x'")),
        *(("4k4/9/9/9/9/9/+n8/4K4 w", r"'\+n'"), ("4k4/9/9/9/9/9/9/9 w", "0 white kings")),
        *(("4k4/4k4/9/9/9/9/9/4K4 w", "2 black kings"), ("P3k4/9/9/9/9/9/9/4K4 w", "a pawn stands on a8")),
        *(("4k4/9/9/9/9/9/4R4/4K4 w", "the king on e8 could be taken"), (f"{BARE_KINGS} x", "side to move")),
        *((f"{BARE_KINGS} w QQ", "castling"), (f"{BARE_KINGS} w - b6", "en passant")),
        *((f"{BARE_KINGS} w - zz", "not a square"), (f"{BARE_KINGS} w - - x", "quiet moves")),
        (f"{BARE_KINGS} w - - 0 0", "move number"),
    ],
)
def test_c1_a_fen_that_cannot_be_played_from_is_refused_with_a_sentence(fen: str, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        start(fen)


@pytest.mark.parametrize(
    "options", [{"rounds": "1"}, {"clock": "0"}, {"clock": "5+"}, {"clock": "x"}, {"clock": "9999"}]
)
def test_an_option_the_game_does_not_know_or_another_number_of_players_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="expected"):
        GAME.start(["Anne", "Bart"], options)
    for names in (["Anne"], ["Anne", "Anne"], ["Anne", "Bart", "Cora"]):
        with pytest.raises(BadOption):
            GAME.start(names, {})


# --- C2 - C4: how pieces move -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("square", "fen", "reached"),
    [
        ("e4", "4k4/9/9/9/4C4/9/9/4K2n1 w", "e5 e3 d4 f4 d6 f6 d2 f2 c5 c3 g5 g3"),
        ("e4", "4k4/9/3p5/3ppp3/3pCp3/9/9/4K4 w", "e5 e3 d4 f4 d6 f6 d2 f2 c5 c3 g5 g3"),
        *(("a7", "1n2k4/P8/9/9/9/9/9/4K4 w", "a8c b8c"), ("e2", START_FEN, "e3 e4")),
        *(("e3", "4k4/p8/9/9/9/4P4/9/4K4 w", "e4"), ("e2", "4k4/9/9/9/9/4p4/4P4/4K4 w", "")),
        ("e4", "2k6/9/9/9/4+B4/9/9/K7n w", "a8 b1 b7 c2 c6 d3 d4 d5 e3 e5 f3 f4 f5 g2 g6 h1 h7 i8"),
        ("e4", "k8/9/9/9/4+R4/9/9/K7n w", "a4 b4 c4 d3 d4 d5 e1 e2 e3 e5 e6 e7 e8 f3 f4 f5 g4 h4 i4"),
    ],
    ids=[
        *("C2 a captain leaps like a knight or steps straight", "C2 it takes as it moves and leaps over others"),
        *("C3 a pawn becomes a captain", "C3 two squares from its own rank", "C3 and from there only", "C3 blocked"),
        *("C4 a crowned bishop steps straight too", "C4 a crowned rook steps aslant too"),
    ],
)
def test_a_piece_moves_as_its_rule_says(square: str, fen: str, reached: str) -> None:
    assert moves_from(square, fen) == set(reached.split())


def test_c3_en_passant_is_for_the_next_move_only() -> None:
    state = play(start("4k4/1p7/9/2P6/9/9/9/4K3n b - - 0 1"), "b7b5")
    assert "c5b6" in offered(state)
    assert parse_square("b5") not in GAME.pieces(play(state, "c5b6"))
    assert "c5b6" not in offered(play(state, "e1d1", "e8d8"))
    bared = play(start("4k4/3p5/9/r3P1K2/9/9/9/9 b - - 0 1"), "d7d5")
    assert "e5d6" not in offered(bared), "it would bare the king"
    assert fen_of(bared).split()[3] == "-"


@pytest.mark.parametrize(
    ("fen", "ids", "piece"),
    [
        ("1n2k4/P8/9/9/9/9/9/4K4 w", "a7b8c", "C"),
        ("3k2r2/9/4B4/9/9/9/9/K8 w", "e6g8+", "+B"),
        ("3k5/2R6/9/9/9/9/9/K7n w", "c7c8+", "+R"),
        ("3k5/9/9/9/9/b8/9/2N1K4 b", "a3c1+", "+b"),
        ("3k5/9/9/9/9/9/r8/2N1K4 b", "a2a1+", "+r"),
        ("3k5/9/9/9/+R8/9/7p1/4K4 w", "a4a8", "+R"),
        ("3k5/9/9/9/+R8/9/7p1/4K4 w", "a4a8 d8d7 a8a5", "+R"),
    ],
)
def test_c3_c4_pawn_bishop_and_rook_are_promoted_on_their_last_rank_once_and_for_good(
    fen: str, ids: str, piece: str
) -> None:
    state = start(fen)
    assert not ids.endswith("+") or ids.removesuffix("+") not in offered(state)
    assert GAME.pieces(play(state, *ids.split()))[parse_square(ids.rsplit(maxsplit=1)[-1][2:4])] == piece


# --- C5: castling -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "id_", "rank"),
    [
        ("w", "e1h1", "R5RK1"),
        ("w", "e1b1", "1KR5R"),
        ("b", "e8h8", "r5rk1"),
        ("b", "e8b8", "1kr5r"),
    ],
)
def test_c5_the_king_slides_three_squares_and_the_rook_lands_next_to_it(side: str, id_: str, rank: str) -> None:
    fen = fen_of(play(start(CASTLES.format(side)), id_))
    assert fen.split()[0].split("/")[7 if side == "w" else 0] == rank
    assert not set("KQ" if side == "w" else "kq") & set(fen.split()[2])


@pytest.mark.parametrize("file", "efgh")
def test_c5_no_square_of_the_kings_way_may_be_attacked(file: str) -> None:
    black = {"e": "4rk3", "f": "3k1r3", "g": "3k2r2", "h": "3k3r1"}[file]
    assert "e1h1" not in offered(start(f"{black}/9/9/9/9/9/9/R3K3R w KQ - 0 1"))
    assert "e1b1" in offered(start("r4k3/9/9/9/9/9/9/R3K3R w KQ - 0 1")), "what only the rook crosses may be"


@pytest.mark.parametrize("blocked", ["RN2K3R", "R1B1K3R", "R2QK3R"])
def test_c5_all_between_king_and_rook_is_empty(blocked: str) -> None:
    assert "e1b1" not in offered(start(f"4k4/4p4/9/9/9/9/9/{blocked} w KQ - 0 1"))


def test_c5_neither_king_nor_rook_may_have_moved_or_been_taken() -> None:
    state = play(start(CASTLES.format("w")), "i1i2", "e8d8", "i2i1", "d8e8")
    assert offered(state) & {"e1h1", "e1b1"} == {"e1b1"}
    state = play(start(CASTLES.format("w")), "e1d1", "e7e6", "d1e1", "e6e5")
    assert not offered(state) & {"e1h1", "e1b1"}
    taken = play(start(CASTLES.format("w")), "a1a8+", "e8d7", "a8b8", "d7e6")
    assert fen_of(taken).split()[2] == "K"


def test_c5_what_only_the_kings_safety_forbids_is_told_with_its_reason() -> None:
    refused = {move.id: move.reason for move in GAME.refused(start("4kr3/9/9/9/9/9/9/R3K3R w KQ - 0 1"))}
    assert refused == {
        "e1h1": "the king would be attacked",
        "e1f1": "the king would be attacked",
        "e1f2": "the king would be attacked",
    }
    pinned = {move.id for move in GAME.refused(start("4r3k/9/9/9/9/9/4N4/4K4 w - - 0 1"))}
    assert {"e2c3", "e2g3"} <= pinned


# --- C6: how a match is lost ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "ends", "words"),
    [
        ("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1", "b6b8+", WON, "Bart is mated, Anne wins"),
        ("k8/p8/P8/2Q6/9/9/9/4K4 w - - 0 1", "c5c7", WON, "Bart has no move, Anne wins"),
        ("9/9/4k4/3p5/3RK4/9/9/9 w - - 0 1", "d4d5", WON, "Bart has a bare king, Anne wins"),
        ("4k4/9/9/3r5/3R5/9/9/4K4 b - - 0 1", "d5d4", LOST, "Anne has a bare king, Bart wins"),
    ],
    ids=["mate", "no move", "a bare king that could bare the other", "Black wins"],
)
def test_c6_a_match_is_lost_by_mate_having_no_move_or_a_bare_king(
    fen: str, move: str, ends: Result, words: str
) -> None:
    assert result(play(start(fen), move)) == ends
    assert told(start(fen), move)[-1] == words


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("7k1/5R3/6R2/9/9/9/7p1/K8 w - - 0 1", "g6g8+"),
        ("4k4/8p/9/3n5/3R5/9/9/4K4 w - - 0 1", "d4d5"),
        ("4k4/9/9/9/9/4n4/9/4KN3 w - - 0 1", "f1g3"),
    ],
    ids=["check", "a pawn keeps the king company", "two kings with little else"],
)
def test_c6_a_match_goes_on_otherwise(fen: str, move: str) -> None:
    assert result(play(start(fen), move)) is None


# --- C7: draws, claims, resigning -------------------------------------------------------------------------------------

SHUFFLE = ("b1b2", "b8b7", "b2b1", "b7b8")
QUIET = "1r2k4/4p4/9/9/9/9/4P4/1R2K4 w - - {} 1"


def test_c7_the_third_time_is_claimed_by_the_player_to_move() -> None:
    state = play(start(QUIET.format(0)), *SHUFFLE, *SHUFFLE[:3])
    assert "claim-draw" not in offered(state)
    state = play(state, "b7b8")
    assert "claim-draw" in offered(state)
    assert result(play(state, "claim-draw")) == SHARED
    assert "claim-draw" in offered(play(state, "b1b2"))  # this position is there for the third time as well
    assert "claim-draw" not in offered(play(state, "b1c1"))


def test_c7_rights_to_castle_make_positions_differ_and_a_pawn_that_cannot_be_taken_en_passant_does_not() -> None:
    there = ("e1d1", "e8d8", "d1e1", "d8e8")
    state = play(start(CASTLES.format("w")), *there, *there)
    assert "claim-draw" not in offered(state)  # at first both could castle
    assert "claim-draw" in offered(play(state, *there))
    state = play(start("1r2k4/4p4/9/9/9/9/3PP4/1R2K4 w - - 0 1"), "d2d4", "b8b7", "b1b2", "b7b8", "b2b1", "b8b7")
    assert "claim-draw" in offered(play(state, "b1b2", "b7b8", "b2b1", "b8b7"))


def test_c7_fifty_moves_are_claimed_not_imposed() -> None:
    state = play(start(QUIET.format(98)), "b1b2")
    assert "claim-draw" not in offered(state)
    state = play(state, "b8b7")
    assert "claim-draw" in offered(state)
    assert result(play(state, "claim-draw")) == SHARED
    assert result(play(state, "b2b1")) is None


@pytest.mark.parametrize(
    ("fen", "id_"),
    [
        *(("1r2k4/4p4/9/9/9/b8/4P4/1RB1K4 w - - 42 1", id_) for id_ in ("b1b8+", "e2e3", "c1a3")),
        ("4k4/1R2p4/9/9/9/9/4P4/4K4 w - - 42 1", "b7b8+"),
    ],
)
def test_c7_captures_pawn_moves_and_crownings_begin_the_count_anew(fen: str, id_: str) -> None:
    assert fen_of(play(start(fen), id_)).split()[4] == "0"


def test_c7_resigning_loses_and_a_draw_is_agreed_by_the_other_and_offered_once_a_move() -> None:
    assert (result(play(start(), "resign")), result(play(start(), "e2e4", "resign"))) == (LOST, WON)
    state = play(start(), "offer-draw")
    assert (seat(state), result(play(state, "agree"))) == (BART, SHARED)
    refused = play(state, "refuse")
    assert "offer-draw" not in offered(refused)
    assert "offer-draw" in offered(play(refused, "e2e4"))


# --- the clock --------------------------------------------------------------------------------------------------------


def test_a_clock_is_minutes_and_seconds_a_move() -> None:
    clocks = [parse_clock(text) for text in ("5+3", "10", "none")]
    assert clocks == [TimeControl(300_000, 3000), TimeControl(600_000, 0), None]


def test_with_a_clock_the_mover_presses_it_and_nothing_else_can_be_done() -> None:
    state = play(start(clock="5+3"), "e2e4")
    assert (seat(state), offered(state)) == (ANNE, {"press-clock"})
    with pytest.raises(IllegalAction):
        play(state, "e7e5")
    assert "e7e5" in offered(play(state, "press-clock"))


@pytest.mark.parametrize(
    ("ids", "ends"),
    [((), LOST), (("e2e4",), LOST), (("e2e4", "press-clock"), WON), (("offer-draw",), WON)],
    ids=["to move", "to press the clock", "Black is to move", "to answer an offer"],
)
def test_whose_time_is_up_has_lost_whatever_was_to_be_done(ids: tuple[str, ...], ends: Result) -> None:
    assert result(play(start(clock="5"), *ids, TimeUp())) == ends
    with pytest.raises(IllegalAction):
        play(start(), *(id_ for id_ in ids if id_ != "press-clock"), TimeUp())


def test_a_mate_ends_the_match_before_the_clock_is_pressed() -> None:
    assert result(play(start("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1", clock="5"), "b6b8+")) == WON
