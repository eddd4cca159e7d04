"""Which words of a game's rules which tape shows.

A comment of a tape such as `# T3: "lower value"` quotes what the lines after it show; the words stand in that passage
of the rules, word for word but for the marks of rulings and of bold print. A passage is a numbered rule, a paragraph
that begins with its name in bold print, or what stands under a heading before all these.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

_QUOTE = re.compile(r'^# ([A-Z][\w\' ]*): "(.+)"$', re.MULTILINE)
_GAME = re.compile(r"^(?:# refused: )?game ([\w-]+)", re.MULTILINE)
_BEGINS = re.compile(r"^(?:(?P<rule>[A-Z]\d+)\.|\*\*(?P<name>[\w' ]+)†?\.?\*\*†?|#+ (?P<heading>.+))\s*")
_MARKS = re.compile(r"[*†‡`]")
_WORD = re.compile(r"\w+")


class Quote(NamedTuple):
    """What a tape says that it shows.

    Attributes:
        tape: its name.
        key: the passage of the rules.
        words: of that passage.
    """

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


def quotes_of(tapes: Iterable[Path], game: str) -> list[Quote]:
    """Return what the tapes of a game say that they show."""
    found = []
    for tape in tapes:
        text = tape.read_text(encoding="utf-8")
        if game in _GAME.findall(text):
            found += [Quote(tape.stem, key, plain(words)) for key, words in _QUOTE.findall(text)]
    return found


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
