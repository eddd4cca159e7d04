"""The command `make strip`: writes netlist, board file and picture of a strip (the circuit board for squares)."""

import argparse
from pathlib import Path

from hardware.strip.kicad import board_file
from hardware.strip.layout import strip
from hardware.strip.netlist import netlist
from hardware.strip.numbers import CASE, square_of_case
from hardware.strip.picture import picture

HERE = Path(__file__).parent
FILES = 8


def main() -> None:
    """Write a strip's netlist, board and picture."""
    parser = argparse.ArgumentParser(prog="make strip")
    parser.add_argument("--squares", type=int, default=4, choices=(4, 5, 8, 9), help="squares of one board (4)")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the files")
    arguments = parser.parse_args()
    board = strip(square_of_case("".join(path.read_text(encoding="utf-8") for path in CASE)), names(arguments.squares))
    for ending, text in (("net", netlist(board)), ("kicad_pcb", board_file(board)), ("svg", picture(board))):
        (arguments.out / f"strip-{arguments.squares}.{ending}").write_text(text, encoding="utf-8")


def names(squares: int) -> list[str]:
    """Return the label of each square of a board: its possible files, as a rank is made of several equal boards."""
    files = "abcdefgh" if FILES % squares == 0 else "abcdefghi"
    return ["/".join(files[first::squares]) for first in range(squares)]


if __name__ == "__main__":
    main()
