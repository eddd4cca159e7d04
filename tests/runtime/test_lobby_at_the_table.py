"""The lobby and the journal: matches started, left and resumed at a table that is really there."""

import asyncio
import contextlib
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from luma.core.interface.serial import noop

from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import Action, Amount, BadOption, Pick, Shape, parse_square
from captains_table.games.registry import UnknownGame
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import StaleAnswer, Table
from captains_table.runtime.tape_player import replay_files
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import MatchEnded, MatchStarted, Resumed
from captains_table.table.model.events import (
    Answered,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase

LEAVE_MS = 300
ENCODER = Settings(leave_ms=LEAVE_MS, slide_ms=20, debounce_ms=1)
ONE_BUTTON = Settings(leave_ms=LEAVE_MS, choose_ms=150, buttons="one")
NEARLY_OVER = {"rounds": "1", "turn_limit": "1"}
Make = Callable[[Session], BoardSource]


def simulated(session: Session) -> BoardSource:
    return SimulatedSource(session, SimulatedBoard())


class Evening:
    """A table with its journal file; what is done is done as the page does it."""

    def __init__(self, live: Table, table: BoardSource, file: JournalFile) -> None:
        self.live, self.table, self.file = live, table, file

    @property
    def lines(self) -> list[str]:
        return [entry.id for entry in self.live.view().menu.entries]

    def answer(self, *actions: Action | str) -> None:
        for action in actions:
            self.live.handle(Answered(Pick(action) if isinstance(action, str) else action), self.live.view().revision)

    async def hold(self, button: Button, ms: int) -> None:
        self.live.handle(ButtonPressed(button))
        await asyncio.sleep(ms / 1000)
        self.live.handle(ButtonReleased(button))

    async def finish(self) -> None:
        """End a match of one turn."""
        await self.hold(Button.ROLL, 5)
        self.answer("e2e4", "done")

    async def leave(self, button: Button = Button.BACK) -> None:
        await self.hold(button, LEAVE_MS + 100)


@contextlib.asynccontextmanager
async def evening(
    folder: Path,
    settings: Settings = ENCODER,
    make: Make = simulated,
    tape: io.StringIO | None = None,
    board: Shape | None = None,
) -> AsyncIterator[Evening]:
    display = Oled(noop(), lambda: None)
    file = JournalFile(folder / "journal.sqlite3")
    session = Session(settings, [display])
    table = make(session)
    recorder = None if tape is None else Recorder(session, tape)
    live = Table(session, file, display, recorder, board_shape=board)
    try:
        yield Evening(live, table, file)
    finally:
        live.stop()
        display.close()
        file.close()


def spend(doing: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await doing()

    asyncio.run(whole())


def test_with_no_match_at_all_the_lobby_is_what_the_table_shows_and_starts_one(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.begin("", (), {})
            assert table.live.view().phase is Phase.IDLE
            assert table.lines[:2] == ["game-legend", "game-captains-chess"]  # what else: nothing was ever played here
            table.answer("back")
            assert table.lines == ["new", "table-menu"]
            table.answer("new", "game-swashbuckle", "players-1", "letter-A", "letter-l", "done")
            table.answer("change-pillage", "value-add", "begin")
            view = table.live.view()
            assert (view.phase, view.game, view.seats[0].name) == (Phase.PLAYING, "swashbuckle", "Al")
            [record] = table.file.matches()
            assert record.started.options == {"pillage": "add"}
            assert len(record.started.commitment) == 64  # honest dice, as in any other match

    spend(doing)


def test_back_held_for_long_leaves_the_match_as_it_is_and_it_can_be_resumed(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("legend", ("Anne", "Bart"), {"rounds": "1"})
            await table.hold(Button.ROLL, 5)
            before = table.live.view()
            entries = table.file.open(1).entries()
            await table.hold(Button.BACK, LEAVE_MS // 4)
            assert table.live.view().phase is Phase.PLAYING  # short is going back, nothing else
            await table.leave()
            assert table.live.view().phase is Phase.IDLE
            assert table.lines == ["return", "new", "table-menu"]
            assert not any(match.is_current for match in table.live.matches.listed())
            with pytest.raises(StaleAnswer):
                table.live.handle(Answered(Pick("done")), before.revision)
            table.live.handle(ButtonPressed(Button.CHOOSE))
            table.live.handle(ButtonReleased(Button.CHOOSE))
            after = table.live.view()
            assert (after.dice, after.seat, after.pieces, after.revision) == (
                before.dice,
                before.seat,
                before.pieces,
                before.revision,
            )
            assert table.file.open(1).entries()[:-1] == entries
            assert isinstance(table.file.open(1).entries()[-1], Resumed)

    spend(doing)


def test_what_decided_the_match_stays_beside_the_lobby_until_somebody_presses(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
            await table.finish()
            view = table.live.view()
            assert (view.phase, table.lines[0]) == (Phase.OVER, "rematch")
            assert view.last_throw is not None
            assert (view.roll.possible, view.roll.why) == (False, "Choose what is played")
            await table.hold(Button.NEXT, 5)
            assert table.live.view().last_throw is None

    spend(doing)


def test_the_lobby_opens_while_back_is_still_held(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("swashbuckle", ("Anne",), {})
            table.live.handle(ButtonPressed(Button.BACK))
            await asyncio.sleep((LEAVE_MS + 100) / 1000)
            assert table.live.view().phase is Phase.IDLE
            table.live.handle(ButtonReleased(Button.BACK))
            assert table.lines == ["return", "new", "table-menu"]

    spend(doing)


def test_a_single_button_leaves_where_it_walks_a_menu_and_throws_where_a_throw_is_due(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path, ONE_BUTTON) as table:
            table.live.matches.new_match("swashbuckle", ("Anne",), {})
            await table.leave(Button.ROLL)
            assert all(die.face for die in table.live.view().dice)  # however long it was held
            lines, cursor = table.lines, table.live.view().menu.cursor
            await table.hold(Button.ROLL, 1)
            assert (table.lines, table.live.view().menu.cursor) == (lines, ((cursor or 0) + 1) % len(lines))
            revision = table.live.view().revision
            await table.leave(Button.ROLL)
            assert table.lines == ["return", "new", "table-menu"]
            await table.hold(Button.ROLL, 200)
            view = table.live.view()
            assert (view.phase, view.revision) == (Phase.PLAYING, revision)  # what was under the cursor was not taken

    spend(doing)


def test_a_match_that_is_over_offers_a_rematch_of_the_same_options_where_the_other_begins(
    tmp_path: Path,
) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("swashbuckle", ("Dora",), {})
            table.live.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
            await table.finish()
            view = table.live.view()
            assert (view.phase, table.lines) == (Phase.OVER, ["rematch", "new", "resume", "table-menu"])
            assert view.result is not None
            table.answer("resume")
            assert table.live.view().phase is Phase.IDLE
            assert table.lines == ["match-1", "back"]
            table.answer("back")
            assert table.live.view().result == view.result
            table.answer("rematch")
            record = table.file.matches()[0]
            assert (record.number, record.started.seats, dict(record.started.options)) == (
                3,
                ("Bart", "Anne"),
                NEARLY_OVER,
            )
            assert table.live.view().phase is Phase.PLAYING

    spend(doing)


def test_the_page_leaves_a_match_by_back_at_a_table_with_a_single_button_too(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path, ONE_BUTTON) as table:
            table.live.matches.new_match("legend", ("Anne", "Bart"), {})
            await table.leave(Button.ROLL)  # a throw is due: held however long, the table's own button throws
            assert table.live.view().phase is Phase.PLAYING
            await table.leave(Button.BACK)
            assert table.live.view().phase is Phase.IDLE
            assert table.lines[0] == "return"

    spend(doing)


@pytest.mark.parametrize(
    ("game", "options", "names"),
    [
        ("captains-chess", {"clock": "5"}, ("Bart", "Anne")),
        ("swashbuckle", {}, ("Anne", "Bart")),
        ("swashbuckle", {"order": "seated"}, ("Bart", "Anne")),
        ("ship-captain-crew", {"order": "seated"}, ("Bart", "Anne")),
        ("pig", {}, ("Anne", "Bart")),
    ],
)
def test_the_seats_of_a_rematch_move_on_where_the_first_named_begins(
    tmp_path: Path, game: str, options: dict[str, str], names: tuple[str, ...]
) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match(game, ("Anne", "Bart"), options)
            rematch = table.live.archive.last_start()
            assert rematch is not None
            assert (rematch.game, rematch.names, rematch.options) == (game, names, options)

    spend(doing)


def test_a_table_told_what_is_played_asks_who_plays_it(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.begin("captains-chess", (), {"clock": "5"})
            assert table.live.archive.known_names() == []
            assert (table.live.view().phase, table.live.view().title) == (Phase.IDLE, "Captain's Chess")
            table.answer("letter-A", "done", "spell", "letter-B", "done", "begin")
            started = table.file.matches()[0].started
            assert (started.seats, started.options) == (("A", "B"), {"clock": "5", "clock_start": "press"})
            assert table.live.archive.known_names() == ["A", "B"]

    spend(doing)


def test_what_cannot_be_played_is_refused_before_anybody_is_asked_who_plays(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            with pytest.raises(BadOption, match="rounds=none"):
                table.live.matches.begin("legend", (), {"rounds": "none"})
            with pytest.raises(UnknownGame, match="chess960"):
                table.live.matches.ask_who_plays("chess960", {})
            table.live.matches.ask_who_plays("swashbuckle", {"captain": "Anne"})
            assert table.lines[:2] == ["players-1", "players-2"]

    spend(doing)


def test_a_rematch_lets_the_ranks_decide_anew_who_is_captain(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            started = MatchStarted("swashbuckle", ("Anne", "Bart"), {"captain": "Anne", "pillage": "add"})
            table.file.start(started, bytes(32)).append(MatchEnded(1, (200, 201)))
            table.live.matches.begin("", (), {})
            assert table.lines == ["rematch", "new", "table-menu"]
            table.answer("rematch")
            assert table.file.matches()[0].started.options == {"pillage": "add"}  # nobody ranks as Captain so far

    spend(doing)


def test_unfinished_matches_are_listed_with_the_one_played_last_first_and_what_cannot_go_on_is_left_out(
    tmp_path: Path,
) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("swashbuckle", ("Anne", "Bart"), {"order": "seated"})
            table.live.matches.new_match("legend", ("Cleo", "Dan"), NEARLY_OVER)
            table.file.start(table.file.matches()[0].started, None)  # dictated dice: nobody can go on with them
            table.live.matches.resume(1)
            await table.hold(Button.ROLL, 5)
            table.live.matches.resume(2)
            await table.leave()
            table.answer("resume")
            assert table.lines == ["match-1", "back"]
            assert table.live.view().prompt == ("Swashbuckle, Turn 1 of 16",)
            table.answer("match-1")
            assert table.live.view().seats[0].name == "Anne"

    spend(doing)


def test_a_daemon_that_comes_up_after_the_last_match_was_over_offers_the_same_again(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
            await table.finish()
        async with evening(tmp_path) as table:
            table.live.matches.begin("", (), {})
            assert table.lines == ["rematch", "new", "table-menu"]
            assert table.live.view().prompt == ("Legend: Bart, Anne",)
            table.answer("new", "game-legend", "players-2")
            assert table.lines == ["name-Anne", "name-Bart", "spell", "computer-aether", "back"]

    spend(doing)


def test_a_board_too_small_for_the_last_match_is_offered_what_it_has_room_for(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
            await table.finish()
        async with evening(tmp_path, board=Shape(4, 4)) as table:
            table.live.matches.begin("", (), {})
            assert table.lines == ["new", "table-menu"]
            table.answer("new")
            assert "game-legend" not in table.lines
            assert "game-swashbuckle" in table.lines

    spend(doing)


def test_pieces_moved_while_the_lobby_is_open_are_no_moves_and_are_put_back_when_the_match_is_resumed(
    tmp_path: Path,
) -> None:
    start = frozenset(parse_square(f"{file}{rank}") for file in "abcdefgh" for rank in (1, 2, 7, 8))

    async def doing() -> None:
        async with evening(tmp_path, make=lambda session: HardwareSource(session, "No board")) as table:
            assert isinstance(table.table, HardwareSource)
            on_event = table.live.listen_to(table.table)
            now = asyncio.get_running_loop().time
            on_event(BoardRead(start), now() * 1000)
            table.live.matches.new_match("legend", ("Anne", "Bart"), {"rounds": "1"})
            await table.hold(Button.ROLL, 5)
            entries = table.file.open(1).entries()
            await table.leave()
            for square, closed in (("e2", False), ("e4", True)):
                on_event(SwitchChanged(parse_square(square), closed), now() * 1000)
                await asyncio.sleep(0.05)
            table.answer("return")
            view = table.live.view()
            assert view.phase is Phase.RESTORING
            assert (view.wrong.missing, view.wrong.extra) == ((parse_square("e2"),), (parse_square("e4"),))
            assert table.file.open(1).entries()[:-1] == entries
            assert isinstance(table.file.open(1).entries()[-1], Resumed)

    spend(doing)


def test_an_amount_is_set_on_the_page_and_what_is_typed_is_what_is_played(tmp_path: Path) -> None:
    async def doing() -> None:
        async with evening(tmp_path) as table:
            table.live.matches.begin("", (), {})
            table.answer("game-ship-captain-crew", "players-1", "letter-A", "done", "change-target", Amount(77))
            table.answer("begin")
            assert table.file.matches()[0].started.options == {"target": "77"}

    spend(doing)


def test_what_is_pressed_in_the_lobby_is_on_no_tape_and_the_tape_ends_where_the_table_does(tmp_path: Path) -> None:
    tape = io.StringIO()
    seen: list[object] = []

    async def doing() -> None:
        async with evening(tmp_path, tape=tape) as table:
            table.live.matches.new_match("swashbuckle", ("Anne", "Bart"), {"order": "seated"})
            await table.hold(Button.ROLL, 5)
            await table.leave()
            table.answer("new", "back")
            for _ in range(3):
                await table.hold(Button.NEXT, 1)
            table.live.matches.resume(1)
            table.answer("throw-again")
            seen.extend(die.face for die in table.live.view().dice)

    spend(doing)
    file = tmp_path / "evening.tape"
    file.write_text(tape.getvalue(), encoding="utf-8")
    assert "press next" not in tape.getvalue()
    assert "hold next" not in tape.getvalue()
    out, complaints = io.StringIO(), io.StringIO()
    assert replay_files([file], out, complaints) == 0, complaints.getvalue()
    final = json.loads(out.getvalue().splitlines()[-1])["final"]
    assert final["dice"] == seen
    assert final["ask"]["kind"] == "keep"
