"""Programs that speak UCI, each with a fault of its own; they know the positions with which an engine is tested."""

import sys
from pathlib import Path

from captains_table.games.captains_chess.fairy import position_line
from captains_table.games.captains_chess.state import CaptainsOptions, State
from captains_table.runtime.uci_engine import TRIALS

MOVES = {position_line(State(CaptainsOptions(each), ("", ""), each)): next(iter(each.moves)) for each in TRIALS}

_SCRIPT = """#!{python} -SE
import os, sys, time

MOVES = {moves!r}
STARTED = {started!r}
with open(STARTED, "a") as started:
    started.write(f"{{os.getpid()}}\\n")
times = len(open(STARTED).read().split())
asked = 0

def say(*lines):
    print(*lines, sep="\\n", flush=True)

while True:
    line = sys.stdin.readline()
    words = line.split()
    command = words[0] if words else ""
    if command == "go":
        asked += 1
{fault}
    if command == "uci":
        say("id name Oddity 1", "option name UCI_Variant type combo default chess var chess",
            "option name VariantPath type string default <empty>",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default 1350 min 900 max 1400", "uciok")
    elif command == "isready":
        say("readyok")
    elif command == "position":
        move = MOVES[line.strip()]
    elif command == "setoption" and "UCI_Elo" in words:
        say("info string told " + line.strip())
    if command == "go":
        say("info depth 1 score cp 17", f"bestmove {{move}}")
    elif command == "quit" or not line:
        sys.exit()
"""

# What is done as well, or instead; the engine is tried with two positions before the match's first.
FAULTS = {
    "none": "",
    "ends-at-once": "    sys.exit(3)",
    "mute": "    continue",
    "knows-no-variants": "    if command == 'uci':\n        say('id name Plain', 'uciok')\n        continue",
    "dies-on-nine-files": "    if command == 'position':\n        os.kill(os.getpid(), 11)",
    "plays-on-eight-files": "    if command == 'go' and asked == 2:\n        say('bestmove h1g1')\n        continue",
    "dies-once": "    if command == 'go' and asked == 3 and times == 1:\n        os._exit(1)",
    "hangs-once": "    if command == 'go' and asked == 3 and times == 1:\n        time.sleep(600)",
    "dies-always": "    if command == 'go' and asked == 3:\n        os._exit(1)",
    "cheats": "    if command == 'go' and asked == 3:\n        say('bestmove a1i8')\n        continue",
    "never-ends": "    if command == 'quit' or not line:\n        time.sleep(600)",
}


def odd_engine(folder: Path, fault: str = "none") -> Path:
    """Return a program with a fault; `starts` counts how often it was started."""
    path = folder / fault
    words = {"python": sys.executable, "moves": MOVES, "started": str(folder / "started")}
    path.write_text(_SCRIPT.format(**words, fault=FAULTS[fault]), encoding="utf-8")
    path.chmod(0o755)
    return path


def starts(folder: Path) -> list[int]:
    """Return the numbers of the processes that a folder's programs were."""
    return [int(pid) for pid in (folder / "started").read_text(encoding="utf-8").split()]
