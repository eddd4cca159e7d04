"""`make field`: how surely the reeds close and stay open, by a model of the field; writes the picture of the guide."""

import argparse
from pathlib import Path
from typing import Final

from captains_table.hardware.wiring.sensing import SENSOR
from tests.field.margins import Build, guide_table, what_it_was_run_with
from tests.field.picture import picture
from tests.field.search import search_lines

PICTURE: Final = Path(__file__).parents[2] / "hardware" / "pictures" / "field.svg"


def main() -> None:
    """Print the figures of the guide and write its picture, or print what the search finds."""
    parser = argparse.ArgumentParser(prog="make field", description=__doc__)
    parser.add_argument("--search", action="store_true", help="print what other magnets, leads and depths would do")
    if parser.parse_args().search:
        for line in search_lines():
            print(line, flush=True)
        return
    print(what_it_was_run_with(SENSOR), *guide_table(Build(SENSOR)), sep="\n")
    PICTURE.write_text(picture(SENSOR), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
