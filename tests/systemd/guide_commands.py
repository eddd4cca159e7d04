"""The commands of a guide as a builder copies them: found in its blocks and between code quotes, cut into words."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.documents import Document

GUIDES = ("README.md", "docs/operations.md", "docs/club.md", "firmware/README.md", "hardware/README.md")
DATA = re.compile(
    r"\[|\w+ *=|dtparam=|game legend|import |\d+ [<>!]|/dev/|(?:user|connection) [\w-]+$|- \w+:",
)
"""How a block begins that shows no commands: settings, a tape, a formula, a conversation, a program, lists."""
PREFIX = re.compile(r"^(?:sudo |[A-Z_]+=\S+ )+")
OPTION = re.compile(r"\s--?[a-z]")
USAGE = re.compile(r"\[([A-Z-][^\]]*)\]")
MORE = re.compile(r"\s\.\.\.")


@dataclass(frozen=True)
class Command:
    """One simple command of a guide: its words, and how it is written there."""

    words: tuple[str, ...]
    written: str

    @property
    def program(self) -> str:
        """What is called, without the folder it lies in."""
        return self.words[0].removeprefix(".venv/bin/")


def commands_of(document: Document, programs: frozenset[str]) -> list[Command]:
    """Return the commands of a document, each way of writing once.

    Args:
        document: the guide.
        programs: what is known to be one; a span of another is taken for a command if it has options or sudo before it,
            a line of a block always.
    """
    written = dict.fromkeys((*_of_blocks(document), *_of_spans(document, programs)))
    return [command for line in written for command in _cut(line)]


def _of_blocks(document: Document) -> Iterator[str]:
    for block in document.blocks():
        lines = [line for line in block.splitlines() if line.strip()]
        if lines and not DATA.match(lines[0].strip()):
            yield from (line.split("  #")[0].strip() for line in lines)


def _of_spans(document: Document, programs: frozenset[str]) -> Iterator[str]:
    for span in document.spans():
        bare = PREFIX.sub("", span)
        first = bare.split(" ")[0].removeprefix(".venv/bin/")
        begins = re.match(r"[.a-z]", bare) is not None
        if begins and (first in programs or span.startswith("sudo ") or (OPTION.search(bare) and "=" not in first)):
            yield span


def _cut(line: str) -> Iterator[Command]:
    """Yield the simple commands of a line; usage marks ([...], ...) are taken off."""
    for part in line.split(" && "):
        words = shlex.split(PREFIX.sub("", MORE.sub("", USAGE.sub(r"\1", part))))
        yield Command(tuple(words), part)
