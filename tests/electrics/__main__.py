"""`make electrics`: writes the tables of docs/electrics.md from what ngspice finds."""

from pathlib import Path

from tests.electrics.tables import page_with_tables

PAGE = Path(__file__).parents[2] / "docs" / "electrics.md"

if __name__ == "__main__":
    PAGE.write_text(page_with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
