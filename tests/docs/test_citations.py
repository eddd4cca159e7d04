"""Citations in code, tests, firmware and documents lead to a line that exists."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.support.documents import CONTRACTS, ROOT, RULES, Document, read_documents

RULE = r"[A-Z]\d{1,2}[a-z]?"
_ENUMERATION = rf"{RULE}(?:(?:, | and | to | - | ?\u2013 ?){RULE})*"
_CITED = re.compile(
    r"(?<![\w./-])(?P<path>(?:[\w.-]+/)*[\w-]+\.md)"
    rf'(?:,? "(?P<heading>[^"]+)"| Contract (?P<contract>\d+)| (?P<rules>{_ENUMERATION}))?'
)
_UNQUOTED = re.compile(r"\.md, (?=[A-Z])(?!\w+\.)")
_BARE_RULE = re.compile(r"(?<![\w./\"'-])([LSWNCZ]\d{1,2}[a-z]?)(?!\w)")
_BARE_CONTRACT = re.compile(r"\bContract (\d+)")
_NOT_OURS = re.compile(r"\bseeds?/|\bshared/|\((?:the )?design\b|\bdesign, Contract")
_GAME = re.compile(r"^(?:\+\d+ +)?game ([\w-]+)", re.MULTILINE)
_FROM_ROOT = re.compile(r"\b(?:docs|firmware|hardware)/[\w./-]+\.md\b")
_WRAP = re.compile(r"\s*\n\s*(?:# ?)?")
_PYTHON = re.compile(
    r'^[ \t]*"""(?P<docstring>.*?)"""|""".*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#(?P<comment>[^\n]*)',
    re.MULTILINE | re.DOTALL,
)
"""A docstring, another string, or a comment."""


