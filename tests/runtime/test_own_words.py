"""Own words for the dice: by the page, by the encoder, by a tape; and what they do to the dice."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from captains_table.devices.dice_sources import HonestDice
from captains_table.games.contract import IllegalAction, Pick, Rolled
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.table import Table
from captains_table.runtime.tape_player import replay_lines
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history import dice_stream
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted, Entry, Salted, SaltText
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    WordsGiven,
)
from captains_table.table.model.view import Phase
from captains_table.table.tapes.tape_writer import tape_of
from tests.support.honest_match import SEED, HonestTable
from tests.support.service_at_work import at_a_table
from tests.support.visiting import visit_there

NAMES = ("Anne", "Bart")


def words_in(entries: list[Entry]) -> list[SaltText]:
    """Return the own words in a journal."""
    return [entry for entry in entries if isinstance(entry, SaltText)]


def first_throw(entries: list[Entry]) -> tuple[int, ...]:
    """Return the faces of the first throw."""
    return next(
        entry.action.faces for entry in entries if isinstance(entry, Acted) and isinstance(entry.action, Rolled)
    )


def first_faces(salt: bytes, count: int) -> tuple[int, ...]:
    """Return the first faces of the tests' seed under a salt."""
    stream = dice_stream.faces(SEED, salt)
    return tuple(next(stream) for _ in range(count))


# --- the dice -------------------------------------------------------------------------------------------------------


def test_words_go_into_the_salt_behind_their_length_and_no_press_does() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    table.table.session.handle(WordsGiven(1, "ó!"), 0)
    table.roll(800)
    faces = first_throw(table.entries())
    assert faces == first_faces(bytes.fromhex("8000000000000003") + b"\xc3\xb3!", len(faces))
    assert not any(isinstance(entry, Salted) for entry in table.entries())
    table.play_on(1, most=20)
    assert not any(isinstance(entry, Salted) for entry in table.entries())


def test_words_of_several_follow_one_another_in_the_salt() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    for seat, text in ((0, "a"), (1, "b"), (0, "c")):
        table.table.session.handle(WordsGiven(seat, text), 0)
    table.roll()
    faces = first_throw(table.entries())
    mark = (2**63 + 1).to_bytes(8, "big")
    assert faces == first_faces(mark + b"a" + mark + b"b" + mark + b"c", len(faces))
    view = table.table.session.referee.view()
    assert "proves the dice to Anne, and to others as far as they trust Anne" in view.dice_proof
    assert "could guess before the seal was made prove nothing" in view.dice_proof
    assert "whoever reads the seed on the table knows the throws to come" in view.dice_proof
    assert not view.takes_words


def test_words_are_kept_through_a_power_cut() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    table.table.session.handle(WordsGiven(1, "mine"), 0)
    table.cut(5)
    table.roll()
    faces = first_throw(table.entries())
    assert faces == first_faces((2**63 + 4).to_bytes(8, "big") + b"mine", len(faces))
    assert HonestDice.resumed(SEED, table.entries())


def test_words_are_written_in_normal_form() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    table.table.session.handle(WordsGiven(0, "to\u0301c"), 0)
    assert words_in(table.entries()) == [SaltText(0, "tóc")]


@pytest.mark.parametrize(
    ("seat", "text", "words"),
    [
        (0, "", "own words of 0 characters: expected 1 to 200"),
        (0, "   ", "expected 1 to 200"),
        (0, "a" * 201, "own words of 201 characters: expected 1 to 200"),
        (0, "two\nlines", "expected one line of text"),
        (2, "mine", "there is no seat 2: expected one of 2, counted from 0"),
        (-1, "mine", "there is no seat -1"),
    ],
)
def test_what_cannot_be_own_words_is_refused_and_changes_nothing(seat: int, text: str, words: str) -> None:
    table = HonestTable("legend", {"rounds": "1"})
    before = table.entries()
    with pytest.raises(IllegalAction, match=words):
        table.table.session.handle(WordsGiven(seat, text), 0)
    assert table.entries() == before


