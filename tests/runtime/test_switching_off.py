"""The table's own menu: held for at the knob, let go of in vain; the address, the lobby, and switching off."""

import asyncio
import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
import zxingcpp
from luma.core.interface.serial import i2c

from captains_table.catalog.languages import language_codes, language_names
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
from captains_table.storage.choice_file import language_file, pace_file
from captains_table.storage.design_file import CannotKeep
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, TimePassed
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, View
from captains_table.web.problems import Problem
from tests.runtime.conftest import on_loop
from tests.runtime.leaping_loop import leap
from tests.support.fake_panels import FakeSsd1306Bus
from tests.support.patience import PATIENCE_S

ADDRESS = "http://192.168.178.123:8377/table"
IN_A_MATCH = ["back", "table-what", "table-address", "table-lobby", "table-pace", "table-language", "table-off"]
IN_THE_LOBBY = ["table-address", "table-pace", "table-language", "table-off", "back"]
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

    def open_menu(self) -> None:
        self.hold(5100)

    def choose(self, id_: str, times: int = 1) -> None:
        for _ in self.lines:
            if self.lines[self.view().menu.cursor or 0] != id_:
                self.hold(10, Button.NEXT)
        for _ in range(times):
            self.hold(50)

    def view(self) -> View:
        return self.session.view()

    def play(self) -> None:
        self.service.matches.new_match("swashbuckle", ("Anne", "Bart"), {})

    def open_lobby(self) -> None:
        self.service.matches.begin("", (), {})

    def names(self) -> list[str]:
        return [seat.name for seat in self.view().seats]

    @property
    def lines(self) -> list[str]:
        return [entry.id for entry in self.view().menu.entries]


@contextlib.contextmanager
def at_a_table(folder: Path, settings: Settings | None = None, tape: io.StringIO | None = None) -> Iterator[Table]:
    table = Table(folder, settings or Settings(switches="none"), tape)
    try:
        yield table
    finally:
        table.service.stop()
        table.display.close()
        table.journal.close()


@pytest.fixture
def table(runner: asyncio.Runner, tmp_path: Path) -> Iterator[Table]:
    yield from on_loop(runner, at_a_table(tmp_path))


def test_a_hold_that_is_let_go_while_it_is_shown_means_nothing(table: Table) -> None:
    table.play()
    before = table.view()
    table.press()
    table.wait(4900)
    hold = table.view().hold
    assert hold is not None
    assert hold.share == 0.9
    table.release()
    assert table.view() == before
    assert [entry for entry in table.journal.open(1).entries() if type(entry).__name__ == "Advised"] == []
    assert not table.file.exists()


def test_a_short_push_chooses_and_a_longer_one_asks_for_advice_as_ever(table: Table) -> None:
    table.open_lobby()
    table.hold(100)
    assert "game-legend" not in table.lines
    table.hold(1900)
    assert table.view().hold is None
    assert not {*IN_THE_LOBBY[:2]} & set(table.lines)


@pytest.mark.parametrize(("settings", "button"), [(Settings(), Button.CHOOSE), (ONE, Button.ROLL)])
@pytest.mark.usefixtures("runner")
def test_a_hold_to_its_end_opens_the_menu_over_the_lobby_and_letting_go_chooses_nothing(
    settings: Settings, button: Button, tmp_path: Path
) -> None:
    with at_a_table(tmp_path, settings) as table:
        table.open_lobby()
        before = table.lines
        table.hold(5100, button)
        assert table.lines == IN_THE_LOBBY
        table.session.handle(ButtonPressed(Button.BACK), table.now_ms)
        assert table.lines == before


def test_next_to_a_match_the_menu_leads_back_to_it_or_to_the_lobby(table: Table) -> None:
    table.play()
    before = table.view()
    table.open_menu()
    assert table.lines == IN_A_MATCH
    assert table.view().phase is before.phase
    table.hold(50)  # the cursor is on "Go on playing"
    assert (table.view().prompt, table.view().menu) == (before.prompt, before.menu)
    table.open_menu()
    table.choose("table-lobby")
    assert table.lines == ["return", "new", "table-menu"]