def broken_citations(words: str, documents: Mapping[str, Document], *, known: tuple[str, ...] = ()) -> list[str]:
    """Return what is wrong with the citations in some words: whole ones, and bare numbers.

    Bare numbers may belong to the documents that are known, and to those that the words name.
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
    where = f"not in {' or '.join(named)}" if named else "stands in no document that is named beside it"
    return [f"{form.format(number)}: {where}" for number in numbers if number not in there]


# --- what there is to read in a file --------------------------------------------------------------------------------


def words_of_python(source: str) -> str:
    """Return the comments and docstrings of a module, in their order."""
    return "\n".join(found["docstring"] or found["comment"] or "" for found in _PYTHON.finditer(source))


def broken_in(suffix: str, source: str, documents: Mapping[str, Document]) -> list[str]:
    """Return what is wrong with the citations of a source file; `suffix`: of its name."""
    if suffix == ".py":
        missing = [f"{name}: there is no such document" for name in _FROM_ROOT.findall(source) if name not in documents]
        return [*dict.fromkeys(broken_citations(words_of_python(source), documents) + missing)]
    known = tuple(f"{RULES}/{key}.md" for key in _GAME.findall(source)) if suffix == ".tape" else ()
    comments = "\n".join(line.partition("#")[2] for line in source.splitlines() if "#" in line)
    return broken_citations(comments, documents, known=known)


DOCUMENTS = read_documents()
SOURCES = ("controller", "firmware", "tests", "systemd", "hardware/profiles")
SUFFIXES = frozenset({".py", ".tape", ".toml", ".sh", ".service", ".conf", ".rules", ".ini", ".js", ".mjs"})
CHECKERS = "tests/docs"  # they quote what is broken on purpose
FOUND = {
    "docs/rules/toy.md": Document(
        "docs/rules/toy.md", "# Toy\n\nT1. One.\n\nL1. First.\n\nL2. Second.\n\n## At the table\n"
    ),
    "docs/contracts.md": Document("docs/contracts.md", "# Contracts\n\n## Contract 1: a game\n"),
}


@cache
def sources() -> dict[str, str]:
    """Return the source files of the repository, by their paths from the root."""
    files = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES]
    files = [path for path in files if "node_modules" not in path.parts] + [ROOT / "pyproject.toml", ROOT / "Makefile"]
    names = [path.relative_to(ROOT).as_posix() for path in files]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names if not name.startswith(CHECKERS)}


@pytest.mark.slow
def test_every_citation_in_a_source_file_leads_to_a_line_that_exists() -> None:
    found = {name: broken_in(Path(name).suffix, source, DOCUMENTS) for name, source in sources().items()}
    assert [f"{name}: {wrong}" for name, broken in found.items() for wrong in broken] == []


def test_every_citation_in_a_document_leads_to_a_line_that_exists() -> None:
    rules = tuple(path for path in DOCUMENTS if path.startswith(f"{RULES}/"))
    known = (*rules, CONTRACTS)
    broken = [
        f"{path}: {wrong}"
        for path, document in DOCUMENTS.items()
        if path.startswith("docs/") or path == "README.md"
        for wrong in broken_citations(re.sub(r"\]\([^)]*\)", "]", document.text), DOCUMENTS, known=known)
    ]
    assert broken == []


def test_the_rules_of_every_game_are_numbered_without_a_gap() -> None:
    for path, document in DOCUMENTS.items():
        if not path.startswith(f"{RULES}/"):
            continue
        for letter in {number[0] for number in document.numbers}:
            found = sorted(
                int(number[1:]) for number in document.numbers if number[0] == letter and number[-1].isdigit()
            )
            assert found == list(range(1, len(found) + 1)), path


def test_every_rule_is_cited_by_the_code_or_the_tests() -> None:
    cited = {number for source in sources().values() for number in re.findall(r"\b[LSWCZ]\d+\b", source)}
    numbers = {
        number for path, document in DOCUMENTS.items() if path.startswith(f"{RULES}/") for number in document.numbers
    }
    assert {number for number in numbers if number[0] in "LSWCZ" and number[-1].isdigit()} <= cited


# --- the checker itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "As docs/rules/toy.md L2 says.",
        "From docs/rules/toy.md L1 - L2, and T1 beside it.",
        'In docs/rules/toy.md, "At the table".',
        "Over a line's end: docs/rules/toy.md\n    L2.",
        "A contract, docs/contracts.md Contract 1; then bare, Contract 1.",
        "Squares a1 and C-sharp, chips such as SSD1306: no rules at all.",
    ],
)
def test_a_citation_that_leads_somewhere_is_let_pass(words: str) -> None:
    assert broken_citations(words, FOUND) == []


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        *((words, "there is no such document") for words in ("docs/rules/nothing.md L1", "rules/toy.md L1")),
        ("docs/rules/toy.md L3", "docs/rules/toy.md L3: the document has no such number"),
        ("docs/rules/toy.md L1 - L9", "docs/rules/toy.md L9: the document has no such number"),
        ('docs/rules/toy.md, "At the bar"', "the document has no such heading"),
        ("docs/rules/toy.md, At the table", "put the heading in quotes"),
        ("docs/contracts.md Contract 7", "the document has no such contract"),
        ("Of its own (L2).", "L2: stands in no document that is named beside it"),
        ("docs/rules/toy.md, and in it (S4)", "S4: not in docs/rules/toy.md"),
        ("Contract 1", "Contract 1: stands in no document that is named beside it"),
        *((words, "names what a reader does not have") for words in ("(design, Contract 1)", "../seeds/1.txt")),
    ],
)
def test_a_citation_that_leads_nowhere_is_named(words: str, wrong: str) -> None:
    assert any(wrong in found for found in broken_citations(words, FOUND))


def test_a_bare_number_on_a_tape_belongs_to_the_game_it_plays() -> None:
    tape = "# Second comes second (L2), third does not come (L3).\ngame toy Anne\n"
    assert broken_in(".tape", tape, FOUND) == ["L3: not in docs/rules/toy.md"]


def test_comments_and_docstrings_are_read_and_names_are_not() -> None:
    head = '"""Module L1."""\nC1 = 2  # comment L2\n"""Attribute T1."""\n'
    source = f'{head}def f() -> str:\n    """Inner S1."""\n    return (\n        "W1",\n    )\n'
    words = words_of_python(source)
    assert re.findall(r"\b[A-Z]\d", words) == ["L1", "L2", "T1", "S1"]


def test_a_document_that_a_program_names_is_looked_for() -> None:
    program = '"""Tell."""\nprint("see docs/nowhere.md for it")\n'
    assert broken_in(".py", program, FOUND) == ["docs/nowhere.md: there is no such document"]
