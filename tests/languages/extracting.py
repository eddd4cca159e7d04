"""Finds the messages of the program: in its code, its templates, its scripts and the lessons.

In code, a message is the literal first argument of `say`, `several`, `noun` or `message`; in templates of `_` and
`several`. Text in lessons is found by its key.
"""

import ast
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from jinja2.ext import babel_extract

from captains_table.catalog.languages import OWN_NAME
from captains_table.phrases.phrase import LIST, NOUN, message_fields
from captains_table.web.render import texts_of_scripts

PRODUCT: Final = Path(__file__).parents[2] / "controller" / "captains_table"
CONTEXTS: Final = {"say": "", "message": "", "several": "", "noun": NOUN, "_": ""}
"""The context of the messages of each function."""
OPTIONS: Final = {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
LESSON_TEXTS: Final = frozenset({"title", "heading", "says"})
FIXED: Final = (
    OWN_NAME,
    (LIST, "{first}, {last}"),
    (LIST, "{first} and {last}"),
    (LIST, "{first} or {last}"),
    ("decimal mark", "."),
)
"""The messages of `captains_table.phrases` itself: context and text."""


class NoMessage(ValueError):
    """An argument is an f-string, which no tool can find; the message of the error says where."""


class Message(NamedTuple):
    """A message and where it is written.

    Attributes:
        context: what distinguishes it from others with the same text.
        text: the English text.
        plural_text: the text for several things; empty for a message without plural forms.
        file: the file, from the package's folder.
        line: the line.
    """

    context: str
    text: str
    plural_text: str
    file: str
    line: int


@cache
def all_messages() -> Sequence[Message]:
    """Return all messages of the program."""
    return tuple(messages_of())


def messages_of(folder: Path = PRODUCT) -> Iterator[Message]:
    """Yield all messages of a package, in the order of its files and lines."""
    if folder == PRODUCT:
        yield from (Message(context, text, "", "phrases/phrase.py", 1) for context, text in FIXED)
        yield from (Message("", text, "", "web/static", 1) for text in sorted(texts_of_scripts()))
    for path in sorted(folder.rglob("*")):
        file = path.relative_to(folder).as_posix()
        if path.suffix == ".py" and "phrases import" in path.read_text(encoding="utf-8"):
            yield from _of_code(path, file)
        elif path.suffix == ".html" and "templates" in path.parts:
            yield from _of_template(path, file)
        elif path.suffix == ".toml" and "lesson" in path.name:
            yield from _of_lesson(path, file)


def _of_code(path: Path, file: str) -> Iterator[Message]:
    calls = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call))
    found = [(call, call.func.id) for call in calls if isinstance(call.func, ast.Name) and call.func.id in CONTEXTS]
    for call, function in sorted(found, key=lambda each: each[0].lineno):
        texts = call.args[1:3] if function == "several" else call.args[:1]
        if any(isinstance(text, ast.JoinedStr) for text in texts):
            raise NoMessage(f"{path}:{call.lineno}: an f-string in {function}(), which nobody finds: expected a text")
        literal = [text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)]
        if literal:
            check_parts(call, literal, f"{path}:{call.lineno}")
            yield Message(CONTEXTS[function], literal[0], "".join(literal[1:]), file, call.lineno)


def check_parts(call: ast.Call, texts: Sequence[str], place: str) -> None:
    """Raise NoMessage unless a call of `say` or `several` has the parts that its texts name."""
    if not isinstance(call.func, ast.Name) or call.func.id not in {"say", "several"}:
        return
    fields = [name for name in message_fields(*texts) if call.func.id == "say" or name != "n"]
    named = [word.arg for word in call.keywords]
    parts = call.args[1 if call.func.id == "say" else 3 :]
    if any(isinstance(part, ast.Starred) for part in parts) or None in named:
        return
    fits = len(parts) == len(fields) if parts else sorted(map(str, named)) == sorted(fields)
    if not fits or (parts and named):
        raise NoMessage(f"{place}: {texts[0]!r} names {', '.join(fields) or 'no parts'}: expected these in this order")


def _of_template(path: Path, file: str) -> Iterator[Message]:
    with path.open("rb") as template:
        for line, function, texts, _ in babel_extract(template, list(CONTEXTS), [], OPTIONS):
            literal = [text for text in (texts if isinstance(texts, tuple) else (texts,)) if text]
            if literal:
                yield Message(CONTEXTS[function], literal[0], literal[1] if function == "several" else "", file, line)


def _of_lesson(path: Path, file: str) -> Iterator[Message]:
    """Yield the texts of a lesson, each with the line on which its step begins."""
    lines = path.read_text(encoding="utf-8").splitlines()

    def texts(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in LESSON_TEXTS and isinstance(inner, str):
                    yield inner
                elif key == "glass":
                    yield "\n".join(inner)
                elif key == "slips":
                    yield from inner.values()
                else:
                    yield from texts(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from texts(inner)

    for text in texts(tomllib.loads("\n".join(lines))):
        start = next((number for number, line in enumerate(lines, 1) if text.splitlines()[0] in line), 1)
        yield Message("", text, "", file, start)
