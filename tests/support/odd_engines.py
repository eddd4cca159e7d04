"""Programs that speak UCI, each with a fault of its own; the one without plays the first move it finds."""

import sys
from pathlib import Path

_SCRIPT = """#!{python}
import os, sys, time
from captains_table.games.captains_chess.fen import parse_fen

STARTED = {started!r}
with open(STARTED, "a") as started:
    started.write(f"{{os.getpid()}}\\n")
times = len(open(STARTED).read().split())
asked = 0

def say(*lines):
    print(*lines, sep="\\n", flush=True)

def moves_of(words):
    told = words[words.index("moves") + 1:] if "moves" in words else []
    squares = words[2].replace("G", "+B").replace("g", "+b").replace("H", "+R").replace("h", "+r")
    position = parse_fen(" ".join([squares, *words[3:8]]))
    for id_ in told:
        position = position.play(position.moves[id_])
    return list(position.moves)

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
        moves = moves_of(words)
    elif command == "setoption" and "UCI_Elo" in words:
        say("info string told " + line.strip())
    if command == "go":
        say("info depth 1 score cp 17", f"bestmove {{moves[0]}}")
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
    text = _SCRIPT.format(python=sys.executable, started=str(folder / "started"), fault=FAULTS[fault])
    path.write_text(text.replace("\\\\n", "\\n"), encoding="utf-8")
    path.chmod(0o755)
    return path


def starts(folder: Path) -> list[int]:
    """Return the numbers of the processes that a folder's programs were."""
    return [int(pid) for pid in (folder / "started").read_text(encoding="utf-8").split()]
