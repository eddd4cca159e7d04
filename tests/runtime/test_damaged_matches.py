"""One bad match holds nothing hostage: the table comes up, lists it as damaged, and plays."""

import asyncio
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.contract import Shape, parse_square
from captains_table.runtime.match_archive import CannotRead, CannotResume
from captains_table.runtime.table import Table
from captains_table.runtime.table_loop import TableStopped
from captains_table.storage.exports import NoSuchForm
from captains_table.storage.journal_file import Damage, JournalFile, read_entries
from captains_table.table.history.verify import verify_export
from captains_table.table.model.events import Button
from captains_table.table.model.view import Phase
from tests.support.effort import effort
from tests.support.journals import damage
from tests.support.patience import PATIENCE_S
from tests.support.rotten_journal import body_of, lose, rot, tear_row
from tests.support.service_at_work import OpenTable, answer, at_a_table, press

NAMES = ["Anne", "Bart"]
UNKNOWN_ENTRY = '{"entry":"prophecy","of":"doom"}'
HALF = '{"entry":"acted","seq":1,'


def journal(state: Path) -> Path:
    return state / "journal.sqlite3"


def play_chess(table: Table) -> None:
    table.matches.new_match("captains-chess", NAMES, {"clock": "5+3"})
    answer(table, "e2e4", "press-clock", "e7e5", "press-clock")


def play_out(table: Table) -> None:
    table.matches.new_match("captains-chess", NAMES, {})
    answer(table, "e2e4", "resign")


def played(open_table: OpenTable, *plays: Callable[[Table], None]) -> None:
    with open_table() as table:
        for play in plays:
            play(table)


def opens_the_lobby_and_plays(table: Table) -> None:
    with pytest.raises(CannotResume, match="Match 1 cannot be taken up again: ") as refused:
        table.matches.begin("legend", NAMES, {})
    assert table.view().phase is Phase.IDLE
    assert str(refused.value) in " ".join(table.view().prompt)
    table.matches.new_match("legend", NAMES, {})
    assert table.view().phase is not Phase.IDLE


@pytest.mark.parametrize(
    ("position", "body"),
    [
        *((0, body) for body in (UNKNOWN_ENTRY, HALF, "", "null", '{"entry":"started"}', "[" * 100_000)),
        *((3, body) for body in (UNKNOWN_ENTRY, '{"entry":"started"}')),
    ],
)
def test_the_newest_match_cannot_be_read_and_the_lobby_opens(
    position: int, body: str, open_table: OpenTable, tmp_path: Path
) -> None:
    played(open_table, play_chess)
    rot(journal(tmp_path), 1, position, body)
    played(open_table, opens_the_lobby_and_plays)


def test_the_newest_match_is_of_another_boards_shape_and_the_lobby_opens(open_table: OpenTable) -> None:
    played(open_table, play_chess)
    with open_table(Shape(8, 8)) as table:
        opens_the_lobby_and_plays(table)


def test_options_that_no_match_can_begin_with_hold_nothing_up(open_table: OpenTable, tmp_path: Path) -> None:
    played(open_table, play_chess)
    rot(journal(tmp_path), 1, 0, body_of(journal(tmp_path), 1, 0).replace("5+3", "never"))
    with open_table() as table:
        opens_the_lobby_and_plays(table)
        assert [match.number for match in table.matches.listed()] == [2, 1]
        table.archive.standings()


