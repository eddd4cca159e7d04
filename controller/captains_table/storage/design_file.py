"""The file of players' own pieces for Crowns, next to the journal: TOML that people may also edit.

Each piece is a part of the file that begins with `[[piece]]` and is parsed separately, so that an error in one part
does not hide the others. Saving or deleting a piece changes only its own part and leaves the other parts as they were
typed (docs/rules/crowns.md D5). A piece is saved only if it is legal and no other piece has its name. The saved pieces
are also choices for the options of a match.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Any, Final

from captains_table.games.contract import Choice, did_you_mean
from captains_table.games.crowns.designs import BadDesign, Design, check_design, drawn_design, roster
from captains_table.games.crowns.state import PIECES
from captains_table.phrases import message_of, say
from captains_table.storage.files import write_whole
from captains_table.storage.toml_file import BadToml, parse_toml

DESIGNS: Final = "crowns-designs.toml"
MOST_DESIGNS: Final = 200
HEAD: Final = """\
# Pieces for Crowns, one after another: the page /designs writes them here, and so may you.
# A grid is written as squares a1 to e5 around c3, forward towards 5, and arrows n ne e se s sw w nw.
"""
_HEADER: Final = re.compile(r"\s*\[\[\s*piece\s*\]\]\s*(#.*)?")
_EXAMPLES: Final = {"name": "Ferris", "standard": "b4 d4 b2 d2", "levelled": "b5 d5 a4 e4 a2 e2 b1 d1"}
_KEYS: Final = tuple(_EXAMPLES)
_TWICE: Final = "it is there twice, and the first one counts: expected another name"


class CannotKeep(RuntimeError):
    """The file of pieces cannot be read or written, or is full; the message says why, and the file is unchanged."""


class NameTaken(ValueError):
    """A stored piece already has the wanted name."""


class NoSuchPiece(LookupError):
    """No saved piece has this name."""


@dataclass(frozen=True, slots=True)
class SavedDesigns:
    """The content of the file of pieces.

    Attributes:
        designs: the legal pieces, in the order of the file.
        damage: a sentence about each fault, for example about a file that cannot be read, text before the first piece,
            an illegal piece, or a name that occurs twice.
    """

    designs: Sequence[Design] = ()
    damage: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the file of designed pieces: the lines of one piece with its notes, or the lines before all pieces.

    Attributes:
        first: the line number of the part's first line, counted from 1; 0 for a part that is not in the file yet.
        lines: the lines.
    """

    first: int
    lines: tuple[str, ...]

    @property
    def header(self) -> int:
        """The number of lines above the line `[[piece]]`; the number of all lines if there is no such line."""
        return next((at for at, line in enumerate(self.lines) if _HEADER.fullmatch(line)), len(self.lines))

    @property
    def notes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The notes above the piece, and the empty lines and notes below the piece."""
        end = len(self.lines)
        while end > self.header and _is_note(self.lines[end - 1]):
            end -= 1
        return self.lines[: self.header], self.lines[end:]

    def apart(self) -> list["_Part"]:
        """Return the notes that stay in the file when this part's piece is deleted.

        Notes stay if an empty line separates them from the piece above, because they belong to the next piece. The
        result is one part without a piece, or empty if no notes stay.
        """
        below = list(dropwhile(str.strip, self.notes[1]))
        return [_Part(0, tuple(below))] if any(map(str.strip, below)) else []

    def values(self) -> Mapping[str, Any]:
        """Return the keys and values of the part's piece; raises BadDesign."""
        try:
            found = parse_toml("\n" * (self.first - 1) + "\n".join(self.lines))
        except BadToml as error:
            raise BadDesign(str(error)) from error
        match found:
            case {"piece": [dict(values)], **others} if not others:
                return values
        raise BadDesign(f"holds more than a piece: expected {', '.join(_KEYS)} and no table of another name")

    def name(self) -> str:
        """Return the name of the part's piece; empty if the name cannot be read."""
        try:
            name = self.values().get("name", "")
        except BadDesign:
            return ""
        return name if isinstance(name, str) else ""

    def design(self) -> Design:
        """Return the design of the piece in this part of the file; raises BadDesign."""
        values = self.values()
        for key in values:
            if key not in _KEYS:
                raise BadDesign(f"unknown key {key!r}: expected {', '.join(_KEYS)}{did_you_mean(key, _KEYS)}")
        for key in _KEYS:
            if not isinstance(values.get(key), str):
                found = f"{key} = {values[key]!r}" if key in values else f"{key} is missing"
                raise BadDesign(f'{found}: expected text in quotes, such as {key} = "{_EXAMPLES[key]}"')
        design = drawn_design(values["name"], values["standard"], values["levelled"])
        check_design(design)
        return design


