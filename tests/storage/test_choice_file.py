"""A pace or language chosen at the table is kept over a restart, until the configuration says another one."""

from pathlib import Path

import pytest

from captains_table.storage.choice_file import language_file, pace_file


def test_a_chosen_pace_counts_after_a_restart_until_the_configuration_is_changed(tmp_path: Path) -> None:
    assert pace_file(tmp_path, "usual").read() == "usual"
    pace_file(tmp_path, "usual").write("quick")
    assert pace_file(tmp_path, "usual").read() == "quick"
    assert pace_file(tmp_path, "unhurried").read() == "unhurried", "the configuration was changed later"


def test_a_chosen_language_counts_while_there_is_its_catalogue(tmp_path: Path) -> None:
    language_file(tmp_path, "en", ("en", "fr")).write("fr")
    assert language_file(tmp_path, "en", ("en", "fr")).read() == "fr"
    assert language_file(tmp_path, "en", ("en",)).read() == "en"


@pytest.mark.parametrize("text", ["", "quick", '["hasty", "usual"]', '["quick"]', '{"pace": "quick"}', "\x00"])
def test_a_file_that_cannot_be_read_is_as_if_nothing_was_chosen(tmp_path: Path, text: str) -> None:
    (tmp_path / "pace.json").write_text(text)
    assert pace_file(tmp_path, "unhurried").read() == "unhurried"
