"""Citations in code and documents: what they name, and whether it is there."""

import io
import re
import tokenize
from collections.abc import Mapping
from pathlib import Path

from tests.support.documents import CONTRACTS, RULES, Document

RULE = r"[A-Z]\d{1,2}[a-z]?"
_ENUMERATION = rf"{RULE}(?:(?:, | and | to | - | ?\u2013 ?){RULE})*"
_CITED = re.compile(
    r"(?<![\w./-])(?P<path>(?:[\w.-]+/)*[\w-]+\.md)"
    rf'(?:,? "(?P<heading>[^"]+)"| Contract (?P<contract>\d+)| (?P<rules>{_ENUMERATION}))?'
)
_UNQUOTED = re.compile(r"\.md, (?=[A-Z])(?!\w+\.)")
_BARE_RULE = re.compile(r"(?<![\w./\"'-])([LSWNC]\d{1,2}[a-z]?)(?!\w)")
_BARE_CONTRACT = re.compile(r"\bContract (\d+)")
_NOT_OURS = re.compile(r"\bseeds?/|\bshared/|\((?:the )?design\b|\bdesign, Contract")
_GAME = re.compile(r"^(?:\+\d+ +)?game ([\w-]+)", re.MULTILINE)
_FROM_ROOT = re.compile(r"\b(?:docs|firmware|hardware)/[\w./-]+\.md\b")
_WRAP = re.compile(r"\s*\n\s*(?:# ?)?")
_BEGIN_A_STATEMENT = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})
_SAY_NOTHING = frozenset({tokenize.COMMENT, tokenize.NL})


def broken_citations(words: str, documents: Mapping[str, Document], *, known: tuple[str, ...] = ()) -> list[str]:
    """Return what is wrong with the citations in some words: whole ones, and bare numbers.

    Args:
        words: comments, docstrings or prose.
        documents: the documents there are, by path from the root.
        known: documents that bare numbers may belong to beside those the words name.
    """
    words = _WRAP.sub(" ", words)
    found = [f"{cited.group()!r}: names what a reader does not have" for cited in _NOT_OURS.finditer(words)]
    found += [
        f"{words[max(0, cited.start() - 20) : cited.end() + 12]!r}: put the heading in quotes"
        for cited in _UNQUOTED.finditer(words)
    ]
    named = list(known)
    for cited in _CITED.finditer(words):
        named.append(cited["path"])
        found += _broken(cited, documents)
    rest = _CITED.sub("", words)
    found += _broken_bare(_BARE_CONTRACT.findall(rest), "Contract {}", [CONTRACTS] * (CONTRACTS in named), documents)
    rules = [path for path in named if path.startswith(f"{RULES}/")]
    return found + _broken_bare(_BARE_RULE.findall(rest), "{}", rules, documents)


def _broken(cited: re.Match[str], documents: Mapping[str, Document]) -> list[str]:
    document = documents.get(cited["path"])
    if document is None:
        return [f"{cited['path']}: there is no such document"]
    if cited["heading"] is not None and cited["heading"] not in document.headings:
        return [f"{cited.group()}: the document has no such heading"]
    if cited["contract"] is not None and cited["contract"] not in document.contracts:
        return [f"{cited.group()}: the document has no such contract"]
    missing = [number for number in re.findall(RULE, cited["rules"] or "") if number not in document.numbers]
    return [f"{cited['path']} {number}: the document has no such number" for number in missing]


def _broken_bare(numbers: list[str], form: str, named: list[str], documents: Mapping[str, Document]) -> list[str]:
    """Return which numbers stand in none of the documents that are named beside them."""
    there = set[str]()
    for path in named:
        if path in documents:
            there |= documents[path].numbers | documents[path].contracts
    where = " or ".join(named) or "no document that is named beside it"
    return [
        f"{form.format(number)}: stands in {where}" if not named else f"{form.format(number)}: not in {where}"
        for number in numbers
        if number not in there
    ]


# --- what there is to read in a file --------------------------------------------------------------------------------


def words_of_python(source: str) -> str:
    """Return the comments and docstrings of a module, in their order; a string that is a statement is a docstring."""
    words, at_start = list[str](), True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and at_start):
            words.append(token.string.strip("\"'#"))
        at_start = token.type in _BEGIN_A_STATEMENT or (token.type in _SAY_NOTHING and at_start)
    return "\n".join(words)


def paths_in(source: str) -> list[str]:
    """Return the documents that a program names by their path from the root, wherever it does."""
    return _FROM_ROOT.findall(source)


def words_of_comments(source: str) -> str:
    """Return the comments of a tape, a configuration file or a shell script."""
    return "\n".join(line.partition("#")[2] for line in source.splitlines() if "#" in line)


def games_of_tape(source: str) -> tuple[str, ...]:
    """Return the documents with the rules of the games that a tape plays."""
    return tuple(f"{RULES}/{key}.md" for key in _GAME.findall(source))


def broken_in_file(path: Path, documents: Mapping[str, Document]) -> list[str]:
    """Return what is wrong with the citations of a source file."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        missing = [f"{name}: there is no such document" for name in paths_in(source) if name not in documents]
        return [*dict.fromkeys(broken_citations(words_of_python(source), documents) + missing)]
    known = games_of_tape(source) if path.suffix == ".tape" else ()
    return broken_citations(words_of_comments(source), documents, known=known)
