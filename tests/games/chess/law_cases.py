"""The cases of law_cases.toml as values; each is played by the tests' law book, and by the game."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("law_cases.toml")
SENTENCES = {"says", "law", "start", "stands", "flag", "end"}


@dataclass(frozen=True)
class LawCase:
    """A case: what is played from a start, and what the Laws say afterwards; the fields are explained in the file."""

    says: str
    law: str
    start: str = "518"
    play: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    illegal: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    check: bool | None = None
    stands: str = ""
    claims: tuple[str, ...] = ()
    claims_with: tuple[str, ...] = ()
    flag: str = ""
    refused: tuple[str, ...] = ()
    end: str = ""

    @property
    def options(self) -> dict[str, str]:
        """The start as the options of a match."""
        return {"start" if self.start.isdigit() else "fen": self.start}


def read_case(table: dict[str, Any]) -> LawCase:
    """Return the case of one table of the file; raises TypeError for a key that no case has."""
    return LawCase(**{key: _value(key, value) for key, value in table.items()})


def _value(key: str, value: Any) -> Any:  # noqa: ANN401 - a value of TOML
    return tuple(value.split()) if isinstance(value, str) and key not in SENTENCES else value


def check_case(case: LawCase) -> None:
    """Raise ValueError for a case whose tests would look at nothing."""
    said = {field.name for field in fields(case) if getattr(case, field.name) != field.default}
    if said <= {"says", "law", "start", "play"}:
        raise ValueError(f"{case.says!r} expects nothing")
    if set(case.legal) & set(case.illegal):
        raise ValueError(f"{case.says!r} expects moves to be legal and illegal: {set(case.legal) & set(case.illegal)}")


CASES = [read_case(table) for table in tomllib.loads(FILE.read_text(encoding="utf-8"))["case"]]