def test_a_declared_computer_has_no_own_words() -> None:
    table = HonestTable("legend", {"rounds": "1"}, ("human", "computer"))
    with pytest.raises(IllegalAction, match="Bart is declared a computer"):
        table.table.session.handle(WordsGiven(1, "mine"), 0)
    table.table.session.handle(WordsGiven(0, "mine"), 0)
    assert words_in(table.entries()) == [SaltText(0, "mine")]


def test_the_longest_words_are_taken() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    table.table.session.handle(WordsGiven(0, "ö" * 200), 0)
    assert words_in(table.entries()) == [SaltText(0, "ö" * 200)]


def test_words_with_joined_signs_are_taken_and_those_with_other_hidden_ones_are_not() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    table.table.session.handle(WordsGiven(0, "\U0001f468\u200d\U0001f469\u200d\U0001f467"), 0)
    with pytest.raises(IllegalAction, match="expected one line of text"):
        table.table.session.handle(WordsGiven(0, "sdrow\u202e"), 0)


def test_a_match_takes_own_words_a_hundred_times_and_no_more() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    for number in range(100):
        table.table.session.handle(WordsGiven(number % 2, f"words {number}"), 0)
    assert not table.table.session.referee.view().takes_words
    with pytest.raises(IllegalAction, match="at most 100 times"):
        table.table.session.handle(WordsGiven(0, "once more"), 0)
    table.play_on(1)
    assert verify_export(table.export()).proven


def test_after_the_first_throw_no_words_are_taken() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    assert table.table.session.referee.view().takes_words
    table.roll()
    assert not table.table.session.referee.view().takes_words
    with pytest.raises(IllegalAction, match="before the match's first throw"):
        table.table.session.handle(WordsGiven(1, "late"), table.now_ms)


def test_a_game_without_dice_takes_no_words() -> None:
    table = HonestTable("captains-chess", {})
    assert not table.table.session.referee.view().takes_words
    with pytest.raises(IllegalAction, match="own words"):
        table.table.session.handle(WordsGiven(1, "mine"), 0)


# --- the page -------------------------------------------------------------------------------------------------------


def journal_of(state: Path, number: int = 1) -> list[Entry]:
    """Return the journal of a match."""
    file = JournalFile(state / "journal.sqlite3")
    try:
        return file.open(number).entries()
    finally:
        file.close()


async def post(table: Table, body: object) -> httpx.Response:
    """Give words as the page does."""
    content = json.dumps(body)
    headers = {"Content-Type": "application/json"}
    return await visit_there(table, lambda client: client.post("/words", content=content, headers=headers))


