"""The export for Fairy-Stockfish: the variant it defines is the one played, and its position line leads there."""

import platform
import random
import re
from collections.abc import Sequence

import pytest

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fairy import FAIRY_LETTERS, fairy_ini, variant_ini
from captains_table.games.captains_chess.fen import format_fen
from captains_table.games.captains_chess.state import State
from captains_table.games.contract import Action, Over, Pick, TimeUp
from tests.support.random_matches import eager_action

if platform.machine() != "x86_64":
    pytest.skip("Fairy-Stockfish's Python module has wheels for x86-64 only", allow_module_level=True)

import pyffish

GAME = CaptainsChess()
NAMES = ["Anne", "Bart"]
OURS = "oursforthetest"
CASTLES = {"fen": "r3k3r/p1p1p1p1p/9/B6R1/1r6b/9/P1P1P1P1P/R3K3R w KQkq - 0 1"}


@pytest.fixture(scope="module", autouse=True)
def _defined() -> None:
    pyffish.load_variant_config(variant_ini().replace("[captainschess]", f"[{OURS}]"))


def seeded_match(seed: int, options: dict[str, str]) -> tuple[list[Action], State]:
    rng, state, actions = random.Random(seed), GAME.start(NAMES, options), list[Action]()
    while not isinstance(turn := GAME.turn(state), Over) and len(actions) < 300:
        actions.append(eager_action(GAME, state, turn, rng))
        state = GAME.apply(state, actions[-1])
    return actions, state


def position_line(text: str) -> tuple[str, list[str]]:
    found = re.search(r"^# position fen (?P<fen>.+?)(?: moves (?P<moves>.+))?$", text, re.MULTILINE)
    assert found is not None
    return found["fen"], (found["moves"] or "").split()


def perft(fen: str, moves: Sequence[str], depth: int) -> int:
    legal = pyffish.legal_moves(OURS, fen, list(moves))
    return len(legal) if depth == 1 else sum(perft(fen, [*moves, move], depth - 1) for move in legal)


def test_the_variant_is_defined_as_it_is_played() -> None:
    assert perft(pyffish.start_fen(OURS), [], 2) == 576


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", [{}, CASTLES, {"clock": "5+3"}], ids=["start", "castles", "clock"])
def test_its_position_line_leads_to_where_the_match_stands(seed: int, options: dict[str, str]) -> None:
    actions, state = seeded_match(seed, options)
    fen, moves = position_line(fairy_ini(NAMES, options, actions))
    there = (
        pyffish.get_fen(OURS, fen, moves).replace("+B", "G").replace("+b", "g").replace("+R", "H").replace("+r", "h")
    )
    assert there.split()[:3] == format_fen(state.position, FAIRY_LETTERS).split()[:3]
    assert set(pyffish.legal_moves(OURS, fen, moves)) == set(state.position.moves)


def test_every_line_of_the_match_is_a_comment_with_its_fen() -> None:
    text = fairy_ini(NAMES, {}, [Pick("e2e4"), Pick("e7e5"), Pick("offer-draw"), Pick("agree")], "2026-01-31T12:00")
    match, _, definition = text.partition("\n\n")
    assert all(line.startswith("# ") for line in match.splitlines())
    assert "# 1.     e2e4   e2-e4       rncbkqbnr/ppppppppp/9/9/4P4/9/PPPP1PPPP/RNBQKBCNR b KQkq - 0 1" in match
    assert "Anne and Bart, begun 2026-01-31T12:00" in match
    assert match.endswith("# 1/2-1/2: The players agree on a draw")
    assert definition.startswith("[captainschess]\n")


def test_time_that_ran_out_is_told() -> None:
    text = fairy_ini(NAMES, {"clock": "5"}, [Pick("e2e4"), Pick("press-clock"), TimeUp()])
    assert "# 1-0: Bart has no time left" in text
