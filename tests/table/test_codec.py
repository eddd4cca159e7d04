"""Actions and entries as JSON: the text of every journal and export there is, and words for whatever is none."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given

from captains_table.games.contract import Amount, Keep, Pick, Tagged
from captains_table.table.model.codec import BadValue, Codec
from captains_table.table.model.entries import ACTIONS, JOURNAL_ENTRIES, REPLIES, Acted, Entry, MatchStarted
from tests.support.any_entry import ANY_ENTRY

EARLIER = Path(__file__).parents[1] / "outward" / "earlier" / "journal.sqlite3"
ACTED = {"entry": "acted", "seq": 1, "seat": 0, "at_ms": 5, "action": {"type": "keep", "dice": [1, 2]}}


@given(ANY_ENTRY)
def test_an_entry_survives_being_written_as_pythons_own_json_writes_it_without_spaces(entry: Entry) -> None:
    plain, text = JOURNAL_ENTRIES.to_plain(entry), JOURNAL_ENTRIES.to_text(entry)
    assert JOURNAL_ENTRIES.from_text(text) == entry
    assert JOURNAL_ENTRIES.from_plain(json.loads(json.dumps(plain))) == entry
    assert text == json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def test_every_row_of_an_earlier_journal_is_written_again_to_the_byte() -> None:
    with closing(sqlite3.connect(f"file:{EARLIER}?immutable=1", uri=True)) as database:
        bodies = [body for (body,) in database.execute("SELECT body FROM entries")]
    assert len(bodies) > 50
    assert [JOURNAL_ENTRIES.to_text(JOURNAL_ENTRIES.from_text(body)) for body in bodies] == bodies


def test_the_tag_stands_first_then_the_fields_as_they_are_declared_of_which_some_were_not_written_yet() -> None:
    assert list(JOURNAL_ENTRIES.to_plain(Acted(1, 0, 5, Keep((1, 2)))).items()) == list(ACTED.items())
    text = '{"entry":"started","game":"legend","seats":["Anne"],"options":{}}'
    assert JOURNAL_ENTRIES.from_text(text) == MatchStarted("legend", ("Anne",), {}, "")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"entry": "sung"}, "unknown entry 'sung': expected started, acted, taken-back, salted, words, masked, "),
        ({"entry": 7}, "unknown entry 7: expected started, "),
        (ACTED | {"action": {"type": "fly"}}, "unknown action 'fly': expected pick, keep, amount, "),
        (ACTED | {"seq": "1"}, "expected `int`, got `str` at seq"),
        (ACTED | {"action": {"type": "keep", "dice": [1, True]}}, "expected `int`, got `bool` at action.dice[1]"),
        (ACTED | {"action": {"type": "keep"}}, "object missing required field `dice` at action"),
        (ACTED | {"action": {}}, "object missing required field `type` at action"),
        (ACTED | {"mood": "bad"}, "object contains unknown field `mood`"),
        ({"entry": "started", "game": "legend", "seats": [], "options": {"rounds": 1}}, "got `int` at options[...]"),
        ({}, "unreadable entry {}: object missing required field `entry`"),
        ([], "unreadable entry []: expected `object`, got `array`"),
        (7, "unreadable entry 7: expected `object`, got `int`"),
        (None, "unreadable entry None: expected `object`, got `null`"),
    ],
)
def test_what_is_no_entry_is_refused_with_what_where_and_what_was_expected(wrong: object, words: str) -> None:
    with pytest.raises(BadValue) as from_plain:
        JOURNAL_ENTRIES.from_plain(wrong)
    with pytest.raises(BadValue) as from_text:
        JOURNAL_ENTRIES.from_text(json.dumps(wrong))
    assert words in str(from_plain.value)
    assert words.partition(" got")[0] in str(from_text.value)


def test_text_that_ends_too_soon_is_refused_with_the_text_and_a_player_says_no_dice() -> None:
    with pytest.raises(BadValue, match=r"unreadable entry .*\"seq\":1.*: Input data was truncated"):
        JOURNAL_ENTRIES.from_text('{"entry":"acted","seq":1')
    assert REPLIES.from_plain({"type": "pick", "id": "roll"}) == Pick("roll")
    with pytest.raises(BadValue, match="unknown action 'rolled': expected pick, keep, amount"):
        REPLIES.from_plain({"type": "rolled", "faces": [6]})


def test_the_form_of_a_reply_is_told_by_its_class() -> None:
    replies: Codec[Pick | Keep | Amount] = Codec(Pick | Keep | Amount, "action")
    assert replies.forms() == (
        '{"type": "pick", "id": text}, {"type": "keep", "dice": [numbers]} or {"type": "amount", "value": number}'
    )


def test_another_action_is_another_class_and_nothing_else() -> None:
    class Bow(Tagged, frozen=True, tag="bow-low"):
        seat: int

    bows: Codec[Bow | Pick] = Codec(Bow | Pick, "action")
    assert bows.to_text(Bow(1)) == '{"type":"bow-low","seat":1}'
    assert bows.from_text('{"type":"bow-low","seat":1}') == Bow(1)
    assert bows.forms() == '{"type": "bow-low", "seat": number} or {"type": "pick", "id": text}'
    with pytest.raises(BadValue, match="unknown action 'bow-low'"):
        ACTIONS.from_plain({"type": "bow-low", "seat": 1})
