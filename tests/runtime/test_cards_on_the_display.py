"""Cards on a table's small display: each is shown once, until something is done, and over a restart not again."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from captains_table.games.contract import Option, PickAsk
from captains_table.runtime.board_source import BoardReport
from captains_table.runtime.displays import CardsOnDisplay
from captains_table.runtime.table import Table
from captains_table.storage.choice_file import CardFile
from captains_table.table.model.events import Button, ButtonPressed, Event, TimePassed
from captains_table.table.model.view import Menu, MenuEntry, Phase, SeatView, View
from tests.support.service_at_work import press

CURSE = PickAsk("Anne: curse somebody?", (Option("no-curse", "No curse"), Option("curse-1", "Curse Bart")))
SEATS = (SeatView("Anne", {}, on_turn=True, seconds_left=60), SeatView("Bart", {}, on_turn=False))
VIEW = View(phase=Phase.PLAYING, game="swashbuckle", seat=0, seats=SEATS, ask=CURSE)
TURNED = replace(VIEW, menu=Menu((MenuEntry("no-curse", "No curse"),), 0))


def test_a_card_is_shown_until_something_is_done_and_once_only_also_after_a_restart(tmp_path: Path) -> None:
    cards = CardsOnDisplay(CardFile(tmp_path / "cards.json"))
    shown = cards.with_card(VIEW)
    assert (shown.reading, shown.prompt[0].endswith("W7")) == ("The curse", True)
    ticked = replace(VIEW, seats=(replace(SEATS[0], seconds_left=59), SEATS[1]))
    assert cards.with_card(ticked).reading == "The curse", "a clock that runs closes no card"
    assert cards.with_card(TURNED) == TURNED
    assert cards.with_card(VIEW) == VIEW
    again = CardsOnDisplay(CardFile(tmp_path / "cards.json"))
    assert again.with_card(VIEW) == VIEW


def test_cards_are_switched_off_and_on_again_and_a_file_that_cannot_be_read_is_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text("not JSON")
    cards = CardsOnDisplay(CardFile(path))
    cards.file.switch(is_on=False)
    assert cards.with_card(VIEW) == VIEW
    assert not CardFile(path).is_on
    cards.file.switch(is_on=True)
    assert cards.with_card(VIEW).reading == "The curse"
    nowhere = CardsOnDisplay(CardFile(tmp_path / "missing" / "cards.json"))
    assert nowhere.with_card(VIEW).reading == "The curse", "it is shown although that cannot be stored"


async def test_a_press_that_would_choose_something_unseen_only_closes_the_card(table: Table, tmp_path: Path) -> None:
    cards = table.session.displays.cards = CardsOnDisplay(CardFile(tmp_path / "cards.json"))
    table.matches.new_match("legend", ("Anne", "Bart"), {"rounds": "1"})
    press(table, Button.ROLL)
    revision = table.view().revision
    assert cards.with_card(table.session.displays.shown).reading == "The Genie"
    press(table, Button.NEXT)  # of a page, which does not show the card: it moves the cursor
    turned = table.view().menu
    cards.with_card(VIEW)
    press_at_the_table(table, Button.CHOOSE)
    assert (table.view().revision, table.view().menu) == (revision, turned)
    assert not cards.close()
    press_at_the_table(table, Button.NEXT)
    assert table.view().menu != turned


def press_at_the_table(table: Table, button: Button) -> None:
    """Press a button of the table itself, whose events come from its board."""
    board = table.session.board

    def pressed(event: Event, now_ms: int) -> Iterator[BoardReport]:  # noqa: ARG001 - time passes
        yield BoardReport(ButtonPressed(button), now_ms)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board, "events", pressed)
        table.handle(TimePassed())
