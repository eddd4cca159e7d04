"""Names are shortened by one rule: unique, no longer than asked, the same again, and no letter is torn apart.

Where letters end is judged by ICU, the library in Node (`Intl.Segmenter`).
"""

import json
import subprocess
from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import example, given, strategies as st

from captains_table.games.common.short_names import (
    ELLIPSIS,
    count_letters,
    fitting_names,
    letters_of,
    short_names,
)
from tests.support.tools import NODE

CAPTAINS = tuple(f"Captain {number}" for number in range(1, 15))
PEOPLE = (
    "علی\u200cرضا",  # noqa: RUF001 - Persian
    "👨\u200d👩\u200d👧 Sippe",
    "Ngu\u0323ye\u0302\u0303n",
    "नमस्ते दुनिया",
    "क्षत्रिय",
    "🇩🇪🇫🇷🇮🇹 Trio",
    "한국 각시",
    "👍🏽👍🏿",
    "Zoe\u0308",
)
WORD = st.sampled_from(["Captain", "Anne", "Bart", "1", "12", "Anne-Marie", "van der", "O'Neill", *PEOPLE])
NAME = st.one_of(st.lists(WORD, min_size=1, max_size=3).map(" ".join), st.text("ab1 9", min_size=1, max_size=9))
PARTY = st.lists(NAME.map(str.strip).filter(bool), min_size=1, max_size=8).map(tuple)
JUDGE = """
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => [...segmenter.segment(text)].map((each) => each.segment))));
"""


def judged(texts: Sequence[str]) -> list[list[str]]:
    """Return how ICU splits texts into user-perceived characters."""
    told = subprocess.run([NODE, "-e", JUDGE], input=json.dumps(texts), capture_output=True, text=True, check=True)
    found: list[list[str]] = json.loads(told.stdout)
    return found


@given(PARTY, st.integers(1, 14))
@example(("Anne Maria Elisabeth Schmidt", "Anne Maria Elisa Schmidt"), 8)
@example(("Captain", "Capt…", "Capt"), 5)
@example(("ab", "aab", "abb", "aabb"), 1)
def test_names_stay_different_and_are_no_longer_than_asked_unless_that_needs_it(
    names: tuple[str, ...], room: int
) -> None:
    shown = short_names(names, room)
    assert [names.index(name) for name in names] == [shown.index(each) for each in shown]
    assert short_names(shown, room) == shown
    for name, each in zip(names, shown, strict=True):
        assert each == name if count_letters(name) <= room else count_letters(each) <= count_letters(name)
        if count_letters(each) > room:
            begins = "".join(letters_of(name)[:1])
            assert any(other.startswith(begins) or ELLIPSIS in other for other in names if other != name)


@given(st.lists(st.text(st.characters(max_codepoint=0x2FFF), max_size=8), max_size=4))
def test_letters_are_all_of_the_text(texts: Sequence[str]) -> None:
    assert all("".join(letters_of(text)) == text and "" not in letters_of(text) for text in texts)


def test_no_letter_is_torn_apart_as_icu_judges() -> None:
    alphabet = "".join(PEOPLE) + "\u0e01\u0e33\u1100\u1161\u11a8\u0d4e\u0d15🏴\U000e0067\U000e007f❤\ufe0f"
    texts = [*PEOPLE, *(alphabet[start::step] for step in range(1, 24) for start in range(step))]
    shown = {
        part: name
        for name in PEOPLE
        for room in range(1, 8)
        for part in short_names((name, f"{name[0]}{name}", name[:-1]), room)[0].split(ELLIPSIS)
    }
    segments = judged([*texts, *shown])
    for text, letters in zip(texts, segments, strict=False):
        assert set(accumulate(map(len, letters_of(text)))) <= set(accumulate(map(len, letters))), text
    whole = dict(zip(PEOPLE, segments, strict=False))
    for (part, name), letters in zip(shown.items(), segments[len(texts) :], strict=True):
        remaining = iter(whole[name])
        assert all(letter in remaining for letter in letters), (part, name)


@pytest.mark.parametrize(
    ("room", "last"),
    [
        (10, ("Captain 1", "Captain 11", "Captain 12")),
        (8, ("Captai…1", "Capta…11", "Capta…12")),
        (4, ("Cap1", "Ca11", "Ca12")),
        (1, ("C1", "C11", "C12")),
    ],
)
def test_what_tells_names_apart_is_kept(room: int, last: tuple[str, ...]) -> None:
    shown = short_names(CAPTAINS, room)
    assert (shown[0], *shown[10:12]) == last


@pytest.mark.parametrize(
    ("room", "shown"), [(6, "C…Anne C…Bart Cap…Bo"), (5, "…Anne …Bart Ca…Bo"), (4, "Anne Bart C…Bo"), (2, "Ce Ct Bo")]
)
def test_a_last_word_that_tells_names_apart_may_stand_alone(room: int, shown: str) -> None:
    assert short_names(("Captain Anne", "Captain Bart", "Captain Bo"), room) == tuple(shown.split())


def test_a_name_that_is_the_beginning_of_another_does_not_differ_by_an_ellipsis_alone() -> None:
    assert short_names(("Eurus", "Eurus 2"), 6) == ("Eurus", "Euru…2")


def test_names_share_a_line_and_the_short_ones_stay_whole() -> None:
    names = ("Anne", "Captain Ahab", "Captain Adam")
    assert fitting_names(names, 40, between=2) == names
    assert fitting_names(names, 22, between=2) == ("Anne", "Ca…Ahab", "Ca…Adam")
    assert fitting_names(CAPTAINS, 5) == short_names(CAPTAINS, 1)
    assert fitting_names((), 5) == ()
