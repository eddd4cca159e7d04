"""What is exported of a match of Captain's Chess: PGN, and the variant and position line for Fairy-Stockfish."""

import importlib
import platform
import random
import re
from types import ModuleType

import pytest

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.exports import captains_pgn, fairy_ini, variant_ini
from captains_table.games.captains_chess.fen import parse_fen
from captains_table.games.captains_chess.position import FAIRY_LETTERS
from captains_table.games.contract import Pick, TimeUp
from tests.support.effort import effort
from tests.support.random_matches import eager_match

GAME = CaptainsChess()
NAMES = ["Anne", "Bart"]
OURS = "oursforthetest"
CASTLES = "r3k3r/p1p1p1p1p/9/B6R1/1r6b/9/P1P1P1P1P/R3K3R w KQkq - 0 1"
STARTS = (
    "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1",
    "r3k3r/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
    "9/PPPP1PPPP/4k4/9/9/4K4/pppp1pppp/9 w - - 0 1",
    "r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R w KQkq - 0 1",
)


@pytest.fixture(scope="module")
def fairy() -> ModuleType:
    """Return Fairy-Stockfish's module, which knows the variant as it is exported."""
    if platform.machine() != "x86_64":
        pytest.skip("Fairy-Stockfish's Python module has wheels for x86-64 only")
    pyffish = importlib.import_module("pyffish")
    pyffish.load_variant_config(variant_ini().replace("[captainschess]", f"[{OURS}]"))
    return pyffish


# --- for Fairy-Stockfish --------------------------------------------------------------------------------------------


def test_the_variant_is_defined_as_it_is_played(fairy: ModuleType) -> None:
    first = fairy.start_fen(OURS)
    assert sum(len(fairy.legal_moves(OURS, first, [move])) for move in fairy.legal_moves(OURS, first, [])) == 576


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"fen": CASTLES}, {"clock": "5+3"}], ids=["start", "castles", "clock"])
def test_its_position_line_leads_to_where_the_match_stands(options: dict[str, str], fairy: ModuleType) -> None:
    actions, state = eager_match(GAME, NAMES, options, 1, effort(100, 300))
    text = fairy_ini(NAMES, options, actions)
    found = re.search(r"^# position fen (?P<fen>.+?)(?: moves (?P<moves>.+))?$", text, re.MULTILINE)
    assert found is not None
    fen, moves = found["fen"], (found["moves"] or "").split()
    there = fairy.get_fen(OURS, fen, moves)
    for crowned, letter in (("+B", "G"), ("+b", "g"), ("+R", "H"), ("+r", "h")):
        there = there.replace(crowned, letter)
    assert there.split()[:3] == state.position.fen(FAIRY_LETTERS).split()[:3]
    assert set(fairy.legal_moves(OURS, fen, moves)) == set(state.position.moves)


def test_every_line_of_the_match_is_a_comment_with_its_fen() -> None:
    text = fairy_ini(NAMES, {}, [Pick("e2e4"), Pick("e7e5"), Pick("offer-draw"), Pick("agree")], "2026-01-31T12:00")
    match, _, definition = text.partition("\n\n")
    assert all(line.startswith("# ") for line in match.splitlines())
    assert "# 1.     e2e4   e2-e4       rncbkqbnr/ppppppppp/9/9/4P4/9/PPPP1PPPP/RNBQKBCNR b KQkq - 0 1" in match
    assert "Anne and Bart, begun 2026-01-31T12:00" in match
    assert match.endswith("# 1/2-1/2: The players agree on a draw")
    assert definition.startswith("[captainschess]\n")
    late = fairy_ini(NAMES, {"clock": "5"}, [Pick("e2e4"), Pick("press-clock"), TimeUp()])
    assert "# 1-0: Bart has no time left" in late


# --- PGN ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("start", STARTS)
def test_every_move_is_written_as_fairy_stockfish_writes_it(start: str, fairy: ModuleType) -> None:
    rng = random.Random(start)
    for _ in range(effort(1, 40)):
        position = parse_fen(start)
        for _ in range(effort(20, 60)):
            if not position.moves:
                break
            fen = position.fen(FAIRY_LETTERS)
            for id_ in rng.sample(sorted(position.moves), min(5, len(position.moves))):
                assert position.san(position.moves[id_]) == fairy.get_san(OURS, fen, id_), fen
            position = position.play(rng.choice(list(position.moves.values())))


def test_a_match_has_tags_moves_clocks_and_result() -> None:
    actions = [Pick(id_) for id_ in ("e2e4", "press-clock", "e7e5", "press-clock", "resign")]
    comments = {2: ["[%clk 0:04:59]"], 0: ["hello}"]}
    text = captains_pgn(['Anne "the Red"', "Bart"], {"clock": "5+3"}, actions, "2026-01-31T20:15:00+01:00", comments)
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
    text = captains_pgn(NAMES, {"fen": STARTS[1]}, [Pick("e1h1")])
    assert '[SetUp "1"]' in text
    assert "\n1. O-O *\n" in text


def test_every_line_is_short_enough_to_be_sent() -> None:
    actions, _ = eager_match(GAME, NAMES, {}, 3, 80)
    moves = captains_pgn(NAMES, {}, actions).partition("\n\n")[2].splitlines()
    assert max(map(len, moves)) <= 80
    assert len(moves) > 3