def test_damaged_matches_are_listed_with_where_and_why_and_all_others_as_ever(
    open_table: OpenTable, tmp_path: Path
) -> None:
    played(open_table, play_chess, play_out, play_chess, play_chess)
    rot(journal(tmp_path), 1, 0, HALF)
    rot(journal(tmp_path), 2, 2, UNKNOWN_ENTRY)
    lose(journal(tmp_path), 3, 2)
    with open_table() as table:
        newest, third, second, first = table.matches.listed()
        assert (newest.damage, newest.seats, newest.forms) == (None, ("Anne", "Bart"), ("json", "ini", "pgn"))
        assert third.damage == (
            "damaged: its entry 2 cannot be read (it is missing: the next one there is has the number 3); "
            "all before it can be exported"
        )
        assert (second.game, second.seats, second.forms) == ("captains-chess", ("Anne", "Bart"), ("json",))
        assert "entry 2" in (second.damage or "")
        assert (first.game, first.seats, first.forms) == ("", (), ())
        assert "entry 0" in (first.damage or "")
        assert "nothing of it can be exported" in (first.damage or "")
        with pytest.raises(NoSuchForm, match="match 1 is damaged from its first entry on"):
            table.archive.export(1, "json")
        won = {tally.name: tally.won for tally in table.archive.standings().tallies}
        assert won == {"Anne": 1, "Bart": 0}, "the damaged match counts too: its end can be read"


def test_a_damaged_match_is_exported_up_to_the_bad_entry_which_verify_names(
    open_table: OpenTable, tmp_path: Path
) -> None:
    played(open_table, play_out)
    rot(journal(tmp_path), 1, 2, UNKNOWN_ENTRY)
    with open_table() as table:
        value = json.loads(table.archive.export(1, "json"))
        assert value["damaged"] == 2
        assert [entry["entry"] for entry in value["entries"]] == ["started", "acted"]
        assert "seed" not in value
        verdict = verify_export(value)
        assert not verdict.proven
        assert "the match is damaged: entry 2 could not be read" in verdict.words


@pytest.mark.parametrize(
    ("position", "old", "new"), [(0, '"options":{}', '"options":{"clock":"x"}'), (1, "e2e4", "e2e5")]
)
def test_a_match_that_does_not_replay_is_exported_as_json_alone(
    open_table: OpenTable, position: int, old: str, new: str, tmp_path: Path
) -> None:
    played(open_table, play_out)
    rot(journal(tmp_path), 1, position, body_of(journal(tmp_path), 1, position).replace(old, new))
    with open_table() as table:
        with pytest.raises(NoSuchForm, match=r"match 1 does not replay .*: expected json, which needs no rules"):
            table.archive.export(1, "ini")
        assert json.loads(table.archive.export(1, "json"))["form"]


def test_an_entry_that_is_no_text_is_damaged() -> None:
    assert read_entries([(0, 7)]) == ([], Damage(0, "it is no text: 7"))


def test_damage_that_comes_while_the_table_runs_is_seen_where_more_was_written(
    open_table: OpenTable, tmp_path: Path
) -> None:
    played(open_table, play_chess)
    with closing(JournalFile(journal(tmp_path))) as file:
        assert file.damaged() == {}
        entries = file.open(1).count()
        rot(journal(tmp_path), 1, entries - 1, HALF)
        assert file.damaged() == {}, "what was read once is not read again"
        file.open(1).append(file.open(1).readable()[0][1])
        assert file.damaged()[1].damage.entry == entries - 1


VALUES = st.one_of(
    st.integers(-(2**40), 2**40), st.text(max_size=8), st.booleans(), st.none(), st.just([]), st.just({})
)


