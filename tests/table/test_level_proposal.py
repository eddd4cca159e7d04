"""Another level for a rematch: a lower one after three losses in a row, a higher one after three wins."""

from types import SimpleNamespace
from typing import Any

import pytest

from captains_table.games.registry import GAMES
from captains_table.table.lobby.level_proposal import FinishedStart, computer_of, other_level
from captains_table.table.lobby.match_screens import welcome
from captains_table.table.lobby.match_setup import LobbyContext, Start

AGAIN = Start("legend", ("Anne", "aether:2"), {"rounds": "1"})
LEVELS = (1, 2, 3)
WON = FinishedStart(Start("legend", ("aether:2", "Anne")), 1)
LOST = FinishedStart(Start("legend", ("Anne", "aether:2")), 1)
DRAWN = FinishedStart(AGAIN, None)
LOST_AT_3 = FinishedStart(Start("legend", ("Anne", "aether:3")), 1)
OF_BART = FinishedStart(Start("legend", ("Bart", "aether:2")), 0)
CHESS = FinishedStart(Start("captains-chess", ("Anne", "aether:2")), 0)


@pytest.mark.parametrize(
    ("finished", "proposed"),
    [
        ([LOST] * 3, ("Anne", "aether:1")),
        ([WON] * 3, ("Anne", "aether:3")),
        ([LOST, OF_BART, LOST, CHESS, LOST, WON], ("Anne", "aether:1")),
        ([LOST] * 2, None),
        ([LOST, LOST, WON], None),
        ([LOST, LOST, DRAWN], None),
        ([LOST, LOST_AT_3, LOST, LOST], None),
        ([DRAWN] * 3, None),
    ],
)
def test_three_in_a_row_at_a_level_propose_the_next_one(
    finished: list[FinishedStart], proposed: tuple[str, ...] | None
) -> None:
    found = other_level(AGAIN, LEVELS, finished)
    assert (None if found is None else found.names) == proposed
    assert found is None or found.options == AGAIN.options


def test_no_level_is_proposed_beyond_the_last_or_between_people() -> None:
    assert other_level(AGAIN, (2, 3), [LOST] * 3) is None
    assert other_level(AGAIN, (1, 2), [WON] * 3) is None
    people = Start("legend", ("Anne", "Bart"))
    assert other_level(people, LEVELS, [FinishedStart(people, 1)] * 3) is None
    assert computer_of(people) is None
    assert other_level(Start("legend", ("Anne", "aether:2", "aether:2")), LEVELS, [LOST] * 3) is None


def test_the_proposed_rematch_comes_before_the_one_at_the_present_level() -> None:
    index: Any = SimpleNamespace(waiting=dict, against=dict)
    other = Start("legend", ("Anne", "aether:1"), AGAIN.options)
    screen = welcome(LobbyContext(GAMES, index, other_level=other), last=AGAIN)
    first, second = screen.lines[:2]
    assert (first.option.id, first.option.label, first.chosen()) == (
        "rematch-level",
        "Rematch \u00b7 Aether (beginner)",
        other,
    )
    assert (second.option.id, second.chosen()) == ("rematch", AGAIN)
