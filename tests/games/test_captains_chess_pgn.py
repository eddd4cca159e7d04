"""Captain's Chess as PGN: moves held against Fairy-Stockfish's own notation, tags and clocks as readers expect them."""

import platform
import random
import re

import pytest

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fairy import FAIRY_LETTERS, variant_ini
from captains_table.games.captains_chess.fen import format_fen, parse_fen
from captains_table.games.captains_chess.pgn import captains_pgn, san
from captains_table.games.contract import Pick
from tests.support.effort import effort

NAMES = ['Anne "the Red"', "Bart"]
OURS = "oursforthepgn"
STARTS = (
    "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1",
    "r3k3r/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
    "9/PPPP1PPPP/4k4/9/9/4K4/pppp1pppp/9 w - - 0 1",
    "r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R w KQkq - 0 1",
)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="Fairy-Stockfish's module has wheels for x86-64 only")
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.long
def test_every_move_is_written_as_fairy_stockfish_writes_it(start: str) -> None:
    import pyffish  # noqa: PLC0415 - is not everywhere

    pyffish.load_variant_config(variant_ini().replace("[captainschess]", f"[{OURS}]"))
    rng = random.Random(start)
    for _ in range(effort(1, 40)):
        position = parse_fen(start)
        for _ in range(effort(25, 60)):
            if not position.moves:
                break
            fen = format_fen(position, FAIRY_LETTERS)
            for id_ in rng.sample(sorted(position.moves), min(5, len(position.moves))):
                assert san(position, position.moves[id_]) == pyffish.get_san(OURS, fen, id_), fen
            position = position.play(rng.choice(list(position.moves.values())))


def test_a_match_has_tags_moves_clocks_and_result() -> None:
    actions = [Pick(id_) for id_ in ("e2e4", "press-clock", "e7e5", "press-clock", "resign")]
    text = captains_pgn(
        NAMES, {"clock": "5+3"}, actions, "2026-01-31T20:15:00+01:00", {2: ["[%clk 0:04:59]"], 0: ["hello}"]}
    )
    assert dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE)) == {
        "Event": "Captain's Chess",
        "Site": "Captain's Table",
        "Date": "2026.01.31",
        "Round": "?",
        "White": "Anne 'the Red'",
        "Black": "Bart",
        "Result": "0-1",
        "Variant": "captainschess",
        "TimeControl": "300+3",
        "Termination": "Anne 'the Red' resigns",
    }
    assert text.endswith("\n\n{hello)} 1. e4 {[%clk 0:04:59]} 1... e5 0-1\n\n")


def test_a_match_that_goes_on_from_a_position_says_from_which() -> None:
    text = captains_pgn(["Anne", "Bart"], {"fen": STARTS[1]}, [Pick("e1h1")])
    assert '[SetUp "1"]' in text
    assert "\n1. O-O *\n" in text


def test_every_line_is_short_enough_to_be_sent() -> None:
    game, rng = CaptainsChess(), random.Random(3)
    state, actions = game.start(["Anne", "Bart"], {}), []
    for _ in range(80):
        if not state.position.moves:
            break
        actions.append(Pick(rng.choice(sorted(state.position.moves))))
        state = game.apply(state, actions[-1])
    moves = captains_pgn(["Anne", "Bart"], {}, actions).partition("\n\n")[2].splitlines()
    assert max(map(len, moves)) <= 80
    assert len(moves) > 3
