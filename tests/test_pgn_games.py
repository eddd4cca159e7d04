"""Other people's games: what of an odd PGN file is played by `make prove`, and what is skipped and counted."""

from collections import Counter
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings, strategies as st

from tests.prove.__main__ import main
from tests.prove.games import PGN_GAMES
from tests.prove.pgn_games import read_games, skipped_lines
from tests.support.effort import effort

ODD_GAMES = Path(__file__).parent / "prove" / "odd_games"
USUAL = '[White "{white}"]\n\n1. e4 e5 2. Nf3 *\n'


def read(path: Path) -> tuple[list[str], dict[str, int]]:
    """Return the moves of each game that can be played, and how many cannot for which reason."""
    skipped = Counter[str]()
    games = list(read_games(path, skipped))
    return [" ".join(str(move) for move in game.mainline_moves()) for game in games], dict(skipped)


@pytest.mark.parametrize(
    ("name", "played", "skipped"),
    [
        ("variants", ["e2e4 e7e5 g1f3 b8c6", "d2d4 d7d5"], {"a variant": 3}),
        ("positions", ["e2e4 e7e5 g1f3", "c2c4 e7e5"], {"begins from another position": 4}),
        (
            "moves",
            ["e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"],
            {"a null move": 2, "an illegal move": 2, "no moves": 1},
        ),
        ("headers", ["e2e4 e7e5 g1f3", "g1f3 g8f6 g2g3"], {"no moves": 1, "an illegal move": 1}),
        ("cut_off", ["e2e4 e7e5 g1f3", "d2d4 d7d5 c2c4 e7e6"], {}),
        ("cut_off_in_comment", ["e2e4 e7e5"], {}),
        ("cut_off_in_header", [], {"no moves": 1}),
        ("a_letter", [], {"no moves": 1}),
        ("long_number", ["d2d4 d7d5"], {"not readable": 1}),
        ("empty", [], {}),
        ("blank_lines", [], {}),
    ],
)
def test_what_can_be_played_of_an_odd_file_is_and_the_rest_is_counted(
    name: str, played: list[str], skipped: dict[str, int]
) -> None:
    assert read(ODD_GAMES / f"{name}.pgn") == (played, skipped)


@pytest.mark.parametrize(
    ("white", "encoding"),
    [("Müller", "utf-8"), ("Müller", "utf-8-sig"), ("Müller", "utf-16"), ("Müller", "latin-1"), ("Łódź", "utf-8")],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_file_is_read_in_whatever_encoding_and_with_whatever_ends_of_lines(
    white: str, encoding: str, line_end: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(f"{USUAL}\n{USUAL}".format(white=white).replace("\n", line_end).encode(encoding))
    assert [game.headers["White"] for game in read_games(path)] == [white] * 2
    assert read(path) == (["e2e4 e7e5 g1f3"] * 2, {})


@pytest.mark.parametrize("raw", [b"\x81\x8d\x8f\x90\x9d", b"\xff\xfe\x00", b"\0" * 100, bytes(range(256)) * 4])
def test_what_is_no_text_has_no_games(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_bytes(raw)
    assert read(tmp_path / "games.pgn")[0] == []


@pytest.mark.slow
@settings(max_examples=effort(8, 1000))
@given(cut=st.lists(st.tuples(st.integers(0, 2600), st.binary(max_size=6), st.integers(0, 40)), max_size=5))
def test_whatever_of_a_file_is_spoiled_each_game_that_is_left_can_be_played(
    cut: list[tuple[int, bytes, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    raw = (PGN_GAMES / "classics.pgn").read_bytes()
    for place, instead, length in cut:
        raw = raw[:place] + instead + raw[place + length :]
    path = tmp_path_factory.getbasetemp() / "spoiled.pgn"
    path.write_bytes(raw)
    for game in read_games(path):
        board = chess.Board()
        for move in game.mainline_moves():
            assert board.is_legal(move)
            board.push(move)
        assert game.end().board().fen() == board.fen()


def test_what_was_skipped_is_printed_the_most_frequent_reason_first() -> None:
    assert skipped_lines(Counter({"a null move": 1, "a variant": 3})) == [
        "skipped 3 games: a variant",
        "skipped 1 game: a null move",
    ]


@pytest.mark.slow
def test_a_run_prints_how_many_games_were_played_and_skipped(capfd: pytest.CaptureFixture[str]) -> None:
    files = [word for name in ("variants", "positions") for word in ("--pgn", str(ODD_GAMES / f"{name}.pgn"))]
    assert main([*files, "--mix", "quiet", "--workers", "1"]) == 0
    printed = capfd.readouterr().out
    assert "11 moves in 4 games" in printed
    assert "skipped 4 games: begins from another position\nskipped 3 games: a variant" in printed
    assert "every promise holds" in printed


def test_a_run_without_a_game_to_play_is_no_proof(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--pgn", str(ODD_GAMES / "a_letter.pgn"), "--workers", "1"]) == 1
    assert "BROKEN realistic: no game was played" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--pgn", "nowhere.pgn"], "there is no file nowhere.pgn"),
        (["--pgn", __file__, "--hands", "fickle"], "real games are played as Legend or chess by ordinary hands"),
        (["--kind", "child"], "only fickle hands are of a kind"),
        (["--hands", "fickle", "--game", "nine-mens-morris"], "--game"),
    ],
)
def test_what_does_not_go_together_is_said(words: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert error in capsys.readouterr().err
