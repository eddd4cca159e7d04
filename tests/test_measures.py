"""The program's weight is counted in code alone, and what the suite takes in processor seconds by folder."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.suite_time import allowances, by_folder, used_s
from tests.weight import PRODUCT, ambiguous_names, handing_on, lines_of_code, weigh

TEXT = '''"""A module.

Of three lines.
"""

import os  # counts


class Shop:
    """Sells."""

    # no code
    def buy(self, goods: str, *, by: str) -> None:
        """Hand on."""
        return self._till.buy(goods, by=by)

    def sell(self, goods: str) -> None:
        self._till.buy(goods)

    def count(self, goods: str) -> int:
        return self._till.count(goods, os.name)

    @property
    def open(self) -> bool:
        return self._till.open
'''


def test_blank_lines_comments_and_docstrings_are_no_code_and_imports_are() -> None:
    assert sorted(lines_of_code(TEXT)) == [6, 9, 13, 15, 17, 18, 20, 21, 23, 24, 25]


def test_a_method_that_calls_its_own_name_elsewhere_with_what_it_was_given_only_hands_on() -> None:
    assert list(handing_on(ast.parse(TEXT))) == ["13 Shop.buy", "24 Shop.open"]


def test_a_folder_is_weighed_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "till.py").write_text(TEXT)
    (tmp_path / "long.py").write_text('"""Long."""\n' + "\n" * 60 + "A = 1\n")
    weight = weigh(tmp_path)
    assert (weight.modules, weight.slight, weight.lines, weight.code) == (2, 1, 87, 12)
    assert weight.functions == [2, 2, 2, 2]
    assert weight.handing_on == ["shop/till.py:13 Shop.buy", "shop/till.py:24 Shop.open"]


def test_a_public_name_that_two_modules_define_is_told_and_a_private_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "till.py").write_text("class Coin: ...\nPrice = int\ndef pay(): ...\nclass _Slot: ...\nMOST = 3\n")
    (tmp_path / "bank.py").write_text(
        "Coin = str\nclass Price: ...\nasync def pay(): ...\nclass _Slot: ...\nMOST = 5\n"
    )
    both = ["bank.py", "till.py"]
    assert weigh(tmp_path).ambiguous == {"Coin": both, "Price": both, "pay": both}


def test_no_public_name_of_the_program_stands_for_two_things() -> None:
    trees = {str(file): ast.parse(file.read_bytes()) for file in PRODUCT.rglob("*.py")}
    assert ambiguous_names(trees) == {}


# --- processor seconds ------------------------------------------------------------------------------------------------

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
