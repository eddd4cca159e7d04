"""The campaign: every case of every attack, on all cores, each in a folder of its own."""

import ctypes
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from captains_table.process.plugins import install_plugins
from tests.siege.attack import Attack, Case, Fault, Finding, Found, Outcome, Trial
from tests.siege.attacks import ATTACKS
from tests.support.own_namespaces import ip

HANGS_S: Final = 900
"""How long the campaign waits for the next case to end: no case takes a tenth of that on a machine that is busy."""

MOST_FINDINGS: Final = 50
MOUNTS_AND_NETWORK: Final = 0x00020000 | 0x40000000  # CLONE_NEWNS and CLONE_NEWNET of <linux/sched.h>


@dataclass(slots=True)
class Result:
    """What came of an attack: how many units it made, in how many seconds, and what was found, case by case."""

    attack: Attack
    units: int = 0
    seconds: float = 0.0
    outcome: Outcome = field(default_factory=Outcome)
    found: list[tuple[Case, Finding]] = field(default_factory=list)


def run_case(case: Case) -> tuple[Case, Outcome]:
    """Run a case in a folder of its own, which stays where something was found."""
    place = Path(tempfile.mkdtemp(prefix=f"siege-{case.attack}-{case.number}-"))
    outcome = Outcome()
    try:
        if ATTACKS[case.attack].namespaced:
            enter_namespaces()
        run_units(case, place, outcome)
    except Exception as error:  # noqa: BLE001 - whatever escapes is what is looked for
        words = "".join(traceback.format_exception(error))[-3000:]
        outcome.findings.append(Finding(Fault.TRACEBACK, words))
    outcome.findings = [Finding(one.fault, f"{one.words}\n    its files: {place}") for one in outcome.findings]
    if not outcome.findings:
        shutil.rmtree(place, ignore_errors=True)
    return case, outcome


def run_units(case: Case, place: Path, outcome: Outcome) -> None:
    """Run a case, or each of its units in a folder of its own; what is found in one ends that one alone."""
    attack = ATTACKS[case.attack]
    trials = [Trial(case, place, outcome)]
    if attack.by_unit:
        trials = [Trial(case, place / str(number), outcome, number) for number in range(case.units)]
    for trial in trials:
        trial.place.mkdir(exist_ok=True)
        try:
            attack.run(trial)
        except Found as found:
            outcome.findings.append(found.finding)
        except AssertionError as error:
            trial.find(Fault.WRONG, str(error)[-2000:])
        except attack.lost as error:
            trial.find(Fault.LOST, repr(error))


def enter_namespaces() -> None:
    """Leave this process without a network until it makes one, and with mounts that no other process sees."""
    if ctypes.CDLL(None, use_errno=True).unshare(MOUNTS_AND_NETWORK) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"unshare: {os.strerror(error)}")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    ip("link set lo up")


def run_attack(attack: Attack, cases: Sequence[Case], workers: int, advance: Callable[[int], None]) -> Result:
    """Run all cases of an attack, and say of each how many units it made."""
    result, began = Result(attack), time.monotonic()
    waiting = {case.number: case for case in cases}
    for case, outcome in _outcomes(attack, cases, 1 if attack.alone else min(workers, len(cases))):
        if case is None:
            words = f"none of these cases came to an end in {HANGS_S} s: {sorted(waiting)[: 2 * workers]}"
            result.found.append((next(iter(waiting.values())), Finding(Fault.HANG, words)))
            break
        del waiting[case.number]
        result.units += case.units
        result.outcome.add(outcome)
        result.found += [(case, finding) for finding in outcome.findings]
        advance(case.units)
    result.seconds = time.monotonic() - began
    return result


def _outcomes(
    attack: Attack, cases: Sequence[Case], workers: int
) -> Iterator[tuple[Case, Outcome] | tuple[None, Outcome]]:
    """Yield what comes of each case, in whatever order they end; None in place of one that does not end."""
    if workers <= 1 and not attack.namespaced:
        yield from map(run_case, cases)
        return
    with multiprocessing.Pool(workers, install_plugins, maxtasksperchild=1 if attack.namespaced else None) as pool:
        ended = pool.imap_unordered(run_case, cases, chunksize=1)
        for _ in cases:
            try:
                yield ended.next(timeout=HANGS_S)
            except multiprocessing.TimeoutError:
                pool.terminate()
                yield None, Outcome()
                return