@pytest.fixture(scope="module")
def chess(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = tmp_path_factory.mktemp("chess")
    at_a_table(state, play_chess)
    return journal(state)


@settings(max_examples=effort(10, 1000))
@given(data=st.data())
def test_whatever_value_an_entry_has_the_table_takes_the_match_up_or_says_why_not(
    data: st.DataObject, chess: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    state = tmp_path_factory.mktemp("state")
    shutil.copy(chess, journal(state))
    position = data.draw(st.integers(0, 4))
    entry = json.loads(body_of(journal(state), 1, position))
    key = data.draw(st.sampled_from(sorted(entry)))
    rot(journal(state), 1, position, json.dumps(entry | {key: data.draw(VALUES)}))

    def do(table: Table) -> None:
        try:
            table.matches.begin("legend", NAMES, {})
        except CannotResume:
            assert table.view().phase is Phase.IDLE
        assert table.matches.listed()[-1].number == 1
        table.archive.standings()

    at_a_table(state, do)


def test_a_journal_whose_pages_are_torn_while_the_table_runs_is_said_to_be_unreadable(
    open_table: OpenTable, tmp_path: Path
) -> None:
    played(open_table, *[play_chess] * 10)
    with open_table() as table:
        damage(journal(tmp_path))
        for look in (table.matches.listed, table.archive.standings, lambda: table.archive.export(3, "json")):
            with pytest.raises(CannotRead, match="The journal cannot be read"):
                look()


@pytest.mark.parametrize(("column", "value"), [("seed", 7), ("seed", b"short"), ("began", b"bytes")])
def test_a_match_whose_row_a_torn_page_has_changed_is_damaged_and_the_others_are_played(
    open_table: OpenTable, column: str, value: object, tmp_path: Path
) -> None:
    played(open_table, play_out, play_chess)
    tear_row(journal(tmp_path), 2, column, value)
    with open_table() as table:
        with pytest.raises(CannotResume, match="Match 2 cannot be taken up again: the row of match 2"):
            table.matches.begin("legend", NAMES, {})
        table.matches.new_match("legend", NAMES, {})
        newest, torn, *_ = table.matches.listed()
        assert (newest.number, newest.damage, torn.number, torn.forms) == (3, None, 2, ())
        assert "the row of match 2 is none that was written" in (torn.damage or "")
        table.archive.standings()
        with pytest.raises(CannotRead, match="the row of match 2"):
            table.archive.export(2, "json")


def test_a_match_that_cannot_be_begun_in_a_lost_journal_stops_the_table(table: Table, tmp_path: Path) -> None:
    journal(tmp_path).unlink()
    with pytest.raises(TableStopped, match="was moved or deleted"):
        table.matches.new_match("legend", NAMES, {})
    assert table.matches.listed() == []


async def test_a_journal_that_is_lost_while_a_piece_slides_stops_the_table_without_a_traceback(
    open_table: OpenTable, tmp_path: Path
) -> None:
    told: list[object] = []
    with open_table() as table:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
        table.matches.new_match("legend", NAMES, {})
        press(table, Button.ROLL)
        hands = table.hands
        assert hands is not None
        hands.click(parse_square("g2"))
        hands.click(parse_square("g4"))
        journal(tmp_path).unlink()
        async with asyncio.timeout(PATIENCE_S):
            while not journal(tmp_path).with_name("journal.sqlite3.rescued").exists():  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(0.02)
        await asyncio.sleep(0)
    assert told == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f'{{"entry":"salted","seat":0,"held_ms":{2**63}}}', "a button cannot be held for"),
        (f'{{"entry":"clock-went-on","at_ms":{10**400}}}', "entry 1 is of a time no table shows"),
        ('{"entry":"clock-went-on","at_ms":-1}', "entry 1 is of a time no table shows"),
    ],
)
def test_numbers_that_nothing_can_have_do_not_keep_the_table_down(
    open_table: OpenTable, body: str, words: str, tmp_path: Path
) -> None:
    played(open_table, play_chess)
    rot(journal(tmp_path), 1, 1, body)
    with open_table() as table:
        with pytest.raises(CannotResume, match=words):
            table.matches.begin("", (), {})
        assert table.view().phase is Phase.IDLE


def test_an_end_of_other_players_is_no_record_and_breaks_none(open_table: OpenTable, tmp_path: Path) -> None:
    ends = ('"winner":null,"scores":[]', '"winner":0,"scores":[1,2,3]', '"winner":7,"scores":[1,0]')
    played(open_table, play_out, *(play_out for _ in ends))
    for number, end in enumerate(ends, start=2):
        rot(journal(tmp_path), number, 3, f'{{"entry":"ended",{end}}}')
    with open_table() as table:
        assert [tally.played for tally in table.archive.standings().tallies] == [1, 1]
        table.matches.new_match("swashbuckle", NAMES, {})
