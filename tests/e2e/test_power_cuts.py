"""Power cut after power cut: nothing shown is lost, no throw changes, and the match ends as without them.

A dozen cuts every day, besides those of the small siege, and a thousand in a long run.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from captains_table.table.model.entries import Acted, Entry, MatchEnded, Resumed, TakenBack
from tests.support.effort import effort
from tests.support.scripted_match import ScriptedMatch

CUTS_A_TEST = effort(12, 50)
HANGS_S = 300


def timeless(entries: list[Entry]) -> list[Entry]:
    """Return entries without their times and interruptions, which depend on when the power was cut."""
    played = [entry for entry in entries if not isinstance(entry, Resumed)]
    return [replace(entry, at_ms=0) if isinstance(entry, Acted | TakenBack) else entry for entry in played]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    match = ScriptedMatch(tmp_path_factory.mktemp("undisturbed"))
    match.play()
    assert isinstance(match.entries()[-1], MatchEnded)
    return timeless(match.entries())


@pytest.mark.long
@pytest.mark.timeout(HANGS_S)
@pytest.mark.parametrize("seed", range(effort(1, 20)))
def test_a_match_cut_off_again_and_again_ends_as_if_it_had_not_been(
    tmp_path: Path, undisturbed: list[Entry], seed: int
) -> None:
    command = [sys.executable, "-m", "tests.support.power_cuts", str(tmp_path), str(CUTS_A_TEST), str(seed)]
    cuts = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANGS_S - 10)
    assert cuts.returncode == 0, cuts.stderr
    matches, in_the_middle = map(int, cuts.stdout.split())
    assert in_the_middle > CUTS_A_TEST / 4  # the cuts hit matches, not only their beginnings
    for number in range(1, matches + 1):
        assert timeless(ScriptedMatch(tmp_path / f"match-{number}").entries()) == undisturbed
