"""The lobby and the journal: matches started, left and resumed at a table that is really there."""

import asyncio
import io
import json
from pathlib import Path

import pytest

from captains_table.games.contract import BadOption, Pick, Shape, parse_square
from captains_table.games.registry import UnknownGame
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.table import StaleAnswer, Table
from captains_table.runtime.tape_player import replay_files
from captains_table.table.model.entries import MatchEnded, MatchStarted, Resumed
from captains_table.table.model.events import Answered, BoardRead, Button, ButtonPressed, ButtonReleased, SwitchChanged
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from tests.runtime.leaping_loop import leap
from tests.support.service_at_work import OpenTable, answer, press

ONE_BUTTON = Settings(buttons="one")
LEAVE_MS = ONE_BUTTON.leave_ms + 100
NEARLY_OVER = {"rounds": "1", "turn_limit": "1"}


def lines(table: Table) -> list[str]:
    return [entry.id for entry in table.view().menu.entries]


async def hold(table: Table, button: Button, ms: int = 5) -> None:
    table.handle(ButtonPressed(button))
    await leap(ms / 1000)
    table.handle(ButtonReleased(button))


async def finish(table: Table) -> None:
    await hold(table, Button.ROLL)
    answer(table, "e2e4", "done")


async def leave(table: Table, button: Button = Button.BACK) -> None:
    await hold(table, button, LEAVE_MS)


async def test_with_no_match_at_all_the_lobby_is_what_the_table_shows_and_starts_one(table: Table) -> None:
    table.matches.begin("", (), {})
    assert table.view().phase is Phase.IDLE
    assert lines(table) == ["computer", "learn", "new", "table-menu"]
    answer(table, "new", "game-swashbuckle", "players-1", "letter-A", "letter-l", "done")
    answer(table, "change-pillage", "value-add", "begin")
    view = table.view()
    assert (view.phase, view.game, view.seats[0].name) == (Phase.PLAYING, "swashbuckle", "Al")
    [record] = table.archive._file.matches()
    assert record.started.options == {"pillage": "add"}
    assert len(record.started.commitment) == 64  # honest dice, as in any other match


async def test_a_newcomer_is_in_a_match_after_two_presses_of_the_knob(table: Table) -> None:
    table.matches.begin("", (), {})
    for _ in range(2):
        await hold(table, Button.CHOOSE)
    started = table.archive._file.matches()[0].started
    assert (started.game, started.seats, dict(started.options)) == ("legend", ("Sailor", "aether:0"), {"rounds": "1"})
    assert table.view().phase is not Phase.IDLE


