import io
import random
from collections.abc import Mapping, Sequence

import chess
import chess.pgn
import pytest

from captains_table.games.contract import Action, Amount, Pick, Rolled
from captains_table.games.legend import Legend
from captains_table.games.legend.pgn import legend_pgn
from tests.support.effort import effort
from tests.support.random_play import play_match

NAMES = ("Anne", "Bart")


def read(text: str) -> list[chess.pgn.Game]:
    """Read PGN as anybody would; a complaint of the reader fails the test."""
    stream = io.StringIO(text)
    games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert [error for game in games for error in game.errors] == []
    return games


def turn(*doings: str | tuple[int, ...]) -> list[Action]:
    """Return a turn: words are picks, tuples are dice that fell."""
    return [Pick(doing) if isinstance(doing, str) else Rolled(doing) for doing in doings]


def moves(*ids: str, legend: int = 6) -> list[Action]:
    """Return turns in which all six dice are thrown once, a piece moves and the turn is ended."""
    return [action for id_ in ids for action in turn("roll", (6, 5, 4, 3, 2, legend), id_, "done")]


def written(actions: Sequence[Action], options: Mapping[str, str] | None = None) -> list[chess.pgn.Game]:
    return read(legend_pgn(NAMES, options or {"rounds": "1"}, actions, "2026-01-31T20:15:00+01:00"))


def line(game: chess.pgn.Game) -> str:
    return " ".join(node.san() for node in game.mainline())


def test_ordinary_chess_is_written_as_ordinary_chess() -> None:
    (game,) = written(moves("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"))
    assert line(game) == "e4 e5 Nf3 Nc6 Bb5 a6"
    tags = ("Event", "Date", "Round", "White", "Black", "Result", "Rules")
    expected = ["Legend ~ Ship, Captain, Crew", "2026.01.31", "1", "Anne", "Bart", "*", "Legend"]
    assert [game.headers[tag] for tag in tags] == expected
    assert "FEN" not in game.headers


def test_the_turns_dice_and_gains_stand_behind_its_move() -> None:
    (game,) = written(moves("e2e4"))
    words = "cargo 6 5 4 3 2; Legend VI; Anne gains 6 legend; Anne brings home a cargo of 5 (6 5 4 3 2)"
    assert [node.comment for node in game.mainline()] == [words]


def test_a_strike_and_a_treasure_are_told() -> None:
    options = {"rounds": "1", "fen": "4k3/8/3P4/8/8/8/8/4K2R w K - 0 1"}
    actions = turn("roll", (1, 1, 1, 1, 1, 6), "d6d7", (3, 4), "done")
    (game,) = written(actions, options)
    (node,) = game.mainline()
    assert game.headers["SetUp"] == "1"
    assert "Anne strikes the king" in node.comment
    assert "treasure 3 4; Anne finds a treasure of 7" in node.comment


def test_a_forfeited_move_is_a_null_move_within_the_game() -> None:
    options = {"rounds": "1", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}
    actions = [*moves("e2e4"), *turn("roll", (1, 1, 1, 1, 1, 2), "done"), *moves("e4e5")]
    (game,) = written(actions, options)
    assert line(game) == "e4 -- e5"
    assert "the move is forfeited" in game.next().next().comment  # type: ignore[union-attr]


def test_the_genies_hop_ends_a_part_and_the_next_begins_behind_it() -> None:
    hop = turn("roll", (1, 1, 1, 1, 1, 3), "genie", (3, 4), "genie-d5", "done")
    first, second = written([*moves("e2e4", "e7e5"), *hop, *moves("a7a6")])
    assert line(first) == "e4 e5 --"
    assert "Genie 3 4; The Genie carries Anne's king to d5" in first.end().comment
    assert second.headers["Part"] == "2"
    assert second.board().piece_at(chess.D5) == chess.Piece.from_symbol("K")
    assert line(second) == "a6"