def test_the_pace_is_chosen_in_the_menu_counts_at_once_and_is_kept(table: Table) -> None:
    kept = pace_file(table.journal.path.parent, "usual")
    table.service.matches.keep_choices(pace=kept)
    table.play()
    table.open_menu()
    table.choose("table-pace")
    assert table.lines[table.view().menu.cursor or 0] == "table-pace-usual"
    table.choose("table-pace-quick")
    assert table.view().prompt == ("Quick from now on",)
    assert (table.session.settings.pace, table.view().pace, kept.read()) == ("quick",) * 3
    table.hold(50)  # back in the menu, whose choice now begins at the new pace
    table.choose("table-pace")
    assert table.lines[table.view().menu.cursor or 0] == "table-pace-quick"
    table.service.matches.configure(pace="usual")
    assert table.view().pace == "quick", "the configuration is as it was"
    table.service.matches.configure(pace="unhurried")
    assert (table.view().pace, kept.read()) == ("unhurried", "unhurried")
    table.service.matches.leave(for_good=False)
    assert table.view().pace == "unhurried", "also while nobody plays"


def test_the_language_is_chosen_by_its_own_name_counts_at_once_and_is_kept(table: Table) -> None:
    kept = language_file(table.journal.path.parent, "en", language_codes())
    table.service.matches.keep_choices(language=kept)
    table.play()
    table.open_menu()
    table.choose("table-language")
    assert table.lines[table.view().menu.cursor or 0] == "table-language-en"
    assert [entry.label for entry in table.view().menu.entries[:-1]] == list(language_names().values())
    table.choose("table-language-fr")
    assert table.view().prompt == (f"{language_names()['fr']} from now on",)
    assert (table.session.settings.language, kept.read()) == ("fr", "fr")
    table.service.matches.configure(language="de")
    assert (table.session.settings.language, kept.read()) == ("de", "de")


@pytest.mark.parametrize("by_menu", [True, False])
def test_a_pace_that_cannot_be_kept_counts_all_the_same_and_the_table_says_so(table: Table, *, by_menu: bool) -> None:
    table.service.matches.keep_choices(pace=pace_file(Path("/proc/no/such"), "usual"))
    table.play()
    if by_menu:
        table.open_menu()
        table.choose("table-pace")
        table.choose("table-pace-quick")
        assert "until the next start only" in table.view().prompt[0]
    else:
        with pytest.raises(CannotKeep, match="until the next start only"):
            table.service.matches.set_pace("quick")
    assert table.view().pace == "quick"


@pytest.mark.usefixtures("runner")
def test_a_single_button_that_is_held_in_a_match_leaves_it_as_ever(tmp_path: Path) -> None:
    with at_a_table(tmp_path, ONE) as table:
        table.service.matches.new_match("swashbuckle", ("Anne",), {})
        table.hold(50, Button.ROLL)  # a throw is behind
        table.hold(9000, Button.ROLL)
        assert table.lines == ["return", "new", "table-menu"]


@pytest.mark.usefixtures("runner")
def test_switching_off_is_chosen_twice_keeps_the_match_says_when_to_unplug_and_asks_for_it(tmp_path: Path) -> None:
    with at_a_table(tmp_path) as table:
        table.play()
        table.open_menu()
        table.choose("table-off")
        assert not table.file.exists(), "once is not enough"
        assert "Once more" in table.view().menu.entries[-1].label
        table.hold(10, Button.NEXT)  # takes it back
        table.choose("table-off")
        assert not table.file.exists()
        table.hold(50)
        assert table.file.exists()
        view = table.view()
        assert (view.phase, view.title, view.menu.entries) == (Phase.IDLE, "Switching off", ())
        assert "Unplug" in view.prompt[0]
        table.hold(50)  # nothing is taken in any more
        table.service.matches.new_match("swashbuckle", ("Cora",), {})
        assert table.view() == view
        assert table.display.wait_idle(PATIENCE_S)
    assert table.bus.is_on, "the glass goes on saying so"
    with at_a_table(tmp_path) as table:
        table.open_lobby()
        assert table.names() == ["Anne", "Bart"]


