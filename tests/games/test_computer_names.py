"""A computer has one name on all displays, with its level in words; stored names stay as they are."""

import pytest

from captains_table import catalog
from captains_table.games.common.computer_seat import ComputerSeat
from captains_table.games.registry import computer_name, display_names
from captains_table.phrases import Language, computed, in_language, say, with_spaces


def test_every_computer_of_the_house_is_named_by_the_word_of_its_level() -> None:
    for entry in catalog.entries():
        for opponent in entry.opponents.values():
            shown = [computer_name(ComputerSeat(opponent.key, level), entry.game.key) for level in opponent.levels]
            assert shown == [f"{opponent.title} ({words})" for words in opponent.levels.values()]


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        (("Anne", "Aether (level 3)"), ("Anne", "Aether (casual)")),
        (("zephyr:2", "Zephyr (level 4)"), ("Zephyr (fair)", "Zephyr 2 (strongest)")),
        (("zephyr:2", "zephyr:2", "zephyr:2"), ("Zephyr (fair)", "Zephyr 2 (fair)", "Zephyr 3 (fair)")),
        (("Zephyr", "Zephyr (level 2)"), ("Zephyr", "Zephyr 2 (fair)")),
        (("Captain Eurus (level 5)",), ("Captain Eurus (strongest)",)),
        (("Zephyr (level 9)",), ("Zephyr (level 9)",)),
        (("Anne (level 3)", "a:3", "Anne"), ("Anne (level 3)", "a:3", "Anne")),
    ],
)
def test_names_in_records_and_notations_are_shown_in_one_form(
    recorded: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    assert display_names(recorded) == shown


def test_a_computer_of_another_game_is_no_computer_here() -> None:
    assert display_names(("aether:3", "Aether (level 3)"), "swashbuckle") == ("aether:3", "Aether (level 3)")


def test_the_rank_before_a_computer_s_name_is_translated() -> None:
    [shown] = display_names((computed(with_spaces, say("First mate"), "Eurus (level 5)"),))
    assert shown == "First mate Eurus (strongest)"
    assert in_language(shown, Language("de", {("", "First mate"): ("Maat",)})) == "Maat Eurus (strongest)"
