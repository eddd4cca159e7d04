"""How a match of chess begins, and what players may ask of each other (docs/rules/chess.md G3, G6, G9 to G12)."""

import io
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import chess.pgn
import pytest

from captains_table.catalog import entry_of
from captains_table.games.chess.pgn import book_moves, chess_pgn
from captains_table.games.chess.state import array_of
from captains_table.games.contract import (
    Action,
    BadOption,
    IllegalAction,
    Pick,
    Roll,
    Rolled,
    TimeUp,
    parse_square,
)

GAME = entry_of("chess").game
NAMES = ("Anne", "Bart")
FILES = "abcdefgh"


def begun(*actions: str | tuple[int, ...], **options: str) -> Any:  # noqa: ANN401 - the game's own state
    """Return the state after picks and throws."""
    state = GAME.start(NAMES, options)
    for action in actions:
        state = GAME.apply(state, Pick(action) if isinstance(action, str) else Rolled(action))
    return state


def turn_of(state: Any) -> Any:  # noqa: ANN401 - as above; of a turn of any kind
    return GAME.turn(state)


def offered(state: Any) -> list[str]:  # noqa: ANN401 - as above
    return [option.id for option in turn_of(state).ask.options]


def first_rank(state: Any) -> str:  # noqa: ANN401 - as above
    pieces = state.position.pieces()
    return "".join(pieces.get(parse_square(f"{file}1"), "-") for file in FILES)


# --- arrays by dice ---------------------------------------------------------------------------------------------------


def rank_by_the_text(light: int, dark: int, queen: int, first: int, second: int) -> str:
    """Return the first rank that five dice give, read from G12 word by word."""
    rank = dict.fromkeys(FILES, "")
    rank[" bdfh"[light]] = "B"
    rank[" aceg"[dark]] = "B"
    rank[[file for file in FILES if not rank[file]][queen - 1]] = "Q"
    pairs = ["12", "13", "14", "15", "23", "24", "25", "34", "35", "45"]
    left = [file for file in FILES if not rank[file]]
    for place in pairs[int(str(5 * (first - 1) + (second - 1))[-1])]:
        rank[left[int(place) - 1]] = "N"
    for piece, file in zip("RKR", [file for file in FILES if not rank[file]], strict=True):
        rank[file] = piece
    return "".join(rank.values())


def test_dice_give_each_of_the_960_arrays_equally_often_as_the_rules_say() -> None:
    throws = list(product(range(1, 5), range(1, 5), range(1, 7), range(1, 7), range(1, 6)))
    ranks = Counter(rank_by_the_text(*throw) for throw in throws)
    assert (len(ranks), set(ranks.values())) == (960, {3})
    for throw in throws:
        board = chess.Board.from_chess960_pos(array_of(throw))
        assert board.board_fen().rpartition("/")[2] == rank_by_the_text(*throw), throw


@pytest.mark.parametrize("throw", [(1, 2, 3, 4, 5), (4, 4, 6, 6, 1), (2, 1, 1, 1, 1)])
def test_the_array_that_was_thrown_stands_on_both_sides_of_the_board(throw: tuple[int, ...]) -> None:
    state = begun(throw, start="dice")
    assert first_rank(state) == rank_by_the_text(*throw)
    assert state.position.fen().partition("/")[0] == first_rank(state).lower()


def test_dice_that_do_not_count_fall_again_alone() -> None:
    state = begun((5, 2, 3, 4, 6), start="dice")
    assert turn_of(state).dice == (1, 5)
    assert [die.held for die in GAME.dice(state)] == [False, True, True, True, False]
    state = begun((5, 2, 3, 4, 6), (6, 5), (1,), start="dice")
    assert first_rank(state) == rank_by_the_text(1, 2, 3, 4, 5)


