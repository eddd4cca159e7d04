"""A thousand streams and hundreds of half requests at a daemon with 256 descriptors, while somebody plays.

Every answer of the player is taken and journalled, in order; the kiosk at the table is shown each, and no guest from
elsewhere cuts its stream. In every second crowd the guests call from the table's own machine, where the kiosk may give
way and must find its way back.
"""

from pathlib import Path
from typing import Final

from tests.siege.attack import Attack, Case, Fault, Finding, Outcome, complaints_of
from tests.support.hungry_guests import DESCRIPTORS, besieged

STREAMS: Final = 1000
HALVES: Final = 320
ANSWERS: Final = 150
SETTLE_S: Final = 12.0


def run(case: Case, place: Path) -> Outcome:
    """Let one crowd come after the other."""
    outcome = Outcome()
    for number in range(case.units):
        folder = place / str(number)
        folder.mkdir()
        at_home = case.number % 2 == 1
        report = besieged(
            folder,
            streams=STREAMS,
            halves=HALVES,
            answers=ANSWERS,
            settle_s=SETTLE_S,
            seed=case.rng().randrange(1 << 30),
            at_home=at_home,
        )
        outcome.counts.update({"answers taken": report.picks, "half requests": report.crowd["half a request"]})
        outcome.counts["streams asked for"] += STREAMS
        outcome.counts["streams turned away"] += report.crowd["stream turned away"]
        outcome.findings += complaints_of(report.complaints, "the daemon")
        if report.journalled != report.picks:
            words = f"{report.picks} answers were taken, {report.journalled} are in the journal"
            outcome.findings.append(Finding(Fault.LOST, words))
        if report.breaks and not at_home:
            outcome.findings.append(Finding(Fault.WRONG, f"guests cut the kiosk's stream {report.breaks} times"))
        if report.open_files > DESCRIPTORS:
            outcome.findings.append(Finding(Fault.WRONG, f"{report.open_files} files were open"))
    return outcome


GUESTS: Final = Attack("guests", "1,000 streams and 320 half requests at 256 descriptors, in play", "crowds", 1, run)
