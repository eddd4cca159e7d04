"""Kill a scripted match again and again: `python -m tests.support.power_cuts DIRECTORY CUTS SEED`.

Every life of the match is a forked child that says which action it has shown; the parent kills it without warning a
random moment after a random action, and looks whether anything that was shown is missing from the journal.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, TakenBack
from tests.support.scripted_match import MOST_ACTIONS, ScriptedMatch

ACTIONS_A_LIFE = 40
LONGEST_MOMENT_S = 0.005  # an action takes less, so a cut falls anywhere in the next one or two
FRESH = "match-{}"


def live(directory: Path, channel: int, script: int = 0, most: int = MOST_ACTIONS) -> None:
    """Play on, to the end or so far, and write the number of each action once it was shown."""

    def say(seq: int) -> None:
        os.write(channel, f"{seq}\n".encode())

    ScriptedMatch(directory, say, script).play(most)
    os.write(channel, b"over\n")


def one_life(
    directory: Path, actions: int, more_s: float, script: int = 0, most: int = MOST_ACTIONS
) -> tuple[int, bool]:
    """Let the match live until it has shown so many actions and a moment more.

    Args:
        directory: where its journal is.
        actions: how many actions it shows.
        more_s: how long it lives then.
        script: which match it is.
        most: how far it is played.

    Returns:
        The last action it had shown, and whether it came to its end.

    Raises:
        ChildProcessError: it failed by itself.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            live(directory, writing, script, most)
            code = 0
        finally:
            os._exit(code)  # what fails here must not go on as a second parent
    os.close(writing)
    with os.fdopen(reading) as told:
        lines = list(islice(told, actions))
        time.sleep(more_s)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines += told
    if not os.WIFSIGNALED(status):
        check_ended_well(status)
    return last_shown(lines), "over\n" in lines


def check_ended_well(status: int) -> None:
    """Check how a child ended that nobody killed; raises ChildProcessError."""
    if status:
        raise ChildProcessError(f"the match failed by itself: it ended with {os.waitstatus_to_exitcode(status)}")


def last_shown(lines: Iterable[str]) -> int:
    """Return the last action a match has shown, by the lines it wrote; a number that was cut off was not shown."""
    shown = [int(line) for line in lines if line.endswith("\n") and line != "over\n"]
    return shown[-1] if shown else 0


def journalled(directory: Path) -> int:
    """Return the number of the last action in the journal, 0 if there is none."""
    path = directory / "journal.sqlite3"
    file = JournalFile(path)
    try:
        entries = file.open(1).entries() if file.matches() else []
    finally:
        file.close()
    return max((entry.seq for entry in entries if isinstance(entry, Acted | TakenBack)), default=0)


def main(directory: Path, cuts: int, seed: int) -> None:
    """Cut the power so many times; a match that ended is followed by a fresh one."""
    rng = random.Random(seed)
    matches, in_the_middle = 1, 0
    for _ in range(cuts):
        place = directory / FRESH.format(matches)
        place.mkdir(exist_ok=True)
        shown, over = one_life(place, rng.randrange(ACTIONS_A_LIFE), rng.uniform(0, LONGEST_MOMENT_S))
        kept = journalled(place)
        if kept < shown:
            sys.exit(f"action {shown} was shown and is lost: the journal ends with {kept}")
        matches += over
        in_the_middle += kept > 0 and not over
    last = ScriptedMatch(directory / FRESH.format(matches))
    last.play()
    print(matches, in_the_middle)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
