"""Kill journal and session in a child process, below the page: at a random system call, or at a random moment.

The match plays itself, and what is done next depends on its state alone; so after any number of kills the journal must
hold, entry by entry, what the match that nobody disturbed has there: the same actions with the same faces, no fewer
than were shown.
"""

import os
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, Entry, Resumed, TakenBack
from tests.link_faults.hands import timeless
from tests.siege.attack import Fault, Found, Trial
from tests.siege.killing import killed_at_call
from tests.support.power_cuts import LONGEST_MOMENT_S, last_shown, live, one_life
from tests.support.scripted_match import ScriptedMatch

SCRIPTS: Final = 24
ACTIONS_A_MATCH: Final = 120
ACTIONS_A_LIFE: Final = 12
STOPS_A_LIFE: Final = 700


@cache
def undisturbed(script: int) -> list[Entry]:
    """Return the entries of a match that nobody kills, without their times."""
    with TemporaryDirectory(prefix="siege-") as folder:
        match = ScriptedMatch(Path(folder), script=script)
        match.play(ACTIONS_A_MATCH)
        return timeless(match.entries())


def entries_of(directory: Path) -> list[Entry]:
    """Return the entries of the one match in a directory, none where it was not begun."""
    file = JournalFile(directory / "journal.sqlite3")
    try:
        return file.open(1).entries() if file.matches() else []
    finally:
        file.close()


def life_to_a_call(directory: Path, stop: int, script: int) -> tuple[int, bool]:
    """Let the match live to a system call; return the last action it had shown, and whether it came to its end."""
    reading, writing = os.pipe()
    do = partial(live, directory, writing, script, ACTIONS_A_MATCH)
    was_killed = killed_at_call(stop, do, prepare=partial(os.close, reading))
    os.close(writing)
    with os.fdopen(reading) as told:
        return last_shown(told), not was_killed


def _check(kept: list[Entry], shown: int, script: int) -> None:
    actions = sum(isinstance(entry, Acted | TakenBack) for entry in kept)
    if actions < shown:
        raise Found(Fault.LOST, f"action {shown} was shown and is lost: the journal ends with {actions}")
    played = [entry for entry in timeless(kept) if not isinstance(entry, Resumed)]
    for place, (found, wanted) in enumerate(zip(played, undisturbed(script), strict=False)):
        if found != wanted:
            raise Found(Fault.LOST, f"entry {place} is {found}: a match that nobody killed has {wanted}")


def run(trial: Trial) -> None:
    rng, counts = trial.rng, trial.counts
    script, matches = rng.randrange(SCRIPTS), 0
    directory = trial.place / "match-0"
    directory.mkdir()
    for _ in range(trial.case.units):
        by_call = rng.random() < 1 / 2  # drawn one by one: a case repeats whatever came of the one before
        stop, actions = rng.randrange(1, STOPS_A_LIFE), rng.randrange(ACTIONS_A_LIFE)
        moment_s = rng.uniform(0, LONGEST_MOMENT_S)
        life = partial(life_to_a_call, directory, stop, script)
        if not by_call:
            life = partial(one_life, directory, actions, moment_s, script, ACTIONS_A_MATCH)
        shown, over = life()
        kept = entries_of(directory)
        _check(kept, shown, script)
        counts["at a system call" if by_call else "at a moment"] += not over
        counts["after the end"] += over
        counts["entries compared"] += len(kept)
        if over:
            matches += 1
            directory = trial.place / f"match-{matches}"
            directory.mkdir()
