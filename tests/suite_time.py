"""`make suite-time`: print the processor seconds that the tests of each folder take, next to their allowance.

A pytest plugin. The allowances stand in docs/development.md, "Allowances"; the run fails where a folder takes more.
"""

import os
import re
from collections import defaultdict
from collections.abc import Generator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Final

import pytest

DOCUMENT: Final = Path(__file__).parents[1] / "docs" / "development.md"
ALLOWANCE: Final = re.compile(r"^\| `(tests/[\w/.]*)` \| (\d+) \|", re.MULTILINE)
NOTE: Final = "processor_s"
TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
TICKS: Final = slice(11, 15)  # /proc/PID/stat, counted from the field after the command: utime, stime, cutime, cstime
SLOWEST_SHOWN: Final = 25

BEFORE: Final = pytest.StashKey[float]()
SECONDS: Final[dict[str, float]] = defaultdict(float)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[BEFORE] = used_s()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    if call.when == "teardown":
        item.user_properties.append((NOTE, max(0.0, used_s() - item.stash[BEFORE])))
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the workers noted, by test file."""
    if report.when == "teardown":
        SECONDS[report.nodeid.partition("::")[0]] += sum(
            seconds for name, seconds in report.user_properties if name == NOTE and isinstance(seconds, float)
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput") and session.exitstatus == pytest.ExitCode.OK and too_slow():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of folders, then the files that take longest."""
    terminalreporter.section("processor seconds: folder, taken, allowed")
    for folder, (taken, allowed) in sorted(by_folder(SECONDS, allowances()).items()):
        mark = "  TOO MUCH" if taken > allowed else ""
        terminalreporter.write_line(f"{folder:24} {taken:7.1f} {allowed:5}{mark}")
    terminalreporter.write_line(f"{'all':24} {sum(SECONDS.values()):7.1f} {sum(allowances().values()):5}")
    for file, taken in sorted(SECONDS.items(), key=itemgetter(1), reverse=True)[:SLOWEST_SHOWN]:
        terminalreporter.write_line(f"  {taken:7.1f} {file}")


def too_slow() -> bool:
    """Return whether the tests of any folder took more than their allowance."""
    return any(taken > allowed for taken, allowed in by_folder(SECONDS, allowances()).values())


def allowances() -> dict[str, int]:
    """Return the seconds that the tests of each folder may take, as docs/development.md lists them."""
    return {folder: int(seconds) for folder, seconds in ALLOWANCE.findall(DOCUMENT.read_text("utf-8"))}


def by_folder(seconds: Mapping[str, float], allowed: Mapping[str, int]) -> dict[str, tuple[float, int]]:
    """Return the seconds taken and allowed for each folder that took any; a folder without an allowance has 0."""
    taken: dict[str, float] = defaultdict(float)
    for file, took in seconds.items():
        folder = f"{Path(file).parts[1]}/" if len(Path(file).parts) > len(("tests", "file")) else ""
        taken[f"tests/{folder}"] += took
    return {folder: (took, allowed.get(folder, 0)) for folder, took in taken.items()}


def used_s() -> float:
    """Return the processor seconds of this process and of all below it, those that have ended among them."""
    ticks, family = 0, [os.getpid()]
    while family:
        process = Path("/proc") / str(family.pop())
        try:
            ticks += sum(map(int, (process / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[TICKS]))
            family += [
                int(child) for task in (process / "task").iterdir() for child in (task / "children").read_text().split()
            ]
        except OSError:  # the process, or one of its threads, has ended since
            continue
    return ticks / TICKS_PER_S
