"""The table's own menu: held for at the knob, let go of in vain; the address, the lobby, and switching off."""

import asyncio
import contextlib
import io
from collections.abc import Awaitable, Callable, Iterator
from functools import wraps
from pathlib import Path

import pytest
import zxingcpp
from luma.core.interface.serial import i2c

from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.packing import GLASS_SIZE, WIDE
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.games.contract import Pick, PickAsk
from captains_table.page.permissions import check_answer, check_leads
from captains_table.process.supervisor import FILE_VARIABLE, NO_RIGHT, SIMULATED_REFUSAL, PowerOff, power_off_of
from captains_table.runtime import match_control
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.runtime.table import Table as LiveTable
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    TimePassed,
)
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from captains_table.web.problems import Problem
from tests.support.fake_panels import FakeSsd1306Bus
from tests.support.patience import PATIENCE_S

ADDRESS = "http://192.168.178.123:8377/table"
IN_A_MATCH = ["back", "table-address", "table-lobby", "table-off"]
IN_THE_LOBBY = ["table-address", "table-off", "back"]
ONE = Settings(buttons="one", switches="none")


class Table:
    """A table with knobs, whose time is told it; what asks for the power-off makes a file."""

    def __init__(self, folder: Path, settings: Settings, tape: io.StringIO | None = None) -> None:
        self.file = folder / "power-off"
        self.journal = JournalFile(folder / "journal.sqlite3")
        self.bus = FakeSsd1306Bus()
        self.display = Oled(i2c(bus=self.bus))
        self.session = Session(settings, [self.display])
        recorder = None if tape is None else Recorder(self.session, tape)
        self.service = LiveTable(self.session, self.journal, self.display, recorder)
        self.service.matches.may_switch_off(PowerOff(self.file.touch))
        self.now_ms = 1000

    def press(self, button: Button = Button.CHOOSE) -> None:
        self.session.handle(ButtonPressed(button), self.now_ms)

    def release(self, button: Button = Button.CHOOSE) -> None:
        self.session.handle(ButtonReleased(button), self.now_ms)
        self.service.matches.attend()

    def wait(self, ms: int) -> None:
        """Let time pass, as the loop does: whatever is due happens when it is."""
        until_ms = self.now_ms + ms
        while (due_ms := self.session.due_ms()) is not None and due_ms <= until_ms:
            self.now_ms = max(self.now_ms, due_ms)
            self.session.handle(TimePassed(), self.now_ms)
            self.service.matches.attend()
        self.now_ms = until_ms

    def hold(self, ms: int, button: Button = Button.CHOOSE) -> None:
        self.press(button)
        self.wait(ms)
        self.release(button)

    def turn_to(self, id_: str) -> None:
        """Turn the knob until the cursor is on a line."""
        while (menu := self.session.view().menu).entries[menu.cursor or 0].id != id_:
            self.hold(10, Button.NEXT)

    @property
    def lines(self) -> list[str]:
        return [entry.id for entry in self.session.view().menu.entries]

    def switch_off(self) -> None:
        """Choose it twice."""
        self.turn_to("table-off")
        self.hold(50)
        self.hold(50)


@contextlib.contextmanager
def at_a_table(folder: Path, settings: Settings | None = None, tape: io.StringIO | None = None) -> Iterator[Table]:
    table = Table(folder, settings or Settings(switches="none"), tape)
    try:
        yield table
    finally:
        table.service.stop()
        table.display.close()
        table.journal.close()


