"""Crowds of guests: a thousand who want all they can get, while somebody plays; and strangers, against phones.

Where the guests call from the table's own machine, in every second crowd, the kiosk may give way and must find its way
back. What must hold is written in docs/siege.md.
"""

import http.client
import re
import time
from typing import Final

from tests.siege.attack import Fault, Trial
from tests.support.hungry_guests import DESCRIPTORS, SOURCES, Crowd, besieged
from tests.support.patience import PATIENCE_S
from tests.support.table_process import Caller, TableProcess

STREAMS: Final = 1000


def run_guests(trial: Trial) -> None:
    at_home = trial.case.number % 2 == 1
    for number in range(trial.case.units):
        folder = trial.place / str(number)
        folder.mkdir()
        seed = trial.rng.randrange(1 << 30)
        report = besieged(folder, streams=STREAMS, halves=320, answers=150, settle_s=12.0, seed=seed, at_home=at_home)
        trial.counts.update({"answers taken": report.picks, "half requests": report.crowd["half a request"]})
        trial.counts.update({"streams asked for": STREAMS, "streams turned away": report.crowd["stream turned away"]})
        trial.complain(report.complaints)
        if report.journalled != report.picks:
            trial.find(Fault.LOST, f"{report.picks} answers were taken, {report.journalled} are in the journal")
        if report.breaks and not at_home:
            trial.find(Fault.WRONG, f"guests cut the kiosk's stream {report.breaks} times")
        if report.open_files > DESCRIPTORS:
            trial.find(Fault.WRONG, f"{report.open_files} files were open")


# --- strangers --------------------------------------------------------------------------------------------------------

PHONE: Final = "127.0.0.8"
WITHIN_S: Final = 5.0
SETTLE_S: Final = 1.5  # until every stranger has come, and come again
VISITS: Final = 25
CROWDS: Final = {"one": 300, "many": 64 * 20}
"""From where, and how many: as many as one address may not have, and each of 64 addresses at its full share; fewer, but
more than there is room for, against fewer visits."""


def run_strangers(trial: Trial) -> None:
    """Let a phone come while strangers from one address are there, and while those from 64 are.

    Strangers come back at once when they are turned away. The phone comes as one whose player has just scanned the
    code: page, stream, and an answer, each by a new connection; from an address of its own and from the strangers' one.
    """
    units = trial.case.units
    with trial.daemon("run", trial.configured(web='host = "0.0.0.0"')) as table:
        key = _key_of_a_seat(table)
        for source, most in CROWDS.items():
            count = most * units // VISITS
            kinds = {"streams": count // 3, "halves": count // 3, "rests": count - 2 * (count // 3)}
            crowd = Crowd(table.port, **kinds, seed=trial.rng.randrange(1 << 30), source=source)
            try:
                time.sleep(SETTLE_S)
                for turn in range(units):
                    _come(table.port, key, (PHONE, SOURCES[source][0])[turn % 2], source, trial)
                trial.counts[f"connections of strangers from {source}"] += sum(
                    times
                    for what, times in crowd.leave().items()
                    if what in {"stream served", "half a request", "rested"}
                )
            finally:
                crowd.kill()


def _key_of_a_seat(table: TableProcess) -> str:
    owner = Caller(table.origin)
    links = owner.get(f"/seats?token={table.printed.partition('?token=')[2]}")
    owner.close()
    found = re.search(r"/seat\?key=([\w-]+)", links.text)
    assert found is not None, links.text
    return found[1]


def _come(port: int, key: str, phone: str, source: str, trial: Trial) -> None:
    """Ask as a phone does; what is not served in time is a finding."""
    cookie = {"Cookie": f"captains-table-seat-{port}={key}", "Content-Type": "application/json"}
    for method, path, body, headers in (
        ("GET", f"/seat?key={key}", None, {}),
        ("GET", "/events?page=seat", None, cookie),
        ("POST", "/answer?page=seat", "{}", cookie),
    ):
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, source_address=(phone, 0))
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.readline()
            what = str(answer.status)
        except (OSError, http.client.HTTPException) as error:
            what = type(error).__name__
        finally:
            connection.close()
        took_s = time.monotonic() - began
        trial.counts["requests with a key"] += 1
        if what not in {"200", "400"} or took_s > WITHIN_S:  # 400: read, and no answer to anything
            words = f"{method} {path.partition('?')[0]} with a key, among strangers from {source}"
            trial.find(Fault.WRONG, f"{words}: {what} after {took_s:.1f} s, from {phone}")
