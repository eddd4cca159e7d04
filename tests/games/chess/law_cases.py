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

KNOWN_LINES = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8_902, 197_281),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2_039, 97_862),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2_812, 43_238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9_467),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1_486, 62_379),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2_079, 89_890),
}
"""The known numbers of lines of one move, of two moves and so on, of six positions that programs are tested with."""
