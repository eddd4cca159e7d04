"""Phrases reach another process with what they are made of; whatever cannot be read there stays English text."""

import json
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, strategies as st
from msgspec import Struct

from captains_table.phrases import (
    ENGLISH,
    Language,
    Phrase,
    as_sentence,
    computed,
    decimal,
    in_language,
    listed,
    noun,
    pack_phrase,
    say,
    several,
    unpack_phrases,
    with_spaces,
)
from captains_table.phrases.packing import LONGEST, PACKED
from captains_table.phrases.phrase import COMPUTES

GERMAN = Language(
    "de",
    {
        ("noun", "crew"): ("Mannschaft|f|acc=die Mannschaft",),
        ("", "Keep {dice}"): ("{dice} behalten",),
        ("", "{n} throw"): ("{n} Wurf", "{n} Würfe"),
        ("list", "{first} and {last}"): ("{first} und {last}",),
        ("decimal mark", "."): (",",),
    },
)
TEXTS = st.text(max_size=20)
PHRASES = st.recursive(
    st.one_of(
        TEXTS,
        st.builds(noun, st.sampled_from(["crew", "ship"])),
        st.builds(lambda n: several(n, "{n} throw", "{n} throws"), st.integers()),
        st.builds(decimal, st.floats(-1e6, 1e6)),
    ),
    lambda parts: st.one_of(
        st.builds(lambda dice: say("Keep {dice}", dice=dice), parts),
        st.builds(listed, st.lists(parts, min_size=1, max_size=3)),
        st.builds(as_sentence, parts),
        st.builds(lambda words: computed(with_spaces, *words), st.lists(parts, max_size=3)),
    ),
    max_leaves=8,
)


class Pair(NamedTuple):
    words: str
    rule: str = ""


class Answer(Struct, frozen=True, tag="answer"):
    hint: str
    number: int = 0
    pairs: tuple[Pair, ...] = ()


def sent(words: str) -> str:
    return unpack_phrases(msgspec.json.decode(msgspec.json.encode(words, enc_hook=pack_phrase), type=str))


@given(PHRASES)
def test_a_phrase_reaches_another_process_with_its_parts(words: str) -> None:
    read = sent(words)
    assert read == words
    assert in_language(read, GERMAN) == in_language(words, GERMAN)


def test_every_phrase_in_a_message_is_read_and_what_has_none_is_left() -> None:
    answer = Answer(say("Keep {dice}", dice="5 5"), 3, (Pair(noun("crew")), Pair("T7")))
    read = unpack_phrases(msgspec.json.decode(msgspec.json.encode(answer, enc_hook=pack_phrase), type=Answer))
    assert read == answer
    assert in_language(read, GERMAN) == Answer("5 5 behalten", 3, (Pair("Mannschaft"), Pair("T7")))
    plain = Answer("Keep 5 5", 3, (Pair("T7"),))
    assert unpack_phrases(plain) is plain


def shout(words: str) -> str:
    return words.upper()


def chained(depth: int) -> str:
    words: str = noun("crew")
    for _ in range(depth):
        words = say("{a} {b}", a=words, b="")
    return words


@pytest.mark.parametrize(
    "words",
    [
        computed(shout, "aye"),
        say("{a}" * 20, a=say("{a}" * 20, a=say("{a}" * 20, a=say("{a}" * 20, a="")))),
        chained(12),
        say("{words}", words="x" * LONGEST),
    ],
    ids=["unregistered function", "too many parts in parts", "too deep", "too long"],
)
def test_what_is_unknown_or_too_large_stays_english(words: str) -> None:
    assert isinstance(words, Phrase)
    assert sent(words) == words
    assert type(sent(words)) is str


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(["", *COMPUTES]),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.sampled_from("ab012"), inner, max_size=3),
)
FORGED = st.tuples(
    st.text(st.sampled_from("{ab0}:=|¦x"), max_size=12) | JSON,
    st.dictionaries(st.sampled_from("ab012"), JSON, max_size=3) | JSON,
    st.sampled_from(["", "noun", "list"]) | JSON,
    st.just("") | JSON,
    st.none() | st.integers() | JSON,
    st.none() | st.sampled_from(list(COMPUTES)) | JSON,
)


@given(st.text() | st.builds(json.dumps, JSON | st.tuples(st.text(max_size=5), FORGED | JSON)))
def test_nothing_that_a_stranger_sends_raises(text: str) -> None:
    read = unpack_phrases(PACKED + text)
    assert [isinstance(in_language(read, language), str) for language in (ENGLISH, GERMAN)] == [True, True]


FOREIGN = ["", "[" * 100_000, '["a"]', '["a", []]', f"[1, {'9' * 5000}]", '["b", ["a", {}, "", "", null, null]]']


@pytest.mark.parametrize("text", FOREIGN)
def test_what_was_not_packed_so_is_plain_text(text: str) -> None:
    assert type(unpack_phrases(PACKED + text)) is str
