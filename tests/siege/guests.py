"""A thousand streams and hundreds of half requests at a daemon with 256 descriptors, while somebody plays.

Every answer of the player is taken and journalled, in order; the kiosk at the table is shown each, and no guest from
elsewhere cuts its stream. In every second crowd the guests call from the table's own machine, where the kiosk may give
way and must find its way back.
"""

from typing import Final

from tests.siege.attack import Fault, Trial
from tests.support.hungry_guests import DESCRIPTORS, besieged

STREAMS: Final = 1000
HALVES: Final = 320
ANSWERS: Final = 150
SETTLE_S: Final = 12.0


def run(trial: Trial) -> None:
    at_home = trial.case.number % 2 == 1
    for number in range(trial.case.units):
        folder = trial.place / str(number)
        folder.mkdir()
        report = besieged(
            folder,
            streams=STREAMS,
            halves=HALVES,
            answers=ANSWERS,
            settle_s=SETTLE_S,
            seed=trial.rng.randrange(1 << 30),
            at_home=at_home,
        )
        trial.counts.update({"answers taken": report.picks, "half requests": report.crowd["half a request"]})
        trial.counts["streams asked for"] += STREAMS
        trial.counts["streams turned away"] += report.crowd["stream turned away"]
        trial.complain(report.complaints)
        if report.journalled != report.picks:
            trial.find(Fault.LOST, f"{report.picks} answers were taken, {report.journalled} are in the journal")
        if report.breaks and not at_home:
            trial.find(Fault.WRONG, f"guests cut the kiosk's stream {report.breaks} times")
        if report.open_files > DESCRIPTORS:
            trial.find(Fault.WRONG, f"{report.open_files} files were open")
