"""Boards with faults at random, examined by simulated hands: how often doctor names them right.

The boards come from the model that is held against ngspice on such boards
(`tests/simulation/electrics/test_against_ngspice.py`). Every chip has a level of its own below which it reads low.
`python -m tests.support.doctor_boards 200` prints what came of 200 boards, also for chips at the limits.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence

from captains_table.doctor.diagnosis.findings import Findings
from captains_table.simulation.electrics.faults import BoardFault, FaultKind
from captains_table.storage.profile_files import load_profile
from tests.support.examined import examined
from tests.support.faulty_boards import random_faults

THRESHOLDS_V = (1.0, 1.9)  # below 1.0 V no ghost of two diodes is read, see tests/doctor/test_each_fault.py
HIDDEN_BY_A_CHIP = (FaultKind.DIODE_MISSING, FaultKind.DIODE_BRIDGED, FaultKind.SHORT)  # that reads no ghost
NOT_TOLD = ("without a meter", "What else is wrong on it")
REVERSED = ("diode is reversed", "diode is turned round")  # by its ghost, or as one of what does not conduct
CONDUCTS_NOT = "is dead, it does not conduct"
WORDS = {
    FaultKind.DIODE_MISSING: "{0}: its diode is missing or bridged",
    FaultKind.DIODE_BRIDGED: "{0}: its diode is missing or bridged",
    FaultKind.DIODE_OPEN: f"{{0}} {CONDUCTS_NOT}",
    FaultKind.REED_OPEN: f"{{0}} {CONDUCTS_NOT}",
    FaultKind.REED_STUCK: "{0} is stuck",
    FaultKind.REED_NARROW: "{0} closes only in its middle",
    FaultKind.LINE_OPEN: " line {0} is not connected",
}


def is_named(fault: BoardFault, lines: Sequence[str]) -> bool:
    """Return whether a line names a fault and its place, and nothing in doubt beside it."""
    places = [str(place) for place in fault.places]
    if fault.kind is FaultKind.SHORT:
        return any("touch: a short" in line and all(f"line {place}" in line for place in places) for line in lines)
    sure = [line for line in lines if NOT_TOLD[0] not in line]
    if fault.kind is FaultKind.DIODE_REVERSED:
        return any(line.startswith(places[0]) and any(words in line for words in REVERSED) for line in sure)
    return any(WORDS[fault.kind].format(places[0]) in line for line in sure)


def outcome(faults: Sequence[BoardFault], findings: Findings) -> str:
    """Return what came of an examination."""
    lines = findings.lines()
    if not lines:
        return "nothing is wrong"
    if all(is_named(fault, lines) for fault in faults) and len(lines) <= len(faults):
        return "right"
    unnamed = [fault for fault in faults if not is_named(fault, lines)]
    is_noted = bool(unnamed and findings.notes) and all(fault.kind in HIDDEN_BY_A_CHIP for fault in unnamed)
    return "cannot be told" if is_noted or any(words in line for words in NOT_TOLD for line in lines) else "wrong"


def outcomes(boards: int, lowest_v: float, highest_v: float) -> Counter[str]:
    """Return what came of so many examinations, with chips that read low below a level between these."""
    builds = [load_profile("pico-8x8"), load_profile("simulated")]
    found: Counter[str] = Counter()
    for seed in range(boards):
        rng = random.Random(seed)
        build = builds[seed % 2]
        faults = random_faults(rng, build.shape)
        chip = f"chip-threshold:{rng.uniform(lowest_v, highest_v):.2f}"
        found[outcome(faults, examined(*map(str, faults), chip, build=build))] += 1
    return found


def main() -> None:
    """Print the outcomes for ordinary chips, and for those at either limit of their data sheets."""
    boards = int(sys.argv[1])
    for lowest_v, highest_v in (THRESHOLDS_V, (0.8, 0.8), (2.0, 2.0)):
        sys.stdout.write(f"{lowest_v} to {highest_v} V: {dict(outcomes(boards, lowest_v, highest_v))}\n")


if __name__ == "__main__":
    main()
