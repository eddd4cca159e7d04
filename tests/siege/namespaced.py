"""Cases that need a network or mounts of their own: each in a process in namespaces of its own."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from tests.siege.attack import Case, Fault, Finding, Found, Outcome
from tests.support.own_namespaces import in_its_own_namespaces, ip

GIVE_UP_S = 800
Run = Callable[[Case, int, Path], Outcome]


def run_namespaced(module: str) -> Callable[[Case, Path], Outcome]:
    """Return what runs the cases of a module, each unit of them in namespaces of its own."""

    def run(case: Case, place: Path) -> Outcome:
        told = in_its_own_namespaces(module, json.dumps(asdict(case)), str(place), within_s=GIVE_UP_S)
        value = json.loads(told.splitlines()[-1])
        findings = [Finding(Fault(fault), words) for fault, words in value["findings"]]
        return Outcome(Counter(value["counts"]), findings)

    return run


def within(run: Run) -> None:
    """Run a case in this process, which is in the namespaces, and print what came of it."""
    case, place = Case(**json.loads(sys.argv[1])), Path(sys.argv[2])
    outcome = Outcome()
    ip("link set lo up")
    for number in range(case.units):
        folder = place / str(number)
        folder.mkdir()
        try:
            outcome.add(run(case, number, folder))
        except Found as found:
            outcome.findings.append(found.finding)
    findings = [(finding.fault.value, finding.words) for finding in outcome.findings]
    sys.stdout.write(json.dumps({"counts": outcome.counts, "findings": findings}))