@pytest.mark.parametrize("can_ask", [True, False])
async def test_a_machine_that_stays_on_or_cannot_be_asked_goes_on_where_it_was(
    table: Table, tmp_path: Path, *, can_ask: bool
) -> None:
    if not can_ask:
        table.service.matches.may_switch_off(PowerOff((tmp_path / "not" / "there").touch))
    table.play()
    table.open_menu()
    table.choose("table-off", times=2)
    if can_ask:
        await leap(match_control.SWITCHING_OFF_S + 1)
    assert "was not switched off" in table.view().prompt[0]
    assert table.names() == ["Anne", "Bart"]
    table.display.close()
    assert not table.bus.is_on


@pytest.mark.parametrize("words", [SIMULATED_REFUSAL, NO_RIGHT])
def test_where_it_may_not_the_table_says_what_to_do_instead(table: Table, words: str) -> None:
    table.service.matches.may_switch_off(PowerOff(table.file.touch, words))
    table.open_lobby()
    table.open_menu()
    table.choose("table-off")
    assert table.view().prompt == (words,)
    assert not table.file.exists()


def test_a_simulated_table_switches_no_machine_off_whatever_it_is_told(tmp_path: Path) -> None:
    environment = {FILE_VARIABLE: str(tmp_path / "file")}
    assert power_off_of(environment, is_simulated=True).instead == SIMULATED_REFUSAL
    assert power_off_of({}, is_simulated=False).instead == NO_RIGHT
    granted = power_off_of(environment, is_simulated=False)
    granted.ask()
    assert (granted.instead, (tmp_path / "file").exists()) == ("", True)


@pytest.mark.parametrize(("size", "faults"), [(GLASS_SIZE, []), (WIDE, ["The lights do not answer"])])
def test_the_address_is_read_off_the_glass_and_any_button_goes_back(
    table: Table, size: tuple[int, int], faults: list[str]
) -> None:
    table.session.device_faults = lambda: faults
    table.session.page_address = lambda: ADDRESS
    table.open_lobby()
    table.open_menu()
    table.hold(50)
    view = table.view()
    assert "192.168.178.123:8377" in view.prompt[0]
    picture = draw_view(view, 0, size).convert("L").resize((size[0] * 4, size[1] * 4), 0)
    assert [found.text for found in zxingcpp.read_barcodes(picture)] == [ADDRESS]
    table.hold(20, Button.ROLL)
    assert table.view().joining == ""
    assert table.lines == IN_THE_LOBBY


def test_a_page_for_this_machine_alone_says_how_others_get_there(table: Table) -> None:
    table.open_lobby()
    table.open_menu()
    table.hold(50)
    assert ("under [web]" in table.view().prompt[0], table.view().joining) == (True, "")


def test_no_seat_and_no_game_master_gives_the_answers_of_the_tables_menu(table: Table) -> None:
    table.play()
    table.open_menu()
    view = table.service.view()
    assert isinstance(view.ask, PickAsk)
    assert {option.id for option in view.ask.options} >= set(IN_A_MATCH[1:])
    for id_ in IN_A_MATCH[1:]:
        with pytest.raises(Problem, match="owner"):
            check_answer(view, view.seat or 0, Pick(id_))
        with pytest.raises(Problem, match="owner"):
            check_leads(view, Pick(id_))


@pytest.mark.usefixtures("runner")
def test_a_recording_has_neither_the_hold_nor_what_was_chosen_in_the_menu(tmp_path: Path) -> None:
    tape = io.StringIO()
    with at_a_table(tmp_path, tape=tape) as table:
        table.play()
        written = tape.getvalue()
        table.open_menu()
        table.hold(50)
        table.hold(3000)
        assert tape.getvalue() == written