async def test_back_held_for_long_leaves_the_match_as_it_is_and_it_can_be_resumed(table: Table) -> None:
    table.matches.new_match("legend", ("Anne", "Bart"), {"rounds": "1"})
    await hold(table, Button.ROLL)
    before = table.view()
    entries = table.archive._file.open(1).entries()
    await hold(table, Button.BACK, LEAVE_MS // 4)
    assert table.view().phase is Phase.PLAYING  # short is going back, nothing else
    table.handle(ButtonPressed(Button.BACK))
    await leap(LEAVE_MS / 1000)
    assert table.view().phase is Phase.IDLE, "while it is still held"
    table.handle(ButtonReleased(Button.BACK))
    assert lines(table) == ["return", "new", "table-menu"]
    assert not any(match.is_current for match in table.matches.listed())
    with pytest.raises(StaleAnswer):
        table.handle(Answered(Pick("done")), before.revision)
    press(table, Button.CHOOSE)
    after = table.view()
    assert (after.dice, after.seat, after.pieces) == (before.dice, before.seat, before.pieces)
    assert after.revision == before.revision
    assert table.archive._file.open(1).entries()[:-1] == entries
    assert isinstance(table.archive._file.open(1).entries()[-1], Resumed)


async def test_what_decided_the_match_stays_next_to_the_lobby_until_somebody_presses(table: Table) -> None:
    table.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
    await finish(table)
    view = table.view()
    assert (view.phase, lines(table)[0]) == (Phase.OVER, "rematch")
    assert view.last_throw is not None
    assert (view.roll.possible, view.roll.why) == (False, "Choose what is played")
    await hold(table, Button.NEXT)
    assert table.view().last_throw is None


async def test_a_single_button_leaves_where_it_walks_a_menu_and_throws_where_a_throw_is_due(
    open_table: OpenTable,
) -> None:
    with open_table(settings=ONE_BUTTON) as table:
        table.matches.new_match("swashbuckle", ("Anne",), {})
        await leave(table, Button.ROLL)
        assert all(die.face for die in table.view().dice)  # however long it was held
        await leave(table, Button.BACK)  # the page has that button
        assert lines(table)[0] == "return"
        answer(table, "return")
        before, cursor = lines(table), table.view().menu.cursor
        await hold(table, Button.ROLL)
        assert (lines(table), table.view().menu.cursor) == (before, ((cursor or 0) + 1) % len(before))
        revision = table.view().revision
        await leave(table, Button.ROLL)
        assert lines(table) == ["return", "new", "table-menu"]
        await hold(table, Button.ROLL, ONE_BUTTON.choose_ms + 100)
        view = table.view()
        assert (view.phase, view.revision) == (Phase.PLAYING, revision)  # what was under the cursor was not taken


async def test_a_match_that_is_over_offers_a_rematch_of_the_same_options_where_the_other_begins(table: Table) -> None:
    table.matches.new_match("swashbuckle", ("Dora",), {})
    table.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
    await finish(table)
    view = table.view()
    assert (view.phase, lines(table)) == (Phase.OVER, ["rematch", "computer", "learn", "new", "resume", "table-menu"])
    assert view.result is not None
    answer(table, "resume")
    assert table.view().phase is Phase.IDLE
    assert lines(table) == ["match-1", "back"]
    answer(table, "back")
    assert table.view().result == view.result
    answer(table, "rematch")
    record = table.archive._file.matches()[0]
    assert (record.number, record.started.seats, dict(record.started.options)) == (3, ("Bart", "Anne"), NEARLY_OVER)
    assert table.view().phase is Phase.PLAYING


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
async def test_the_seats_of_a_rematch_move_on_where_the_first_named_begins(
    table: Table, game: str, options: dict[str, str], names: tuple[str, ...]
) -> None:
    table.matches.new_match(game, ("Anne", "Bart"), options)
    rematch = table.archive.last_start()
    assert rematch is not None
    assert (rematch.game, rematch.names, rematch.options) == (game, names, options)


async def test_a_table_told_what_is_played_asks_who_plays_it(table: Table) -> None:
    table.matches.begin("captains-chess", (), {"clock": "5"})
    assert table.archive.known_names() == []
    assert (table.view().phase, table.view().title) == (Phase.IDLE, "Captain's Chess")
    answer(table, "letter-A", "done", "spell", "letter-B", "done", "begin")
    started = table.archive._file.matches()[0].started
    assert (started.seats, started.options) == (("A", "B"), {"clock": "5", "clock_start": "press"})
    assert table.archive.known_names() == ["A", "B"]


async def test_what_cannot_be_played_is_refused_before_anybody_is_asked_who_plays(table: Table) -> None:
    with pytest.raises(BadOption, match="rounds=none"):
        table.matches.begin("legend", (), {"rounds": "none"})
    with pytest.raises(UnknownGame, match="chess960"):
        table.matches.ask_who_plays("chess960", {})
    table.matches.ask_who_plays("swashbuckle", {"captain": "Anne"})
    assert lines(table)[:2] == ["players-1", "players-2"]


async def test_a_rematch_lets_the_ranks_decide_anew_who_is_captain(table: Table) -> None:
    started = MatchStarted("swashbuckle", ("Anne", "Bart"), {"captain": "Anne", "pillage": "add"})
    table.archive._file.start(started, bytes(32)).append(MatchEnded(1, (200, 201)))
    table.matches.begin("", (), {})
    assert lines(table) == ["rematch", "computer", "learn", "new", "table-menu"]
    answer(table, "rematch")
    assert table.archive._file.matches()[0].started.options == {"pillage": "add"}  # nobody ranks as Captain so far


async def test_unfinished_matches_are_listed_with_the_one_played_last_first_and_what_cannot_go_on_is_left_out(
    table: Table,
) -> None:
    table.matches.new_match("swashbuckle", ("Anne", "Bart"), {"order": "seated"})
    table.matches.new_match("legend", ("Cleo", "Dan"), NEARLY_OVER)
    table.archive._file.start(table.archive._file.matches()[0].started, None)  # dictated dice: nobody can go on
    table.matches.resume(1)
    await hold(table, Button.ROLL)
    table.matches.resume(2)
    await leave(table)
    assert [(match.number, match.is_begun) for match in table.archive._index.unfinished()] == [(2, False), (1, True)]
    again = table.archive.last_start()
    assert again is not None
    assert again.game == "swashbuckle", "in the later match nothing was done"
    answer(table, "resume")
    assert lines(table) == ["match-1", "back"]
    assert table.view().prompt == ("Swashbuckle, Turn 1 of 16",)
    answer(table, "match-1")
    assert table.view().seats[0].name == "Anne"


async def test_a_daemon_that_comes_up_after_the_last_match_was_over_offers_the_same_again_where_the_board_has_room(
    open_table: OpenTable,
) -> None:
    with open_table() as table:
        table.matches.new_match("legend", ("Anne", "Bart"), NEARLY_OVER)
        await finish(table)
    with open_table() as table:
        table.matches.begin("", (), {})
        assert lines(table) == ["rematch", "computer", "learn", "new", "table-menu"]
        assert table.view().prompt == ("Legend: Bart, Anne",)
        answer(table, "new", "game-legend", "players-2")
        assert lines(table) == ["name-Anne", "name-Bart", "spell", "computer-aether", "back"]
    with open_table(Shape(4, 4)) as table:  # with no room for it
        table.matches.begin("", (), {})
        assert lines(table) == ["computer", "learn", "new", "table-menu"]
        answer(table, "new")
        assert ("game-legend" in lines(table), "game-swashbuckle" in lines(table)) == (False, True)


async def test_pieces_moved_while_the_lobby_is_open_are_no_moves_and_are_put_back_when_the_match_is_resumed(
    open_table: OpenTable,
) -> None:
    start = frozenset(parse_square(f"{file}{rank}") for file in "abcdefgh" for rank in (1, 2, 7, 8))

    with open_table(is_simulated=False) as table:
        on_event = table.listen_to(HardwareSource(table.session, "No board"))
        now = asyncio.get_running_loop().time
        on_event(BoardRead(start), now() * 1000)
        table.matches.new_match("legend", ("Anne", "Bart"), {"rounds": "1"})
        await hold(table, Button.ROLL)
        entries = table.archive._file.open(1).entries()
        await leave(table)
        for square, closed in (("e2", False), ("e4", True)):
            on_event(SwitchChanged(parse_square(square), closed), now() * 1000)
            await leap(0.05)
        answer(table, "return")
        view = table.view()
        assert view.phase is Phase.RESTORING
        assert (view.wrong.missing, view.wrong.extra) == ((parse_square("e2"),), (parse_square("e4"),))
        assert table.archive._file.open(1).entries()[:-1] == entries
        assert isinstance(table.archive._file.open(1).entries()[-1], Resumed)


async def test_what_is_pressed_in_the_lobby_is_on_no_tape_and_the_tape_ends_where_the_table_does(
    open_table: OpenTable, tmp_path: Path
) -> None:
    tape = io.StringIO()
    seen: list[object] = []

    with open_table(tape=tape) as table:
        table.matches.new_match("swashbuckle", ("Anne", "Bart"), {"order": "seated"})
        await hold(table, Button.ROLL)
        await leave(table)
        answer(table, "new", "back")
        for _ in range(3):
            await hold(table, Button.NEXT)
        table.matches.resume(1)
        answer(table, "throw-again")
        seen.extend(die.face for die in table.view().dice)
    file = tmp_path / "evening.tape"
    file.write_text(tape.getvalue(), encoding="utf-8")
    assert "press next" not in tape.getvalue()
    assert "hold next" not in tape.getvalue()
    out, complaints = io.StringIO(), io.StringIO()
    assert replay_files([file], out, complaints) == 0, complaints.getvalue()
    final = json.loads(out.getvalue().splitlines()[-1])["final"]
    assert final["dice"] == seen
    assert final["ask"]["kind"] == "keep"