# --- colours, clocks, handicaps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "white"), [(1, 0), (2, 1), (3, 0), (4, 1), (5, 0), (6, 1)])
def test_an_odd_die_gives_white_to_the_first_player_and_an_even_one_to_the_second(face: int, white: int) -> None:
    state = begun((face,), white="dice")
    assert (GAME.white_seat(state), turn_of(state).seat) == (white, white)
    assert GAME.for_rematch(state) == {"white": ("first", "second")[white]}


def test_whoever_has_white_throws_the_array() -> None:
    state = begun((2,), white="dice", start="dice")
    assert turn_of(state) == Roll(1, (1, 2, 3, 4, 5), at_once=False, prompt="Bart: throw the array")


def test_the_second_player_may_have_white_without_a_die() -> None:
    state = begun("e2e4", white="second")
    assert (turn_of(begun(white="second")).seat, turn_of(state).seat) == (1, 0)
    assert GAME.for_rematch(state) == {}
    resigned = GAME.apply(state, Pick("resign"))
    assert turn_of(resigned).result.winner == 1


@pytest.mark.parametrize("options", [{"white": "dice"}, {"start": "dice"}])
def test_a_clock_waits_for_its_first_press_if_dice_are_thrown_before(options: dict[str, str]) -> None:
    waits = [begun(clock="5+3", clock_start="set-up", **each).options.clock.from_press for each in (options, {})]
    assert waits == [True, False]


