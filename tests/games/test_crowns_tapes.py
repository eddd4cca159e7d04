"""Every word of the rules of Crowns is shown by a tape, and the second book-keeper agrees with every tape.

Source: docs/rules/crowns.md.
"""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.support.crowns_books import Books
from tests.support.documents import ROOT
from tests.support.refusing_tape import moments_of, refusals_in
from tests.support.rules_on_tapes import Quote, misquoted, passages_of, plain, quotes_of, unshown

TAPES: Final = sorted((ROOT / "tests" / "tapes").glob("crowns-*.tape"))
PASSAGES: Final = passages_of((ROOT / "docs/rules/crowns.md").read_text(encoding="utf-8"))
BEFORE_THE_RULES: Final = "Crowns (the Chess LARP of Penguicon 6.0)"
QUOTES: Final = quotes_of(TAPES, "crowns")
ELSEWHERE: Final = tomllib.loads(Path(__file__).with_name("crowns_shown_elsewhere.toml").read_text(encoding="utf-8"))[
    "passage"
]
QUOTED_ELSEWHERE: Final = [Quote("elsewhere", words["key"], plain(words["words"])) for words in ELSEWHERE]


def test_the_tapes_quote_the_rules_word_for_word() -> None:
    assert misquoted([*QUOTES, *QUOTED_ELSEWHERE], PASSAGES) == []


def test_every_word_of_the_rules_is_shown_by_a_tape_or_by_the_test_that_is_named() -> None:
    rules = {key: words for key, words in PASSAGES.items() if key != BEFORE_THE_RULES}
    assert unshown([*QUOTES, *QUOTED_ELSEWHERE], rules) == []


def test_a_word_that_no_tape_quotes_is_found() -> None:
    passages = passages_of("# Toy\n\nT1. One **pawn**†, and two pawns; three.\n\n**Fine print.** Four.\n")
    quotes = [Quote("a", "T1", "One pawn"), Quote("b", "T1", "and two"), Quote("c", "T1", "Four.")]
    assert unshown(quotes, passages) == ["T1: pawns; three", "Fine print: Four"]
    assert misquoted(quotes, passages) == ["c: 'Four.' does not stand in T1"]


@pytest.mark.parametrize("test", sorted({words["test"] for words in ELSEWHERE if "test" in words}))
def test_what_no_tape_shows_is_shown_by_a_test(test: str) -> None:
    path, _, name = test.partition("::")
    assert re.search(rf"^(?:async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape.stem)
def test_the_second_book_keeper_agrees_with_a_tape_after_every_line(tape: Path) -> None:
    books = Books(tape)
    for moment in moments_of(tape):
        books.check(moment)


def test_the_tapes_try_what_is_refused() -> None:
    assert sum(map(refusals_in, TAPES)) > 80
