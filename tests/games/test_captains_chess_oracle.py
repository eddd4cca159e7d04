"""Captain's Chess against Fairy-Stockfish: a short run of what `python -m tests.games.captains_chess_oracle` does."""

import platform
from itertools import count

import pytest

if platform.machine() != "x86_64":
    pytest.skip("Fairy-Stockfish's Python module has wheels for x86-64 only", allow_module_level=True)

from captains_table.games.captains_chess.fen import START_FEN, parse_fen
from tests.games.captains_chess_oracle import Differs, compare, load, run
from tests.support.effort import effort


@pytest.mark.slow
@pytest.mark.long
def test_random_games_agree_with_fairy_stockfish_in_every_position() -> None:
    kinds = run((33, 35), 65)  # short games, in which what is rare happens
    assert {"crown", "captain", "mate", "bare king"} < set(kinds)
    run(count(8), effort(0, 20_000))


def test_the_comparison_would_notice_a_difference() -> None:
    load()
    with pytest.raises(Differs, match="ours only"):
        compare(START_FEN, [], parse_fen(START_FEN.replace("RNBQKBCNR", "RNBQKCBNR")), {})
