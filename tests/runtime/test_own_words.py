"""Own words for the dice: by the page, by the encoder, by a tape; and what they do to the dice."""

import io
import json

import httpx
import pytest

from captains_table.devices.dice_sources import HonestDice
from captains_table.games.contract import IllegalAction, Rolled
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.table import Table
from captains_table.runtime.tape_player import replay_lines
from captains_table.table.history import dice_stream
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted, Entry, Salted, SaltText, SeatKind
from captains_table.table.model.events import Button, WordsGiven
from captains_table.table.model.view import Phase
from captains_table.table.tapes.tape_writer import tape_of
from tests.support.honest_match import SEED, HonestTable
from tests.support.service_at_work import answer, press
from tests.support.visiting import visit_there

NAMES = ("Anne", "Bart")
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def words_in(entries: list[Entry]) -> list[SaltText]:
    return [entry for entry in entries if isinstance(entry, SaltText)]


def first_throw(entries: list[Entry]) -> tuple[int, ...]:
    return next(
        entry.action.faces for entry in entries if isinstance(entry, Acted) and isinstance(entry.action, Rolled)
    )


def first_faces(salt: bytes, count: int) -> tuple[int, ...]:
    stream = dice_stream.faces(SEED, salt)
    return tuple(next(stream) for _ in range(count))


class WordsTable(HonestTable):
    """A table with honest dice at which Legend is played, and words are given."""

    def __init__(self, game: str = "legend", *kinds: SeatKind, **options: str) -> None:
        super().__init__(game, {"rounds": "1"} | options if game == "legend" else options, kinds or ("human", "human"))

    def give(self, seat: int, text: str) -> None:
        self.session.handle(WordsGiven(seat, text), self.now_ms)

    def takes_words(self) -> bool:
        return self.session.referee.view().takes_words


def test_words_go_into_the_salt_behind_their_length_and_no_press_does() -> None:
    table = WordsTable()
    table.give(1, "ó!")
    table.roll(800)
    faces = first_throw(table.entries())
    assert faces == first_faces(bytes.fromhex("8000000000000003") + b"\xc3\xb3!", len(faces))
    assert not any(isinstance(entry, Salted) for entry in table.entries())
    table.play_on(1, most=20)
    assert not any(isinstance(entry, Salted) for entry in table.entries())


def test_words_of_several_follow_one_another_in_the_salt() -> None:
    table = WordsTable()
    for seat, text in ((0, "a"), (1, "b"), (0, "c")):
        table.give(seat, text)
    table.roll()
    faces = first_throw(table.entries())
    mark = (2**63 + 1).to_bytes(8, "big")
    assert faces == first_faces(mark + b"a" + mark + b"b" + mark + b"c", len(faces))
    view = table.session.referee.view()
    assert "proves the dice to Anne, and to others as far as they trust Anne" in view.dice_proof
    assert "could guess before the seal was made prove nothing" in view.dice_proof
    assert "whoever reads the seed on the table knows the throws to come" in view.dice_proof
    assert not table.takes_words()


def test_words_are_kept_through_a_power_cut() -> None:
    table = WordsTable()
    table.give(1, "mine")
    table.cut(5)
    table.roll()
    faces = first_throw(table.entries())
    assert faces == first_faces((2**63 + 4).to_bytes(8, "big") + b"mine", len(faces))
    assert HonestDice.resumed(SEED, table.entries())


@pytest.mark.parametrize(("text", "written"), [("to\u0301c", "tóc"), ("ö" * 200, "ö" * 200), (FAMILY, FAMILY)])
def test_words_are_written_in_normal_form_and_as_long_as_they_may_be(text: str, written: str) -> None:
    table = WordsTable()
    table.give(0, text)
    assert words_in(table.entries()) == [SaltText(0, written)]


@pytest.mark.parametrize(
    ("seat", "text", "words"),
    [
        (0, "", "own words of 0 characters: expected 1 to 200"),
        (0, "   ", "expected 1 to 200"),
        (0, "a" * 201, "own words of 201 characters: expected 1 to 200"),
        (0, "two\nlines", "expected one line of text"),
        (0, "sdrow\u202e", "expected one line of text"),
        (2, "mine", "there is no seat 2: expected one of 2, counted from 0"),
        (-1, "mine", "there is no seat -1"),
    ],
)
def test_what_cannot_be_own_words_is_refused_and_changes_nothing(seat: int, text: str, words: str) -> None:
    table = WordsTable()
    before = table.entries()
    with pytest.raises(IllegalAction, match=words):
        table.give(seat, text)
    assert table.entries() == before


def test_a_declared_computer_has_no_own_words() -> None:
    table = WordsTable("legend", "human", "computer")
    with pytest.raises(IllegalAction, match="Bart is declared a computer"):
        table.give(1, "mine")
    table.give(0, "mine")
    assert words_in(table.entries()) == [SaltText(0, "mine")]


