"""The figures of docs/electrics.md are those that ngspice finds."""

import pytest

from tests.electrics.__main__ import PAGE
from tests.electrics.tables import page_with_tables


@pytest.mark.slow
def test_the_tables_of_the_electrics_are_those_that_ngspice_finds() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == page_with_tables(page), "run `make electrics`"