def test_a_piece_bought_back_ends_a_part_too_and_the_bargain_is_told() -> None:
    bargain = turn("roll", (6, 5, 4, 3, 2, 6), "buy-back", "p", "offer-piece-p", "ask-price")
    again = turn("refuse", "buy-back", "p", "offer-price")
    sale = [*bargain, Amount(4), *again, Amount(3), *turn("agree", "p@e2", "done")]
    options = {"rounds": "1", "barter": "piece"}
    first, second = written([*moves("e2e4", "d7d5", "e4d5", "a7a6", "d5d6", "c7d6"), *sale, *moves("a6a5")], options)
    assert line(first) == "e4 d5 exd5 a6 d6 cxd6 --"
    comment = first.end().comment
    assert "Anne offers a pawn for a pawn; Bart asks 4 for a pawn; Anne does not buy" in comment
    assert "Anne offers 3 for a pawn; Bart sells a pawn for 3; A pawn enters on e2" in comment
    assert line(second) == "a5"


def test_a_move_that_leaves_the_king_under_attack_is_told_in_words() -> None:
    first, second = written(moves("e2e4", "f7f5", "d1h5", "a7a6", "a2a3"))
    assert line(first) == "e4 f5 Qh5+ --"
    assert "a7-a6 against the rules of chess" in first.end().comment
    assert line(second) == "a3+"  # the black king still stands in check


@pytest.mark.parametrize(
    ("ids", "result"),
    [
        (("e2e4", "f7f5", "d1h5", "a7a6", "h5e8"), "1-0"),
        (("f2f3", "e7e5", "a2a3", "d8h4", "a3a4", "h4e1"), "0-1"),
    ],
)
def test_a_captured_king_is_the_result_of_the_last_part(ids: tuple[str, ...], result: str) -> None:
    games = written(moves(*ids))
    assert [game.headers["Result"] for game in games] == ["*"] * (len(games) - 1) + [result]
    assert "captures the king" in games[-1].end().comment
    assert "The match is won by" in games[-1].end().comment


def test_a_king_captured_is_no_result_before_the_turn_is_done() -> None:
    *_, last = written(moves("e2e4", "f7f5", "d1h5", "a7a6", "h5e8")[:-1])
    assert last.headers["Result"] == "*"


def test_colours_swap_and_an_abandoned_round_has_no_result() -> None:
    games = written([*moves("e2e4"), *turn("abandon", "agree"), *moves("d2d4")], {"rounds": "2"})
    assert [(game.headers["Round"], game.headers["White"], game.headers["Result"]) for game in games] == [
        ("1", "Anne", "*"),
        ("2", "Bart", "*"),
    ]
    assert (
        "Anne brings home a cargo of 5 (6 5 4 3 2); Bart would abandon the round; The round is abandoned"
        in games[0].end().comment
    )
    assert line(games[1]) == "d4"


def test_a_round_abandoned_at_once_is_an_empty_game() -> None:
    first, second = written(turn("abandon", "agree"), {"rounds": "2"})
    assert (line(first), line(second)) == ("", "")
    assert first.comment == "Anne would abandon the round; The round is abandoned"


def test_a_round_from_a_position_with_clocks_is_one_game() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 9"
    (game,) = written(moves("e2e4", "e7e5"), {"rounds": "1", "fen": fen})
    assert (game.headers["FEN"], line(game)) == (fen, "e4 e5")


def test_names_that_pgn_cannot_quote_are_tamed() -> None:
    (game,) = read(legend_pgn(('Anne "Bonny"', "Bart} [x"), {}, moves("e2e4", "e7e5")))
    assert (game.headers["White"], game.headers["Black"]) == ("Anne 'Bonny'", "Bart} [x")
    assert line(game) == "e4 e5"
    assert game.headers["Date"] == "????.??.??"


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("luck", range(effort(4, 40)))
def test_any_match_is_read_back_turn_for_turn(luck: int) -> None:
    legend, options = Legend(), {"rounds": "3", "score": "piece"}
    actions = play_match(legend, NAMES, options, random.Random(luck))
    state = start = legend.start(NAMES, options)
    played: set[tuple[int, str]] = set()
    for action in actions:
        state = legend.apply(state, action)
        if (state.round, state.turns) != (start.round, start.turns):
            if action != Pick("agree"):  # a round abandoned: nothing was moved in its last turn
                played.add((start.round, start.position.fen()))
            start = state
    games = written(actions, options)
    found = {(int(game.headers["Round"]), board.fen(en_passant="fen")) for game in games for board in boards(game)}
    assert played
    assert played <= found
    assert all(game.variations for game in games if "Part" in game.headers)  # no part begins without a move


def boards(game: chess.pgn.Game) -> list[chess.Board]:
    return [game.board(), *(node.board() for node in game.mainline())]
