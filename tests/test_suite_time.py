"""`make suite-time` tells processor seconds, and every folder of tests has an allowance."""

import subprocess
import sys
from pathlib import Path

from tests.suite_time import allowances, by_folder, used_s

TESTS = Path(__file__).parent
BUSY = "import time\nwhile time.process_time() < 0.2: pass"


def test_every_folder_of_tests_has_an_allowance_and_no_other() -> None:
    files = [file.relative_to(TESTS.parent) for file in TESTS.rglob("test_*.py")]
    assert sorted(by_folder(dict.fromkeys(map(str, files), 0.0), {})) == sorted(allowances())


def test_a_process_that_has_ended_counts_for_the_one_that_waited_for_it() -> None:
    before = used_s()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert used_s() - before > 0.15


def test_a_folder_has_the_seconds_of_all_its_files() -> None:
    taken = by_folder(
        {"tests/club/pages/test_a.py": 2.0, "tests/club/test_b.py": 1.0, "tests/test_c.py": 4.0}, {"tests/club/": 2}
    )
    assert taken == {"tests/club/": (3.0, 2), "tests/": (4.0, 0)}
