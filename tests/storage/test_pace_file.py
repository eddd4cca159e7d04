"""The pace chosen at the table is kept over a restart, until the configuration says another one."""

from pathlib import Path

import pytest

from captains_table.storage.pace_file import PaceFile


def test_a_chosen_pace_counts_after_a_restart_until_the_configuration_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "pace.json"
    assert PaceFile(path, "usual").read() == "usual"
    PaceFile(path, "usual").write("quick")
    assert PaceFile(path, "usual").read() == "quick"
    assert PaceFile(path, "unhurried").read() == "unhurried", "the configuration was changed later"


@pytest.mark.parametrize("text", ["", "quick", '["hasty", "usual"]', '["quick"]', '{"pace": "quick"}', "\x00"])
def test_a_file_that_cannot_be_read_is_as_if_nothing_was_chosen(tmp_path: Path, text: str) -> None:
    (tmp_path / "pace.json").write_text(text)
    assert PaceFile(tmp_path / "pace.json", "unhurried").read() == "unhurried"
