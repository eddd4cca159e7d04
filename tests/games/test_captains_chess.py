"""Captain's Chess rule by rule: the board and how pieces move (docs/rules/captains-chess.md C1 - C5)."""

import pytest

from captains_table.games.captains_chess.fen import START_FEN, format_fen, parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.games.contract import BadOption, parse_square
from tests.support.captains_chess_play import CASTLES, GAME, fen_of, moves_from, offered, play, squares, start
from tests.support.effort import effort

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
    assert format_fen(parse_fen(fen)) == fen


def test_c1_rights_that_are_not_borne_out_are_dropped() -> None:
    assert format_fen(parse_fen("r3k3r/9/9/9/9/9/9/1R2K3R w KQkq - 0 1")).split()[2] == "Kkq"
    assert format_fen(parse_fen("4k4/9/9/1p7/9/9/9/4K4 w - b6 0 2")).split()[3] == "-"


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("4k4/9/9/9/9/9/9/4K4", "1 fields"),
        ("4k4/9/9/9/9/9/4K4 w", "7 ranks"),
        ("4k4/9/9/9/9/9/8/4K4 w", "8 squares"),
        ("4k4/9/9/9/9/9/x8/4K4 w", "'x'"),
        ("4k4/9/9/9/9/9/+n8/4K4 w", r"'\+n'"),
        ("4k4/9/9/9/9/9/9/9 w", "0 white kings"),
        ("4k4/4k4/9/9/9/9/9/4K4 w", "2 black kings"),
        ("P3k4/9/9/9/9/9/9/4K4 w", "a pawn stands on a8"),
        ("4k4/9/9/9/9/9/4R4/4K4 w", "the king on e8 could be taken"),
        ("4k4/9/9/9/9/9/9/4K4 x", "side to move"),
        ("4k4/9/9/9/9/9/9/4K4 w QQ", "castling"),
        ("4k4/9/9/9/9/9/9/4K4 w - b6", "en passant"),
        ("4k4/9/9/9/9/9/9/4K4 w - zz", "not a square"),
        ("4k4/9/9/9/9/9/9/4K4 w - - x", "quiet moves"),
        ("4k4/9/9/9/9/9/9/4K4 w - - 0 0", "move number"),
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


def test_c2_a_captain_leaps_like_a_knight_or_steps_straight() -> None:
    fen = "4k4/9/9/9/4C4/9/9/4K2n1 w - - 0 1"
    assert moves_from("e4", fen) == squares("e5 e3 d4 f4 d6 f6 d2 f2 c5 c3 g5 g3")


def test_c2_a_captain_takes_as_he_moves_and_leaps_over_others() -> None:
    fen = "4k4/9/3p5/3ppp3/3pCp3/9/9/4K4 w - - 0 1"
    assert {"e5", "d4", "f4", "d6"} <= moves_from("e4", fen)
    assert not {"d5", "f5"} & moves_from("e4", fen)


def test_c3_a_pawn_becomes_a_captain_and_nothing_else() -> None:
    assert moves_from("a7", "1n2k4/P8/9/9/9/9/9/4K4 w - - 0 1") == squares("a8c b8c")
    state = play(start("1n2k4/P8/9/9/9/9/9/4K4 w - - 0 1"), "a7b8c")
    assert GAME.pieces(state)[parse_square("b8")] == "C"


def test_c3_a_pawn_goes_two_squares_from_its_own_rank_only() -> None:
    assert moves_from("e2", START_FEN) == squares("e3 e4")
    assert moves_from("e3", "4k4/p8/9/9/9/4P4/9/4K4 w - - 0 1") == squares("e4")
    assert moves_from("e2", "4k4/9/9/9/9/4p4/4P4/4K4 w - - 0 1") == set()


def test_c3_en_passant_is_for_the_next_move_only() -> None:
    state = play(start("4k4/1p7/9/2P6/9/9/9/4K3n b - - 0 1"), "b7b5")
    assert "c5b6" in offered(state)
    taken = play(state, "c5b6")
    assert parse_square("b5") not in GAME.pieces(taken)
    assert "c5b6" not in offered(play(state, "e1d1", "e8d8"))


def test_c3_en_passant_is_refused_where_it_bares_the_king() -> None:
    state = play(start("4k4/3p5/9/r3P1K2/9/9/9/9 b - - 0 1"), "d7d5")
    assert "e5d6" not in offered(state)
    assert fen_of(state).split()[3] == "-"


@pytest.mark.parametrize(
    ("fen", "id_", "piece"),
    [
        ("3k2r2/9/4B4/9/9/9/9/K8 w - - 0 1", "e6g8+", "+B"),
        ("3k5/2R6/9/9/9/9/9/K7n w - - 0 1", "c7c8+", "+R"),
        ("3k5/9/9/9/9/b8/9/2N1K4 b - - 0 1", "a3c1+", "+b"),
        ("3k5/9/9/9/9/9/r8/2N1K4 b - - 0 1", "a2a1+", "+r"),
    ],
)
def test_c4_bishop_and_rook_are_crowned_on_their_last_rank(fen: str, id_: str, piece: str) -> None:
    state = start(fen)
    assert id_.removesuffix("+") not in offered(state)
    assert GAME.pieces(play(state, id_))[parse_square(id_[2:4])] == piece


def test_c4_a_crowned_bishop_steps_straight_and_a_crowned_rook_aslant() -> None:
    fen = "2k6/9/9/9/4+B4/9/9/K7n w - - 0 1"
    assert squares("e5 e3 d4 f4") <= moves_from("e4", fen)
    assert not squares("e6 c4") & moves_from("e4", fen)
    fen = "k8/9/9/9/4+R4/9/9/K7n w - - 0 1"
    assert squares("d5 f5 d3 f3 e8") <= moves_from("e4", fen)
    assert not squares("c6 e4+") & moves_from("e4", fen)


def test_c4_a_crowned_piece_is_promoted_no_further_and_keeps_its_crown() -> None:
    state = play(start("3k5/9/9/9/+R8/9/7p1/4K4 w - - 0 1"), "a4a8")
    assert GAME.pieces(state)[parse_square("a8")] == "+R"
    away = play(state, "d8d7", "a8a5")
    assert GAME.pieces(away)[parse_square("a5")] == "+R"


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
def test_c5_the_king_slides_three_squares_and_the_rook_lands_beside_him(side: str, id_: str, rank: str) -> None:
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