def test_a_match_takes_own_words_a_hundred_times_and_no_more() -> None:
    table = WordsTable(turn_limit="2")
    for number in range(100):
        table.give(number % 2, f"words {number}")
    assert not table.takes_words()
    with pytest.raises(IllegalAction, match="at most 100 times"):
        table.give(0, "once more")
    table.play_on(1)
    assert verify_export(table.export()).proven


def test_words_are_taken_before_the_first_throw_alone_and_in_games_with_dice_alone() -> None:
    table = WordsTable()
    assert table.takes_words()
    table.roll()
    for each, words in ((table, "before the match's first throw"), (WordsTable("captains-chess"), "own words")):
        assert not each.takes_words()
        with pytest.raises(IllegalAction, match=words):
            each.give(1, "late")


def words_of(table: Table) -> list[SaltText]:
    return words_in(entries_of(table))


def entries_of(table: Table) -> list[Entry]:
    journal = table.session._journal
    assert journal is not None
    return list(journal.entries())


async def post(table: Table, body: object) -> httpx.Response:
    content = json.dumps(body)
    headers = {"Content-Type": "application/json"}
    return await visit_there(table, lambda client: client.post("/words", content=content, headers=headers))


async def test_the_page_takes_words_before_the_first_throw_and_says_what_they_prove(table: Table) -> None:
    table.matches.new_match("legend", NAMES, {})
    page = (await visit_there(table, lambda client: client.get("/table"))).text
    assert "they convince only its owner" in page
    assert "data-words" in page
    assert (await post(table, {"seat": 1, "text": "mine & <b>"})).status_code == 204
    page = (await visit_there(table, lambda client: client.get("/table"))).text
    assert "Bart stirs the dice with own words" in page
    assert "this proves the dice to Bart, and to others as far as they trust Bart" in page
    assert "mine" not in page
    press(table, Button.ROLL)
    late = await post(table, {"seat": 0, "text": "late"})
    assert late.status_code == 400
    assert "before the match's first throw" in late.json()["error"]
    assert "data-words" not in (await visit_there(table, lambda client: client.get("/table"))).text
    assert words_of(table) == [SaltText(1, "mine & <b>")]


async def test_words_that_cannot_be_read_are_refused_with_what_was_expected(table: Table) -> None:
    table.matches.new_match("legend", NAMES, {})
    for body in (
        *({}, {"seat": "1", "text": "a"}, {"seat": True, "text": "a"}),
        *({"seat": 1, "text": 7}, {"seat": 1, "text": "\ud800"}),
    ):
        refused = await post(table, body)
        assert (refused.status_code, "expected" in refused.json()["error"]) == (400, True), body
    assert not words_of(table)


def turn_to(table: Table, id_: str) -> None:
    ids = [entry.id for entry in table.view().menu.entries]
    cursor = table.view().menu.cursor or 0
    press(table, *[Button.NEXT] * ((ids.index(id_) - cursor) % len(ids)))


def spell(table: Table, *ids: str) -> None:
    for id_ in ids:
        turn_to(table, id_)
        press(table, Button.CHOOSE)


def test_words_are_spelled_with_the_encoder_once_back_leads_nowhere(table: Table) -> None:
    table.matches.new_match("legend", NAMES, {})
    before = table.view()
    press(table, Button.BACK)
    assert table.view().prompt == ("Whose own words?",)
    assert table.view().phase is Phase.PLAYING
    assert table.view().pieces == before.pieces
    spell(table, "seat-1", "letter-A", "letter-h", "letter- ", "letter-O", "delete", "letter-Y", "done")
    assert table.view().prompt == before.prompt
    assert "Bart" in table.view().dice_proof
    assert words_of(table) == [SaltText(1, "Ah Y")]
    table.matches.new_match("swashbuckle", NAMES, {})  # whose first throw is the button's
    press(table, Button.BACK, Button.CHOOSE)
    spell(table, "letter-I", "done")
    press(table, Button.ROLL)
    assert words_of(table) == [SaltText(0, "I")]
    assert not any(isinstance(entry, Salted) for entry in entries_of(table))


def test_a_player_who_gives_no_words_goes_back_to_the_match(table: Table) -> None:
    table.matches.new_match("legend", NAMES, {})
    before = table.view()
    press(table, Button.BACK, Button.CHOOSE, Button.BACK, Button.BACK)
    assert table.view().prompt == before.prompt
    press(table, Button.BACK)
    turn_to(table, "back")
    press(table, Button.CHOOSE)
    assert (table.view().prompt, table.view().menu) == (before.prompt, before.menu)
    answer(table, "roll")
    press(table, Button.BACK)
    assert "Whose own words" not in str(table.view().prompt)
    assert not words_of(table)


def test_a_tape_gives_words_and_a_recorder_writes_them() -> None:
    lines = ["game legend Anne Bart", 'words Bart "my own luck"', "dice 6 6 6 6 6 6", "press roll"]
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("a.tape", lines, out, err) == 0, err.getvalue()
    table = WordsTable()
    tape = io.StringIO()
    recorder = Recorder(table.session, tape)
    recorder.start_tape(0)
    table.give(1, "my own luck")
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
