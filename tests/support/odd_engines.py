"""Programs that speak UCI, each with a fault of its own; they know the positions with which an engine is tested."""

import sys
from pathlib import Path
from typing import Any

from captains_table import catalog
from captains_table.runtime.uci_engine import EngineProgram

MOVES = {
    dialect.position(state): next(iter(dialect.moves(state)))
    for dialect in catalog.dialects().values()
    for state in dialect.trials()
}

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

def loudly(text):
    while True:
        os.write(1, text)

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
            "option name UCI_Elo type spin default 1350 min 900 max 1400",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Style type combo default Solid var Solid var Very Risky",
            "option name Clear Hash type button", "option name Own Book type check default false",
            "option name EvalFile type string default <empty>", "uciok")
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
    "starts-slowly": "    if command == 'uci':\n        time.sleep(1)",
    "thinks-until-stopped": "    if command == 'go' and asked > 2:\n        continue\n"
    "    if command == 'stop':\n        say('info depth 9 score cp 33', f'bestmove {move}')",
    "cannot-limit-itself": "    if command == 'uci':\n        say('option name UCI_Variant type combo default chess "
    "var chess', 'option name VariantPath type string default <empty>', 'uciok')\n        continue",
    "talks-out-of-turn": "    if command == 'position':\n        say('bestmove a1a1', 'readyok')",
    "endless-line": "    if command == 'go' and asked == 3:\n        loudly(b'x' * 65536)",
    "floods": "    if command == 'go' and asked == 3:\n        loudly(b'info string so loud\\n' * 1000)",
    "floods-with-nothing": "    if command == 'go' and asked == 3:\n        loudly(b'\\n' * 1000)",
    "floods-at-once": "    loudly(b'y\\n' * 1000)",
    "garbles": "    if command == 'go' and asked == 3:\n        os.write(1, b'\\x00\\xff\\nbestmove \\xff\\xfe\\n')\n"
    "        continue",
    "resigns": "    if command == 'go' and asked == 3:\n        say('bestmove (none)')\n        continue",
    "hangs-up": "    if command == 'go' and asked == 3:\n        os.closerange(0, 2)\n        time.sleep(600)",
    "falls-silent": "    if command == 'go' and asked == 3:\n        os.close(1)\n        time.sleep(600)",
    "never-ends": "    if command == 'quit' or not line:\n        time.sleep(600)",
}


def odd_program(folder: Path, fault: str = "none", **more: Any) -> EngineProgram:  # noqa: ANN401 - of any field
    """Return a program with a fault as an engine for Captain's Chess, or with other fields; see `odd_engine`."""
    return EngineProgram("Oddity", str(odd_engine(folder, fault)), **{"games": ("captains-chess",), **more})


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
