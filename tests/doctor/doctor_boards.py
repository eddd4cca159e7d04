"""Boards with faults at random, examined by simulated hands: how often doctor names them right.

The boards come from the model that is held against ngspice on such boards
(`tests/simulation/electrics/test_against_ngspice.py`). Every chip has a level of its own below which it reads low.
`python -m tests.doctor.doctor_boards 200 0` prints what came of 200 boards, seeds from 0 on, also for chips at the
limits: when they were examined once, and when what was named was mended and they were examined again.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from captains_table.doctor.diagnosis.findings import Findings
from captains_table.doctor.diagnosis.guided_test import GuidedTest
from captains_table.doctor.diagnosis.simulated_table import SimulatedTable, buttons_of, chain_of
from captains_table.doctor.simulated_hands import lead_simulated
from captains_table.hardware.profiles.profile import Profile
from captains_table.simulation.electrics.faults import BoardFault, FaultKind
from captains_table.storage.profile_files import load_profile
from tests.support.faulty_boards import random_faults

THRESHOLDS_V = (1.0, 1.9)  # below 1.0 V no ghost of two diodes is read, see tests/doctor/test_each_fault.py
HIDDEN_BY_A_CHIP = (FaultKind.DIODE_MISSING, FaultKind.DIODE_BRIDGED, FaultKind.SHORT)  # that reads no ghost
NOT_TOLD = ("without a meter", "would read the same")
HIDES = "What else is wrong on it"
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


def examined(*faults: str, build: str | Profile = "pico-8x8") -> Findings:
    """Return what the guided test finds out about a build with these faults."""
    profile = load_profile(build) if isinstance(build, str) else build
    test = GuidedTest(profile.shape, buttons_of(profile), chain_of(profile), profile.corrections)
    lead_simulated(test, SimulatedTable(profile, faults))
    return test.findings()


def lines_of(*faults: str, build: str | Profile = "pico-8x8") -> list[str]:
    return examined(*faults, build=build).lines()


def is_named(fault: BoardFault, lines: Sequence[str]) -> bool:
    """Return whether a line names a fault and its place, and nothing in doubt with it."""
    places = [str(place) for place in fault.places]
    if fault.kind is FaultKind.SHORT:
        return any("touch: a short" in line and all(f"line {place}" in line for place in places) for line in lines)
    sure = [line for line in lines if not any(words in line for words in NOT_TOLD)]
    if fault.kind is FaultKind.DIODE_REVERSED:
        return any(line.startswith(places[0]) and any(words in line for words in REVERSED) for line in sure)
    return any(WORDS[fault.kind].format(places[0]) in line for line in sure)


def is_told_to_be_open(fault: BoardFault, findings: Findings) -> bool:
    """Return whether it is said of the very place of a fault that not all about it can be told."""
    if findings.notes and fault.kind in HIDDEN_BY_A_CHIP:
        return True
    place = fault.places[0]
    on_lines = (f"File line {str(place)[0]} ", f"Rank line {str(place)[1:]} ") if fault.square else ()
    names = [str(place)] if fault.square else [f" line {line}" for line in fault.places]
    return any(
        all(name in line for name in names)
        if any(words in line for words in NOT_TOLD)
        else HIDES in line and line.startswith((f"{place} ", f"{place}:", *on_lines))
        for line in findings.lines()
    )


def outcome(faults: Sequence[BoardFault], findings: Findings) -> str:
    lines = findings.lines()
    if not lines:
        return "nothing is wrong"
    unnamed = [fault for fault in faults if not is_named(fault, lines)]
    if not unnamed and len(lines) <= len(faults):
        return "right"
    sure = [line for line in lines if not any(words in line for words in NOT_TOLD)]
    is_honest = len(sure) <= len(faults) - len(unnamed)
    return "cannot be told" if is_honest and all(is_told_to_be_open(each, findings) for each in unnamed) else "wrong"


def examined_till_all_is_mended(faults: Sequence[BoardFault], chip: str, build: Profile) -> Iterator[str]:
    """Yield what came of each examination; after each one what it named is mended."""
    left = list(faults)
    while left:
        findings = examined(*map(str, left), chip, build=build)
        yield outcome(left, findings)
        still = [fault for fault in left if not is_named(fault, findings.lines())]
        if len(still) == len(left):
            return
        left = still


def outcomes(seeds: Iterable[int], lowest_v: float, highest_v: float) -> tuple[Counter[str], Counter[str]]:
    """Return what came of first examinations, and of the last ones, with chips that read low below such a level."""
    builds = [load_profile("pico-8x8"), load_profile("simulated")]
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        build = builds[seed % 2]
        faults = random_faults(rng, build.shape)
        chip = f"chip-threshold:{rng.uniform(lowest_v, highest_v):.2f}"
        came = list(examined_till_all_is_mended(faults, chip, build))
        first[came[0]] += 1
        last[came[-1] if "wrong" not in came else "wrong"] += 1
    return first, last


def main() -> None:
    """Print the outcomes for ordinary chips, and for those at either limit of their data sheets."""
    boards, begin = map(int, sys.argv[1:])
    for lowest_v, highest_v in (THRESHOLDS_V, (0.8, 0.8), (2.0, 2.0)):
        first, last = outcomes(range(begin, begin + boards), lowest_v, highest_v)
        sys.stdout.write(f"{lowest_v} to {highest_v} V: at first {dict(first)}, in the end {dict(last)}\n")


if __name__ == "__main__":
    main()
