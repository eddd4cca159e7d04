"""The campaign: every case of every attack, each in a folder of its own; and what came of it, in a table."""

import ctypes
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from captains_table.process.plugins import install_plugins
from tests.siege import (
    crowds,
    disk_faults,
    forged_exports,
    killed_copies,
    kills_below,
    kills_in_play,
    late_network,
    mutated_inputs,
    planted_links,
    request_fuzz,
    rotten_journals,
    serial_babble,
    wrong_plugins,
)
from tests.siege.attack import Attack, Case, Fault, Finding, Found, Outcome, Trial
from tests.support.marked_table import Rows, rewrite_table
from tests.support.own_namespaces import ip

UNREADABLE: Final = (OSError, ValueError)
"""A journal that cannot be read, an action that does not replay, or a copy that fails by itself."""

ATTACKS: Final[Mapping[str, Attack]] = {
    attack.name: attack
    for attack in (
        Attack("kills-over-http", kills_in_play.kill_over_http, "kills", 20, 1_100, 1),
        Attack("kills-below", kills_below.run, "kills", 100, 8_600, 2, lost=UNREADABLE),
        Attack("kills-while-thinking", partial(kills_in_play.kill_while_thinking, stops=False), "kills", 5, 300, 1),
        Attack("stops-while-thinking", partial(kills_in_play.kill_while_thinking, stops=True), "stops", 5, 20, 0),
        Attack("disk-faults", disk_faults.run, "faults", 5, 200, 1, by_unit=True),
        Attack("rotten-journals", rotten_journals.run, "journals", 20, 1_200, 2),
        Attack("request-fuzz", request_fuzz.run, "requests", 1000, 100_000, 100),
        Attack("guests", crowds.run_guests, "crowds", 1, 4, 0),
        # a crowd takes a core: three of them at once would measure this machine
        Attack("strangers", crowds.run_strangers, "visits", crowds.VISITS, 250, 1, alone=True),
        Attack("serial-babble", serial_babble.run, "frames", 2000, 40_000, 0),
        Attack("late-network", late_network.run, "tables", 1, 20, 1, by_unit=True, namespaced=True),
        Attack("late-mount", disk_faults.run_late_mount, "mounts", 5, 30, 1, by_unit=True, namespaced=True),
        Attack("killed-copies", killed_copies.run, "kills", 50, 600, 4, lost=UNREADABLE),
        Attack("planted-links", planted_links.run, "plants", 15, 450, 3, by_unit=True),
        Attack("tapes", partial(mutated_inputs.run, mutated_inputs.TAPES), "inputs", 50, 17_500, 3),
        Attack("exports", partial(mutated_inputs.run, mutated_inputs.EXPORTS), "inputs", 100, 17_500, 2),
        Attack("configurations", partial(mutated_inputs.run, mutated_inputs.CONFIGURATIONS), "inputs", 100, 7_500, 3),
        Attack("profiles", partial(mutated_inputs.run, mutated_inputs.PROFILES), "inputs", 100, 7_500, 3),
        Attack("forged-exports", forged_exports.run, "forgeries", 50, 10_000, 2),
        Attack("wrong-plugins", wrong_plugins.run, "plug-ins", 25, 500, 3),
    )
}
"""Every attack there is, in the order they are made."""

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
    counts: Counter[str] = field(default_factory=Counter)
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
    Trial.nursery = None  # what that starts is not in here


def run_attack(attack: Attack, cases: Sequence[Case], workers: int) -> Result:
    result, began = Result(attack), time.monotonic()
    waiting = {case.number: case for case in cases}
    for case, outcome in _outcomes(attack, cases, 1 if attack.alone else min(workers, len(cases))):
        if case is None:
            words = f"none of these cases came to an end in {HANGS_S} s: {sorted(waiting)[: 2 * workers]}"
            result.found.append((next(iter(waiting.values())), Finding(Fault.HANG, words)))
            break
        del waiting[case.number]
        result.units += case.units
        result.counts += outcome.counts
        result.found += [(case, finding) for finding in outcome.findings]
    result.seconds = time.monotonic() - began
    return result


def _outcomes(attack: Attack, cases: Sequence[Case], workers: int) -> Iterator[tuple[Case | None, Outcome]]:
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
                yield None, Outcome()
                return


# --- what came of it --------------------------------------------------------------------------------------------------

MARKS: Final = ("<!-- the table of `make siege` -->", "<!-- its end -->")
HEADINGS: Final = ("Attack", "Made", "What came of it", "Minutes", *(str(fault) for fault in Fault))


def cells(result: Result) -> tuple[str, ...]:
    return (
        result.attack.name,
        f"{result.units:,} {result.attack.unit}",
        ", ".join(f"{what}: {count:,}" for what, count in sorted(result.counts.items())),
        f"{result.seconds / 60:.1f}",
        *(str(sum(finding.fault is fault for _, finding in result.found)) for fault in Fault),
    )


def lines_of(result: Result) -> list[str]:
    """Return what came of an attack, for a terminal, and each finding with how to repeat it."""
    name, made, counts, minutes, *_ = cells(result)
    found = f"{len(result.found)} found" if result.found else "nothing lost"
    lines = [f"{name}: {made} in {minutes} min, {found}; {counts}"]
    for case, finding in result.found[:MOST_FINDINGS]:
        lines += [f"  {finding.fault}: {finding.words}", f"    repeat it: {case.repeat}"]
    return lines


def in_all(table: Rows) -> str:
    """Return how long a campaign took, and how much was found."""
    minutes = sum(float(row[HEADINGS.index("Minutes")]) for row in table)
    found = sum(int(count) for row in table for count in row[-len(Fault) :])
    return f"{minutes:.0f} minutes in all; found: {found or 'nothing'}."


def write_markdown(path: Path, results: Sequence[Result]) -> None:
    """Put the table into a document, between its two marks; attacks that were not made keep their rows."""
    rewrite_table(path, MARKS, HEADINGS, [cells(result) for result in results], order=list(ATTACKS), foot=in_all)
