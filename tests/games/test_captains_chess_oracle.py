"""Captain's Chess against Fairy-Stockfish: a short run of what `python -m tests.games.captains_chess_oracle` does."""

import platform

import pytest

if platform.machine() != "x86_64":
    pytest.skip("Fairy-Stockfish's Python module has wheels for x86-64 only", allow_module_level=True)

from captains_table.games.captains_chess.fen import START_FEN, parse_fen
from tests.games.captains_chess_oracle import Differs, compare, load, run
from tests.support.effort import effort


@pytest.mark.long
def test_random_games_agree_with_fairy_stockfish_in_every_position() -> None:
    kinds = run(positions=effort(50, 20_000), first_seed=8)
    assert kinds["crown"] + kinds["captain"] > 0


def test_the_comparison_would_notice_a_difference() -> None:
    load()
    with pytest.raises(Differs, match="ours only"):
        compare(START_FEN, [], parse_fen(START_FEN.replace("RNBQKBCNR", "RNBQKCBNR")), {})
