"""Captain's Chess rule by rule (docs/rules/captains-chess.md C1 - C7)."""

import pytest

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fen import START_FEN, format_fen, parse_fen
from captains_table.games.captains_chess.position import Position
from captains_table.games.captains_chess.state import State
from captains_table.games.common.time_control import parse_clock
from captains_table.games.contract import (
    Action,
    BadOption,
    Decide,
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    Result,
    TimeControl,
    TimeUp,
    parse_square,
)

GAME = CaptainsChess()
ANNE, BART = 0, 1
WON, LOST, SHARED = Result(ANNE, (1, 0)), Result(BART, (0, 1)), Result(None, (0, 0))


def start(fen: str = START_FEN, **options: str) -> State:
    return GAME.start(["Anne", "Bart"], {"fen": fen, **options})


def play(state: State, *ids: str | Action) -> State:
    for id_ in ids:
        state = GAME.apply(state, Pick(id_) if isinstance(id_, str) else id_)
    return state


def offered(state: State) -> set[str]:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return {option.id for option in turn.ask.options}


def moves_from(square: str, fen: str) -> set[str]:
    return {id_.removeprefix(square) for id_ in offered(start(fen)) if id_.startswith(square)}


def fen_of(state: State) -> str:
    return str(GAME.details(state)["fen"])


def result(state: State) -> Result | None:
    turn = GAME.turn(state)
    return turn.result if isinstance(turn, Over) else None


def told(before: State, *ids: str) -> list[str]:
    return [game_event.words for game_event in GAME.game_events(before, play(before, *ids))]


def squares(names: str) -> set[str]:
    return set(names.split())


# --- perft --------------------------------------------------------------------------------


def perft(position: Position, depth: int) -> int:
    if depth == 1:
        return len(position.moves)
    return sum(perft(position.play(move), depth - 1) for move in position.moves.values())


@pytest.mark.parametrize(("depth", "count"), [(1, 24), (2, 576), (3, 15_309), (4, 405_465)])
def test_from_the_start_there_are_as_many_lines_as_the_rules_say(depth: int, count: int) -> None:
    assert perft(parse_fen(START_FEN), depth) == count


# --- C1: the board ----------------------------------------------------------------------------------------------------


def test_c1_the_pieces_stand_as_the_rules_say() -> None:
    pieces = GAME.pieces(GAME.start(["Anne", "Bart"], {}))
    assert "".join(pieces[parse_square(f"{file}1")] for file in "abcdefghi") == "RNBQKBCNR"
    assert "".join(pieces[parse_square(f"{file}8")] for file in "abcdefghi") == "rncbkqbnr"
    assert sum(piece == "P" for piece in pieces.values()) == 9


def test_c1_the_position_is_the_same_turned_half_round() -> None:
    pieces = GAME.pieces(GAME.start(["Anne", "Bart"], {}))
    for square, piece in pieces.items():
        assert pieces[type(square)(8 - square.file, 7 - square.rank)] == piece.swapcase()


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
def test_an_option_the_game_does_not_know_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="expected"):
        GAME.start(["Anne", "Bart"], options)


def test_two_different_players_are_needed() -> None:
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

CASTLES = "r3k3r/4p4/9/9/9/9/4P4/R3K3R {} KQkq - 0 1"


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


def test_c5_squares_that_only_the_rook_crosses_may_be_attacked() -> None:
    assert "e1b1" in offered(start("r4k3/9/9/9/9/9/9/R3K3R w KQ - 0 1"))
    assert "e1h1" in offered(start("5k2r/9/9/9/9/9/9/R3K3R w KQ - 0 1"))


@pytest.mark.parametrize("blocked", ["RN2K3R", "R1B1K3R", "R2QK3R"])
def test_c5_all_between_king_and_rook_is_empty(blocked: str) -> None:
    assert "e1b1" not in offered(start(f"4k4/4p4/9/9/9/9/9/{blocked} w KQ - 0 1"))


def test_c5_neither_king_nor_rook_may_have_moved() -> None:
    state = play(start(CASTLES.format("w")), "i1i2", "e8d8", "i2i1", "d8e8")
    assert offered(state) & {"e1h1", "e1b1"} == {"e1b1"}
    state = play(start(CASTLES.format("w")), "e1d1", "e7e6", "d1e1", "e6e5")
    assert not offered(state) & {"e1h1", "e1b1"}


def test_c5_a_rook_that_was_taken_castles_no_more() -> None:
    state = play(start(CASTLES.format("w")), "a1a8+", "e8d7", "a8b8", "d7e6")
    assert fen_of(state).split()[2] == "K"


def test_c5_what_only_the_kings_safety_forbids_is_told_with_its_reason() -> None:
    refused = {move.id: move.reason for move in GAME.refused(start("4kr3/9/9/9/9/9/9/R3K3R w KQ - 0 1"))}
    assert refused == {
        "e1h1": "the king would be attacked",
        "e1f1": "the king would be attacked",
        "e1f2": "the king would be attacked",
    }
    pinned = {move.id for move in GAME.refused(start("4r3k/9/9/9/9/9/4N4/4K4 w - - 0 1"))}
    assert {"e2c3", "e2g3"} <= pinned


# --- C6: how one loses ------------------------------------------------------------------------------------------------


