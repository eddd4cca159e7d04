"""Every word of the rules of Crowns is shown by a tape, and the second book-keeper agrees with every tape.

A comment of a tape such as `# T3: "lower value"` quotes what the lines after it show; the words stand in that passage
of docs/rules/crowns.md, word for word but for the marks of rulings and of bold print. A passage is a numbered rule, a
paragraph that begins with its name in bold print, or what stands under a heading before all these.
"""

import io
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from captains_table.runtime.tape_player import IMPOSSIBLE, TapePlayer
from captains_table.table.tapes.tape_reader import parse_line
from tests.games.crowns_books import Books
from tests.support.documents import ROOT

_QUOTE = re.compile(r'^# ([A-Z][\w\' ]*): "(.+)"$', re.MULTILINE)
_BEGINS = re.compile(r"^(?:(?P<rule>[A-Z]\d+)\.|\*\*(?P<name>[\w' ]+)†?\.?\*\*†?|#+ (?P<heading>.+))\s*")
_MARKS = re.compile(r"[*†‡`]")
_WORD = re.compile(r"\w+")


class Quote(NamedTuple):
    """The words of a passage of the rules that a tape says it shows."""

    tape: str
    key: str
    words: str


def plain(text: str) -> str:
    """Return words without marks of rulings and of print, and with single spaces."""
    return " ".join(_MARKS.sub("", text).split())


def passages_of(rules: str) -> dict[str, str]:
    """Return the passages of a document of rules by their key, in plain words."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in rules.splitlines():
        begins = _BEGINS.match(line)
        if begins:
            key = begins["rule"] or begins["name"] or begins["heading"]
            line = "" if begins["heading"] else line[begins.end() :]  # noqa: PLW2901 - what is left of it
        found.setdefault(key, []).append(line)
    return {key: words for key, lines in found.items() if (words := plain(" ".join(lines)))}


def quotes_of(tapes: Iterable[Path]) -> list[Quote]:
    """Return what tapes say that they show."""
    found = [(tape.stem, _QUOTE.findall(tape.read_text(encoding="utf-8"))) for tape in tapes]
    return [Quote(name, key, plain(words)) for name, quotes in found for key, words in quotes]


def misquoted(quotes: Iterable[Quote], passages: Mapping[str, str]) -> list[str]:
    """Return which quotes are no words of their passage."""
    return [
        f"{quote.tape}: {quote.words!r} does not stand in {quote.key}"
        for quote in quotes
        if quote.words not in passages.get(quote.key, "")
    ]


def unshown(quotes: Iterable[Quote], passages: Mapping[str, str]) -> list[str]:
    """Return the stretches of words that no quote has in it, each after its passage's key."""
    found = []
    for key, text in passages.items():
        shown = bytearray(len(text))
        for quote in quotes:
            for at in re.finditer(re.escape(quote.words), text) if quote.key == key else ():
                shown[at.start() : at.end()] = b"\1" * len(quote.words)
        found += [f"{key}: {stretch}" for stretch in _stretches(text, shown)]
    return found


def _stretches(text: str, shown: bytearray) -> list[str]:
    stretches: list[list[re.Match[str]]] = [[]]
    for word in _WORD.finditer(text):
        if all(shown[word.start() : word.end()]):
            stretches.append([])
        else:
            stretches[-1].append(word)
    return [text[words[0].start() : words[-1].end()] for words in stretches if words]


# --- the tests ------------------------------------------------------------------------------------------------------

REFUSED: Final = "# refused: "
"""How a comment of a tape begins that says what is tried there, and refused; the tape goes on after it."""
TAPES: Final = sorted((ROOT / "tests" / "tapes").glob("crowns-*.tape"))
LONG_TAPE: Final = 50  # lines
PASSAGES: Final = passages_of((ROOT / "docs/rules/crowns.md").read_text(encoding="utf-8"))
BEFORE_THE_RULES: Final = "Crowns (the Chess LARP of Penguicon 6.0)"
QUOTES: Final = quotes_of(TAPES)
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


def check_refused(player: TapePlayer, out: io.StringIO, number: int, words: str) -> None:
    """Check that an input is refused with a message, and changes nothing: `bid Anne 0 -- words of the message`."""
    tried, dashes, message = words.partition(" -- ")
    assert dashes, f"{number}: expected the message after ` -- `"
    before = player.final(), out.getvalue()
    with pytest.raises(IMPOSSIBLE) as refused:
        player.play(parse_line(number, f"+0 {tried}"))  # type: ignore[arg-type]  # it is no comment
    assert message in str(refused.value), f"{number}: {refused.value}"
    assert (player.final(), out.getvalue()) == before, f"{number}: {tried} changed something"


@pytest.mark.parametrize(
    "tape",
    [
        pytest.param(tape, id=tape.stem, marks=[pytest.mark.slow] if tape.read_text().count("\n") > LONG_TAPE else [])
        for tape in TAPES
    ],
)
def test_the_second_book_keeper_agrees_with_a_tape_after_every_line_and_what_is_refused_changes_nothing(
    tape: Path,
) -> None:
    out, books = io.StringIO(), Books()
    player = TapePlayer(out)
    for number, text in enumerate(tape.read_text(encoding="utf-8").splitlines(), start=1):
        if text.startswith(REFUSED):
            check_refused(player, out, number, text.removeprefix(REFUSED))
        elif (line := parse_line(number, text)) is not None:
            printed = out.tell()
            assert player.play(line) is None, number
            books.take_in(line.directive, map(json.loads, out.getvalue()[printed:].splitlines()))
            books.check(player.final())


def test_the_tapes_try_what_is_refused() -> None:
    lines = [line for tape in TAPES for line in tape.read_text(encoding="utf-8").splitlines()]
    assert sum(line.startswith(REFUSED) for line in lines) > 80