@pytest.mark.parametrize(
    ("handicap", "fen"),
    [
        ("none", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("pawn", "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("knight", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
        ("rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
        ("queen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
    ],
)
def test_a_handicap_takes_one_piece_away(handicap: str, fen: str) -> None:
    assert begun(handicap=handicap).position.fen() == fen


def test_a_handicap_is_given_from_a_thrown_array_too() -> None:
    state = begun((1, 1, 1, 1, 1), start="dice", handicap="knight")
    assert first_rank(state) == rank_by_the_text(1, 1, 1, 1, 1).replace("N", "-", 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fen": "8/8/8/4k3/8/4K3/8/8 w - - 0 1", "handicap": "rook"}, "a position, or an array with a handicap"),
        ({"fen": "8/8/8/4k3/8/4K3/8/8 w - - 0 1", "start": "dice"}, "a position, or an array with a handicap"),
        ({"fen": "8/8/8/4k3/8/8/8/8 w - - 0 1"}, "no white king"),
        ({"fen": "P7/8/8/4k3/8/4K3/8/8 w - - 0 1"}, "a pawn stands on the first or last rank"),
        ({"fen": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"}, "could be taken"),
        ({"start": "960"}, "start=960"),
        ({"white": "nobody"}, "white=nobody"),
    ],
)
def test_what_cannot_be_a_beginning_is_refused_in_words(options: dict[str, str], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        begun(**options)


@pytest.mark.parametrize(
    ("fen", "castling"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["e1c1", "e1g1"]),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1", ["f1b1", "f1h1"]),
        ("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", ["f1b1", "f1h1"]),
    ],
)
def test_castling_is_named_by_the_kings_end_in_chess_and_by_the_rook_in_chess960(fen: str, castling: list[str]) -> None:
    state = begun(fen=fen)
    moves = state.position.moves
    assert sorted(id_ for id_, move in moves.items() if state.position.label(move).startswith("O-O")) == castling


# --- takebacks --------------------------------------------------------------------------------------------------------


def test_a_takeback_that_is_agreed_to_undoes_both_last_moves_and_nothing_else() -> None:
    before = begun("e2e4", "e7e5", "g1f3", "b8c6")
    after = GAME.apply(GAME.apply(before, Pick("offer-takeback")), Pick("agree"))
    assert (after.position, after.to_move, after.takebacks) == (begun("e2e4", "e7e5").position, 0, 1)
    assert [event.words for event in GAME.game_events(GAME.apply(before, Pick("offer-takeback")), after)] == [
        "Anne takes the last move back"
    ]
    assert GAME.apply(after, Pick("d2d4")).position.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/3PP3/")


def test_a_takeback_is_asked_once_a_move_and_not_before_ones_own_first_move() -> None:
    assert "offer-takeback" not in offered(begun())
    assert "offer-takeback" not in offered(begun("e2e4"))
    state = begun("e2e4", "e7e5")
    assert "offer-takeback" in offered(state)
    refused = GAME.apply(GAME.apply(state, Pick("offer-takeback")), Pick("refuse"))
    assert (refused.position, "offer-takeback" in offered(refused)) == (state.position, False)
    assert "offer-takeback" in offered(begun("e2e4", "e7e5", "offer-takeback", "refuse", "g1f3", "b8c6"))


def test_repetitions_are_counted_in_the_line_that_stands_after_a_takeback() -> None:
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    twice = begun(*there_and_back, *there_and_back)
    assert "claim-draw" in offered(twice)
    back = begun(*there_and_back, *there_and_back, "offer-takeback", "agree")
    assert "claim-draw" not in offered(back)
    assert "claim-draw" in offered(GAME.apply(GAME.apply(back, Pick("f3g1")), Pick("f6g8")))


def test_pgn_leaves_out_what_was_taken_back_and_says_so() -> None:
    moves = ("e2e4", "e7e5", "d1h5", "b8c6", "offer-takeback", "agree", "g1f3")
    text = chess_pgn(NAMES, {}, [Pick(id_) for id_ in moves])
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]
    assert "Anne takes the last move back" in text
    assert book_moves(begun(*moves)) == ["e4", "e5", "Nf3"]


def test_pgn_of_chess960_begins_with_its_array_and_names_who_had_white() -> None:
    actions: list[Action] = [Rolled((2,)), Rolled((1, 2, 3, 4, 5)), *map(Pick, ("e2e4", "e7e5"))]
    game = chess.pgn.read_game(io.StringIO(chess_pgn(NAMES, {"white": "dice", "start": "dice"}, actions)))
    assert game is not None
    assert not game.errors
    assert (game.headers["White"], game.headers["Black"], game.headers["Variant"]) == ("Bart", "Anne", "Chess960")
    assert game.board().board_fen().rpartition("/")[2] == rank_by_the_text(1, 2, 3, 4, 5)
    assert book_moves(begun((2,), (1, 2, 3, 4, 5), "e2e4", white="dice", start="dice")) == ()


# --- draws on request -------------------------------------------------------------------------------------------------


def test_a_claim_names_a_move_that_is_not_made() -> None:
    state = begun("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1")
    assert "claim-draw" not in offered(state)
    asked = GAME.apply(state, Pick("claim-with"))
    assert offered(asked) == ["f6g8"]
    drawn = GAME.apply(asked, Pick("f6g8"))
    assert drawn.position == state.position
    turn = turn_of(drawn)
    assert (turn.result.winner, turn.result.why) == (None, "A draw: the same position for the 3rd time, with Nf6-g8")
    with pytest.raises(IllegalAction):
        GAME.apply(asked, Pick("e7e5"))


@pytest.mark.parametrize(
    ("actions", "may_offer"),
    [((), False), (("e2e4",), False), (("e2e4", "e7e5"), True), (("e2e4", "e7e5", "offer-draw", "refuse"), False)],
)
def test_a_draw_is_offered_once_a_move_after_both_have_moved(actions: Sequence[str], *, may_offer: bool) -> None:
    assert ("offer-draw" in offered(begun(*actions))) is may_offer


@pytest.mark.parametrize(
    ("fen", "winner"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 0),
        ("4k3/8/8/8/8/8/4p3/4K3 b - - 0 1", None),  # White has a king alone
        ("4k3/4p3/8/8/8/8/8/4KN2 b - - 0 1", 0),  # a knight could mate with the pawn's help
    ],
)
def test_a_fallen_flag_loses_but_against_one_who_cannot_mate(fen: str, winner: int | None) -> None:
    state = GAME.apply(begun(fen=fen, clock="5"), TimeUp())
    turn = turn_of(state)
    assert turn.result.winner == winner
