"""What counts the program's weight counts code and nothing else."""

import ast
from pathlib import Path

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
