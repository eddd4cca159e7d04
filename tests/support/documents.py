"""Documents as a reader finds them: their headings, numbered rules and contracts, their links and commands."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "controller" / "captains_table"
RULES = "docs/rules"
ARCHITECTURE = "docs/architecture.md"
CONTRACTS = "docs/contracts.md"
FOLDERS = ("docs", "firmware", "hardware", "tests")

_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_NUMBER = re.compile(r"^([A-Z]\d{1,2}[a-z]?)\. ", re.MULTILINE)
_CONTRACT = re.compile(r"^#+ Contract (\d+):", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:^(?: {4}|\t).*\n?)+", re.MULTILINE)
_BLOCK = re.compile(r"(?:^    .*\n|^\n)+", re.MULTILINE)  # with the empty lines in it
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """One Markdown file, by its path from the root of the repository."""

    path: str
    text: str

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The headings, as they are written."""
        return tuple(_HEADING.findall(_FENCED.sub("", self.text)))

    @cached_property
    def anchors(self) -> frozenset[str]:
        """What a link may lead to after a #: the headings as web pages name them."""
        seen = Counter[str]()
        found = set()
        for name in map(anchor, self.headings):
            found.add(f"{name}-{seen[name]}" if seen[name] else name)
            seen[name] += 1
        return frozenset(found)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers of the rules that stand here, each at the beginning of a line."""
        return frozenset(_NUMBER.findall(self.text))

    @cached_property
    def contracts(self) -> frozenset[str]:
        """The numbers of the contracts that have a heading here."""
        return frozenset(_CONTRACT.findall(self.text))

    def links(self) -> list[str]:
        """Return where its links and pictures lead, but for those in code."""
        blocks = _FENCED.sub("", _COMMENT.sub("", self.text))
        return _LINK.findall(_SPAN.sub("", _INDENTED.sub("", blocks)))

    def block(self, beginning: str) -> str:
        """Return the one indented block that begins with these words."""
        (found,) = [block for block in _BLOCK.findall(self.text) if block.strip().startswith(beginning)]
        return str(found)

    def blocks(self) -> Iterator[str]:
        """Yield its code blocks, without fences and indents."""
        text = _COMMENT.sub("", self.text)
        for block in _FENCED.findall(text):
            yield "\n".join(block.splitlines()[1:-1])
        yield from map(textwrap.dedent, _INDENTED.findall(_FENCED.sub("", text)))

    def spans(self) -> list[str]:
        """Return what stands between code quotes."""
        return _SPAN.findall(_INDENTED.sub("", _FENCED.sub("", _COMMENT.sub("", self.text))))

    def code(self) -> Iterator[str]:
        """Yield what is written as code: every line of a code block, and what is between code quotes."""
        for block in self.blocks():
            yield from (line.split("  #")[0].strip() for line in block.splitlines())
        yield from self.spans()


def anchor(heading: str) -> str:
    """Return the name of a heading in a web address: small letters, no punctuation, dashes between words."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def read_documents() -> dict[str, Document]:
    """Return the documents of the repository by their paths."""
    files = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))]
    paths = sorted(path.relative_to(ROOT).as_posix() for path in files if "node_modules" not in path.parts)
    return {path: Document(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths}