def in_a_loop(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test on a loop, which a table at work asks for."""

    @wraps(test)
    def run(*arguments: object, **named: object) -> None:
        async def body() -> None:
            doing: Awaitable[None] | None = test(*arguments, **named)  # type: ignore[func-returns-value]
            if doing is not None:
                await doing

        asyncio.run(body())

    return run


@in_a_loop
def test_a_hold_that_is_let_go_while_it_is_shown_means_nothing(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
        before = table.session.view()
        table.press()
        table.wait(4900)
        hold = table.session.view().hold
        assert hold is not None
        assert hold.share == 0.9
        table.release()
        assert table.session.view() == before
        assert [entry for entry in table.journal.open(1).entries() if type(entry).__name__ == "Advised"] == []
        assert not table.file.exists()


@in_a_loop
def test_a_short_push_chooses_and_a_longer_one_asks_for_advice_as_ever(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.begin("", (), {})
        table.hold(100)
        assert "game-legend" not in table.lines
        table.hold(1900)
        assert table.session.view().hold is None
        assert not {*IN_THE_LOBBY[:2]} & set(table.lines)


@pytest.mark.parametrize(("settings", "button"), [(Settings(), Button.CHOOSE), (ONE, Button.ROLL)])
@in_a_loop
def test_a_hold_to_its_end_opens_the_menu_over_the_lobby_and_letting_go_chooses_nothing(
    settings: Settings, button: Button, tmp_path: Path
) -> None:
    with at_a_table(tmp_path, settings) as table:
        table.service.matches.begin("", (), {})
        before = table.lines
        table.hold(5100, button)
        assert table.lines == IN_THE_LOBBY
        table.session.handle(ButtonPressed(Button.BACK), table.now_ms)
        assert table.lines == before


@in_a_loop
def test_beside_a_match_the_menu_leads_back_to_it_or_to_the_lobby(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
        before = table.session.view()
        table.hold(5100)
        assert table.lines == IN_A_MATCH
        assert table.session.view().phase is before.phase
        table.hold(50)  # the cursor is on "Go on playing"
        assert (table.session.view().prompt, table.session.view().menu) == (before.prompt, before.menu)
        table.hold(5100)
        table.turn_to("table-lobby")
        table.hold(50)
        assert table.lines == ["return", "new", "table-menu"]


@in_a_loop
def test_a_single_button_that_is_held_in_a_match_leaves_it_as_ever(tmp_path: Path) -> None:
    with at_a_table(tmp_path, ONE) as table:
        table.service.matches.new_match("swashbuckle", ("Anne",), {})
        table.hold(50, Button.ROLL)  # a throw is behind
        table.hold(9000, Button.ROLL)
        assert table.lines == ["return", "new", "table-menu"]


@in_a_loop
def test_switching_off_is_chosen_twice_keeps_the_match_says_when_to_unplug_and_asks_for_it(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
        table.hold(5100)
        table.turn_to("table-off")
        table.hold(50)
        assert not table.file.exists(), "once is not enough"
        assert "Once more" in table.session.view().menu.entries[-1].label
        table.hold(50)
        assert table.file.exists()
        view = table.session.view()
        assert (view.phase, view.title, view.menu.entries) == (Phase.IDLE, "Switching off", ())
        assert "Unplug" in view.prompt[0]
        table.service.handle(ButtonPressed(Button.CHOOSE))  # nothing is taken in any more
        table.service.handle(ButtonReleased(Button.CHOOSE))
        table.service.matches.new_match("swashbuckle", ("Cora",), {})
        assert table.session.view() == view
        assert table.display.wait_idle(PATIENCE_S)
    assert table.bus.is_on, "the glass goes on saying so"
    with at_a_table(tmp_path) as table:
        table.service.matches.begin("", (), {})
        assert [seat.name for seat in table.session.view().seats] == ["Anne", "Bart"]


@in_a_loop
def test_turning_on_takes_the_first_of_the_two_back(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.begin("", (), {})
        table.hold(5100)
        table.turn_to("table-off")
        table.hold(50)
        table.hold(10, Button.NEXT)
        table.turn_to("table-off")
        table.hold(50)
        assert not table.file.exists()


@in_a_loop
def test_a_file_that_cannot_be_made_is_said_and_the_match_goes_on(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.may_switch_off(PowerOff((tmp_path / "not" / "there").touch))
        table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
        table.hold(5100)
        table.switch_off()
        view = table.session.view()
        assert "was not switched off" in view.prompt[0]
        assert [seat.name for seat in view.seats] == ["Anne", "Bart"]


@in_a_loop
def test_a_machine_that_stays_on_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_control, "SWITCHING_OFF_S", 0.01)

    async def wait() -> None:
        with at_a_table(tmp_path) as table:
            table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
            table.hold(5100)
            table.switch_off()
            until = asyncio.get_running_loop().time() + PATIENCE_S
            while "was not switched off" not in table.session.view().prompt[0]:
                assert asyncio.get_running_loop().time() < until
                await asyncio.sleep(0.01)
            assert [seat.name for seat in table.session.view().seats] == ["Anne", "Bart"]
            table.display.close()
            assert not table.bus.is_on

    return wait()  # type: ignore[return-value]


@pytest.mark.parametrize("words", [SIMULATED_REFUSAL, NO_RIGHT])
@in_a_loop
def test_where_it_may_not_the_table_says_what_to_do_instead(words: str, tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.may_switch_off(PowerOff(table.file.touch, words))
        table.service.matches.begin("", (), {})
        table.hold(5100)
        table.turn_to("table-off")
        table.hold(50)
        assert table.session.view().prompt == (words,)
        assert not table.file.exists()


def test_a_simulated_table_switches_no_machine_off_whatever_it_is_told(tmp_path: Path) -> None:
    environment = {FILE_VARIABLE: str(tmp_path / "file")}
    assert power_off_of(environment, is_simulated=True).instead == SIMULATED_REFUSAL
    assert power_off_of({}, is_simulated=False).instead == NO_RIGHT
    granted = power_off_of(environment, is_simulated=False)
    granted.ask()
    assert (granted.instead, (tmp_path / "file").exists()) == ("", True)


# --- the address ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [GLASS_SIZE, WIDE])
@pytest.mark.parametrize("faults", [[], ["The lights do not answer"]])
@in_a_loop
def test_the_address_is_read_off_the_glass_and_any_button_goes_back(
    size: tuple[int, int], faults: list[str], tmp_path: Path
) -> None:
    with at_a_table(tmp_path) as table:
        table.session.device_faults = lambda: faults
        table.service.session.page_address = lambda: ADDRESS
        table.service.matches.begin("", (), {})
        table.hold(5100)
        table.hold(50)
        view = table.session.view()
        assert "192.168.178.123:8377" in view.prompt[0]
        picture = draw_view(view, 0, size).convert("L").resize((size[0] * 4, size[1] * 4), 0)
        assert [found.text for found in zxingcpp.read_barcodes(picture)] == [ADDRESS]
        table.hold(20, Button.ROLL)
        assert table.session.view().joining == ""
        assert table.lines == IN_THE_LOBBY


@in_a_loop
def test_a_page_for_this_machine_alone_says_how_others_get_there(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.begin("", (), {})
        table.hold(5100)
        table.hold(50)
        assert "under [web]" in table.session.view().prompt[0]
        assert table.session.view().joining == ""


# --- others -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", IN_A_MATCH[1:])
@in_a_loop
def test_no_seat_and_no_game_master_gives_the_answers_of_the_tables_menu(id_: str, tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
        table.hold(5100)
        view = table.service.view()
        assert isinstance(view.ask, PickAsk)
        assert any(option.id == id_ for option in view.ask.options)
        with pytest.raises(Problem, match="owner"):
            check_answer(view, view.seat or 0, Pick(id_))
        with pytest.raises(Problem, match="owner"):
            check_leads(view, Pick(id_))


@in_a_loop
def test_a_recording_has_neither_the_hold_nor_what_was_chosen_in_the_menu(tmp_path: Path) -> None:
    tape = io.StringIO()
    with at_a_table(tmp_path, tape=tape) as table:
        table.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})
        written = tape.getvalue()
        table.hold(5100)
        table.hold(50)
        table.hold(3000)
        assert tape.getvalue() == written