class DesignFile:
    """Reads and writes the file of pieces; each call reads the file anew, so that manual edits count at once (D5).

    Source: docs/rules/crowns.md D5.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> SavedDesigns:
        """Return the content of the file; an unreadable file is reported as damage."""
        try:
            head, *parts = self._parts()
        except CannotKeep as error:
            return SavedDesigns((), (str(error),))
        designs: dict[str, Design] = {}
        damage = list(self._damage_of_head(head))
        for part in parts:
            try:
                design = part.design()
            except BadDesign as error:
                damage.append(self._sentence(part, error))
            else:
                if designs.setdefault(design.name, design) is not design:
                    damage.append(self._sentence(part, BadDesign(_TWICE)))
        return SavedDesigns(tuple(designs.values()), tuple(damage))

    def choices(self, collection: str) -> Sequence[Choice]:
        """Return the saved pieces as an option's choices if the collection is `PIECES`; empty for other collections."""
        return [Choice(str(design), design.name) for design in self.read().designs] if collection == PIECES else []

    def save(self, design: Design, instead_of: str = "") -> None:
        """Save a piece in place of the saved piece named `instead_of`; if no piece has that name, add it at the end.

        Raises:
            BadDesign: the piece breaks a rule.
            NameTaken: another saved piece or a built-in piece has its name.
            CannotKeep: the file cannot be read or written, or is full.
        """
        check_design(design)
        parts = self._parts()
        at = self._place(parts, instead_of) if instead_of else None
        self._check_name(design.name, parts, at)
        if at is None:
            if len(parts) > MOST_DESIGNS:
                raise CannotKeep(
                    say("{count} pieces are kept here already: expected one to be deleted first.", MOST_DESIGNS)
                )
            self._write([*parts, _Part(0, ("", *_lines_of(design)))])
        else:
            above, below = parts[at].notes
            self._write([*parts[:at], _Part(0, (*above, *_lines_of(design), *below)), *parts[at + 1 :]])

    def delete(self, name: str) -> None:
        """Delete a piece; raises NoSuchPiece or CannotKeep."""
        parts = self._parts()
        at = self._place(parts, name)
        if at is None:
            raise NoSuchPiece(say("No piece {name} is kept here: expected one of the list.", repr(name)))
        self._write([*parts[:at], *parts[at].apart(), *parts[at + 1 :]])

    # --- parsing and writing ---

    def _parts(self) -> list[_Part]:
        """Return the parts of the file: the head, then one part for each piece; raises CannotKeep."""
        try:
            lines = self.path.read_text(encoding="utf-8-sig").removesuffix("\n").split("\n")
        except FileNotFoundError:
            lines = HEAD.splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CannotKeep(say("{path} cannot be read ({error}).", str(self.path), str(error))) from error
        starts = [0, *_starts(lines), len(lines)]
        return [_Part(start + 1, tuple(lines[start:end])) for start, end in pairwise(starts)]

    def _place(self, parts: Sequence[_Part], name: str) -> int | None:
        return next((at for at, part in enumerate(parts) if at and part.name() == name), None)

    def _check_name(self, name: str, parts: Sequence[_Part], at: int | None) -> None:
        if any(name == piece.name for piece in roster()):
            raise NameTaken(say("{name} is a piece of the roster: expected another name.", name))
        if any(part.name() == name for place, part in enumerate(parts) if place not in (0, at)):
            raise NameTaken(say("{name} is kept here already: expected another name, or that one to be changed.", name))

    def _write(self, parts: Sequence[_Part]) -> None:
        text = "\n".join(line for part in parts for line in part.lines)
        try:
            write_whole(self.path, f"{text}\n", keeps_mode=True)
        except OSError as error:
            raise CannotKeep(
                say("{path} cannot be written ({error}): nothing was changed.", str(self.path), str(error))
            ) from error

    def _damage_of_head(self, head: _Part) -> Iterator[str]:
        for number, line in enumerate(head.lines, head.first):
            if not _is_note(line):
                yield say(
                    "{path}, line {line}: {text} is of no piece: expected [[piece]] above it.",
                    str(self.path),
                    number,
                    repr(line[:60]),
                )
                return

    def _sentence(self, part: _Part, error: BadDesign) -> str:
        called = part.name()
        problem = message_of(error)
        if not problem.startswith(called or "The piece"):
            problem = say("{piece}: {problem}", called or say("A piece"), problem)
        return say(
            "{path}, line {line}: {problem} (docs/rules/crowns.md {rule}).",
            str(self.path),
            part.first + part.header,
            problem,
            error.rule,
        )


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Yield the index of the first line of each part: `[[piece]]`, or the first comment line directly above it."""
    for at, line in enumerate(lines):
        if _HEADER.fullmatch(line):
            start = at
            while start and lines[start - 1].lstrip().startswith("#"):
                start -= 1
            yield start


def _is_note(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _lines_of(design: Design) -> list[str]:
    """Return a piece as lines of TOML; strings are quoted as in JSON."""
    values = zip(_KEYS, (design.name, str(design.standard), str(design.levelled)), strict=True)
    return ["[[piece]]", *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values)]
