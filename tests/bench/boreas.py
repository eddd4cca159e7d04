"""Figures of Boreas, who plays Captain's Chess: how far he looks ahead, how fast, and what his process takes."""

import statistics
import subprocess
import sys
import time

from captains_table.players.captains_chess.boreas.board import BoreasBoard
from captains_table.players.captains_chess.boreas.player import LEVELS
from captains_table.players.captains_chess.boreas.search import BoreasLimits, BoreasSearch
from tests.support.boreas_positions import played_positions

POSITIONS = 50
THINK_S = 2.0
TOP = max(LEVELS)
_THINKS = """
import time
from captains_table.runtime.thinking import thinker
from captains_table.players.captains_chess.boreas.player import LEVELS
from captains_table.players.captains_chess.boreas.board import BoreasBoard
from captains_table.players.captains_chess.boreas.search import BoreasLimits, BoreasSearch
from captains_table.games.captains_chess.fen import START_POSITION
for _ in range(2):
    BoreasSearch(BoreasBoard(START_POSITION), [], BoreasLimits(LEVELS[max(LEVELS)].nodes), time.perf_counter).best()
with open("/proc/self/status", encoding="utf-8") as status:
    print(next(line for line in status if line.startswith("VmHWM")).split()[1])
"""


def depths_and_speeds() -> tuple[list[int], list[float]]:
    """Return how many moves he looked ahead in each position, and positions a second."""
    depths, speeds = [], []
    for position in played_positions(POSITIONS):
        began = time.perf_counter()
        line = BoreasSearch(BoreasBoard(position), [], BoreasLimits(until=began + THINK_S), time.perf_counter).best()
        depths.append(line.depth)
        speeds.append(line.nodes / (time.perf_counter() - began))
    return depths, speeds


def answers_s() -> list[float]:
    """Return how long he takes at his top level, in the same positions."""
    taken = []
    for position in played_positions(POSITIONS):
        began = time.perf_counter()
        BoreasSearch(BoreasBoard(position), [], BoreasLimits(LEVELS[TOP].nodes), time.perf_counter).best()
        taken.append(time.perf_counter() - began)
    return taken


def process_mb() -> float:
    """Return the most memory that the thinking process takes while he thinks at his top level."""
    done = subprocess.run([sys.executable, "-c", _THINKS], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1000


def told() -> str:
    """Return the figures in words."""
    depths, speeds = depths_and_speeds()
    taken = answers_s()
    return (
        f"median {statistics.median(depths):.0f} moves ahead in {THINK_S:.0f} s, fewest {min(depths)} "
        f"({POSITIONS} positions, {statistics.median(speeds):,.0f} looked at a second); level {TOP} answers in "
        f"{statistics.median(taken):.1f} s, slowest {max(taken):.1f} s; its process takes {process_mb():.0f} MB"
    )
