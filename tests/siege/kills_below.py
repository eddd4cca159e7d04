"""Kill journal and session in a child process, below the page: at a random system call, or at a random moment.

The match plays itself, and what is done next depends on its state alone; so after any number of kills the journal must
hold, entry by entry, what the match that nobody disturbed has there: the same actions with the same faces, no fewer
than were shown.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import captains_table.catalog  # noqa: F401 - it registers the games
from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Resumed, TakenBack
from tests.link_faults.hands import timeless
from tests.siege.attack import Fault, Found, Trial
from tests.siege.killing import check_ended_well, forked, killed_at_call
from tests.support.self_play import SelfPlay

SCRIPTS: Final = 24
ACTIONS_A_MATCH: Final = 120
ACTIONS_A_LIFE: Final = 12
STOPS_A_LIFE: Final = 700
LONGEST_MOMENT_S: Final = 0.005  # an action takes less, so a cut falls anywhere in the next one or two
SEED: Final = bytes(range(32))
STARTED: Final = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "3"}, commitment(SEED))


def play(directory: Path, script: int, shown: Callable[[int], object] = lambda _: None) -> list[Entry]:
    """Play the match in a directory, new or as it was left, and say which action has been shown; return its entries."""
    file = JournalFile(directory / "journal.sqlite3")
    journal = file.open(1) if file.matches() else file.start(STARTED, SEED)
    table = SelfPlay(journal, HonestDice.resumed(SEED, journal.entries()), script)
    while not table.over and table.match.revision < ACTIONS_A_MATCH:
        table.step()
        shown(table.match.revision)
    return list(journal.entries())


def live(directory: Path, channel: int, script: int) -> None:
    """Play on, and write the number of each action once it was shown."""
    play(directory, script, lambda seq: os.write(channel, f"{seq}\n".encode()))
    os.write(channel, b"over\n")


def last_shown(lines: Iterable[str]) -> int:
    """Return the last action a match has shown, by the lines it wrote; a number that was cut off was not shown."""
    shown = [int(line) for line in lines if line.endswith("\n") and line != "over\n"]
    return shown[-1] if shown else 0


@cache
def undisturbed(script: int) -> list[Entry]:
    """Return the entries of a match that nobody kills, without their times."""
    with TemporaryDirectory(prefix="siege-") as folder:
        return timeless(play(Path(folder), script))


def entries_of(directory: Path) -> list[Entry]:
    """Return the entries of the one match in a directory, none where it was not begun."""
    file = JournalFile(directory / "journal.sqlite3")
    try:
        return file.open(1).entries() if file.matches() else []
    finally:
        file.close()


def life_to_a_moment(directory: Path, actions: int, more_s: float, script: int) -> tuple[int, bool]:
    """Let the match show so many actions and live a moment more; return the last it had shown, and whether all."""
    reading, writing = os.pipe()
    child = forked(partial(os.close, reading), partial(live, directory, writing, script))
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


def life_to_a_call(directory: Path, stop: int, script: int) -> tuple[int, bool]:
    """Let the match live to a system call; return the last action it had shown, and whether all."""
    reading, writing = os.pipe()
    do = partial(live, directory, writing, script)
    was_killed = killed_at_call(stop, do, prepare=partial(os.close, reading))
    os.close(writing)
    with os.fdopen(reading) as told:
        return last_shown(told), not was_killed


def _check(kept: list[Entry], shown: int, script: int, *, over: bool) -> None:
    actions = sum(isinstance(entry, Acted | TakenBack) for entry in kept)
    if actions < shown:
        raise Found(Fault.LOST, f"action {shown} was shown and is lost: the journal ends with {actions}")
    played = [entry for entry in timeless(kept) if not isinstance(entry, Resumed)]
    for place, (found, wanted) in enumerate(zip(played, undisturbed(script), strict=False)):
        if found != wanted:
            raise Found(Fault.LOST, f"entry {place} is {found}: a match that nobody killed has {wanted}")
    if over and len(played) != len(undisturbed(script)):
        raise Found(Fault.LOST, f"a match of {len(undisturbed(script))} entries ended after {len(played)}")


def run(trial: Trial) -> None:
    rng, counts = trial.rng, trial.counts
    script, matches = rng.randrange(SCRIPTS), 0
    directory = trial.place / "match-0"
    directory.mkdir()
    for _ in range(trial.case.units):
        by_call = rng.random() < 1 / 2  # drawn one by one: a case repeats whatever came of the one before
        stop, actions = rng.randrange(1, STOPS_A_LIFE), rng.randrange(ACTIONS_A_LIFE)
        moment_s = rng.uniform(0, LONGEST_MOMENT_S)
        life = partial(life_to_a_call, directory, stop)
        if not by_call:
            life = partial(life_to_a_moment, directory, actions, moment_s)
        shown, over = life(script)
        kept = entries_of(directory)
        _check(kept, shown, script, over=over)
        counts["at a system call" if by_call else "at a moment"] += not over
        counts["after the end"] += over
        counts["entries compared"] += len(kept)
        if over:
            matches += 1
            directory = trial.place / f"match-{matches}"
            directory.mkdir()