def test_c6_mate_loses() -> None:
    state = play(start("7k1/5R3/6R2/9/9/9/7p1/K8 w - - 0 1"), "g6g8+")
    assert result(state) is None
    mated = play(start("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1"), "b6b8+")
    assert result(mated) == WON
    assert told(start("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1"), "b6b8+")[-1] == "Bart is mated, Anne wins"


def test_c6_having_no_move_loses() -> None:
    state = play(start("k8/p8/P8/2Q6/9/9/9/4K4 w - - 0 1"), "c5c7")
    assert not state.position.in_check
    assert result(state) == WON


def test_c6_a_bare_king_loses_at_once_though_he_could_bare_the_other() -> None:
    state = play(start("9/9/4k4/3p5/3RK4/9/9/9 w - - 0 1"), "d4d5")
    assert result(state) == WON
    assert told(start("9/9/4k4/3p5/3RK4/9/9/9 w - - 0 1"), "d4d5")[-1] == "Bart has a bare king, Anne wins"


def test_c6_a_pawn_keeps_a_king_company() -> None:
    assert result(play(start("4k4/8p/9/3n5/3R5/9/9/4K4 w - - 0 1"), "d4d5")) is None


def test_c6_black_can_win_too() -> None:
    assert result(play(start("4k4/9/9/3r5/3R5/9/9/4K4 b - - 0 1"), "d5d4")) == LOST


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


def test_c7_rights_to_castle_make_positions_differ() -> None:
    there = ("e1d1", "e8d8", "d1e1", "d8e8")
    state = play(start(CASTLES.format("w")), *there, *there)
    assert "claim-draw" not in offered(state)  # at first both could castle
    assert "claim-draw" in offered(play(state, *there))


def test_c7_a_pawn_that_cannot_be_taken_en_passant_makes_no_difference() -> None:
    state = start("1r2k4/4p4/9/9/9/9/3PP4/1R2K4 w - - 0 1")
    state = play(state, "d2d4", "b8b7", "b1b2", "b7b8", "b2b1", "b8b7", "b1b2", "b7b8", "b2b1")
    assert "claim-draw" in offered(state)


def test_c7_fifty_moves_are_claimed_not_imposed() -> None:
    state = play(start(QUIET.format(98)), "b1b2")
    assert "claim-draw" not in offered(state)
    state = play(state, "b8b7")
    assert "claim-draw" in offered(state)
    assert result(play(state, "claim-draw")) == SHARED
    assert result(play(state, "b2b1")) is None


@pytest.mark.parametrize("id_", ["b1b8+", "e2e3", "c1a3"])
def test_c7_captures_pawn_moves_and_crownings_begin_the_count_anew(id_: str) -> None:
    state = play(start("1r2k4/4p4/9/9/9/b8/4P4/1RB1K4 w - - 42 1"), id_)
    assert fen_of(state).split()[4] == "0"
    crowned = play(start("4k4/1R2p4/9/9/9/9/4P4/4K4 w - - 42 1"), "b7b8+")
    assert fen_of(crowned).split()[4] == "0"


def test_c7_resigning_loses() -> None:
    assert result(play(start(), "resign")) == LOST
    assert result(play(start(), "e2e4", "resign")) == WON


def test_c7_a_draw_is_agreed_by_the_other_and_offered_once_a_move() -> None:
    state = play(start(), "offer-draw")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert turn.seat == BART
    assert result(play(state, "agree")) == SHARED
    refused = play(state, "refuse")
    assert "offer-draw" not in offered(refused)
    assert "offer-draw" in offered(play(refused, "e2e4"))


def test_c7_two_kings_with_little_else_play_on() -> None:
    assert result(play(start("4k4/9/9/9/9/4n4/9/4KN3 w - - 0 1"), "f1g3")) is None


# --- the clock --------------------------------------------------------------------------------------------------------


def test_a_clock_is_minutes_and_seconds_a_move() -> None:
    assert parse_clock("5+3") == TimeControl(300_000, 3000)
    assert parse_clock("10") == TimeControl(600_000, 0)
    assert parse_clock("none") is None


def test_with_a_clock_the_mover_presses_it_and_nothing_else_can_be_done() -> None:
    state = play(start(clock="5+3"), "e2e4")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert turn.seat == ANNE
    assert offered(state) == {"press-clock"}
    with pytest.raises(IllegalAction):
        play(state, "e7e5")
    assert "e7e5" in offered(play(state, "press-clock"))


def test_whose_time_is_up_has_lost_whatever_he_had_to_do() -> None:
    state = start(clock="5")
    assert result(play(state, TimeUp())) == LOST
    assert result(play(state, "e2e4", TimeUp())) == LOST
    assert result(play(state, "e2e4", "press-clock", TimeUp())) == WON
    assert result(play(state, "offer-draw", TimeUp())) == WON


def test_without_a_clock_no_time_can_be_up() -> None:
    with pytest.raises(IllegalAction):
        play(start(), TimeUp())


def test_a_mate_ends_the_match_before_the_clock_is_pressed() -> None:
    assert result(play(start("8k/R8/1R7/9/9/9/p8/3K5 w - - 0 1", clock="5"), "b6b8+")) == WON