def test_the_page_takes_words_before_the_first_throw_and_says_what_they_prove(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match("legend", NAMES, {})
        page = (await visit_there(table, lambda client: client.get("/table"))).text
        assert "they convince nobody but its owner" in page
        assert "data-words" in page
        assert (await post(table, {"seat": 1, "text": "mine & <b>"})).status_code == 204
        page = (await visit_there(table, lambda client: client.get("/table"))).text
        assert "Bart stirs the dice with own words" in page
        assert "this proves the dice to Bart, and to others as far as they trust Bart" in page
        assert "mine" not in page
        table.handle(ButtonPressed(Button.ROLL))
        table.handle(ButtonReleased(Button.ROLL))
        late = await post(table, {"seat": 0, "text": "late"})
        assert late.status_code == 400
        assert "before the match's first throw" in late.json()["error"]
        assert "data-words" not in (await visit_there(table, lambda client: client.get("/table"))).text

    at_a_table(tmp_path, do)
    assert words_in(journal_of(tmp_path)) == [SaltText(1, "mine & <b>")]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seat": "1", "text": "a"},
        {"seat": True, "text": "a"},
        {"seat": 1, "text": 7},
        {"seat": 1, "text": "\ud800"},
    ],
)
def test_words_that_cannot_be_read_are_refused_with_what_was_expected(body: object, tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match("legend", NAMES, {})
        refused = await post(table, body)
        assert refused.status_code == 400
        assert "expected" in refused.json()["error"]

    at_a_table(tmp_path, do)
    assert not words_in(journal_of(tmp_path))


# --- the encoder ----------------------------------------------------------------------------------------------------


def at_the_knobs(table: Table) -> Callable[..., None]:
    """Return what taps buttons."""

    def tap(*buttons: Button) -> None:
        for button in buttons:
            table.handle(ButtonPressed(button))
            table.handle(ButtonReleased(button))

    return tap


def to_line(table: Table, id_: str, tap: Callable[..., None]) -> None:
    """Turn the encoder to a line of the menu."""
    ids = [entry.id for entry in table.view().menu.entries]
    cursor = table.view().menu.cursor or 0
    tap(*[Button.NEXT] * ((ids.index(id_) - cursor) % len(ids)))


def test_words_are_spelled_with_the_encoder_once_back_leads_nowhere(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        table.matches.new_match("legend", NAMES, {})
        tap = at_the_knobs(table)
        before = table.view()
        tap(Button.BACK)
        assert table.view().prompt == ("Whose own words?",)
        assert table.view().phase is Phase.PLAYING
        assert table.view().pieces == before.pieces
        for id_ in ("seat-1", "letter-A", "letter-h", "letter- ", "letter-O", "delete", "letter-Y", "done"):
            to_line(table, id_, tap)
            tap(Button.CHOOSE)
        assert table.view().prompt == before.prompt
        assert "Bart" in table.view().dice_proof

    at_a_table(tmp_path, do)
    assert words_in(journal_of(tmp_path)) == [SaltText(1, "Ah Y")]


def test_whoever_thinks_better_of_it_goes_back_to_the_match(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        table.matches.new_match("legend", NAMES, {})
        tap = at_the_knobs(table)
        before = table.view()
        tap(Button.BACK, Button.CHOOSE, Button.BACK, Button.BACK)
        assert table.view().prompt == before.prompt
        tap(Button.BACK)
        to_line(table, "back", tap)
        tap(Button.CHOOSE)
        assert (table.view().prompt, table.view().menu) == (before.prompt, before.menu)
        table.handle(Answered(Pick("roll")), table.view().revision)
        tap(Button.BACK)
        assert "Whose own words" not in str(table.view().prompt)

    at_a_table(tmp_path, do)
    assert not words_in(journal_of(tmp_path))


def test_in_a_game_whose_first_throw_is_the_buttons_words_are_spelled_too(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        table.matches.new_match("swashbuckle", NAMES, {})
        tap = at_the_knobs(table)
        tap(Button.BACK, Button.CHOOSE)
        for id_ in ("letter-I", "done"):
            to_line(table, id_, tap)
            tap(Button.CHOOSE)
        tap(Button.ROLL)

    at_a_table(tmp_path, do)
    entries = journal_of(tmp_path)
    assert words_in(entries) == [SaltText(0, "I")]
    assert not any(isinstance(entry, Salted) for entry in entries)


# --- tapes ----------------------------------------------------------------------------------------------------------


def test_a_tape_gives_words_and_a_recorder_writes_them() -> None:
    lines = ["game legend Anne Bart", 'words Bart "my own luck"', "dice 6 6 6 6 6 6", "press roll"]
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("a.tape", lines, out, err) == 0, err.getvalue()
    table = HonestTable("legend", {"rounds": "1"})
    tape = io.StringIO()
    recorder = Recorder(table.table.session, tape)
    recorder.start_tape(0)
    table.table.session.handle(WordsGiven(1, "my own luck"), 0)
    assert "+0 words Bart 'my own luck'" in tape.getvalue()
    assert "words Bart 'my own luck'" in tape_of(table.match)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("words Bart", "expected words NAME TEXT"),
        ("words Carl luck", "'Carl' plays no match here: expected Anne, Bart"),
        ("words Bart ''", "expected 1 to 200"),
    ],
)
def test_a_line_of_words_that_cannot_be_says_what_was_expected(line: str, words: str) -> None:
    err = io.StringIO()
    assert replay_lines("a.tape", ["game legend Anne Bart", line], io.StringIO(), err) == 2
    assert words in err.getvalue()
